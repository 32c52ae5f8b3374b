import { assert } from '../../../foundation/assert.ts';
import { type ByteString, byteStringOf, concatBytes } from '../../../foundation/byte-string.ts';
import { containerPrefix } from '../../../partitioning/logical-partition.ts';
import type { EngineRow, RowIterator, StorageEngine } from '../../../storage/storage-engine.ts';
import { rangeOf, ridOf } from './index-keys.ts';
import { orderBytesOf } from './index-paths.ts';
import type { IndexSegment } from './index-segment.ts';
import { countOf, GROUP_SPAN, isMembers, membersIn, membersOf } from './item-group.ts';
import type { IndexEntry, IndexPage, IndexPosition, IndexWalk } from './item-index.ts';

/** What is looked at for one page, however little of it is of the partition. */
const maxExaminedBeyond = 2_000;
/** So many groups are looked up together, if they are wanted. */
const groupsAtOnce = 32;
/** Of one read, at first and at most: a row may tell of many items. */
const rowsAtFirst = 32;
const rowsAtOnce = 1_000;

/** A page of a segment's entries, without those that `isWanted` does not know. */
export async function walkEntries(
  engine: StorageEngine,
  segment: IndexSegment,
  walk: IndexWalk,
  isWanted: (itemKey: ByteString) => boolean,
): Promise<IndexPage> {
  const range = rangeOfWalk(segment, walk);
  if (range.from >= range.to) return { entries: [], next: undefined, examined: 0 };
  const iterator = engine.iterate({ ...range, reverse: walk.reverse });
  const page = new GrowingPage(segment, walk, isWanted);
  try {
    const { keys } = segment;
    const merged = new MergedEntries(walk.reverse, page);
    let minRows = 1;
    let maxRows = rowsAtFirst;
    for (;;) {
      const rows = await iterator.next(Math.min(Math.max(page.room + 1, minRows), maxRows), 2 ** 18);
      if (rows.length === 0) break;
      maxRows = rowsAtOnce;
      let groups: Groups = noGroups;
      for (const [at, { key, value: told }] of rows.entries()) {
        const isShared = isMembers(told);
        if (isShared && membersIn(told) === 0) continue;
        const { value, rid } = keys.entryIn(key, isShared);
        merged.reach(value, rid);
        // What it is shared in need not be looked up any more.
        if (page.isOver) break;
        if (!isShared) merged.addOne(rid, byteStringOf(told));
        else {
          // A span of them is wanted before the first is known to be the next.
          if (walk.reverse) minRows = rowsAtFirst;
          if (!groups.has(rid)) groups = await groupsOf(segment, iterator, rows, at, walk.reverse, page.room);
          const group = groups.get(rid);
          assert(group !== undefined, 'a group is there as long as entries are shared in it');
          merged.addSome(rid, membersOf(group, rid, membersIn(told)));
        }
        if (page.isOver) break;
      }
      if (page.isOver) break;
    }
    merged.end();
    return page.result();
  } finally {
    await iterator.close();
  }
}

type Groups = ReadonlyMap<number, Buffer | undefined>;
const noGroups: Groups = new Map();

/** Those that rows from there on are shared in, until there are entries enough. Some may turn out to be left out: then more are asked for. */
async function groupsOf(
  { keys }: IndexSegment,
  iterator: RowIterator,
  rows: readonly EngineRow[],
  from: number,
  reverse: boolean,
  room: number,
): Promise<Groups> {
  const wanted = new Set<number>();
  let entries = 0;
  let enough: { readonly value: ByteString; readonly rid: number } | undefined;
  for (let at = from; at < rows.length && wanted.size < groupsAtOnce; at++) {
    const { key, value: told } = rows[at] as EngineRow;
    const isShared = isMembers(told);
    const entry = keys.entryIn(key, isShared);
    // One more tells that there is more. Backwards, rows within a span of it may tell of some that come before it.
    if (entries > room) {
      enough ??= entry;
      if (!reverse || entry.value !== enough.value || enough.rid - entry.rid > GROUP_SPAN) break;
    }
    entries += isShared ? countOf(membersIn(told)) : 1;
    if (isShared) wanted.add(entry.rid);
  }
  const rids = [...wanted];
  const found = await iterator.getMany(rids.map((rid) => keys.group(rid)));
  return new Map(rids.map((rid, at) => [rid, found[at]]));
}

interface FoundItem {
  readonly rid: number;
  readonly itemKey: ByteString;
  /** Of the row that tells of it. */
  readonly lowestRid: number;
}

/** Rows come in order of the lowest rid that they tell of, and may tell of others too: here those are put in order. */
class MergedEntries {
  readonly #reverse: boolean;
  readonly #page: GrowingPage;
  #value: ByteString | undefined;
  /** In order, unless it is said that they are not. */
  #waiting: FoundItem[] = [];
  #isInOrder = true;

  constructor(reverse: boolean, page: GrowingPage) {
    this.#reverse = reverse;
    this.#page = page;
  }

