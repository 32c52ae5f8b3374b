import { assert } from '../foundation/assert.ts';
import type { ByteString } from '../foundation/byte-string.ts';
import type { RowPage } from '../storage/partition-store.ts';
import { CachedRows, type RowOwners } from './cached-rows.ts';
import { KnownRange } from './known-range.ts';
import { KnownRanges } from './known-ranges.ts';
import { isOneRow, PendingFills } from './pending-fills.ts';
import { type RangeNote, RangeNotes } from './range-notes.ts';
import { RangePage } from './range-page.ts';
import { noRow } from './row-index.ts';
import type { RowVisitor } from './row-visitor.ts';

// Committed rows in memory, within a limit in bytes. It knows rows one by one, and stretches of keys of which it knows
// every row. What it says is what is committed: every commit passes through here, and what was read from an engine
// while a commit touched it is thrown away. It never guesses: what it does not know it calls unknown.

export interface FilledRow {
  readonly key: ByteString;
  readonly value: Buffer;
}

/** Something is being read from an engine to be cached. Ends by either call; until then every commit looks at it. */
export interface Fill {
  /**
   * All rows of the range, in key order; or those before `end`, when no more was read. False when they were thrown away, because a commit
   * touched the range since.
   */
  complete(rows: readonly FilledRow[], end?: ByteString): boolean;
  abandon(): void;
}

export interface CacheStatistics {
  readonly hits: number;
  readonly misses: number;
  readonly fillsKept: number;
  readonly fillsThrownAway: number;
  readonly rows: number;
  readonly ranges: number;
  readonly sizeBytes: number;
  readonly limitBytes: number;
}

/** A longer range is cut: an insertion moves at most this much, and the loss of one row makes no more unknown. */
const rowsPerRange = 256;

/** Four bytes of filter for each two kilobytes of cache: a handful of places for every logical partition in it. */
const bytesPerFilterPlace = 2048;

/** What rows of walks over many partitions may take of the cache. */
const shareOfWalks = 0.5;

/** So many evicted ranges may be remembered; see `evictRange`. */
const evictionLimit = 100;

export class PartitionCache {
  readonly #limitBytes: number;
  readonly #rows: CachedRows;
  readonly #ranges: KnownRanges;
  readonly #notes: RangeNotes;
  readonly #fills = new PendingFills();
  #lastRangeId = 0;
  /** Rows that have not been held against all of these since are looked at when they are found. */
  #evictions: { readonly from: ByteString; readonly to: ByteString }[] = [];
  #hits = 0;
  #misses = 0;
  #fillsKept = 0;
  #fillsThrownAway = 0;

  constructor(limitBytes: number) {
    assert(limitBytes >= 2 ** 12, 'a cache has at least 4 KB');
    this.#limitBytes = limitBytes;
    const owners: RowOwners = {
      readAt: (id) => this.#ranges.byId(id)?.readAt ?? 0,
      rowIsLost: (id) => {
        const range = this.#ranges.byId(id);
        if (range !== undefined) this.#dropRange(range);
      },
    };
    this.#ranges = new KnownRanges(limitBytes / bytesPerFilterPlace);
    this.#rows = new CachedRows(limitBytes - this.#ranges.filterBytes, owners);
    this.#notes = new RangeNotes(limitBytes / 4);
  }

  /**
   * The row; null when it is known that there is none; undefined when nothing is known. The bytes are never written
   * again, so they may be kept; but they keep a megabyte in memory, so what is kept for long should be copied.
   */
  readRow(key: ByteString): Buffer | null | undefined {
    const row = this.#find(key);
    if (row !== noRow) {
      this.#hits++;
      this.#rows.noteRead(row);
      return this.#rows.valueOf(row);
    }
    const range = this.#ranges.at(key);
    if (range === undefined) {
      this.#misses++;
      return undefined;
    }
    this.#hits++;
    range.readAt = this.#rows.moment;
    return null;
  }

