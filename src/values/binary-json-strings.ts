// The forms of a string in binary JSON. Clients choose them by what a text consists of, to save bytes.

import { isUtf8 } from 'node:buffer';
import type { BinaryJsonBytes } from './binary-json-bytes.ts';

/** Names that items often have, by their number. */
const systemStrings: readonly string[] = [
  '$s',
  '$t',
  '$v',
  '_attachments',
  '_etag',
  '_rid',
  '_self',
  '_ts',
  'attachments/',
  'coordinates',
  'geometry',
  'GeometryCollection',
  'id',
  'url',
  'Value',
  'label',
  'LineString',
  'link',
  'MultiLineString',
  'MultiPoint',
  'MultiPolygon',
  'name',
  'Name',
  'Type',
  'Point',
  'Polygon',
  'properties',
  'type',
  'value',
  'Feature',
  'FeatureCollection',
  '_id',
];

const lowerHex = '0123456789abcdef';
const upperHex = '0123456789ABCDEF';
const dateTime = ' 0123456789:-.TZ';

/** Before which of its bytes a GUID has a dash. */
const dashesBefore: ReadonlySet<number> = new Set([4, 6, 8, 10]);

/** The string that begins with this marker, or undefined where the marker is of no string. References are `referredAt`. */
export function binaryString(bytes: BinaryJsonBytes, marker: number): string | undefined {
  if (marker >= 0x20 && marker < 0x40) return systemStrings[marker - 0x20];
  if (marker >= 0x80 && marker < 0xc0) return utf8(bytes, marker - 0x80);
  switch (marker) {
    case 0xc0:
      return utf8(bytes, bytes.unsigned(1));
    case 0xc1:
      return utf8(bytes, bytes.unsigned(2));
    case 0xc2:
      return utf8(bytes, bytes.unsigned(4));
    case 0x71:
      return base64(bytes, 1, 'base64');
    case 0x72:
      return base64(bytes, 2, 'base64');
    case 0x73:
      return base64(bytes, 1, 'base64url');
    case 0x74:
      return base64(bytes, 2, 'base64url');
    case 0x75:
      return guid(bytes, lowerHex);
    case 0x76:
      return guid(bytes, upperHex);
    case 0x77:
      return `"${guid(bytes, lowerHex)}"`;
    case 0x78:
      return nibbles(bytes, lowerHex);
    case 0x79:
      return nibbles(bytes, upperHex);
    case 0x7a:
      return nibbles(bytes, dateTime);
    case 0x7b:
      return packed(bytes, 4, bytes.unsigned(1), bytes.unsigned(1));
    case 0x7c:
      return packed(bytes, 5, bytes.unsigned(1), bytes.unsigned(1));
    case 0x7d:
      return packed(bytes, 6, bytes.unsigned(1), bytes.unsigned(1));
    case 0x7e:
      return packed(bytes, 7, bytes.unsigned(1), 0);
    case 0x7f:
      return packed(bytes, 7, bytes.unsigned(2), 0);
    default:
      return undefined;
  }
}

/** Where the string stands that a marker refers to; undefined where it is no reference. */
export function referredAt(bytes: BinaryJsonBytes, marker: number): number | undefined {
  return marker >= 0xc3 && marker <= 0xc6 ? bytes.unsigned(marker - 0xc2) : undefined;
}

function utf8(bytes: BinaryJsonBytes, length: number): string {
  const text = bytes.take(length);
  if (!isUtf8(text)) throw bytes.malformed();
  return text.toString('utf8');
}

/** The bytes that the text is base64 of. Above 2 the number of padding characters is that of those left out, inverted. */
function base64(bytes: BinaryJsonBytes, width: number, alphabet: 'base64' | 'base64url'): string {
  const paddedLength = bytes.unsigned(width) * 4;
  const told = bytes.unsigned(1);
  const isLeftOut = told > 2;
  const padding = isLeftOut ? ~told & 0xff : told;
  if (padding > 2 || padding > paddedLength) throw bytes.malformed();
  const raw = bytes.take(Math.floor(((paddedLength - padding) * 3) / 4));
  const text = raw.toString(alphabet).replaceAll('=', '');
  if (text.length !== paddedLength - padding) throw bytes.malformed();
  return isLeftOut ? text : text + '='.repeat(padding);
}

/** Two hexadecimal digits a byte, the lower half first. */
function guid(bytes: BinaryJsonBytes, digits: string): string {
  let text = '';
  for (const [index, byte] of bytes.take(16).entries()) {
    if (dashesBefore.has(index)) text += '-';
    text += digits.charAt(byte & 0x0f) + digits.charAt(byte >> 4);
  }
  return text;
}

/** Sixteen characters, two a byte, the lower half first. */
function nibbles(bytes: BinaryJsonBytes, characters: string): string {
  const length = bytes.unsigned(1);
  let text = '';
  for (const byte of bytes.take(Math.ceil(length / 2)))
    text += characters.charAt(byte & 0x0f) + characters.charAt(byte >> 4);
  return text.slice(0, length);
}

/** Characters of a few bits each above a first one, lowest bit first. */
function packed(bytes: BinaryJsonBytes, bits: number, length: number, first: number): string {
  const data = bytes.take(Math.ceil((length * bits) / 8));
  const mask = (1 << bits) - 1;
  const codes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length; at++) {
    const bit = at * bits;
    const byte = bit >> 3;
    const both = (data[byte] ?? 0) | ((data[byte + 1] ?? 0) << 8);
    const code = ((both >> (bit & 7)) & mask) + first;
    if (code > 0x7f) throw bytes.malformed();
    codes[at] = code;
  }
  return codes.toString('latin1');
}
