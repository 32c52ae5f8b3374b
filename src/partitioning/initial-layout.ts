// How a new container's ring is divided before it holds anything. Storage does not count yet: it tells through splits.

import { assert } from '../foundation/assert.ts';
import { type ByteString, byteStringFromHex } from '../foundation/byte-string.ts';
import type { HashKind } from './partition-key.ts';
import { INITIAL_MANUAL_PARTITION_RU, MAX_PHYSICAL_PARTITION_RU } from './partition-limits.ts';
import type { RingPosition } from './ring-position.ts';
import { encodeV1Number } from './v1-encoding.ts';

/** The throughput that a container, or the database it shares with others, is created with. */
export type InitialThroughput =
  | { readonly kind: 'manual'; readonly ruPerSecond: number }
  | { readonly kind: 'autoscale'; readonly maxRuPerSecond: number }
  | { readonly kind: 'shared'; readonly ruPerSecond: number }
  | { readonly kind: 'serverless' };

export function initialPartitionCount(throughput: InitialThroughput): number {
  switch (throughput.kind) {
    case 'manual':
      // Room is left to raise the throughput at once, without a split; but what fits into one partition gets one.
      return throughput.ruPerSecond <= MAX_PHYSICAL_PARTITION_RU
        ? 1
        : Math.ceil(throughput.ruPerSecond / INITIAL_MANUAL_PARTITION_RU);
    case 'autoscale':
      return atLeastOne(throughput.maxRuPerSecond / MAX_PHYSICAL_PARTITION_RU);
    case 'shared':
      return atLeastOne(throughput.ruPerSecond / MAX_PHYSICAL_PARTITION_RU);
    case 'serverless':
      return 1;
  }
}

function atLeastOne(count: number): number {
  return Math.max(1, Math.ceil(count));
}

/** The boundaries between so many equal partitions. On Cosmos' rings they are the service's, to the last digit. */
export function initialBoundaries(hashKind: HashKind, partitionCount: number): RingPosition[] {
  assert(Number.isInteger(partitionCount) && partitionCount > 0, 'a ring has at least one partition');
  const boundaryAt = boundaryFunctionOf(hashKind, partitionCount);
  return Array.from({ length: partitionCount - 1 }, (_, index) => boundaryAt(index + 1) as RingPosition);
}

function boundaryFunctionOf(hashKind: HashKind, partitionCount: number): (index: number) => ByteString {
  const count = BigInt(partitionCount);
  switch (hashKind) {
    case 'v1': {
      const step = Math.floor((2 ** 32 - 1) / partitionCount);
      return (index) => encodeV1Number(index * step);
    }
    case 'v2':
    case 'multi': {
      const step = (2n ** 126n - 1n) / count;
      return (index) => sixteenBytes(BigInt(index) * step);
    }
    case 'cql':
      return (index) => sixteenBytes((BigInt(index) * 2n ** 128n) / count);
  }
}

function sixteenBytes(number: bigint): ByteString {
  return byteStringFromHex(number.toString(16).padStart(32, '0'));
}
