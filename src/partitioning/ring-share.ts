import { byteStringOf, bytesOf } from '../foundation/byte-string.ts';
import type { HashKind } from './partition-key.ts';
import { type RingPosition, ringEnd } from './ring-position.ts';
import { canonicalBoundary, type RingRange } from './ring-range.ts';
import { encodeV1Number, hashOfV1Position } from './v1-encoding.ts';

/** A number that JavaScript counts in exactly; partitions narrower than this are all alike. */
const countedBytes = 6;
const countedPositions = 2 ** (8 * countedBytes);

/** Which part of all keys of the ring fall into the range, 0 to 1, if their hashes are spread evenly. */
export function ringShareOf(range: RingRange, hashKind: HashKind): number {
  return ringPlaceOf(range.max, hashKind) - ringPlaceOf(range.min, hashKind);
}

/** How far along the ring a boundary stands, 0 to 1. */
export function ringPlaceOf(boundary: RingPosition, hashKind: HashKind): number {
  if (boundary === ringEnd) return 1;
  switch (hashKind) {
    case 'v1':
      return (hashOfV1Position(boundary) ?? 0) / 2 ** 32;
    case 'v2':
    case 'multi':
      // The first byte is at most 3F.
      return Math.min(1, (4 * leadingNumber(boundary)) / countedPositions);
    case 'cql':
      return leadingNumber(boundary) / countedPositions;
  }
}

/** The boundary that stands so far along the ring, as near as it is counted. */
export function ringBoundaryAt(place: number, hashKind: HashKind): RingPosition {
  switch (hashKind) {
    case 'v1':
      return canonicalBoundary(encodeV1Number(Math.floor(place * 2 ** 32)));
    case 'v2':
    case 'multi':
      return boundaryOf((place * countedPositions) / 4);
    case 'cql':
      return boundaryOf(place * countedPositions);
  }
}

function boundaryOf(position: number): RingPosition {
  const bytes = Buffer.alloc(countedBytes);
  bytes.writeUIntBE(Math.floor(position), 0, countedBytes);
  return canonicalBoundary(byteStringOf(bytes));
}

function leadingNumber(boundary: RingPosition): number {
  const bytes = Buffer.alloc(countedBytes);
  bytesOf(boundary).copy(bytes);
  return bytes.readUIntBE(0, countedBytes);
}