  addOne(rid: number, itemKey: ByteString): void {
    const item = { rid, itemKey, lowestRid: rid };
    // Forwards, all that are still to come are behind it.
    if (this.#reverse) this.#wait(item);
    else this.#page.add(this.#value as ByteString, item);
  }

  addSome(lowestRid: number, items: Iterable<{ readonly rid: number; readonly itemKey: ByteString }>): void {
    for (const { rid, itemKey } of items) this.#wait({ rid, itemKey, lowestRid });
  }

  end(): void {
    for (const item of this.#ordered()) this.#page.add(this.#value as ByteString, item);
    this.#waiting = [];
  }

  #wait(item: FoundItem): void {
    const last = this.#waiting.at(-1);
    if (last !== undefined && item.rid > last.rid === this.#reverse) this.#isInOrder = false;
    this.#waiting.push(item);
  }

  /** A row comes: those that stand before all that it and the rows behind it can tell of are due. */
  reach(value: ByteString, lowestRid: number): void {
    if (value !== this.#value) {
      this.end();
      this.#value = value;
      return;
    }
    if (this.#waiting.length === 0) return;
    const waiting = this.#ordered();
    let due = 0;
    // Backwards, none that is further from it than a group spans.
    if (this.#reverse) while ((waiting[due]?.rid ?? 0) >= lowestRid + GROUP_SPAN) due++;
    else while ((waiting[due]?.rid ?? lowestRid) < lowestRid) due++;
    if (due === 0) return;
    for (const item of waiting.splice(0, due)) this.#page.add(value, item);
  }

  #ordered(): FoundItem[] {
    if (!this.#isInOrder) this.#waiting.sort((a, b) => (this.#reverse ? b.rid - a.rid : a.rid - b.rid));
    this.#isInOrder = true;
    return this.#waiting;
  }
}

class GrowingPage {
  readonly #segment: IndexSegment;
  readonly #prefix: ByteString;
  readonly #walk: IndexWalk;
  readonly #isWanted: (itemKey: ByteString) => boolean;
  readonly #entries: IndexEntry[] = [];
  #bytes = 0;
  #examined = 0;
  #last: IndexPosition | undefined;
  /** Where the first row stands that tells of something behind the last and of its value. */
  #restRid = 0;
  #isOver = false;

  constructor(segment: IndexSegment, walk: IndexWalk, isWanted: (itemKey: ByteString) => boolean) {
    this.#segment = segment;
    this.#prefix = containerPrefix(segment.container);
    this.#walk = walk;
    this.#isWanted = isWanted;
  }

  /** For so many more. */
  get room(): number {
    return this.#walk.maxEntries - this.#entries.length;
  }

  /** Something was left for the next. */
  get isOver(): boolean {
    return this.#isOver;
  }

  add(value: ByteString, { rid, itemKey, lowestRid }: FoundItem): void {
    const { maxEntries, maxBytes, after, reverse } = this.#walk;
    // Told with others of its group.
    if (after?.value === value && (reverse ? rid >= after.rid : rid <= after.rid)) return;
    if (this.#entries.length >= maxEntries || this.#bytes >= maxBytes) this.#isOver = true;
    if (this.#examined >= maxEntries + maxExaminedBeyond) this.#isOver = true;
    if (this.#isOver) {
      if (value === this.#last?.value) this.#restRid = Math.min(this.#restRid, lowestRid);
      return;
    }
    this.#examined++;
    this.#last = { value, rid };
    this.#restRid = rid + 1;
    if (!this.#isWanted(itemKey)) return;
    this.#entries.push({ value, rid, key: `${this.#prefix}${itemKey}` as ByteString });
    this.#bytes += value.length + itemKey.length;
  }

  result(): IndexPage {
    const entries = this.#entries;
    const examined = this.#examined;
    if (!this.#isOver || this.#last === undefined) return { entries, next: undefined, examined };
    const rest = { segment: this.#segment.number, rid: this.#restRid };
    return { entries, next: { ...this.#last, rest }, examined };
  }
}

function rangeOfWalk(
  { keys, number }: IndexSegment,
  { order, from, to, reverse, after }: IndexWalk,
): { readonly from: ByteString; readonly to: ByteString } {
  const base = keys.order(orderBytesOf(order));
  const whole = rangeOf(base);
  let first = from === undefined ? whole.from : concatBytes(base, from);
  let end = to === undefined ? whole.to : concatBytes(base, to);
  if (after !== undefined) {
    const reached = concatBytes(base, after.value, ridOf(after.rid));
    // A group that begins before it may tell of some behind it.
    const known = after.rest?.segment === number ? after.rest.rid : after.rid - GROUP_SPAN;
    const begin = concatBytes(base, after.value, ridOf(Math.max(0, known)));
    if (reverse && reached < end) end = reached;
    if (!reverse && begin >= first) first = begin;
  }
  return { from: first, to: end };
}
