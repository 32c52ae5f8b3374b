import { assert } from './assert.ts';
import type { ByteString } from './byte-string.ts';

const nothing = Buffer.alloc(0);

/** Writes big-endian values one after another into a buffer that grows; the mirror of ByteReader. */
export class ByteWriter {
  #bytes: Buffer;
  #length = 0;

  constructor(initialCapacity = 256) {
    this.#bytes = Buffer.allocUnsafe(initialCapacity);
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#length;
  }

  u8(value: number): void {
    const at = this.#reserve(1);
    this.#bytes.writeUInt8(value, at);
  }

  u16(value: number): void {
    const at = this.#reserve(2);
    this.#bytes.writeUInt16BE(value, at);
  }

  u32(value: number): void {
    const at = this.#reserve(4);
    this.#bytes.writeUInt32BE(value, at);
  }

  i32(value: number): void {
    const at = this.#reserve(4);
    this.#bytes.writeInt32BE(value, at);
  }

  u48(value: number): void {
    const at = this.#reserve(6);
    this.#bytes.writeUIntBE(value, at, 6);
  }

  /** A safe integer of zero or more, in eight bytes. */
  u64(value: number): void {
    assert(Number.isSafeInteger(value) && value >= 0, 'a u64 is a safe integer of zero or more');
    const at = this.#reserve(8);
    this.#bytes.writeUInt32BE(Math.floor(value / 0x1_0000_0000), at);
    this.#bytes.writeUInt32BE(value % 0x1_0000_0000, at + 4);
  }

  i64(value: bigint): void {
    const at = this.#reserve(8);
    this.#bytes.writeBigInt64BE(value, at);
  }

  double(value: number): void {
    const at = this.#reserve(8);
    this.#bytes.writeDoubleBE(value, at);
  }

  /** A safe integer of zero or more, seven bits a byte, lowest first: 1 byte below 128, at most 8. */
  varint(value: number): void {
    assert(Number.isSafeInteger(value) && value >= 0, 'a varint is a safe integer of zero or more');
    let left = value;
    while (left >= 0x80) {
      this.u8((left % 0x80) + 0x80);
      left = Math.floor(left / 0x80);
    }
    this.u8(left);
  }

  bytes(value: Uint8Array): void {
    const at = this.#reserve(value.length);
    this.#bytes.set(value, at);
  }

  byteString(value: ByteString): void {
    const at = this.#reserve(value.length);
    this.#bytes.write(value, at, 'latin1');
  }

  /** Fills in a length or checksum that was not known when its place was written. */
  setU32(position: number, value: number): void {
    assert(position + 4 <= this.#length, 'only what was written can be filled in');
    this.#bytes.writeUInt32BE(value, position);
  }

  /** A copy of what was written; the writer goes on. */
  toBuffer(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#length));
  }

  /** What was written, without a copy; the writer starts again, empty, in memory of its own. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#bytes = nothing;
    this.#length = 0;
    return taken;
  }

  /** May replace the buffer, so it is called before `#bytes` is looked at. */
  #reserve(length: number): number {
    const at = this.#length;
    const needed = at + length;
    if (needed > this.#bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2, 64));
      grown.set(this.#bytes.subarray(0, at));
      this.#bytes = grown;
    }
    this.#length = needed;
    return at;
  }
}
