// Where a query stopped, as text for clients to bring back. It holds positions and counts, nothing of the server's memory, so it
// outlasts restarts, splits and moves.

import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { type ByteString, byteStringOf, bytesOf } from '../../../foundation/byte-string.ts';
import type { RingPosition } from '../../../partitioning/ring-position.ts';
import { ringRange } from '../../../partitioning/ring-range.ts';
import type { ItemPosition } from './item-position.ts';
import type { SortPosition } from './runnable-query.ts';

export interface QueryPosition {
  /** Items up to here are done with; undefined for none. */
  readonly items: ItemPosition | undefined;
  /** Sorted results up to here have been given. */
  readonly sorted: SortPosition | undefined;
  /** So many results that come next are left out. */
  readonly skipped: number;
  /** They are of the item of this number, wherever it comes, and of no other; absent for whatever comes next. */
  readonly within?: number;
  /** What TOP and LIMIT still allow; perhaps infinite. */
  readonly left: number;
}

const version = 1;
const longest = 6_000;

/** Of a query in a container of that number; a token of another query is refused. */
export function fingerprintOf(container: number, identity: string): string {
  return createHash('sha256').update(`${container}\n${identity}`).digest('base64url').slice(0, 11);
}

/** Undefined when the position is too long for a header. */
export function encodeQueryToken(position: QueryPosition, fingerprint: string): string | undefined {
  const { items, sorted, skipped, within, left } = position;
  const fields = {
    v: version,
    f: fingerprint,
    ...(items === undefined ? {} : { i: encodeItems(items) }),
    ...(sorted === undefined ? {} : { s: [sorted.rid, sorted.ordinal, ...sorted.keys.map(encodeKey)] }),
    ...(skipped === 0 ? {} : { k: skipped }),
    ...(within === undefined ? {} : { w: within }),
    ...(left === Number.POSITIVE_INFINITY ? {} : { l: left }),
  };
  const body = Buffer.from(JSON.stringify(fields));
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  const text = Buffer.concat([checksum, body]).toString('base64url');
  return text.length > longest ? undefined : text;
}

/** Throws 'bad-page-token' for anything but a whole token of this query. */
export function decodeQueryToken(text: string, fingerprint: string): QueryPosition {
  if (text.length > longest || !/^[A-Za-z0-9_-]+$/.test(text)) throw bad('it is damaged');
  const bytes = Buffer.from(text, 'base64url');
  const body = bytes.subarray(4);
  if (bytes.length < 4 || bytes.readUInt32BE(0) !== crc32(body)) throw bad('it is damaged');
  const fields = fieldsOf(body);
  if (fields['v'] !== version) throw bad('it is from another version');
  if (fields['f'] !== fingerprint) throw bad('it belongs to another query');
  const { i: items, s: sorted } = fields;
  return {
    items: items === undefined ? undefined : decodeItems(items),
    sorted: sorted === undefined ? undefined : decodeSorted(sorted),
    skipped: countOf(fields['k'] ?? 0),
    ...(fields['w'] === undefined ? {} : { within: countOf(fields['w']) }),
    left: fields['l'] === undefined ? Number.POSITIVE_INFINITY : countOf(fields['l']),
  };
}

function fieldsOf(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const fields: unknown = JSON.parse(body.toString());
    if (typeof fields === 'object' && fields !== null) return fields as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw bad('it is damaged', error);
  }
  throw bad('it is damaged');
}

function encodeItems(items: ItemPosition): readonly unknown[] {
  if (items.order === 'key') return [encodeBytes(items.key)];
  const { stretch, rid } = items;
  const place = [encodeBytes(stretch.min), encodeBytes(stretch.max), rid];
  return items.order === 'rid' ? place : [...place, items.arm, items.arms, encodeBytes(items.value)];
}

function decodeItems(fields: unknown): ItemPosition {
  if (!Array.isArray(fields)) throw bad('it is damaged');
  const [first, second, rid, arm, arms, value]: unknown[] = fields;
  if (fields.length === 1) return { order: 'key', key: decodeBytes(first) };
  const [min, max] = [decodeBytes(first) as RingPosition, decodeBytes(second) as RingPosition];
  if (min >= max) throw bad('it is damaged');
  const place = { stretch: ringRange(min, max), rid: countOf(rid) };
  if (fields.length === 3) return { order: 'rid', ...place };
  return { order: 'index', ...place, arm: countOf(arm), arms: countOf(arms), value: decodeBytes(value) };
}

/** JSON has no undefined: a key is an array of the one value, or of none. */
function encodeKey(key: unknown): readonly unknown[] {
  return key === undefined ? [] : [key];
}

function decodeSorted(fields: unknown): SortPosition {
  if (!Array.isArray(fields)) throw bad('it is damaged');
  const [rid, ordinal, ...keys]: unknown[] = fields;
  return {
    rid: countOf(rid),
    ordinal: countOf(ordinal),
    keys: keys.map((key): unknown => {
      if (!Array.isArray(key)) throw bad('it is damaged');
      return key[0];
    }),
  };
}

function encodeBytes(bytes: ByteString): string {
  return bytesOf(bytes).toString('base64url');
}

function decodeBytes(text: unknown): ByteString {
  if (typeof text !== 'string') throw bad('it is damaged');
  return byteStringOf(Buffer.from(text, 'base64url'));
}

function countOf(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw bad('it is damaged');
}

function bad(reason: string, cause?: unknown): RingfoldError {
  return new RingfoldError('bad-page-token', { reason }, cause);
}
