import { isUtf8 } from 'node:buffer';
import type { BoundValue } from '../../execution/cql/statement-request.ts';
import { type ByteString, emptyBytes } from '../../foundation/byte-string.ts';
import { ProtocolError } from './protocol-error.ts';

/** Ids that came of late, by their last byte: most requests repeat one, and a string that is there already need not be made or hashed. */
const recentIds: ByteString[] = new Array(256).fill(emptyBytes);
const longestRecentId = 16;

function idIn(body: Buffer, start: number, end: number): ByteString {
  const place = body[end - 1] ?? 0;
  const recent = recentIds[place] ?? emptyBytes;
  if (recent.length === end - start && isAt(body, start, recent)) return recent;
  const id = body.toString('latin1', start, end) as ByteString;
  if (id.length <= longestRecentId) recentIds[place] = id;
  return id;
}

function isAt(body: Buffer, start: number, id: ByteString): boolean {
  for (let at = 0; at < id.length; at++) if (body[start + at] !== id.charCodeAt(at)) return false;
  return true;
}

/**
 * Reads the body of a request and never past its end: what is not there is a ProtocolError. Bytes share memory with the
 * body. What follows the last field is left alone, as in Cassandra.
 */
export class BodyReader {
  readonly #body: Buffer;
  #at = 0;

  constructor(body: Buffer) {
    this.#body = body;
  }

  byte(): number {
    return this.#body.readUInt8(this.#advance(1));
  }

  signedByte(): number {
    return this.#body.readInt8(this.#advance(1));
  }

  short(): number {
    return this.#body.readUInt16BE(this.#advance(2));
  }

  int(): number {
    return this.#body.readInt32BE(this.#advance(4));
  }

  long(): bigint {
    return this.#body.readBigInt64BE(this.#advance(8));
  }

  string(): string {
    return this.#text(this.#lengthOfText(2), 2);
  }

  longString(): string {
    return this.#text(this.#lengthOfText(4), 4);
  }

  /** [short bytes] of an id, in the form in which it is looked up. */
  shortBytes(): ByteString {
    const problem = 'Not enough bytes to read a byte array preceded by its 2 bytes length';
    if (this.#at + 2 > this.#body.length) throw new ProtocolError(problem);
    const start = this.#at + 2;
    const end = start + this.#body.readUInt16BE(this.#at);
    if (end > this.#body.length) throw new ProtocolError(problem);
    this.#at = end;
    return idIn(this.#body, start, end);
  }

  bytes(): Buffer | null {
    const length = this.int();
    return length < 0 ? null : this.#slice(length);
  }

  /** From version 4 on -2 is "not set"; before it every negative length is null. */
  value(knowsUnset: boolean): BoundValue {
    const length = this.int();
    if (length >= 0) return this.#slice(length);
    if (length === -1 || !knowsUnset) return null;
    if (length === -2) return undefined;
    throw new ProtocolError(`Invalid ByteBuf length ${length}`);
  }

  stringList(): string[] {
    const strings: string[] = [];
    for (let left = this.short(); left > 0; left--) strings.push(this.string());
    return strings;
  }

  stringMap(): Map<string, string> {
    const entries = new Map<string, string>();
    for (let left = this.short(); left > 0; left--) {
      const key = this.string();
      entries.set(key, this.string());
    }
    return entries;
  }

  bytesMap(): Map<string, Buffer | null> {
    const entries = new Map<string, Buffer | null>();
    for (let left = this.short(); left > 0; left--) {
      const key = this.string();
      entries.set(key, this.bytes());
    }
    return entries;
  }

  #lengthOfText(lengthBytes: 2 | 4): number {
    if (this.#at + lengthBytes > this.#body.length) throw this.#textTooShort(lengthBytes);
    return lengthBytes === 2 ? this.short() : this.int();
  }

  #text(length: number, lengthBytes: 2 | 4): string {
    const start = this.#at;
    const end = start + length;
    if (length < 0 || end > this.#body.length) throw this.#textTooShort(lengthBytes);
    this.#at = end;
    const text = this.#body.toString('utf8', start, end);
    // Bytes that are no UTF-8 become U+FFFD; only where one is seen need they be looked at again.
    if (text.includes('\ufffd') && !isUtf8(this.#body.subarray(start, end))) {
      const hex = this.#body.toString('hex', start, end);
      throw new ProtocolError(
        `Cannot decode string as UTF8: '${hex}'; java.nio.charset.MalformedInputException: Input length = 1`,
      );
    }
    return text;
  }

  #textTooShort(lengthBytes: 2 | 4): ProtocolError {
    return new ProtocolError(
      `Not enough bytes to read an UTF8 serialized string preceded by its ${lengthBytes} bytes length`,
    );
  }

  #slice(length: number): Buffer {
    const at = this.#advance(length);
    return this.#body.subarray(at, at + length);
  }

  /** Cassandra fails here with an exception of its buffer as ServerError; a broken message is a broken message. */
  #advance(length: number): number {
    const at = this.#at;
    if (at + length > this.#body.length) {
      throw new ProtocolError(
        `Not enough bytes to read the message: ${length} more at ${at} exceed its ${this.#body.length}`,
      );
    }
    this.#at = at + length;
    return at;
  }
}
