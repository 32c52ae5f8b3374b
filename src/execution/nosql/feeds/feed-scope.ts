// What a feed or a query covers, before it is known where that is kept.

import { RingfoldError } from '../../../errors/ringfold-error.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import { endOfPrefix } from '../../../foundation/byte-string.ts';
import { keyRangeOf, type LogicalPartition } from '../../../partitioning/logical-partition.ts';
import type { PartitionMap } from '../../../partitioning/partition-map.ts';
import type { PhysicalPartition } from '../../../partitioning/physical-partition.ts';
import { intersect, type RingRange, rangeOfPosition } from '../../../partitioning/ring-range.ts';

export interface FeedScope {
  readonly range: RingRange;
  /** All items with one partition key value; undefined for everything in the range. */
  readonly logicalPartition: LogicalPartition | undefined;
}

export interface KeyRange {
  /** Included. */
  readonly from: ByteString;
  /** Excluded. */
  readonly to: ByteString;
}

/** A part of a scope that one physical partition keeps. */
export interface ScopePart {
  readonly partition: PhysicalPartition;
  readonly range: RingRange;
  readonly keys: KeyRange;
}

export function scopeOfLogicalPartition(logicalPartition: LogicalPartition): FeedScope {
  return { range: rangeOfPosition(logicalPartition.ringPosition), logicalPartition };
}

/** Which ranges a client may name: those that there are, or also those that were split or merged. */
export type NamedRanges = 'ranges of today' | 'any range there was';

/**
 * The partition that a client named, or the part of it. It is gone when it was split or merged, and then the client has to look at
 * the map again. Not so for queries, which are answered wherever the range is now: JavaScript (4.9) asks for the next page of a range
 * that is gone for ever, and Python (4.17), told so when it begins a query, asks the ranges that are not gone twice and has their
 * rows double.
 */
export function scopeOfNamedPartition(
  map: PartitionMap,
  id: string,
  within: RingRange | undefined,
  ranges: NamedRanges,
): FeedScope {
  const isNamed = (one: { readonly id: number }): boolean => String(one.id) === id;
  const today = map.partitions.find(isNamed);
  const named = today ?? (ranges === 'any range there was' ? map.retired.find(isNamed) : undefined);
  if (named === undefined) throw rangeGone(id);
  const { range } = named;
  if (within !== undefined && (within.min < range.min || within.max > range.max)) throw rangeGone(id);
  return { range: within ?? range, logicalPartition: undefined };
}

/** In ring order. */
export function partsOfScope(container: number, map: PartitionMap, scope: FeedScope): readonly ScopePart[] {
  const { logicalPartition } = scope;
  if (logicalPartition !== undefined) {
    const partition = map.ownerOf(logicalPartition.ringPosition);
    const { prefix: from } = logicalPartition;
    const to = endOfPrefix(from) as ByteString;
    return [{ partition, range: scope.range, keys: { from, to } }];
  }
  return map.overlapping(scope.range).flatMap((partition) => {
    const range = intersect(partition.range, scope.range);
    return range === undefined ? [] : [{ partition, range, keys: keyRangeOf(container, range) }];
  });
}

export function rangeGone(id: string): RingfoldError {
  return new RingfoldError('partition-range-gone', {
    reason: `The requested partition key range ${id} is gone: it has been split or merged.`,
    partitionKeyRangeId: id,
  });
}
