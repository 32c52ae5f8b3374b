// A half-open stretch of ring. A boundary may be written with or without zero bytes at its end (Cosmos does both for
// hierarchical keys); here it is kept without. Then `<` on the bytes is the order of the ring, for boundaries among
// themselves and for a boundary and the whole position of a key. Only `ringRange` makes ranges, so that this holds.

import { assert } from '../foundation/assert.ts';
import { type ByteString, endOfPrefix } from '../foundation/byte-string.ts';
import { type RingPosition, ringEnd, ringStart } from './ring-position.ts';

export interface RingRange {
  /** Included. */
  readonly min: RingPosition;
  /** Excluded. */
  readonly max: RingPosition;
}

export function ringRange(min: RingPosition, max: RingPosition): RingRange {
  const range = { min: canonicalBoundary(min), max: canonicalBoundary(max) };
  assert(range.min < range.max, 'a ring range begins before it ends');
  return Object.freeze(range);
}

export const wholeRing: RingRange = ringRange(ringStart, ringEnd);

/** The boundary without the zero bytes at its end, which stand for nothing. */
export function canonicalBoundary(boundary: ByteString): RingPosition {
  let length = boundary.length;
  while (length > 0 && boundary.charCodeAt(length - 1) === 0) length--;
  return (length === boundary.length ? boundary : boundary.slice(0, length)) as RingPosition;
}

/** The range of one key, given its whole position: up to the next position of the same length. */
export function rangeOfPosition(position: RingPosition): RingRange {
  return ringRange(position, (endOfPrefix(position) as RingPosition | undefined) ?? ringEnd);
}

export function contains(range: RingRange, position: RingPosition): boolean {
  return position >= range.min && position < range.max;
}

export function overlaps(a: RingRange, b: RingRange): boolean {
  return a.min < b.max && b.min < a.max;
}

export function intersect(a: RingRange, b: RingRange): RingRange | undefined {
  if (!overlaps(a, b)) return undefined;
  return ringRange(a.min > b.min ? a.min : b.min, a.max < b.max ? a.max : b.max);
}

/** Whether the one ends where the other begins. */
export function adjoins(a: RingRange, b: RingRange): boolean {
  return a.max === b.min || b.max === a.min;
}
