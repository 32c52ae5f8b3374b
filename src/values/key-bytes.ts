import { RingfoldError } from '../errors/ringfold-error.ts';
import type { ByteString } from '../foundation/byte-string.ts';
import { ByteWriter } from '../foundation/byte-writer.ts';

// How bytes stand in a key. A zero byte is written as 00 FF and the end as 00 00, so that no component is the
// beginning of another, whatever follows it. One byte would not do for the end: what follows may begin with FF,
// since descending components are complements.
const zero = 0x00;
const escaped = 0xff;
const terminator = 0x00;

/** Builds a key from its first byte to its last, as a string from the start: keys are made on every read and write. */
export class KeyWriter {
  #key = '';
  #mask = 0x00;

  get key(): ByteString {
    return this.#key as ByteString;
  }

  /** Writes complements from here on, or no longer: what sorted ascending sorts descending. */
  complement(): void {
    this.#mask ^= 0xff;
  }

  byte(value: number): void {
    this.#key += String.fromCharCode(value ^ this.#mask);
  }

  /** Bytes of a length that the reader knows. */
  bytes(bytes: Buffer, from = 0, to: number = bytes.length): void {
    if (this.#mask === 0) this.#key += bytes.toString('latin1', from, to);
    else for (let at = from; at < to; at++) this.byte(bytes[at] ?? 0);
  }

  u32(value: number): void {
    this.byte(value >>> 24);
    this.byte((value >>> 16) & 0xff);
    this.byte((value >>> 8) & 0xff);
    this.byte(value & 0xff);
  }

  /** Bytes of any length, then their end; a prefix sorts first. */
  escaped(bytes: Buffer): void {
    let from = 0;
    for (let at = bytes.indexOf(zero); at >= 0; at = bytes.indexOf(zero, from)) {
      this.bytes(bytes, from, at);
      this.byte(zero);
      this.byte(escaped);
      from = at + 1;
    }
    this.bytes(bytes, from);
    this.byte(zero);
    this.byte(terminator);
  }
}

/**
 * Reads a key from its first byte to its last. A key can only be wrong when what stored it was, so anything that
 * does not read is 'corrupt-data'.
 */
export class KeyReader {
  readonly #key: ByteString;
  #at = 0;
  #mask = 0x00;

  constructor(key: ByteString) {
    this.#key = key;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#key.length;
  }

  /** Reads complements from here on, or no longer. */
  complement(): void {
    this.#mask ^= 0xff;
  }

  byte(): number {
    if (this.#at >= this.#key.length) throw this.corrupt('the key ends too early');
    return this.#key.charCodeAt(this.#at++) ^ this.#mask;
  }

  bytes(length: number): Buffer {
    if (length > this.#key.length - this.#at) throw this.corrupt('the key ends too early');
    const bytes = Buffer.from(this.#key.slice(this.#at, this.#at + length), 'latin1');
    this.#at += length;
    if (this.#mask !== 0) for (const [at, byte] of bytes.entries()) bytes[at] = byte ^ 0xff;
    return bytes;
  }

  u32(): number {
    return this.bytes(4).readUInt32BE();
  }

  escaped(): Buffer {
    const writer = new ByteWriter(64);
    for (;;) {
      const byte = this.byte();
      if (byte === zero) {
        const next = this.byte();
        if (next === terminator) return writer.take();
        if (next !== escaped) throw this.corrupt('a zero byte is neither escaped nor the end');
      }
      writer.u8(byte);
    }
  }

  corrupt(reason: string): RingfoldError {
    return new RingfoldError('corrupt-data', { reason, position: this.#at });
  }
}
