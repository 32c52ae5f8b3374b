// The parts of a stored key, for scans that meet rows of many logical partitions (row-keys.ts).

import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { type ByteString, bytesOf } from '../../../foundation/byte-string.ts';
import { positionEnd } from '../../../partitioning/logical-partition.ts';
import type { RingPosition } from '../../../partitioning/ring-position.ts';

const endMark = '\x00\x01';
export const headerKind = 0x01;

/** How much of the key is the logical partition's prefix. */
export function prefixLengthOf(key: ByteString): number {
  const at = key.indexOf(endMark, positionEnd);
  if (at < 0) throw new RingfoldError('corrupt-data', { reason: 'a stored key has no partition key' });
  return at + endMark.length;
}

export function isHeaderKey(key: ByteString, prefixLength: number): boolean {
  return key.charCodeAt(prefixLength) === headerKind;
}

export function clusteringKeyIn(key: ByteString, prefixLength: number): ByteString {
  return key.slice(prefixLength + 1) as ByteString;
}

export function ringPositionIn(key: ByteString): RingPosition {
  return key.slice(4, positionEnd) as RingPosition;
}

/** As it is hashed: one column's bytes as they are, several as `serializePartitionKey` writes them. */
export function partitionKeyIn(prefix: ByteString): ByteString {
  const escaped = prefix.slice(positionEnd, -endMark.length);
  return (escaped.includes('\0') ? escaped.replaceAll('\0\xff', '\0') : escaped) as ByteString;
}

/** The columns' values again. */
export function partitionKeyValues(partitionKey: ByteString, columnCount: number): Buffer[] {
  const bytes = bytesOf(partitionKey);
  if (columnCount === 1) return [bytes];
  const values: Buffer[] = [];
  for (let at = 0; at + 2 < bytes.length; ) {
    const length = bytes.readUInt16BE(at);
    values.push(bytes.subarray(at + 2, at + 2 + length));
    at += length + 3;
  }
  return values;
}
