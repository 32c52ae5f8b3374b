// JSON values as an index has them: bytes that sort as values do (undefined, null, false, true, numbers, strings, arrays, objects). None
// is the beginning of another, so that bytes may follow. Long strings are cut, and arrays and objects are there without their content:
// what is cut keeps its place among all others, but not among those that are cut alike.

import { type ByteString, endOfPrefix } from '../foundation/byte-string.ts';
import { jsonMarkers } from './key-component.ts';

/** Of a string, escapes included. */
const maxTextBytes = 255;
/** Strings of so many characters are never cut: none has more than four bytes. */
export const LONGEST_WHOLE_TEXT: number = Math.floor(maxTextBytes / 4);
/** In bytes. */
export const LARGEST_INDEX_VALUE: number = maxTextBytes + 3;

const end = '\x00\x00';
/** Behind the end of a whole string with the same beginning, before all that go on. */
const cutEnd = '\x00\x01';

export type IndexValueType =
  | 'undefined'
  | 'null'
  | 'false'
  | 'true'
  | 'number'
  | 'string'
  | 'array'
  | 'object';

const markers: Readonly<Record<IndexValueType, ByteString>> = {
  undefined: marker(jsonMarkers.undefined),
  null: marker(jsonMarkers.null),
  false: marker(jsonMarkers.false),
  true: marker(jsonMarkers.true),
  number: marker(jsonMarkers.number),
  string: marker(jsonMarkers.string),
  array: marker(jsonMarkers.array),
  object: marker(jsonMarkers.object),
};

function marker(byte: number): ByteString {
  return String.fromCharCode(byte) as ByteString;
}

/** What every value of the type begins with: `from` is this, `to` the `endOfPrefix` of it. */
export function indexTypePrefix(type: IndexValueType): ByteString {
  return markers[type];
}

export function indexValueOf(value: unknown): ByteString {
  switch (typeof value) {
    case 'string':
      return stringValue(value);
    case 'number':
      return numberValue(value);
    case 'bigint':
      return numberValue(Number(value));
    case 'boolean':
      return value ? markers.true : markers.false;
    case 'object':
      if (value === null) return markers.null;
      return Array.isArray(value) ? markers.array : markers.object;
    default:
      return markers.undefined;
  }
}

/** Writes what `indexValueOf` gives, for which there must be room, and returns where it ends. */
export function writeIndexValue(value: unknown, into: Buffer, at: number): number {
  if (typeof value === 'number') return writeNumber(value, into, at);
  if (typeof value === 'string') {
    const plainEnd = writePlainText(value, into, at);
    if (plainEnd !== undefined) return plainEnd;
  }
  return at + into.write(indexValueOf(value), at, 'latin1');
}

/** Undefined for a text with letters that are not bytes as they are. */
function writePlainText(text: string, into: Buffer, at: number): number | undefined {
  const length = Math.min(text.length, maxTextBytes);
  into[at] = jsonMarkers.string;
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0 || code >= 0x80) return undefined;
    into[at + 1 + index] = code;
  }
  const textEnd = at + 1 + length;
  into[textEnd] = 0;
  into[textEnd + 1] = length === text.length ? 0 : 1;
  return textEnd + 2;
}

/** What several values have in common whose bytes are the same: then the item has to be looked at. Not for complements. */
export function isCutValue(value: ByteString): boolean {
  const first = value[0];
  return (
    first === markers.array ||
    first === markers.object ||
    (first === markers.string && value.endsWith(cutEnd))
  );
}

/** Strings that begin with the text: from (included), to (excluded). Some that do not may be among them where the text is long. */
export function indexRangeOfPrefix(text: string): { readonly from: ByteString; readonly to: ByteString } {
  const whole = stringValue(text);
  const from = whole.slice(0, -end.length) as ByteString;
  return { from, to: endOfPrefix(from) as ByteString };
}

/** The complement: sorts the other way round, and is still no beginning of another. */
export function descendingValue(value: ByteString): ByteString {
  const bytes = Buffer.from(value, 'latin1');
  for (let at = 0; at < bytes.length; at++) bytes[at] = (bytes[at] as number) ^ 0xff;
  return bytes.toString('latin1') as ByteString;
}

const numberBytes = Buffer.allocUnsafeSlow(9);

function numberValue(value: number): ByteString {
  writeNumber(value, numberBytes, 0);
  return numberBytes.toString('latin1') as ByteString;
}

function writeNumber(value: number, into: Buffer, at: number): number {
  into[at] = jsonMarkers.number;
  const numberEnd = at + 9;
  // Adding 0 turns -0 into 0, which it equals.
  into.writeDoubleBE(value + 0, at + 1);
  const first = into[at + 1] as number;
  if (first < 0x80) into[at + 1] = first | 0x80;
  else for (let place = at + 1; place < numberEnd; place++) into[place] = (into[place] as number) ^ 0xff;
  return numberEnd;
}

const plain = /^[^\0\x80-\uffff]*$/;

function stringValue(text: string): ByteString {
  if (text.length <= maxTextBytes && plain.test(text)) return `${markers.string}${text}${end}` as ByteString;
  // A letter has one byte at least, so whatever lies beyond is cut in any case.
  const head = text.slice(0, maxTextBytes + 1);
  const escaped = utf8Of(head).replaceAll('\0', '\0\xff');
  if (escaped.length <= maxTextBytes) return `${markers.string}${escaped}${end}` as ByteString;
  const cut = escaped.slice(0, maxTextBytes);
  // Half an escape would read as the end.
  return `${markers.string}${cut.endsWith('\0') ? cut.slice(0, -1) : cut}${cutEnd}` as ByteString;
}

const surrogate = /[\ud800-\udfff]/;

function utf8Of(text: string): string {
  if (!surrogate.test(text)) return Buffer.from(text, 'utf8').toString('latin1');
  let bytes = '';
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    bytes +=
      code >= 0xd800 && code <= 0xdfff ? loneSurrogate(code) : Buffer.from(letter, 'utf8').toString('latin1');
  }
  return bytes;
}

/** Half a letter: a first half right before all letters that begin with it, a second half behind every letter there is. */
function loneSurrogate(code: number): string {
  if (code >= 0xdc00) return String.fromCharCode(0xf5, (code >> 8) & 0xff, code & 0xff);
  const first = Buffer.from(String.fromCharCode(code, 0xdc00), 'utf8');
  first[3] = 0x7f;
  return first.toString('latin1');
}

/** The first of several values that follow one another. */
export function firstIndexValue(values: ByteString): ByteString {
  const first = values[0];
  if (first === markers.number) return values.slice(0, 9) as ByteString;
  if (first !== markers.string) return values.slice(0, 1) as ByteString;
  let at = values.indexOf('\0', 1);
  while (values[at + 1] === '\xff') at = values.indexOf('\0', at + 2);
  return values.slice(0, at + 2) as ByteString;
}