  /**
   * The rows of a range, backwards if asked, up to `maxRows` and, once one is there, about `maxBytes`. Undefined
   * unless all of that is known.
   */
  readRange(
    from: ByteString,
    to: ByteString,
    maxRows: number,
    maxBytes: number,
    reverse: boolean,
  ): RowPage | undefined {
    const page = new RangePage(this.#rows, maxRows, maxBytes);
    let found: RowPage | undefined;
    if (from >= to) found = page.finish(true);
    else found = reverse ? this.#readDown(from, to, page) : this.#readUp(from, to, page);
    if (found === undefined) this.#misses++;
    else this.#hits++;
    return found;
  }

  /**
   * Shows the rows of a range, backwards if asked, until the visitor wants no more. True if it was shown all of them; undefined, with
   * nothing shown, unless all of the range is known.
   */
  visitRange(from: ByteString, to: ByteString, reverse: boolean, visitor: RowVisitor): boolean | undefined {
    if (from >= to) return true;
    const ranges = this.#covering(from, to);
    if (ranges === undefined) return undefined;
    this.#hits++;
    if (reverse) ranges.reverse();
    for (const range of ranges) {
      range.readAt = this.#rows.moment;
      const first = range.from >= from ? 0 : range.firstNotBelow(from);
      const end = range.to <= to ? range.length : range.firstNotBelow(to);
      if (!this.#show(range, first, end, reverse, visitor)) return false;
    }
    return true;
  }

  /** What was kept with the range that holds this key, if nothing of the range has changed since. */
  noteOf(key: ByteString): RangeNote | undefined {
    const range = this.#ranges.at(key);
    if (range?.note === undefined) return undefined;
    range.readAt = this.#rows.moment;
    range.isNoteRead = true;
    this.#hits++;
    return range.note;
  }

  /** In place of the one before. Nothing is kept where the range is not known in one piece, or there is no room. */
  keepNote(from: ByteString, to: ByteString, note: RangeNote): void {
    const range = this.#ranges.at(from);
    if (range === undefined || range.to < to) return;
    this.#forgetNote(range);
    if (!this.#notes.makeRoom(note.sizeBytes, (other) => this.#forgetNote(other))) return;
    this.#notes.add(range, note);
    this.#charge(range);
  }

  /** To be called before the engine is read. The range of one row is `[key, key + '\0')`. */
  beginFill(from: ByteString, to: ByteString): Fill {
    const pending = this.#fills.begin(from, to);
    return {
      complete: (rows, end = to) => {
        const isKept = this.#fills.end(pending);
        if (isKept) this.#fill(from, end, rows);
        if (isKept) this.#fillsKept++;
        else this.#fillsThrownAway++;
        return isKept;
      },
      abandon: () => {
        this.#fills.end(pending);
      },
    };
  }

  /**
   * Whether rows of many partitions may come in. A walk over more than there is room for would push out its own beginning before it is
   * asked for again; so what came first stays, until others need the room.
   */
  get hasRoomForWalks(): boolean {
    return this.#ranges.wideBytes < this.#limitBytes * shareOfWalks;
  }

  /** Whether a commit of this row would change anything here. */
  concerns(key: ByteString): boolean {
    return this.#fills.areSome || this.#find(key) !== noRow || this.#ranges.at(key) !== undefined;
  }

  /** Every committed row that concerns it passes through here, in order of commit. Null: the row was removed. The value is copied. */
  commit(key: ByteString, value: Buffer | null): void {
    this.#fills.noteCommit(key);
    const row = this.#find(key);
    if (row === noRow) {
      if (value !== null) this.#addToRange(key, value);
      return;
    }
    const range = this.#ranges.byId(this.#rows.ownerOf(row));
    if (range !== undefined) this.#forgetNote(range);
    // A row once found absent by itself may lie in a range that was filled later and does not list it.
    const isUnlisted = this.#rows.ownerOf(row) === 0 && value !== null && this.#rows.isAbsent(row);
    if (isUnlisted && this.#ranges.at(key) !== undefined) {
      this.#rows.drop(row);
      this.#addToRange(key, value);
    } else this.#rows.replace(row, key, value);
  }

  /** Nothing of the range is known afterwards, and nothing being read from it is kept. */
  evictRange(from: ByteString, to: ByteString): void {
    if (from >= to) return;
    this.#fills.noteEviction(from, to);
    for (const range of this.#ranges.overlapping(from, to)) this.#dropRange(range);
    // Rows are not in order, and looking at all of them would take long: each is held against the range when it is
    // next found. A cache may forget, so when there are too many of these everything goes.
    if (this.#evictions.length === evictionLimit) this.clear();
    else this.#evictions.push({ from, to });
  }

  clear(): void {
    this.#fills.noteEvictionOfAll();
    this.#ranges.clear();
    this.#notes.clear();
    this.#rows.clear();
    this.#evictions = [];
  }

  statistics(): CacheStatistics {
    return {
      hits: this.#hits,
      misses: this.#misses,
      fillsKept: this.#fillsKept,
      fillsThrownAway: this.#fillsThrownAway,
      rows: this.#rows.count,
      ranges: this.#ranges.size,
      sizeBytes: this.#rows.sizeBytes + this.#ranges.filterBytes,
      limitBytes: this.#limitBytes,
    };
  }

  #find(key: ByteString): number {
    const row = this.#rows.find(key);
    if (row === noRow) return noRow;
    const seen = this.#rows.evictionsSeen(row);
    if (seen === this.#evictions.length) return row;
    if (this.#evictions.slice(seen).some(({ from, to }) => key >= from && key < to)) {
      this.#rows.drop(row);
      return noRow;
    }
    this.#rows.setEvictionsSeen(row, this.#evictions.length);
    return row;
  }

  #add(key: ByteString, value: Buffer | null): number {
    const row = this.#rows.add(key, value);
    if (row !== noRow) this.#rows.setEvictionsSeen(row, this.#evictions.length);
    return row;
  }

  /** The ranges that know all of this one, in order. */
  #covering(from: ByteString, to: ByteString): KnownRange[] | undefined {
    const ranges: KnownRange[] = [];
    let range = this.#ranges.at(from);
    while (range !== undefined) {
      ranges.push(range);
      if (range.to >= to) return ranges;
      range = this.#ranges.startingAt(range.to);
    }
    return undefined;
  }

  #show(range: KnownRange, first: number, end: number, reverse: boolean, visitor: RowVisitor): boolean {
    for (let count = end - first, index = 0; index < count; index++) {
      const row = range.rowAt(reverse ? end - 1 - index : first + index);
      if (!this.#rows.show(row, visitor)) return false;
    }
    return true;
  }

  #readUp(from: ByteString, to: ByteString, page: RangePage): RowPage | undefined {
    let range = this.#ranges.at(from);
    let index = range?.firstNotBelow(from) ?? 0;
    while (range !== undefined) {
      range.readAt = this.#rows.moment;
      const end = range.to <= to ? range.length : range.firstNotBelow(to);
      for (; index < end; index++) if (!page.take(range, index)) return page.finish(false);
      if (range.to >= to) return page.finish(true);
      range = this.#ranges.startingAt(range.to);
      index = 0;
    }
    return page.isFull ? page.finish(false) : undefined;
  }

  #readDown(from: ByteString, to: ByteString, page: RangePage): RowPage | undefined {
    let end = to;
    let range = this.#ranges.startingBefore(end);
    while (range !== undefined && range.to >= end) {
      range.readAt = this.#rows.moment;
      const first = range.from >= from ? 0 : range.firstNotBelow(from);
      let index = (range.to <= to ? range.length : range.firstNotBelow(to)) - 1;
      for (; index >= first; index--) if (!page.take(range, index)) return page.finish(false);
      if (range.from <= from) return page.finish(true);
      end = range.from;
      range = this.#ranges.startingBefore(end);
    }
    return page.isFull ? page.finish(false) : undefined;
  }

  #fill(from: ByteString, to: ByteString, rows: readonly FilledRow[]): void {
    if (isOneRow(from, to)) {
      if (this.#find(from) === noRow && this.#ranges.at(from) === undefined)
        this.#add(from, rows[0]?.value ?? null);
      return;
    }
    // What is known already is right and stays; only the gaps are filled.
    let start = from;
    let index = 0;
    for (const known of this.#ranges.overlapping(from, to)) {
      if (start < known.from) index = this.#fillGap(start, known.from, rows, index);
      start = known.to;
      while (index < rows.length && at(rows, index).key < start) index++;
    }
    if (start < to) this.#fillGap(start, to, rows, index);
  }

  /** Makes ranges of the rows from `index` on that lie before `to`, and says where those end. */
  #fillGap(from: ByteString, to: ByteString, rows: readonly FilledRow[], index: number): number {
    let start = from;
    let first = index;
    let next = index;
    while (next < rows.length && at(rows, next).key < to) {
      if (next - first === rowsPerRange) {
        this.#addRange(start, at(rows, next).key, rows.slice(first, next));
        start = at(rows, next).key;
        first = next;
      }
      next++;
    }
    this.#addRange(start, to, rows.slice(first, next));
    return next;
  }

