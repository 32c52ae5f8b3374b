import { RingfoldError } from '../errors/ringfold-error.ts';
import type { ByteString } from './byte-string.ts';

/**
 * Reads big-endian values one after another and never past the end: what is not there is 'corrupt-data', since
 * whoever wrote the bytes wrote all of them. Slices share memory with the buffer given.
 */
export class ByteReader {
  readonly #bytes: Buffer;
  readonly #end: number;
  #position: number;

  constructor(bytes: Buffer, position = 0, end: number = bytes.length) {
    this.#bytes = bytes;
    this.#position = position;
    this.#end = end;
  }

  get position(): number {
    return this.#position;
  }

  get remaining(): number {
    return this.#end - this.#position;
  }

  u8(): number {
    return this.#bytes[this.#advance(1)] as number;
  }

  u16(): number {
    return this.#bytes.readUInt16BE(this.#advance(2));
  }

  u32(): number {
    return this.#bytes.readUInt32BE(this.#advance(4));
  }

  i32(): number {
    return this.#bytes.readInt32BE(this.#advance(4));
  }

  u48(): number {
    return this.#bytes.readUIntBE(this.#advance(6), 6);
  }

  /** Eight bytes that hold a safe integer: log sequence numbers, byte counts, times. */
  u64(): number {
    const at = this.#advance(8);
    const high = this.#bytes.readUInt32BE(at);
    if (high > 0x1fffff) throw this.#corrupt('a number is beyond 2^53');
    return high * 0x1_0000_0000 + this.#bytes.readUInt32BE(at + 4);
  }

  i64(): bigint {
    return this.#bytes.readBigInt64BE(this.#advance(8));
  }

  double(): number {
    return this.#bytes.readDoubleBE(this.#advance(8));
  }

  /** A safe integer, seven bits a byte, lowest first. A longer form than needed is refused: one value, one form. */
  varint(): number {
    let byte = this.u8();
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    // Multiplied, not shifted: JavaScript shifts end at 32 bits.
    let weight = 0x80;
    do {
      byte = this.u8();
      value += (byte & 0x7f) * weight;
      weight *= 0x80;
      if (value > Number.MAX_SAFE_INTEGER) throw this.#corrupt('a number is beyond 2^53');
    } while (byte >= 0x80 && weight < 2 ** 56);
    if (byte >= 0x80 || byte === 0) throw this.#corrupt('a number is not in its shortest form');
    return value;
  }

  /** Shares memory with the buffer being read. */
  bytes(length: number): Buffer {
    const at = this.#advance(length);
    return this.#bytes.subarray(at, at + length);
  }

  byteString(length: number): ByteString {
    const at = this.#advance(length);
    return this.#bytes.toString('latin1', at, at + length) as ByteString;
  }

  /** All that is left; shares memory with the buffer being read. */
  rest(): Buffer {
    return this.bytes(this.remaining);
  }

  /** Bytes after the last field mean that the writer knew a form this reader does not. */
  expectEnd(): void {
    if (this.remaining !== 0) throw this.#corrupt('bytes follow the end');
  }

  #advance(length: number): number {
    const at = this.#position;
    if (at + length > this.#end) throw this.#corrupt('the bytes end too early');
    this.#position = at + length;
    return at;
  }

  #corrupt(reason: string): RingfoldError {
    return new RingfoldError('corrupt-data', { reason, position: this.#position, end: this.#end });
  }
}
