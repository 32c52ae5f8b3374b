import { RingfoldError } from '../errors/ringfold-error.ts';
import { assert } from '../foundation/assert.ts';
import { ByteReader } from '../foundation/byte-reader.ts';
import { ByteWriter } from '../foundation/byte-writer.ts';

/** The envelope of everything that is stored under a key. What the payload means is known by its kind alone. */
export interface StoredItem {
  readonly kind: StoredKind;
  /** When it was written, in microseconds: a server timestamp. CQL rows have theirs in their cells. */
  readonly timestamp: number | undefined;
  /** The item's own `ttl` in seconds, or -1 for never; undefined leaves it to the container. */
  readonly ttlSeconds: number | undefined;
  /** Breaks ties in feeds and stays for the item's life; see design.md §11. */
  readonly rid: number | undefined;
  /** Where its last write stands in the history of its physical partition, for feeds; absent for CQL rows. */
  readonly lsn?: number | undefined;
  /** Shares memory with what it was decoded from. */
  readonly payload: Buffer;
}

export type StoredKind =
  | 'cql-row'
  | 'json-item'
  | 'partition-header'
  | 'tombstone'
  | 'unique-key'
  | 'change'
  | 'rid';

// Never change a number, never use one again.
const numberOfKind = {
  'cql-row': 1,
  'json-item': 2,
  'partition-header': 3,
  tombstone: 4,
  'unique-key': 5,
  change: 6,
  rid: 7,
} as const satisfies Record<StoredKind, number>;
const kindOfNumber: ReadonlyMap<number, StoredKind> = new Map(
  (Object.keys(numberOfKind) as StoredKind[]).map((kind) => [numberOfKind[kind], kind]),
);

const formatVersion = 1;
const flags = { timestamp: 0x01, ttl: 0x02, rid: 0x04, lsn: 0x08 } as const;
const allFlags = flags.timestamp | flags.ttl | flags.rid | flags.lsn;

/** Cosmos DB's limit for a ttl. */
export const LARGEST_TTL_SECONDS = 2_147_483_647;

export function encodeStoredItem(item: StoredItem): Buffer {
  const { kind, timestamp, ttlSeconds, rid, lsn, payload } = item;
  const writer = new ByteWriter(24 + payload.length);
  writer.u8((formatVersion << 4) | numberOfKind[kind]);
  writer.u8(
    (timestamp === undefined ? 0 : flags.timestamp) |
      (ttlSeconds === undefined ? 0 : flags.ttl) |
      (rid === undefined ? 0 : flags.rid) |
      (lsn === undefined ? 0 : flags.lsn),
  );
  if (timestamp !== undefined) writer.u64(timestamp);
  if (ttlSeconds !== undefined) {
    assert(ttlSeconds >= -1 && ttlSeconds <= LARGEST_TTL_SECONDS, 'a ttl is -1 or a number of seconds');
    writer.varint(ttlSeconds + 1);
  }
  if (rid !== undefined) writer.varint(rid);
  if (lsn !== undefined) writer.varint(lsn);
  writer.bytes(payload);
  return writer.take();
}

/** From bytes, or a part of them. */
export function decodeStoredItem(bytes: Buffer, start = 0, end: number = bytes.length): StoredItem {
  const reader = new ByteReader(bytes, start, end);
  const first = reader.u8();
  const kind = kindOfNumber.get(first & 0x0f);
  const present = reader.u8();
  if (first >> 4 !== formatVersion || kind === undefined || present > allFlags) {
    throw new RingfoldError('corrupt-data', { reason: 'no such stored form', first, present });
  }
  const timestamp = present & flags.timestamp ? reader.u64() : undefined;
  const ttlSeconds = present & flags.ttl ? reader.varint() - 1 : undefined;
  const rid = present & flags.rid ? reader.varint() : undefined;
  const lsn = present & flags.lsn ? reader.varint() : undefined;
  return { kind, timestamp, ttlSeconds, rid, lsn, payload: reader.rest() };
}

/** `_ts`: whole seconds of the write time. */
export function writeSecondOf(item: StoredItem): number {
  return Math.floor((item.timestamp ?? 0) / 1_000_000);
}

/**
 * The first second in which the item is no longer there; undefined for never. Nothing of this is stored, so a changed
 * default applies to old items: undefined is off, and then the item's own ttl counts for nothing; -1 is on without a
 * default; otherwise seconds.
 */
export function expirySecondOf(item: StoredItem, defaultTtlSeconds: number | undefined): number | undefined {
  if (defaultTtlSeconds === undefined) return undefined;
  const ttlSeconds = item.ttlSeconds ?? defaultTtlSeconds;
  return ttlSeconds === -1 ? undefined : writeSecondOf(item) + ttlSeconds;
}

export function isExpired(
  item: StoredItem,
  defaultTtlSeconds: number | undefined,
  nowSeconds: number,
): boolean {
  const expirySecond = expirySecondOf(item, defaultTtlSeconds);
  return expirySecond !== undefined && nowSeconds >= expirySecond;
}
