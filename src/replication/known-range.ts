import type { ByteString } from '../foundation/byte-string.ts';
import type { CachedRows } from './cached-rows.ts';
import type { RangeNote } from './range-notes.ts';

/** What the object, its arrays and its place among the ranges take, besides what `sizeBytes` counts. */
const objectBytes = 400;
/** A row's number, where its key ends, and both once more while the arrays grow. */
const bytesPerRow = 32;

/**
 * A stretch of keys of which the cache knows every row: those listed here and no other. It has at least one row, if
 * only one known not to exist, so that it goes when its rows go.
 */
export class KnownRange {
  readonly id: number;
  readonly from: ByteString;
  to: ByteString;
  /** So many first bytes are the same in all its keys. */
  readonly commonLength: number;
  /** Moment of its last read, on the clock of the cached rows. */
  readAt = 0;
  isLost = false;
  /** Set by those who keep notes. */
  note: RangeNote | undefined;
  isNoteRead = false;
  /** What has been counted for it towards the limit. */
  chargedBytes = 0;
  /** Of the rows it was made with. */
  filledBytes = 0;
  readonly #cached: CachedRows;
  /** In key order; some may be known not to exist. */
  readonly #rows: number[] = [];
  /** All keys in one string, cut where they are asked for: one object for the garbage collector, not one a row. */
  #keys = '';
  #keyEnds: number[] | undefined;
  #keyBytes = 0;

  constructor(id: number, from: ByteString, to: ByteString, cached: CachedRows) {
    this.id = id;
    this.from = from;
    this.to = to;
    this.commonLength = commonLengthOf(from, to);
    this.#cached = cached;
  }

  get length(): number {
    return this.#rows.length;
  }

  get sizeBytes(): number {
    const keysBytes = this.from.length + this.to.length + this.#keyBytes;
    return objectBytes + keysBytes + this.#rows.length * bytesPerRow + (this.note?.sizeBytes ?? 0);
  }

  rowAt(index: number): number {
    return this.#rows[index] as number;
  }

  keyAt(index: number): ByteString {
    const ends = this.#keyEnds ?? this.#joinKeys();
    return this.#keys.substring(index === 0 ? 0 : (ends[index - 1] as number), ends[index]) as ByteString;
  }

  /** Index of the first row whose key is not below this one, which lies within the range. */
  firstNotBelow(key: ByteString): number {
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#cached.compareKey(this.rowAt(middle), key, this.commonLength) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** For rows that come in key order. */
  push(row: number, key: ByteString): void {
    this.#take(row, key);
    this.#rows.push(row);
  }

  insert(row: number, key: ByteString): void {
    const last = this.rowAt(this.#rows.length - 1);
    // Often a row comes last, as in time series; searching costs a cache miss at every step.
    if (this.#cached.compareKey(last, key, this.commonLength) < 0) this.#rows.push(row);
    else this.#rows.splice(this.firstNotBelow(key), 0, row);
    this.#take(row, key);
  }

  /** Forgets rows known not to exist, which the range says of them anyway; one stays if there is no other. */
  dropAbsent(): void {
    const absent = this.#rows.filter((row) => this.#cached.isAbsent(row));
    if (absent.length === this.#rows.length) absent.pop();
    if (absent.length === 0) return;
    const gone = new Set(absent);
    const kept = this.#rows.filter((row) => !gone.has(row));
    this.#rows.splice(0, this.#rows.length, ...kept);
    for (const row of absent) {
      this.#keyBytes -= this.#cached.keyOf(row).length;
      this.#cached.setOwner(row, 0);
      this.#cached.drop(row);
    }
    this.#keyEnds = undefined;
  }

  /** Gives up its upper half, as the keys and rows that another range then takes. */
  cut(): { readonly key: ByteString; readonly row: number }[] {
    const middle = this.#rows.length >>> 1;
    const upper = this.#rows.slice(middle).map((row) => ({ key: this.#cached.keyOf(row), row }));
    this.#rows.length = middle;
    for (const { key } of upper) this.#keyBytes -= key.length;
    this.#keyEnds = undefined;
    return upper;
  }

  /** Its rows belong to nobody from here on. */
  release(): void {
    this.isLost = true;
    for (const row of this.#rows) this.#cached.setOwner(row, 0);
  }

  #take(row: number, key: ByteString): void {
    this.#cached.setOwner(row, this.id);
    this.#keyBytes += key.length;
    this.#keyEnds = undefined;
  }

  #joinKeys(): number[] {
    const keys = this.#rows.map((row) => this.#cached.keyOf(row));
    let end = 0;
    this.#keys = keys.join('');
    this.#keyEnds = keys.map((key) => {
      end += key.length;
      return end;
    });
    return this.#keyEnds;
  }
}

function commonLengthOf(one: ByteString, other: ByteString): number {
  let length = 0;
  while (length < one.length && one.charCodeAt(length) === other.charCodeAt(length)) length++;
  return length;
}
