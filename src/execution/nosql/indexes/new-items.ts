// Items that are made, on their way into the index: gathered into groups, so that what several of them have becomes one entry.

import { type ByteString, bytesOf } from '../../../foundation/byte-string.ts';
import type { EngineWrite } from '../../../storage/storage-engine.ts';
import { GroupRecords } from './group-records.ts';
import { type GroupTerm, GroupTerms } from './group-terms.ts';
import type { SegmentKeys } from './index-keys.ts';
import { bitOf, countOf, encodeGroup, encodeMembers, GROUP_SPAN, MOST_IN_GROUP } from './item-group.ts';
import { type EntryCounts, type ItemRecord, type RecordHead, writeItem } from './item-record.ts';

/** With fewer it is not worth while: whoever walks an entry that is shared has to look up the group. */
const leastSharing = 4;
/** Items with more terms have entries of their own: what is looked at to find what they have in common is bounded. */
const mostTerms = 250;

interface NewItem extends RecordHead {
  readonly itemKey: ByteString;
  readonly terms: readonly GroupTerm[];
}

export class NewItems {
  readonly #keys: SegmentKeys;
  readonly #counts: EntryCounts;
  readonly #writes: EngineWrite[];
  #items: NewItem[] = [];
  #terms = new GroupTerms();
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
    const { version, policyTag, rid } = record;
    const lowest = Math.min(this.#lowestRid, rid);
    const highest = Math.max(this.#highestRid, rid);
    if (this.#items.length === MOST_IN_GROUP || highest - lowest >= GROUP_SPAN) this.finish();
    this.#lowestRid = Math.min(this.#lowestRid, rid);
    this.#highestRid = Math.max(this.#highestRid, rid);
    const terms = this.#terms.of(record.terms, bitOf(this.#items.length));
    this.#items.push({ itemKey, version, policyTag, rid, terms });
  }

  /** What was added is among the writes. */
  finish(): void {
    const keys = this.#keys;
    const writes = this.#writes;
    const lowestRid = this.#lowestRid;
    let hasShared = false;
    for (const term of this.#terms.all) {
      const { order, bytes, start, end, members } = term;
      const count = countOf(members);
      this.#counts.add(order, count);
      if (count < leastSharing) continue;
      hasShared = true;
      term.isShared = true;
      writes.push({ key: keys.sharedEntry(bytes, start, end, lowestRid), value: encodeMembers(members) });
    }
    const records = new GroupRecords();
    for (const [place, item] of this.#items.entries()) {
      const { itemKey, terms, rid } = item;
      const value = bytesOf(itemKey);
      for (const { isShared, bytes, start, end } of terms)
        if (!isShared) writes.push({ key: keys.entry(bytes, start, end, rid), value });
      const record = records.next(item, terms, hasShared ? { lowestRid, place } : undefined);
      writes.push({ key: bytesOf(keys.record(itemKey)), value: record });
    }
    if (hasShared)
      writes.push({ key: bytesOf(keys.group(lowestRid)), value: encodeGroup(lowestRid, this.#items) });
    this.#items = [];
    this.#terms = new GroupTerms();
    this.#lowestRid = Number.POSITIVE_INFINITY;
    this.#highestRid = 0;
  }
}
