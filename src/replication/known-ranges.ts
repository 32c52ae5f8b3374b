import { type ByteString, emptyBytes } from '../foundation/byte-string.ts';
import { SortedMap } from '../foundation/sorted-map.ts';
import type { KnownRange } from './known-range.ts';
import { hashOf } from './row-index.ts';

/**
 * So many first bytes tell partitions apart: the container's number and most of the ring position. A range whose keys
 * all begin with the same ones is narrow, as a logical partition is.
 */
const prefixLength = 20;

/** The stretches of keys that are known, in order; no two overlap. */
export class KnownRanges {
  readonly #byStart = new SortedMap<KnownRange>();
  readonly #byId = new Map<number, KnownRange>();
  /**
   * How many narrow ranges have a prefix of this hash. Every commit asks for the range of its key, most often in vain,
   * and with 20,000 ranges to search that would take 2 µs.
   */
  readonly #narrow: Uint32Array;
  #wide = 0;
  #wideBytes = 0;

  constructor(filterLength: number) {
    this.#narrow = new Uint32Array(2 ** Math.max(4, Math.floor(Math.log2(filterLength))));
  }

  get size(): number {
    return this.#byId.size;
  }

  /** Of the filter alone: ranges are counted one by one. */
  get filterBytes(): number {
    return this.#narrow.byteLength;
  }

  /** Of the rows that ranges over many partitions were made with. */
  get wideBytes(): number {
    return this.#wideBytes;
  }

  noteFilled(range: KnownRange, bytes: number): void {
    range.filledBytes = bytes;
    if (isWide(range)) this.#wideBytes += bytes;
  }

  add(range: KnownRange): void {
    this.#byStart.set(range.from, range);
    this.#byId.set(range.id, range);
    this.#count(range, 1);
  }

  remove(range: KnownRange): void {
    this.#byStart.delete(range.from);
    this.#byId.delete(range.id);
    this.#count(range, -1);
    if (isWide(range)) this.#wideBytes -= range.filledBytes;
  }

  clear(): void {
    for (const range of this.#byId.values()) range.isLost = true;
    this.#byStart.clear();
    this.#byId.clear();
    this.#narrow.fill(0);
    this.#wide = 0;
    this.#wideBytes = 0;
  }

  byId(id: number): KnownRange | undefined {
    return this.#byId.get(id);
  }

  /** The range that holds this key. */
  at(key: ByteString): KnownRange | undefined {
    if (this.#wide === 0 && this.#narrow[this.#placeOf(key)] === 0) return undefined;
    const range = this.#byStart.floor(key)?.value;
    return range !== undefined && key < range.to ? range : undefined;
  }

  startingAt(from: ByteString): KnownRange | undefined {
    return this.#byStart.get(from);
  }

  /** The last range that starts before this key. */
  startingBefore(key: ByteString): KnownRange | undefined {
    return this.#byStart.cursor(emptyBytes, key, true).next()?.value;
  }

  overlapping(from: ByteString, to: ByteString): KnownRange[] {
    const found: KnownRange[] = [];
    const first = this.startingBefore(from);
    if (first !== undefined && first.to > from) found.push(first);
    const cursor = this.#byStart.cursor(from, to);
    for (let entry = cursor.next(); entry !== undefined; entry = cursor.next()) found.push(entry.value);
    return found;
  }

  #count(range: KnownRange, change: number): void {
    const place = this.#placeOf(range.from);
    if (isWide(range)) this.#wide += change;
    else this.#narrow[place] = (this.#narrow[place] as number) + change;
  }

  #placeOf(key: ByteString): number {
    return hashOf(key, prefixLength) & (this.#narrow.length - 1);
  }
}

function isWide(range: KnownRange): boolean {
  return range.commonLength < prefixLength;
}
