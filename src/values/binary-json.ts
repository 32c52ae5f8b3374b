// Cosmos DB's binary JSON: what some SDKs send instead of text (Rust does unless told otherwise). Each value begins with a
// marker that says its kind and often its length. It is turned into text on arrival; nothing else in the server knows of it.

import { BinaryJsonBytes } from './binary-json-bytes.ts';
import { binaryString, referredAt } from './binary-json-strings.ts';

export interface BinaryJsonRefusals {
  readonly malformed: () => Error;
  readonly tooLong: (bytes: number) => Error;
}

const preamble = 0x80;
/** Deeper than any item may be, and not so deep that it would exhaust the stack. */
const maxDepth = 256;

/** No text begins so, in UTF-8. */
export function isBinaryJson(bytes: Buffer): boolean {
  return bytes[0] === preamble;
}

/** The same as text, of at most so many bytes: a short body can stand for a long text, since strings may be referred to. */
export function textOfBinaryJson(bytes: Buffer, maxBytes: number, refusals: BinaryJsonRefusals): Buffer {
  return new BinaryJsonText(bytes, maxBytes, refusals).whole();
}

class BinaryJsonText {
  readonly #bytes: BinaryJsonBytes;
  readonly #maxBytes: number;
  readonly #refusals: BinaryJsonRefusals;
  readonly #parts: string[] = [];
  /** In characters: never more than it has bytes. */
  #length = 0;

  constructor(bytes: Buffer, maxBytes: number, refusals: BinaryJsonRefusals) {
    this.#bytes = new BinaryJsonBytes(bytes, 1, refusals.malformed);
    this.#maxBytes = maxBytes;
    this.#refusals = refusals;
  }

  whole(): Buffer {
    this.#value(0);
    if (this.#bytes.position !== this.#bytes.length) throw this.#refusals.malformed();
    const text = Buffer.from(this.#parts.join(''), 'utf8');
    if (text.length > this.#maxBytes) throw this.#refusals.tooLong(text.length);
    return text;
  }

  #write(text: string): void {
    this.#length += text.length;
    if (this.#length > this.#maxBytes) throw this.#refusals.tooLong(this.#length);
    this.#parts.push(text);
  }

  #value(depth: number): void {
    if (depth > maxDepth) throw this.#refusals.malformed();
    const marker = this.#bytes.unsigned(1);
    if (marker >= 0xe0 && marker < 0xe8) this.#array(marker - 0xe0, depth);
    else if (marker >= 0xe8 && marker < 0xf0) this.#object(marker - 0xe8, depth);
    else if (marker >= 0xf0 && marker < 0xf4) this.#numbers(marker);
    else this.#scalar(marker);
  }

  #scalar(marker: number): void {
    if (marker < 0x20) this.#write(String(marker));
    else if (marker === 0xd0) this.#write('null');
    else if (marker === 0xd1) this.#write('false');
    else if (marker === 0xd2) this.#write('true');
    else {
      const text = this.#string(marker) ?? this.#blob(marker);
      this.#write(text === undefined ? this.#number(marker) : JSON.stringify(text));
    }
  }

  #string(marker: number): string | undefined {
    const target = referredAt(this.#bytes, marker);
    if (target === undefined) return binaryString(this.#bytes, marker);
    const there = this.#bytes.at(target);
    // Of a reference to a reference nothing is made, so that none can go round in a circle.
    const text = binaryString(there, there.unsigned(1));
    if (text === undefined) throw this.#refusals.malformed();
    return text;
  }

  /** A GUID and bytes, which JSON has no types for. */
  #blob(marker: number): string | undefined {
    if (marker === 0xd3) {
      const guid = Buffer.from(this.#bytes.take(16));
      guid.subarray(0, 4).reverse();
      guid.subarray(4, 6).reverse();
      guid.subarray(6, 8).reverse();
      return guid.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    }
    if (marker < 0xdd || marker > 0xdf) return undefined;
    return this.#bytes.take(this.#bytes.unsigned(2 ** (marker - 0xdd))).toString('base64');
  }

  #number(marker: number): string {
    switch (marker) {
      case 0xc7:
        return String(this.#bytes.take(8).readBigUInt64LE());
      case 0xc8:
        return this.#typedNumber(0xd7);
      case 0xc9:
        return this.#typedNumber(0xd9);
      case 0xca:
        return this.#typedNumber(0xda);
      case 0xcb:
        return this.#typedNumber(0xdb);
      case 0xcc:
        return this.#typedNumber(0xce);
      default:
        return this.#typedNumber(marker);
    }
  }

  /** The types that elements of number arrays have. */
  #typedNumber(type: number): string {
    const bytes = this.#bytes;
    switch (type) {
      case 0xcd:
        return this.#finite(bytes.take(4).readFloatLE());
      case 0xce:
        return this.#finite(bytes.take(8).readDoubleLE());
      case 0xd7:
        return String(bytes.unsigned(1));
      case 0xd8:
        return String(bytes.take(1).readInt8());
      case 0xd9:
        return String(bytes.take(2).readInt16LE());
      case 0xda:
        return String(bytes.take(4).readInt32LE());
      case 0xdb:
        return String(bytes.take(8).readBigInt64LE());
      case 0xdc:
        return String(bytes.unsigned(4));
      default:
        throw this.#refusals.malformed();
    }
  }

  #finite(value: number): string {
    if (!Number.isFinite(value)) throw this.#refusals.malformed();
    return String(value);
  }

  #array(form: number, depth: number): void {
    this.#write('[');
    this.#elements(form, (index) => {
      if (index > 0) this.#write(',');
      this.#value(depth + 1);
    });
    this.#write(']');
  }

  #object(form: number, depth: number): void {
    this.#write('{');
    this.#elements(form, (index) => {
      const name = this.#string(this.#bytes.unsigned(1));
      if (name === undefined) throw this.#refusals.malformed();
      this.#write(`${index > 0 ? ',' : ''}${JSON.stringify(name)}:`);
      this.#value(depth + 1);
    });
    this.#write('}');
  }

  /** Forms: none, one, by length in 1, 2 or 4 bytes, by length and then count in 1, 2 or 4 bytes. */
  #elements(form: number, element: (index: number) => void): void {
    if (form === 0) return;
    if (form === 1) {
      element(0);
      return;
    }
    const isCounted = form > 4;
    const width = 2 ** (form - (isCounted ? 5 : 2));
    const length = this.#bytes.unsigned(width);
    const told = isCounted ? this.#bytes.unsigned(width) : undefined;
    const end = this.#bytes.position + length;
    let count = 0;
    while (this.#bytes.position < end) element(count++);
    if (this.#bytes.position !== end || (told !== undefined && told !== count))
      throw this.#refusals.malformed();
  }

  /** Arrays of numbers of one type, and arrays of such arrays, with counts of 1 or 2 bytes. */
  #numbers(marker: number): void {
    const width = 1 + (marker & 1);
    const isNested = marker >= 0xf2;
    if (isNested && this.#bytes.unsigned(1) !== marker - 2) throw this.#refusals.malformed();
    const type = this.#bytes.unsigned(1);
    const inner = this.#bytes.unsigned(width);
    const outer = isNested ? this.#bytes.unsigned(width) : 1;
    if (isNested) this.#write('[');
    for (let at = 0; at < outer; at++) {
      this.#write(at > 0 ? ',[' : '[');
      for (let index = 0; index < inner; index++)
        this.#write(`${index > 0 ? ',' : ''}${this.#typedNumber(type)}`);
      this.#write(']');
    }
    if (isNested) this.#write(']');
  }
}
