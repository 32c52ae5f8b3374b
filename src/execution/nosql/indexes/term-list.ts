// The entries that an index has for one item, as the bytes of its record: a head, and each term behind its length. They are never strings,
// since every write of an item makes some 25 of them.

import { assert } from '../../../foundation/assert.ts';
import { type ByteString, byteStringOf } from '../../../foundation/byte-string.ts';
import { LARGEST_INDEX_VALUE, writeIndexValue } from '../../../values/index-value.ts';
import { ORDER_BYTES } from './index-paths.ts';

/** Version, policy, rid and group; `item-record.ts` knows them. */
export const RECORD_HEAD_BYTES = 23;
/** Of a term's length. */
export const LENGTH_BYTES = 2;
/** Set in the length of a term whose entry is shared, and of one that the item shared once; they stand in no list, but in records. */
export const SHARED_MARK = 0x8000;
export const GIVEN_UP_MARK = 0x4000;
const longestTerm = GIVEN_UP_MARK - 1;
const usualBytes = 4 * 1_024;
/** More is given back when the item is done with. */
const keptBytes = 64 * 1_024;
const keptTerms = 1_000;

export class TermList {
  #bytes: Buffer = Buffer.allocUnsafeSlow(usualBytes);
  #end = RECORD_HEAD_BYTES;
  #length = 0;
  /** As long as the longest item needed, since an array that is emptied has to grow anew. */
  #starts: number[] = [];
  #orders: ByteString[] = [];

  get length(): number {
    return this.#length;
  }

  /** Head and terms. Belongs to the list, which changes it with the next item. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#end);
  }

  clear(): void {
    if (this.#bytes.length > keptBytes) this.#bytes = Buffer.allocUnsafeSlow(usualBytes);
    this.#end = RECORD_HEAD_BYTES;
    if (this.#length > keptTerms) {
      this.#starts = [];
      this.#orders = [];
    }
    this.#length = 0;
  }

  /** A JSON value at a path. */
  add(order: ByteString, value: unknown): void {
    const start = this.#begin(order, LARGEST_INDEX_VALUE);
    this.#finish(order, start, writeIndexValue(value, this.#bytes, start + ORDER_BYTES));
  }

  /** What has its bytes already. */
  addBytes(order: ByteString, value: ByteString): void {
    const start = this.#begin(order, value.length);
    const written = this.#bytes.write(value, start + ORDER_BYTES, 'latin1');
    this.#finish(order, start, start + ORDER_BYTES + written);
  }

  orderOf(index: number): ByteString {
    const order = this.#orders[index];
    assert(order !== undefined && index < this.#length, 'a term of the list is asked for');
    return order;
  }

  startOf(index: number): number {
    const start = this.#starts[index];
    assert(start !== undefined && index < this.#length, 'a term of the list is asked for');
    return start;
  }

  endOf(index: number): number {
    const next = index + 1 < this.#length ? this.#starts[index + 1] : undefined;
    return next === undefined ? this.#end : next - LENGTH_BYTES;
  }

  lengthOf(index: number): number {
    return this.endOf(index) - this.startOf(index);
  }

  textOf(index: number): ByteString {
    return byteStringOf(this.#bytes.subarray(this.startOf(index), this.endOf(index)));
  }

  isSame(index: number, other: Buffer, from: number, length: number): boolean {
    const start = this.startOf(index);
    if (this.endOf(index) - start !== length) return false;
    const bytes = this.#bytes;
    // From the end, since paths and the beginnings of values are what terms of one place have in common.
    for (let at = length - 1; at >= 0; at--) if (bytes[start + at] !== other[from + at]) return false;
    return true;
  }

  /** Into bytes that have room for it. */
  copyTerm(index: number, into: Buffer, at: number): void {
    const start = this.startOf(index);
    const length = this.endOf(index) - start;
    const bytes = this.#bytes;
    // Faster than a native copy, for so few.
    for (let each = 0; each < length; each++) into[at + each] = bytes[start + each] as number;
  }

  #begin(order: ByteString, valueBytes: number): number {
    const start = this.#end + LENGTH_BYTES;
    const needed = start + ORDER_BYTES + valueBytes;
    if (needed > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
      grown.set(this.#bytes.subarray(0, this.#end));
      this.#bytes = grown;
    }
    for (let at = 0; at < ORDER_BYTES; at++) this.#bytes[start + at] = order.charCodeAt(at);
    return start;
  }

  #finish(order: ByteString, start: number, end: number): void {
    const length = end - start;
    assert(length <= longestTerm, 'a term is short enough for its length');
    this.#bytes[start - 2] = length >>> 8;
    this.#bytes[start - 1] = length & 0xff;
    this.#end = end;
    this.#starts[this.#length] = start;
    this.#orders[this.#length] = order;
    this.#length += 1;
  }
}
