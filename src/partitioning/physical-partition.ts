import type { ReplicaSet } from './replica-set.ts';
import type { RingRange } from './ring-range.ts';

/** A stretch of a container's ring with the storage nodes that keep it and its share of the throughput. */
export interface PhysicalPartition {
  /** Never used twice in a container. */
  readonly id: number;
  readonly range: RingRange;
  readonly replicaSet: ReplicaSet;
  /** One after a split, two after a merge, none at first. */
  readonly parents: readonly number[];
  /** LSNs of this partition are greater than this one, those of its parents at most this. */
  readonly startLsn: number;
  /** The version in session tokens: a split keeps it, a merge raises it. */
  readonly sessionVersion: number;
  /** Of the container's throughput; all together are about 1. */
  readonly throughputFraction: number;
}

/**
 * What becomes of the shares of throughput at a split or a merge. Equal: every partition gets the same again, as Cosmos
 * documents. Custom, once somebody has given a partition more than another: children halve their parent's share.
 */
export type ThroughputPolicy = 'equal' | 'custom';

/** What is remembered of a physical partition that was split or merged, so that what names it can be led on. */
export interface RetiredPartition {
  readonly id: number;
  readonly range: RingRange;
  /** Two after a split, one after a merge. They may be retired themselves by now. */
  readonly children: readonly number[];
  /** The last LSN it gave. */
  readonly endLsn: number;
}
