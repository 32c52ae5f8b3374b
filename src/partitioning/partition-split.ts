// Where a physical partition is cut in two. A cut never divides a logical partition: it is made only where no key's
// position is a mere beginning of it, so all keys at one position, and all rows of a key, stay on one side.

import { RingfoldError } from '../errors/ringfold-error.ts';
import type { PartitionKeyDefinition } from './partition-key.ts';
import { midpointOf } from './ring-midpoint.ts';
import type { RingPosition } from './ring-position.ts';
import { canonicalBoundary, contains, type RingRange } from './ring-range.ts';
import { lengthOfV1Position } from './v1-encoding.ts';

/** Halves the stretch of ring, as a split for throughput does. */
export function cutAtMidpoint(range: RingRange, definition: PartitionKeyDefinition): RingPosition {
  const midpoint = midpointOf(range, definition);
  if (midpoint === undefined) throw refusal('the range is too narrow');
  return midpoint;
}

/** Checks a position that somebody chose. */
export function cutAtPosition(
  range: RingRange,
  definition: PartitionKeyDefinition,
  at: RingPosition,
): RingPosition {
  const cut = canonicalBoundary(at);
  if (cut <= range.min || cut >= range.max) throw refusal('the cut is not inside the range');
  if (isBeyondPosition(cut, definition)) throw refusal('the cut could divide a logical partition');
  return cut;
}

/** How much a position holds. Several samples may have one position; they need no order. */
export interface PositionSample {
  readonly position: RingPosition;
  readonly bytes: number;
}

/** Halves the data, as a split for storage does, as nearly as whole logical partitions allow. */
export function cutAtDataMedian(range: RingRange, samples: Iterable<PositionSample>): RingPosition {
  const bytesByPosition = new Map<RingPosition, number>();
  let totalBytes = 0;
  for (const { position, bytes } of samples) {
    if (!contains(range, position)) continue;
    bytesByPosition.set(position, (bytesByPosition.get(position) ?? 0) + bytes);
    totalBytes += bytes;
  }
  const [first, ...candidates] = [...bytesByPosition.keys()].sort();
  if (first === undefined) throw refusal('the partition is empty');

  let best: RingPosition | undefined;
  let bestDifference = Number.POSITIVE_INFINITY;
  let leftBytes = bytesByPosition.get(first) ?? 0;
  for (const candidate of candidates) {
    const difference = Math.abs(totalBytes - 2 * leftBytes);
    if (difference < bestDifference) {
      best = candidate;
      bestDifference = difference;
    }
    leftBytes += bytesByPosition.get(candidate) ?? 0;
  }
  if (best === undefined) throw refusal('all data has one partition key');
  return canonicalBoundary(best);
}

/** Whether the whole position of some key could be a beginning of this cut, with bytes left over. */
function isBeyondPosition(cut: RingPosition, { hashKind, paths }: PartitionKeyDefinition): boolean {
  switch (hashKind) {
    case 'v1':
      return (lengthOfV1Position(cut, paths.length) ?? cut.length) < cut.length;
    case 'multi':
      return cut.length > 16 * paths.length;
    case 'v2':
    case 'cql':
      return cut.length > 16;
  }
}

function refusal(reason: string): RingfoldError {
  return new RingfoldError('split-refused', { reason });
}
