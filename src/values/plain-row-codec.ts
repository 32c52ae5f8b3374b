// Most writes are one INSERT or UPDATE of simple values with one time. Their rows are encoded straight from the values, in the very form
// that `encodeStoredItem` of `encodeRow` gives, and most of them take the place of the row before them without its being decoded.

import { assert } from '../foundation/assert.ts';
import type { Expiry } from './cql-cell.ts';
import { cellFlags, rowFlags } from './cql-row-codec.ts';
import { encodeStoredItem } from './stored-item.ts';

/** What all values of the row share. */
export interface PlainRowTimes {
  readonly timestamp: bigint;
  readonly expiry: Expiry | undefined;
  /** Of tombstones. */
  readonly second: number;
  /** INSERT's mark that the row exists. */
  readonly isMarked: boolean;
}

const envelope = encodeStoredItem({
  kind: 'cql-row',
  timestamp: undefined,
  ttlSeconds: undefined,
  rid: undefined,
  payload: Buffer.alloc(0),
});
const flagsAt = envelope.length;
const timestampAt = flagsAt + 1;
const timesEnd = timestampAt + 8;
/** A simple cell with its row's time. */
const plainCellFlags = cellFlags.tombstone | cellFlags.ownExpiry | cellFlags.rowExpiry;

/** Null is a tombstone; what is undefined is not written. Column ids ascend, with a value for each. */
export function encodePlainRow(
  { timestamp, expiry, second, isMarked }: PlainRowTimes,
  columnIds: readonly number[],
  values: readonly (Buffer | null | undefined)[],
): Buffer {
  const sharesExpiry = isMarked && expiry !== undefined;
  const expiryBytes = expiry === undefined ? 0 : varintBytes(expiry.ttlSeconds) + 4;
  const ownExpiryBytes = sharesExpiry ? 0 : expiryBytes;
  let length = timesEnd + (sharesExpiry ? expiryBytes : 0);
  let count = 0;
  let lastId = 0;
  for (let index = 0; index < columnIds.length; index++) {
    const value = values[index];
    if (value === undefined) continue;
    const id = columnIds[index] as number;
    assert(id > lastId, 'columns ascend by their ids, from 1');
    length += varintBytes(id - lastId) + 1;
    length += value === null ? 4 : ownExpiryBytes + varintBytes(value.length) + value.length;
    lastId = id;
    count += 1;
  }
  const bytes = Buffer.allocUnsafe(length + varintBytes(count));
  for (let index = 0; index < flagsAt; index++) bytes[index] = envelope[index] as number;
  bytes[flagsAt] = (isMarked ? rowFlags.liveness : 0) | (sharesExpiry ? rowFlags.expiring : 0);
  bytes.writeBigInt64BE(timestamp, timestampAt);
  let at = sharesExpiry ? writeExpiry(bytes, timesEnd, expiry) : timesEnd;
  at = writeVarint(bytes, at, count);
  const expiryFlag = sharesExpiry ? cellFlags.rowExpiry : cellFlags.ownExpiry;
  lastId = 0;
  for (let index = 0; index < columnIds.length; index++) {
    const value = values[index];
    if (value === undefined) continue;
    const id = columnIds[index] as number;
    at = writeVarint(bytes, at, id - lastId);
    lastId = id;
    if (value === null) {
      bytes[at] = cellFlags.tombstone;
      at = bytes.writeUInt32BE(second, at + 1);
      continue;
    }
    bytes[at++] = expiry === undefined ? 0 : expiryFlag;
    if (expiry !== undefined && !sharesExpiry) at = writeExpiry(bytes, at, expiry);
    at = writeVarint(bytes, at, value.length);
    bytes.set(value, at);
    at += value.length;
  }
  assert(at === bytes.length, 'a plain row is as long as was counted');
  return bytes;
}

/**
 * What becomes of a stored row under a plain one with these columns: `dead` and `live` where nothing of it stays, by whether a reader
 * saw it until now; undefined where that takes a closer look.
 */
export function replacedByPlain(
  stored: Buffer,
  plain: Buffer,
  columnIds: readonly number[],
  nowSeconds: number,
): 'dead' | 'live' | undefined {
  for (let index = 0; index < flagsAt; index++) if (stored[index] !== envelope[index]) return undefined;
  const flags = stored[flagsAt] as number;
  const isMarked = (flags & rowFlags.liveness) !== 0;
  const isPlain =
    flags === 0 || flags === rowFlags.liveness || flags === (rowFlags.liveness | rowFlags.expiring);
  if (!isPlain || stored.length < timesEnd) return undefined;
  if (isMarked && ((plain[flagsAt] as number) & rowFlags.liveness) === 0) return undefined;
  if (!isEarlier(stored, plain)) return undefined;
  const walk = new StoredWalk(stored, timesEnd);
  const isRowLive = (flags & rowFlags.expiring) === 0 || nowSeconds < walk.expirySecond();
  let isLive = isMarked && isRowLive;
  let id = 0;
  let place = 0;
  for (let left = walk.varint(); left > 0; left--) {
    const step = walk.varint();
    id += step;
    while (place < columnIds.length && (columnIds[place] as number) < id) place += 1;
    if (step === 0 || columnIds[place] !== id) return undefined;
    const cell = walk.u8();
    if ((cell & ~plainCellFlags) !== 0) return undefined;
    if ((cell & cellFlags.tombstone) !== 0) {
      walk.skip(4);
      continue;
    }
    const isCellLive =
      (cell & cellFlags.ownExpiry) !== 0
        ? nowSeconds < walk.expirySecond()
        : (cell & cellFlags.rowExpiry) === 0 || isRowLive;
    if (isCellLive) isLive = true;
    walk.skip(walk.varint());
  }
  // What does not end where it should is for a decoder to judge.
  return walk.isAtEnd ? (isLive ? 'live' : 'dead') : undefined;
}

/** Past the end there are zeros. */
class StoredWalk {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  u8(): number {
    return this.#bytes[this.#at++] ?? 0;
  }

  varint(): number {
    let value = 0;
    let scale = 1;
    let byte = this.u8();
    while (byte >= 0x80) {
      value += (byte - 0x80) * scale;
      scale *= 0x80;
      byte = this.u8();
    }
    return value + byte * scale;
  }

  skip(length: number): void {
    this.#at += length;
  }

  expirySecond(): number {
    this.varint();
    return this.u8() * 2 ** 24 + ((this.u8() << 16) | (this.u8() << 8) | this.u8());
  }
}

/** Whether the row's time, which its cells share, is before the other's. */
function isEarlier(stored: Buffer, plain: Buffer): boolean {
  const high = stored.readInt32BE(timestampAt);
  const otherHigh = plain.readInt32BE(timestampAt);
  if (high !== otherHigh) return high < otherHigh;
  return stored.readUInt32BE(timestampAt + 4) < plain.readUInt32BE(timestampAt + 4);
}

function varintBytes(value: number): number {
  let bytes = 1;
  for (let left = value; left >= 0x80; left = Math.floor(left / 0x80)) bytes += 1;
  return bytes;
}

function writeVarint(bytes: Buffer, at: number, value: number): number {
  let place = at;
  let left = value;
  while (left >= 0x80) {
    bytes[place++] = (left % 0x80) + 0x80;
    left = Math.floor(left / 0x80);
  }
  bytes[place++] = left;
  return place;
}

function writeExpiry(bytes: Buffer, at: number, expiry: Expiry): number {
  return bytes.writeUInt32BE(expiry.second, writeVarint(bytes, at, expiry.ttlSeconds));
}
