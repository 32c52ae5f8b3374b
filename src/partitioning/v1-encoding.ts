// How V1 effective partition keys write numbers and strings, and how such bytes are read back. The service wrote keys
// this way before 2019 and still does for containers whose definition names no version.

import { type ByteString, byteStringOf } from '../foundation/byte-string.ts';
import { type JsonKeyComponent, markerOf, NUMBER_MARKER, STRING_MARKER } from './json-key-component.ts';
import type { RingPosition } from './ring-position.ts';

/** So that bytes sort as values of one type do. No encoding is the beginning of another. */
export function encodeV1Component(component: JsonKeyComponent): string {
  if (typeof component === 'string') return encodeV1String(component);
  if (typeof component === 'number') return encodeV1Number(component);
  return String.fromCharCode(markerOf(component));
}

/** The most bytes of a string in a V1 position. One that has them all carries no end mark. */
const V1_STRING_BYTES = 101;

function encodeV1String(component: string): string {
  const utf8 = Buffer.from(component, 'utf8');
  const kept = utf8.subarray(0, V1_STRING_BYTES).map((byte) => byte + 1);
  const end = utf8.length < V1_STRING_BYTES ? '\0' : '';
  return String.fromCharCode(STRING_MARKER) + byteStringOf(kept) + end;
}

const doubleView = new DataView(new ArrayBuffer(8));

/**
 * A double so that bytes sort as numbers do: the sign folded away, the top byte whole, then seven bits a byte with the
 * lowest bit saying that more follow. At least one such byte is written, even for nothing but zeros.
 */
export function encodeV1Number(value: number): ByteString {
  doubleView.setFloat64(0, value);
  let high = doubleView.getInt32(0);
  let low = doubleView.getInt32(4);
  if (high >= 0) {
    high ^= 0x80000000;
  } else {
    low = -low | 0;
    high = (~high + (low === 0 ? 1 : 0)) | 0;
  }
  let encoded = String.fromCharCode(NUMBER_MARKER, high >>> 24);
  high = (high << 8) | (low >>> 24);
  low <<= 8;
  do {
    const group = high >>> 25;
    high = (high << 7) | (low >>> 25);
    low <<= 7;
    const more = (high | low) === 0 ? 0 : 1;
    encoded += String.fromCharCode((group << 1) | more);
  } while ((high | low) !== 0);
  return encoded as ByteString;
}

/** The hash that a V1 position or boundary begins with; undefined for a boundary that was cut otherwise. */
export function hashOfV1Position(position: RingPosition): number | undefined {
  // A boundary has lost the zero byte that ends the shortest numbers.
  const bytes = `${position}\0` as ByteString;
  const end = endOfV1Number(bytes, 0);
  if (end === undefined) return undefined;
  let high = (bytes.charCodeAt(1) << 24) ^ 0x80000000;
  let low = 0;
  let shift = 49;
  for (let at = 2; at < end && shift >= 0; at++, shift -= 7) {
    const group = bytes.charCodeAt(at) >>> 1;
    if (shift >= 32) {
      high |= group << (shift - 32);
    } else {
      low |= group << shift;
      if (shift > 25) high |= group >>> (32 - shift);
    }
  }
  doubleView.setInt32(0, high);
  doubleView.setInt32(4, low);
  const hash = doubleView.getFloat64(0);
  return Number.isInteger(hash) && hash >= 0 && hash < 2 ** 32 ? hash : undefined;
}

/** How long the position of a key with so many components is that these bytes begin with; undefined if they end before it does. */
export function lengthOfV1Position(bytes: ByteString, componentCount: number): number | undefined {
  let at = endOfV1Number(bytes, 0);
  for (let component = 0; component < componentCount && at !== undefined; component++) {
    if (at >= bytes.length) return undefined;
    const marker = bytes.charCodeAt(at);
    if (marker === NUMBER_MARKER) {
      at = endOfV1Number(bytes, at);
    } else if (marker === STRING_MARKER) {
      const end = bytes.indexOf('\0', at + 1);
      const longest = at + 1 + V1_STRING_BYTES;
      if (end >= 0 && end < longest) at = end + 1;
      else at = longest <= bytes.length ? longest : undefined;
    } else {
      at++;
    }
  }
  return at;
}

function endOfV1Number(bytes: ByteString, start: number): number | undefined {
  if (bytes.charCodeAt(start) !== NUMBER_MARKER) return undefined;
  for (let at = start + 2; at < bytes.length; at++) {
    if ((bytes.charCodeAt(at) & 1) === 0) return at + 1;
  }
  return undefined;
}
