// Items that are made, on their way into the index: gathered into groups, so that what several of them have becomes one entry.

import { type ByteString, bytesOf } from '../../../foundation/byte-string.ts';
import type { EngineWrite } from '../../../storage/storage-engine.ts';
import type { SegmentKeys } from './index-keys.ts';
import { timeOrder } from './index-paths.ts';
import { bitOf, countOf, encodeGroup, encodeMembers, GROUP_SPAN, MOST_IN_GROUP } from './item-group.ts';
import { type EntryCounts, encodeItemRecord, type ItemRecord, writeItem } from './item-record.ts';
import type { TermList } from './term-list.ts';

/** With fewer it is not worth while: whoever walks an entry that is shared has to look up the group. */
const leastSharing = 4;
/** Items with more terms have entries of their own: what is looked at to find what they have in common is bounded. */
const mostTerms = 250;

/** A term and who has it. */
interface GroupTerm {
  readonly list: TermList;
  readonly index: number;
  members: number;
  /** Known when the group is whole. */
  isShared: boolean;
}

interface NewItem {
  readonly itemKey: ByteString;
  readonly record: ItemRecord;
  readonly terms: readonly GroupTerm[];
}

export class NewItems {
  readonly #keys: SegmentKeys;
  readonly #counts: EntryCounts;
  readonly #writes: EngineWrite[];
  #items: NewItem[] = [];
  #all: GroupTerm[] = [];
  #byText = new Map<ByteString, GroupTerm>();
  #lowestRid = Number.POSITIVE_INFINITY;
  #highestRid = 0;

  constructor(keys: SegmentKeys, counts: EntryCounts, writes: EngineWrite[]) {
    this.#keys = keys;
    this.#counts = counts;
    this.#writes = writes;
  }

  add(itemKey: ByteString, record: ItemRecord): void {
    if (record.terms.length > mostTerms) {
      writeItem(this.#keys, itemKey, undefined, record, this.#counts, this.#writes);
      return;
    }
    const lowest = Math.min(this.#lowestRid, record.rid);
    const highest = Math.max(this.#highestRid, record.rid);
    if (this.#items.length === MOST_IN_GROUP || highest - lowest >= GROUP_SPAN) this.finish();
    this.#lowestRid = Math.min(this.#lowestRid, record.rid);
    this.#highestRid = Math.max(this.#highestRid, record.rid);
    // The list that came is used again for the next item.
    const list = record.terms.copy();
    const bit = bitOf(this.#items.length);
    const before = this.#items.at(-1)?.terms;
    const terms: GroupTerm[] = [];
    for (let index = 0; index < list.length; index++) {
      const term = this.#termOf(list, index, before?.[index]);
      term.members |= bit;
      terms.push(term);
    }
    this.#items.push({ itemKey, record: { ...record, terms: list }, terms });
  }

  /** Items look like the one before them, mostly; what does not stand at the same place is looked for. */
  #termOf(list: TermList, index: number, before: GroupTerm | undefined): GroupTerm {
    // Another with every version of the item, which would have to give it up with the first.
    if (list.orderOf(index) === timeOrder) return this.#newTerm(list, index);
    if (before !== undefined && list.isSameAs(index, before.list, before.index)) return before;
    const text = list.textOf(index);
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    const term = this.#newTerm(list, index);
    this.#byText.set(text, term);
    return term;
  }

  #newTerm(list: TermList, index: number): GroupTerm {
    const term = { list, index, members: 0, isShared: false };
    this.#all.push(term);
    return term;
  }

  /** What was added is among the writes. */
  finish(): void {
    const keys = this.#keys;
    const writes = this.#writes;
    const lowestRid = this.#lowestRid;
    let hasShared = false;
    for (const term of this.#all) {
      const { list, index, members } = term;
      const count = countOf(members);
      this.#counts.add(list.orderOf(index), count);
      if (count < leastSharing) continue;
      hasShared = true;
      term.isShared = true;
      const key = keys.sharedEntry(list.bytes, list.startOf(index), list.endOf(index), lowestRid);
      writes.push({ key, value: encodeMembers(members) });
    }
    for (const [place, { itemKey, record, terms }] of this.#items.entries()) {
      const value = bytesOf(itemKey);
      const { terms: list, rid } = record;
      const { bytes } = list;
      for (let index = 0; index < terms.length; index++)
        if (terms[index]?.isShared === false)
          writes.push({ key: keys.entry(bytes, list.startOf(index), list.endOf(index), rid), value });
      const encoded = encodeItemRecord(record, hasShared ? { lowestRid, place } : undefined, (index) => {
        const term = terms[index];
        return term?.isShared === true ? term.members : 0;
      });
      writes.push({ key: bytesOf(keys.record(itemKey)), value: encoded });
    }
    if (hasShared) {
      const members = this.#items.map(({ itemKey, record }) => ({ itemKey, rid: record.rid }));
      writes.push({ key: bytesOf(keys.group(lowestRid)), value: encodeGroup(lowestRid, members) });
    }
    this.#items = [];
    this.#all = [];
    this.#byText = new Map();
    this.#lowestRid = Number.POSITIVE_INFINITY;
    this.#highestRid = 0;
  }
}
