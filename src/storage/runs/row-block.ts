// Rows in key order in one piece of a file: what is read from disk at once.
//
//   for each row: u32 length of the key · u32 length of the value plus one, or 0 where the row was removed · key · value
//   for each row: u32 where it begins
//   u32 number of rows · u32 CRC of all before

import { crc32 } from 'node:zlib';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import type { ByteString } from '../../foundation/byte-string.ts';
import { LaidRow } from '../laid-row.ts';
import { FilterBuilder } from './key-filter.ts';

const rowHeaderBytes = 8;
const trailerBytes = 8;

/** As many bytes as a number holds exactly: a container and the beginning of a ring position, which tells most keys apart. */
const prefixBytes = 6;

/** A key with a lower prefix is lower, one with a higher is higher; of those with the same it says nothing. */
export function prefixOf(key: ByteString): number {
  let prefix = 0;
  for (let at = 0; at < prefixBytes; at++)
    prefix = prefix * 0x100 + (at < key.length ? key.charCodeAt(at) : 0);
  return prefix;
}

export interface EncodedBlock {
  readonly bytes: Buffer;
  readonly firstKey: Buffer;
  readonly filter: Buffer;
  readonly rows: number;
}

/** Takes rows one after the other, in key order. Used again for the next block. */
export class BlockBuilder {
  readonly #targetBytes: number;
  #bytes: Buffer;
  #used = 0;
  #starts: number[] = [];
  /** Bytes still to be copied, to `#copyAt`; no source when there are none. */
  #source: Buffer | undefined;
  #copyFrom = 0;
  #copyTo = 0;
  #copyAt = 0;

  constructor(targetBytes: number) {
    this.#targetBytes = targetBytes;
    this.#bytes = Buffer.allocUnsafeSlow(targetBytes * 2);
  }

  get isEmpty(): boolean {
    return this.#starts.length === 0;
  }

  get isFull(): boolean {
    return this.#used >= this.#targetBytes;
  }