  #addRange(from: ByteString, to: ByteString, rows: readonly FilledRow[]): void {
    const range = this.#openRange(from, to);
    const listed = rows.length > 0 ? rows : [{ key: from, value: null }];
    let bytes = 0;
    for (const { key, value } of listed) {
      const known = this.#find(key);
      const row = known !== noRow ? known : this.#add(key, value);
      if (row === noRow) this.#dropRange(range);
      // Adding a row may have cost the range one of its others.
      if (range.isLost) return;
      range.push(row, key);
      bytes += key.length + (value?.length ?? 0);
    }
    this.#ranges.noteFilled(range, bytes);
    this.#charge(range);
  }

  #openRange(from: ByteString, to: ByteString): KnownRange {
    const range = new KnownRange(++this.#lastRangeId, from, to, this.#rows);
    this.#ranges.add(range);
    return range;
  }

  #dropRange(range: KnownRange): void {
    if (range.isLost) return;
    this.#notes.remove(range);
    this.#ranges.remove(range);
    this.#rows.giveBack(range.chargedBytes);
    range.release();
  }

  #charge(range: KnownRange): void {
    const moreBytes = range.sizeBytes - range.chargedBytes;
    // Noted first: making room may cost this very range a row, and then all of it is given back.
    range.chargedBytes = range.sizeBytes;
    if (moreBytes > 0) this.#rows.charge(moreBytes);
    else this.#rows.giveBack(-moreBytes);
  }

  #forgetNote(range: KnownRange): void {
    if (range.note === undefined) return;
    this.#notes.remove(range);
    this.#charge(range);
  }

  #addToRange(key: ByteString, value: Buffer): void {
    const range = this.#ranges.at(key);
    if (range === undefined) return;
    this.#forgetNote(range);
    const row = this.#add(key, value);
    if (row === noRow) this.#dropRange(range);
    if (range.isLost) return;
    range.insert(row, key);
    if (range.length > 2 * rowsPerRange) this.#shorten(range);
    else this.#charge(range);
  }

  #shorten(range: KnownRange): void {
    range.dropAbsent();
    if (range.length > rowsPerRange) {
      const upper = range.cut();
      const split = at(upper, 0).key;
      const { to } = range;
      range.to = split;
      const next = this.#openRange(split, to);
      for (const { row, key } of upper) next.push(row, key);
      this.#charge(next);
    }
    if (!range.isLost) this.#charge(range);
  }
}

/** For places that are within the array by construction, which the compiler cannot see. */
function at<T>(array: readonly T[], index: number): T {
  return array[index] as T;
}
