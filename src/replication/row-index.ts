import type { ByteString } from '../foundation/byte-string.ts';

// Which rows the cache has, in arrays of numbers only. A row has a number for as long as it is cached; numbers start at
// one and are given out again. Rows of equal hash are chained. The buckets never grow, since hashing a million rows
// anew would stop everything for a while; segments are added as rows come.

/** Stands for "no such row". */
export const noRow = 0;

export const rowField = {
  /** Place of its slab; `nowhere` while its bytes are being replaced. */
  slab: 0,
  /** Where its record begins in the slab. */
  offset: 1,
  /** Number of the known range it belongs to; 0 for a row known by itself. */
  owner: 2,
  /** Moment of its last read. */
  readAt: 3,
  /** How many evictions of ranges it has been held against. */
  evictionsSeen: 4,
  hash: 5,
  next: 6,
} as const;

export const nowhere = -1;

type RowField = (typeof rowField)[keyof typeof rowField];

const rowShift = 3; // Eight numbers a row: one more than there are fields, so that a row is half a cache line.
const segmentShift = 8;
const rowsPerSegment = 2 ** segmentShift;
const numbersPerSegment = rowsPerSegment << rowShift;

/** What one more segment takes. */
export const segmentBytes: number = numbersPerSegment * 4;

export class RowIndex {
  readonly #buckets: Int32Array;
  #segments: Int32Array[] = [];
  #firstFree: number = noRow;
  #nextUnused = 1;
  #count = 0;

  /** With about as many buckets as rows a look-up sees one or two rows. */
  constructor(bucketCount: number) {
    this.#buckets = new Int32Array(2 ** Math.max(4, Math.floor(Math.log2(bucketCount))));
  }

  get count(): number {
    return this.#count;
  }

  get sizeBytes(): number {
    return this.#buckets.byteLength + this.#segments.length * segmentBytes;
  }

  /** Whether the next `add` takes another segment. */
  get isFull(): boolean {
    return this.#firstFree === noRow && this.#nextUnused >>> segmentShift >= this.#segments.length;
  }

  get(row: number, field: RowField): number {
    const segment = this.#segments[row >>> segmentShift] as Int32Array;
    return segment[((row & (rowsPerSegment - 1)) << rowShift) + field] as number;
  }

  set(row: number, field: RowField, value: number): void {
    const segment = this.#segments[row >>> segmentShift] as Int32Array;
    segment[((row & (rowsPerSegment - 1)) << rowShift) + field] = value;
  }

  /** First row of the chain that a hash belongs to; follow `next`. */
  first(hash: number): number {
    return this.#buckets[hash & (this.#buckets.length - 1)] as number;
  }

  /** All fields but its hash are as the number's last bearer left them. */
  add(hash: number): number {
    const row = this.#takeNumber();
    const bucket = hash & (this.#buckets.length - 1);
    this.set(row, rowField.hash, hash);
    this.set(row, rowField.next, this.#buckets[bucket] as number);
    this.#buckets[bucket] = row;
    this.#count++;
    return row;
  }

  remove(row: number): void {
    const next = this.get(row, rowField.next);
    const bucket = this.get(row, rowField.hash) & (this.#buckets.length - 1);
    let before = this.#buckets[bucket] as number;
    if (before === row) this.#buckets[bucket] = next;
    else {
      while (this.get(before, rowField.next) !== row) before = this.get(before, rowField.next);
      this.set(before, rowField.next, next);
    }
    this.set(row, rowField.next, this.#firstFree);
    this.#firstFree = row;
    this.#count--;
  }

  clear(): void {
    this.#buckets.fill(noRow);
    this.#segments = [];
    this.#firstFree = noRow;
    this.#nextUnused = 1;
    this.#count = 0;
  }

  #takeNumber(): number {
    if (this.#firstFree !== noRow) {
      const row = this.#firstFree;
      this.#firstFree = this.get(row, rowField.next);
      return row;
    }
    const row = this.#nextUnused++;
    if (row >>> segmentShift >= this.#segments.length) this.#segments.push(new Int32Array(numbersPerSegment));
    return row;
  }
}

/** FNV-1a of at most so many bytes, then mixed, because buckets are chosen by the low bits. */
export function hashOf(key: ByteString, maxLength: number = key.length): number {
  const length = Math.min(key.length, maxLength);
  let hash = 0x811c9dc5;
  for (let at = 0; at < length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return hash ^ (hash >>> 15);
}