  /** Makes room for a row; `valueBytes` is -1 where it was removed. Key and value are then put at the place returned, in `bytes`. */
  add(keyBytes: number, valueBytes: number): number {
    this.#copyPending();
    const start = this.#used;
    const end = start + rowHeaderBytes + keyBytes + Math.max(0, valueBytes);
    if (end > this.#bytes.length) this.#grow(end);
    this.#bytes.writeUInt32LE(keyBytes, start);
    this.#bytes.writeUInt32LE(valueBytes + 1, start + 4);
    this.#starts.push(start);
    this.#used = end;
    return start + rowHeaderBytes;
  }

  /** Takes a row of another block as it stands there. Rows that stand side by side are copied in one piece, later. */
  copy(source: Buffer, from: number, to: number): void {
    if (source !== this.#source || from !== this.#copyTo) {
      this.#copyPending();
      this.#source = source;
      this.#copyFrom = from;
      this.#copyAt = this.#used;
    }
    this.#copyTo = to;
    this.#starts.push(this.#used);
    this.#used += to - from;
  }

  #copyPending(): void {
    const source = this.#source;
    if (source === undefined) return;
    this.#source = undefined;
    if (this.#used > this.#bytes.length) this.#grow(this.#used);
    source.copy(this.#bytes, this.#copyAt, this.#copyFrom, this.#copyTo);
  }

  /** Where rows are being put; another one after each `add`. */
  get bytes(): Buffer {
    return this.#bytes;
  }

  finish(): EncodedBlock {
    this.#copyPending();
    const starts = this.#starts;
    const bytes = Buffer.allocUnsafeSlow(this.#used + 4 * starts.length + trailerBytes);
    this.#bytes.copy(bytes, 0, 0, this.#used);
    const filter = new FilterBuilder();
    let at = this.#used;
    for (let index = 0; index < starts.length; index++) {
      const start = starts[index] as number;
      const keyAt = start + rowHeaderBytes;
      filter.add(bytes, keyAt, keyAt + bytes.readUInt32LE(start));
      bytes.writeUInt32LE(start, at);
      at += 4;
    }
    bytes.writeUInt32LE(starts.length, at);
    bytes.writeUInt32LE(crc32(bytes.subarray(0, at + 4)), at + 4);
    const firstKey = bytes.subarray(rowHeaderBytes, rowHeaderBytes + bytes.readUInt32LE(0));
    this.#used = 0;
    this.#starts = [];
    return { bytes, firstKey, filter: filter.finish(), rows: starts.length };
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#used);
    this.#bytes = larger;
  }
}

/** As it stands at the end of the block. */
export function crcOf(block: Buffer): number {
  return block.readUInt32LE(block.length - 4);
}

/** A block as it was read. Rows are numbered from 0; nothing is decoded before it is asked for. */
export class RowBlock {
  readonly rows: number;
  readonly #bytes: Buffer;
  readonly #startsAt: number;

  /** Throws when the bytes are not what was written, or not the block of this CRC. */
  constructor(bytes: Buffer, crc: number) {
    const trailerAt = bytes.length - trailerBytes;
    if (trailerAt < 0 || crcOf(bytes) !== crc || crc32(bytes.subarray(0, trailerAt + 4)) !== crc) {
      throw new RingfoldError('corrupt-data', { what: 'a block of rows' });
    }
    this.#bytes = bytes;
    this.rows = bytes.readUInt32LE(trailerAt);
    this.#startsAt = trailerAt - 4 * this.rows;
  }

  get sizeBytes(): number {
    return this.#bytes.length;
  }

  get bytes(): Buffer {
    return this.#bytes;
  }

  keyAt(row: number): ByteString {
    const start = this.#start(row);
    const keyAt = start + rowHeaderBytes;
    return this.#bytes.toString('latin1', keyAt, keyAt + this.#bytes.readUInt32LE(start)) as ByteString;
  }

  /** The first bytes of the key as a number, `prefixOf` of the key. */
  prefixAt(row: number): number {
    const start = this.#start(row);
    const keyBytes = this.#bytes.readUInt32LE(start);
    let prefix = 0;
    for (let at = 0; at < prefixBytes; at++)
      prefix = prefix * 0x100 + (at < keyBytes ? (this.#bytes[start + rowHeaderBytes + at] as number) : 0);
    return prefix;
  }

  /** Undefined where the row was removed. A view of the block. */
  valueAt(row: number): Buffer | undefined {
    const start = this.#start(row);
    const length = this.#bytes.readUInt32LE(start + 4);
    if (length === 0) return undefined;
    const valueAt = start + rowHeaderBytes + this.#bytes.readUInt32LE(start);
    return this.#bytes.subarray(valueAt, valueAt + length - 1);
  }

  /** Under its own key. Undefined where the row was removed. */
  laidRow(row: number, key: ByteString): LaidRow | undefined {
    const start = this.#start(row);
    const length = this.#bytes.readUInt32LE(start + 4);
    if (length === 0) return undefined;
    const valueAt = start + rowHeaderBytes + key.length;
    return new LaidRow(key, this.#bytes, valueAt, valueAt + length - 1);
  }

  isRemovalAt(row: number): boolean {
    return this.#bytes.readUInt32LE(this.#start(row) + 4) === 0;
  }

  /** Where the value stands in `bytes`; of a row that was not removed. */
  valueRangeAt(row: number): { readonly start: number; readonly end: number } {
    const rowAt = this.#start(row);
    const start = rowAt + rowHeaderBytes + this.#bytes.readUInt32LE(rowAt);
    return { start, end: start + this.#bytes.readUInt32LE(rowAt + 4) - 1 };
  }

  copyTo(builder: BlockBuilder, row: number): void {
    const end = row + 1 < this.rows ? this.#start(row + 1) : this.#startsAt;
    builder.copy(this.#bytes, this.#start(row), end);
  }

  /** The first row whose key is not below this one; the number of rows when there is none. */
  firstNotBelow(key: Buffer): number {
    let low = 0;
    let high = this.rows;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(middle, key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The last row whose key is not above this one; -1 when there is none. */
  floor(key: Buffer): number {
    const row = this.firstNotBelow(key);
    return row < this.rows && this.#compare(row, key) === 0 ? row : row - 1;
  }

  /** -1 when the key is not here. */
  find(key: Buffer): number {
    const row = this.firstNotBelow(key);
    return row < this.rows && this.#compare(row, key) === 0 ? row : -1;
  }

  #compare(row: number, key: Buffer): number {
    const start = this.#start(row);
    const keyAt = start + rowHeaderBytes;
    return this.#bytes.compare(key, 0, key.length, keyAt, keyAt + this.#bytes.readUInt32LE(start));
  }

  #start(row: number): number {
    return this.#bytes.readUInt32LE(this.#startsAt + 4 * row);
  }
}
