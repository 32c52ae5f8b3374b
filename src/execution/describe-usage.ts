// What was asked of containers and databases in the last two minutes and the last hour, and by which logical partitions most.

import type { LogicalPartitionHeat } from '../throughput/hot-logical-partitions.ts';
import type { RequestFigures } from '../throughput/request-figures.ts';
import type { ThroughputParts } from './throughput-parts.ts';

/** Figures with the time they began at, as ISO 8601 has it. */
export interface TimedFigures extends Omit<RequestFigures, 'time'> {
  readonly at: string;
}

export interface UsageView {
  readonly containers: readonly ContainerUsage[];
  readonly databases: readonly DatabaseUsage[];
}

export interface ContainerUsage {
  readonly container: number;
  /** Those with requests, the oldest first. */
  readonly seconds: readonly TimedFigures[];
  readonly minutes: readonly TimedFigures[];
  readonly partitions: readonly PartitionUsage[];
}

export interface DatabaseUsage {
  readonly database: string;
  readonly seconds: readonly TimedFigures[];
  readonly minutes: readonly TimedFigures[];
}

export interface PartitionUsage {
  readonly id: number;
  readonly ruPerSecond: number;
  readonly seconds: readonly TimedFigures[];
  readonly minutes: readonly TimedFigures[];
  /** At most ten, the hottest first; each share is too high by at most 1/64 of all. */
  readonly hottest: readonly LogicalPartitionHeat[];
  /** The key that has half of the partition's request units or more: neither a split nor more throughput helps it. */
  readonly hotKey: string | undefined;
}

const shownHot = 10;

export function describeUsage(parts: ThroughputParts): UsageView {
  const { store, records, governor, clock } = parts;
  const nowMs = clock.monotonic();
  const epochOfStartMs = clock.now() - nowMs;
  const seconds = (figures: readonly RequestFigures[]) => timed(figures, epochOfStartMs, 1_000);
  const minutes = (figures: readonly RequestFigures[]) => timed(figures, epochOfStartMs, 60_000);
  const partitionUsage = (container: number, id: number): PartitionUsage | undefined => {
    const partition = governor.partition(container, id);
    return partition === undefined
      ? undefined
      : {
          id,
          ruPerSecond: partition.measure.ruPerSecond,
          seconds: seconds(partition.seconds(nowMs)),
          minutes: minutes(partition.minutes(nowMs)),
          hottest: partition.hottest().slice(0, shownHot),
          hotKey: partition.hotOne()?.logicalPartition,
        };
  };
  return {
    containers: store.containers().map((container) => ({
      container,
      seconds: seconds(governor.seconds(nowMs, container)),
      minutes: minutes(governor.minutes(nowMs, container)),
      partitions: (store.mapOf(container)?.partitions ?? [])
        .map(({ id }) => partitionUsage(container, id))
        .filter((usage) => usage !== undefined),
    })),
    databases: records.databases().map((database) => ({
      database,
      seconds: seconds(governor.database(database)?.seconds(nowMs) ?? []),
      minutes: minutes(governor.database(database)?.minutes(nowMs) ?? []),
    })),
  };
}

function timed(figures: readonly RequestFigures[], epochOfStartMs: number, unitMs: number): TimedFigures[] {
  return figures.map(({ time, ...rest }) => ({
    at: new Date(Math.round(epochOfStartMs + time * unitMs)).toISOString(),
    ...rest,
  }));
}
