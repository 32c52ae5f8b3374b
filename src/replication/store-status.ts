import type { ErrorCode } from '../errors/error-codes.ts';
import { hexOf } from '../foundation/byte-string.ts';
import type { RingRange } from '../partitioning/ring-range.ts';
import { describe, type StorageNode } from '../storage/storage-node.ts';
import type { CacheStatistics } from './partition-cache.ts';
import type { PartitionState, ReplicatedPartition } from './replicated-partition.ts';

/** What the store can say of itself, for the explorer, the CLI and tests. Plain data. */
export interface StoreStatus {
  readonly clusterId: string;
  readonly epoch: number;
  readonly nodes: readonly NodeStatus[];
  readonly partitions: readonly PartitionStatus[];
  readonly cache: CacheStatistics;
  readonly memtableBytes: number;
  readonly inFlightBytes: number;
  /** Nothing is in flight, waiting to be applied, or catching up. */
  readonly isQuiet: boolean;
  /** Why no partition takes writes now; undefined when nothing stands in the way of all of them. */
  readonly writesRefused: ErrorCode | undefined;
}

export interface NodeStatus {
  readonly nodeId: number;
  readonly state: string;
  readonly reason: string | undefined;
  readonly logBytes: number;
  readonly queuedBytes: number;
  readonly freeBytes: number | undefined;
  readonly appliedGeneration: number;
}

export interface PartitionStatus {
  readonly container: number;
  readonly id: number;
  /** Hexadecimal ring positions; '' and 'FF…' at the ends. */
  readonly min: string;
  readonly max: string;
  readonly members: readonly number[];
  readonly levelMembers: readonly number[];
  /** The members to be, while a replica moves: what commits has a quorum of both. */
  readonly nextMembers: readonly number[] | undefined;
  readonly levelReplicas: number;
  readonly state: PartitionState;
  readonly lastLsn: number;
  readonly commitLsn: number;
  readonly epoch: number;
}

export function nodeStatus(node: StorageNode): NodeStatus {
  return {
    nodeId: node.id,
    state: node.state,
    reason: node.isUp ? undefined : describe(node.downReason),
    logBytes: node.isUp ? node.handles.log.sizeBytes : 0,
    queuedBytes: node.isUp ? node.handles.commit.queuedBytes : 0,
    freeBytes: Number.isFinite(node.freeBytes) ? node.freeBytes : undefined,
    appliedGeneration: node.appliedGeneration,
  };
}

export function partitionStatus(
  partition: ReplicatedPartition,
  range: RingRange | undefined,
): PartitionStatus {
  const { levelReplicas } = partition;
  return {
    container: partition.address.container,
    id: partition.address.physicalPartition,
    min: range === undefined ? '' : hexOf(range.min),
    max: range === undefined ? '' : hexOf(range.max),
    members: partition.replicas.map((replica) => replica.node.id),
    levelMembers: levelReplicas.map((replica) => replica.node.id),
    nextMembers: partition.nextReplicas?.map((replica) => replica.node.id),
    levelReplicas: levelReplicas.length,
    state: partition.state,
    lastLsn: partition.lastLsn,
    commitLsn: partition.commitLsn,
    epoch: partition.epoch,
  };
}
