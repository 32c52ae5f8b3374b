// Where things stand in the store of an index:
//
//   00                                          what the store is
//   01 · container · physical partition         how far its index is, and by which policies
//   02 · container · physical partition         the LSN up to which its commits are indexed
//   03 · container · segment                    a segment that nobody reads any more and that is being cleared
//   04 · container · segment · 00 · order                     how many entries the order has
//   04 · container · segment · 01 · key of an item            the entries that the item has
//   04 · container · segment · 02 · order · value · rid       an entry: the key of its item
//   04 · container · segment · 02 · order · value · rid · 00  entries of several items of a group: which of them
//   04 · container · segment · 03 · rid                       a group: its items, and which of them are still in it
//
// A group is told by the lowest rid in it.

import { assert } from '../../../foundation/assert.ts';
import { type ByteString, bytesOf, endOfPrefix } from '../../../foundation/byte-string.ts';
import { ORDER_BYTES } from './index-paths.ts';

export const formatKey: ByteString = '\x00' as ByteString;

const numberedKinds = { state: '\x01', position: '\x02', garbage: '\x03', segment: '\x04' } as const;

/** A number of a container and one within it. */
export function numberedKey(kind: keyof typeof numberedKinds, container: number, number: number): ByteString {
  return `${numberedKinds[kind]}${u32(container)}${u32(number)}` as ByteString;
}

export function numbersIn(key: ByteString): { readonly container: number; readonly number: number } {
  const bytes = Buffer.from(key, 'latin1');
  return { container: bytes.readUInt32BE(1), number: bytes.readUInt32BE(5) };
}

export function rangeOfKind(kind: keyof typeof numberedKinds): ByteRange {
  return rangeOf(numberedKinds[kind] as ByteString);
}

export interface ByteRange {
  readonly from: ByteString;
  readonly to: ByteString;
}

export function rangeOf(prefix: ByteString): ByteRange {
  const to = endOfPrefix(prefix);
  assert(to !== undefined, 'no prefix in an index is the last of all');
  return { from: prefix, to };
}

/** Eight numbers of the container and the segment, and what they stand for. */
export class SegmentKeys {
  readonly all: ByteRange;
  readonly counts: ByteRange;
  readonly #counts: string;
  readonly #records: string;
  readonly #entries: string;
  readonly #groups: string;
  readonly #entryPrefix: Buffer;

  constructor(container: number, segment: number) {
    const prefix = numberedKey('segment', container, segment);
    this.all = rangeOf(prefix);
    this.#counts = `${prefix}\x00`;
    this.#records = `${prefix}\x01`;
    this.#entries = `${prefix}\x02`;
    this.#groups = `${prefix}\x03`;
    this.#entryPrefix = bytesOf(this.#entries as ByteString);
    this.counts = rangeOf(this.#counts as ByteString);
  }

  count(order: ByteString): ByteString {
    return (this.#counts + order) as ByteString;
  }

  orderOfCount(key: ByteString): ByteString {
    return key.slice(this.#counts.length) as ByteString;
  }

  /** The key of the item is without its container. */
  record(itemKey: ByteString): ByteString {
    return (this.#records + itemKey) as ByteString;
  }

  itemKeyOf(recordKey: ByteString): ByteString {
    return recordKey.slice(this.#records.length) as ByteString;
  }

  /** Of the term that stands there in those bytes. */
  entry(bytes: Buffer, start: number, end: number, rid: number): Buffer {
    return this.#entry(bytes, start, end, rid, 0);
  }

  /** Of a term that several items of a group have. */
  sharedEntry(bytes: Buffer, start: number, end: number, group: number): Buffer {
    return this.#entry(bytes, start, end, group, sharedMarkBytes);
  }

  #entry(bytes: Buffer, start: number, end: number, rid: number, markBytes: number): Buffer {
    const prefix = this.#entryPrefix;
    const term = prefix.length - start;
    const ridPlace = term + end;
    const key = Buffer.allocUnsafe(ridPlace + ridBytes + markBytes);
    // Faster than copying, which takes a view of each piece.
    for (let at = 0; at < prefix.length; at++) key[at] = prefix[at] as number;
    for (let at = start; at < end; at++) key[term + at] = bytes[at] as number;
    key.writeUIntBE(Math.floor(rid / 2 ** 32), ridPlace, 3);
    key.writeUInt32BE(rid % 2 ** 32, ridPlace + 3);
    if (markBytes > 0) key[ridPlace + ridBytes] = 0;
    return key;
  }

  group(lowestRid: number): ByteString {
    return (this.#groups + ridOf(lowestRid)) as ByteString;
  }

  order(order: ByteString): ByteString {
    return (this.#entries + order) as ByteString;
  }

  /** Where it is shared, the number is that of the group. */
  entryIn(key: ByteString, isShared: boolean): { readonly value: ByteString; readonly rid: number } {
    const start = this.#entries.length + ORDER_BYTES;
    const end = key.length - ridBytes - (isShared ? sharedMarkBytes : 0);
    return { value: key.slice(start, end) as ByteString, rid: ridIn(key, end) };
  }
}

const ridBytes = 7;
const sharedMarkBytes = 1;

/** In order of the numbers. */
export function ridOf(rid: number): ByteString {
  const high = Math.floor(rid / 2 ** 32);
  return (String.fromCharCode((high >>> 16) & 0xff, (high >>> 8) & 0xff, high & 0xff) +
    u32(rid)) as ByteString;
}

function ridIn(key: ByteString, at: number): number {
  let rid = 0;
  for (let index = at; index < at + ridBytes; index++) rid = rid * 256 + key.charCodeAt(index);
  return rid;
}

function u32(number: number): string {
  return String.fromCharCode(number >>> 24, (number >>> 16) & 0xff, (number >>> 8) & 0xff, number & 0xff);
}
