// When more throughput needs more physical partitions, how many, and which one to split next. Nothing is planned ahead: each
// step is found from the partitions as they are, so a scale-up that was cut off goes on from wherever it got to.

import { assert } from '../foundation/assert.ts';
import { MAX_PHYSICAL_PARTITION_RU } from '../partitioning/partition-limits.ts';

/** A physical partition that could be split. */
export interface SplitCandidate {
  readonly id: number;
  /** Its part of the ring, 0 to 1. */
  readonly ringShare: number;
}

export type ScaleStep =
  | { readonly kind: 'split'; readonly physicalPartition: number }
  /** There are enough partitions. */
  | { readonly kind: 'done' }
  /** More are needed, and none that is left can be split. */
  | { readonly kind: 'stuck' };

/** The most that so many partitions carry: up to here a change takes effect at once. */
export function instantMaximumRu(partitionCount: number): number {
  return partitionCount * MAX_PHYSICAL_PARTITION_RU;
}

export function partitionsNeeded(ru: number): number {
  return Math.max(1, Math.ceil(ru / MAX_PHYSICAL_PARTITION_RU));
}

/**
 * Between powers of two some partitions are split and others are not, which leaves these with twice the keys for the same budget.
 * Whoever first scales to this figure, and then down to the wished one, has all of them split alike.
 */
export function evenSplitTarget(ru: number, partitionCount: number): number {
  let evenPartitions = partitionCount;
  while (instantMaximumRu(evenPartitions) < ru) evenPartitions *= 2;
  return instantMaximumRu(evenPartitions);
}

/**
 * The partition with the largest part of the ring is split first, the first of equals in the order given: so no more are split
 * than needed, and parts of the ring differ by no more than a factor of two where they were equal before.
 */
export function nextScaleStep(
  candidates: readonly SplitCandidate[],
  partitionTarget: number,
  unsplittable: ReadonlySet<number>,
): ScaleStep {
  assert(candidates.length > 0, 'a container has a physical partition');
  if (candidates.length >= partitionTarget) return { kind: 'done' };
  const splittable = candidates.filter(({ id }) => !unsplittable.has(id));
  const [first, ...others] = splittable;
  if (first === undefined) return { kind: 'stuck' };
  const widest = others.reduce((best, next) => (next.ringShare > best.ringShare ? next : best), first);
  return { kind: 'split', physicalPartition: widest.id };
}
