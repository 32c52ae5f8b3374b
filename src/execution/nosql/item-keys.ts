// Where what belongs to a logical partition of a NoSQL container stands: container · ring position · partition key · kind · rest.

import type { ContainerDefinition } from '../../catalog/nosql/nosql-definitions.ts';
import { assert } from '../../foundation/assert.ts';
import { type ByteString, byteStringOf, concatBytes, endOfPrefix } from '../../foundation/byte-string.ts';
import { type LogicalPartition, prefixLengthIn } from '../../partitioning/logical-partition.ts';

// Never change one, never use one again. 1 is a CQL table's partition header.
const kinds = {
  item: '\x02' as ByteString,
  uniqueKey: '\x04' as ByteString,
  change: '\x05' as ByteString,
  rid: '\x06' as ByteString,
} as const;

/** An item, whatever its id; ids sort by their UTF-8 bytes. */
export function itemKey({ prefix }: Pick<LogicalPartition, 'prefix'>, id: string): ByteString {
  return concatBytes(prefix, kinds.item, utf8Of(id));
}

const ascii = /^[\0-\x7f]*$/;

function utf8Of(text: string): ByteString {
  return ascii.test(text) ? (text as ByteString) : byteStringOf(Buffer.from(text));
}

/** All items of a logical partition. */
export function itemsOf({ prefix }: Pick<LogicalPartition, 'prefix'>): {
  readonly from: ByteString;
  readonly to: ByteString;
} {
  const from = concatBytes(prefix, kinds.item);
  const to = endOfPrefix(from);
  assert(to !== undefined, 'items are not the last of all keys');
  return { from, to };
}

/** Which item of the logical partition has these values under the constraint of that number. */
export function uniqueKeyKey(
  { prefix }: Pick<LogicalPartition, 'prefix'>,
  constraint: number,
  values: ByteString,
): ByteString {
  return concatBytes(prefix, kinds.uniqueKey, String.fromCharCode(constraint) as ByteString, values);
}

/** Which item of the logical partition has that number: SDKs address items by their `_self` too. */
export function ridKey({ prefix }: Pick<LogicalPartition, 'prefix'>, rid: number): ByteString {
  return concatBytes(prefix, kinds.rid, u32(Math.floor(rid / 2 ** 32)), u32(rid % 2 ** 32));
}

function u32(number: number): ByteString {
  return String.fromCharCode(
    number >>> 24,
    (number >>> 16) & 0xff,
    (number >>> 8) & 0xff,
    number & 0xff,
  ) as ByteString;
}

/** One change, kept for the feed of all versions and deletes. */
export function changeKey(
  { prefix }: Pick<LogicalPartition, 'prefix'>,
  lsn: number,
  place: number,
): ByteString {
  const bytes = Buffer.allocUnsafe(10);
  bytes.writeBigUInt64BE(BigInt(lsn));
  bytes.writeUInt16BE(place, 8);
  return concatBytes(prefix, kinds.change, byteStringOf(bytes));
}

export type StoredKeyKind = 'item' | 'unique-key' | 'change' | 'rid';

export function storedKindOf(
  key: ByteString,
  { partitionKey }: ContainerDefinition,
): StoredKeyKind | undefined {
  return kindOfKey(key, prefixLengthIn(key, partitionKey));
}

/** The kind of what stands under a key that is known to begin with a logical partition's prefix of that length. */
export function kindOfKey(key: ByteString, prefixLength: number): StoredKeyKind | undefined {
  switch (key[prefixLength]) {
    case kinds.item:
      return 'item';
    case kinds.uniqueKey:
      return 'unique-key';
    case kinds.change:
      return 'change';
    case kinds.rid:
      return 'rid';
    default:
      return undefined;
  }
}
