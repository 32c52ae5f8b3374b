// Throughput as people see it: what is set, what may be set, how a change is getting on, what each physical partition may spend and spends,
// and what a month of it would cost.

import type { ScaleUpProgress } from '../balancing/scale-ups.ts';
import { containerOwner, databaseOwner, type ThroughputOwner } from '../catalog/throughput-owner.ts';
import { stretchesIn, type ThroughputRecord } from '../catalog/throughput-records.ts';
import type { PhysicalPartition, ThroughputPolicy } from '../partitioning/physical-partition.ts';
import type { ControlBucketSetting } from '../throughput/control-buckets.ts';
import {
  type BilledThroughput,
  type CostEstimate,
  estimateMonthlyCost,
} from '../throughput/cost-estimate.ts';
import type { MinimumThroughput } from '../throughput/minimum-throughput.ts';
import { PartitionShares } from '../throughput/partition-shares.ts';
import { MINUTES_KEPT } from '../throughput/request-accounting.ts';
import type { RequestFigures } from '../throughput/request-figures.ts';
import { evenSplitTarget, instantMaximumRu } from '../throughput/scale-plan.ts';
import {
  type ProvisionedThroughput,
  provisionedRu,
  shownThroughput,
  type ThroughputSetting,
} from '../throughput/throughput-setting.ts';
import { minimumOf, type ThroughputSurroundings } from '../throughput/throughput-state.ts';
import type { ThroughputParts } from './throughput-parts.ts';

/** Plain data. */
export interface ThroughputView {
  readonly container?: number;
  /** The database itself, or the one whose throughput the container shares. */
  readonly database?: string;
  readonly setting: ThroughputSetting;
  readonly isEnforced: boolean;
  /** Absent where there is nothing of its own to set: shared, serverless. */
  readonly provisioned?: ProvisionedView;
  readonly storedBytes: number;
  readonly partitionCount: number;
  /** Of the last minute with requests, in the busiest second of the busiest partition. */
  readonly normalizedPercent: number;
  readonly controlBuckets: readonly ControlBucketSetting[];
  readonly autoscale?: { readonly levelRu: number; readonly hourPeakRu: number };
  readonly pending?: PendingView;
  /** What a month of this would cost on Azure; of a container that shares, its storage. */
  readonly monthUsd: CostEstimate;
  /** In ring order. Of a database: the stretches of ring that its containers share. */
  readonly partitions: readonly PartitionView[];
}

export interface ProvisionedView {
  readonly shown: ProvisionedThroughput;
  readonly minimum: MinimumThroughput;
  /** Up to here a change takes effect at once. */
  readonly instantMaximumRu: number;
  readonly highestRuEver: number;
  readonly policy: ThroughputPolicy;
  /** Less than what is set where a partition's share is more than it carries. */
  readonly usableRu: number;
}

export interface PendingView extends ScaleUpProgress {
  readonly kind: 'scale-up' | 'redistribution';
  /** What will hold. */
  readonly setting: ThroughputSetting;
  readonly partitionCount: number;
  readonly partitionTarget: number;
  /** Of a scale-up: the figure that would have all partitions split alike. */
  readonly evenSplitRu?: number;
}

export interface PartitionView {
  readonly id: number;
  readonly fraction: number;
  readonly ruPerSecond: number;
  /** What it could spend now and what it has banked; absent where it is only metered. */
  readonly balanceRu?: number;
  readonly bankRu?: number;
  readonly normalizedPercent: number;
}

const hourMs = 3_600_000;

/** Of all databases that share and all containers. */
export async function describeAllThroughput(parts: ThroughputParts): Promise<ThroughputView[]> {
  const owners = [
    ...parts.records.databases().map(databaseOwner),
    ...parts.store.containers().map(containerOwner),
  ];
  return Promise.all(owners.map((owner) => describeThroughput(parts, owner)));
}

export async function describeThroughput(
  parts: ThroughputParts,
  owner: ThroughputOwner,
): Promise<ThroughputView> {
  const record = parts.changes.recordOf(owner);
  const surroundings = await parts.changes.surroundingsOf(owner);
  const storedBytes = Math.round(surroundings.storageGb * 2 ** 30);
  const reading = parts.autoscaler.readingOf(owner);
  const provisioned = provisionedView(parts, owner, record, surroundings);
  const pending = pendingView(parts, owner, record, surroundings);
  const { database } = record;
  return {
    ...(owner.kind === 'container' ? { container: owner.container } : { database: owner.database }),
    ...(database === undefined ? {} : { database }),
    setting: record.state.setting,
    isEnforced: parts.rates.isEnforced(record),
    ...(provisioned === undefined ? {} : { provisioned }),
    storedBytes,
    partitionCount: surroundings.partitionCount,
    normalizedPercent: lastPercent(minutesOf(parts, owner)),
    controlBuckets: record.controlBuckets,
    ...(reading === undefined
      ? {}
      : { autoscale: { levelRu: reading.ruPerSecond, hourPeakRu: reading.hourPeakRu } }),
    ...(pending === undefined ? {} : { pending }),
    monthUsd: estimateMonthlyCost(billedThroughput(parts, owner, record), storedBytes, parts.listPrices),
    partitions:
      owner.kind === 'container'
        ? partitionViews(parts, owner.container)
        : stretchViews(parts, owner.database, record),
  };
}

function provisionedView(
  parts: ThroughputParts,
  owner: ThroughputOwner,
  { state }: ThroughputRecord,
  surroundings: ThroughputSurroundings,
): ProvisionedView | undefined {
  const shown = shownThroughput(state.setting);
  if (shown === undefined) return undefined;
  const shares = new PartitionShares(sharesOf(parts, owner));
  return {
    shown,
    minimum: minimumOf(state, surroundings),
    instantMaximumRu: instantMaximumRu(Math.max(1, surroundings.partitionCount)),
    highestRuEver: state.highestRuEver,
    policy: surroundings.sharePolicy,
    usableRu: shares.usableRu(provisionedRu(shown)),
  };
}

function pendingView(
  parts: ThroughputParts,
  owner: ThroughputOwner,
  { state: { setting, pending } }: ThroughputRecord,
  { partitionCount }: ThroughputSurroundings,
): PendingView | undefined {
  if (pending === undefined) return undefined;
  const progress = parts.scaleUps.progressOf(owner);
  if (pending.kind === 'scale-up') {
    return {
      kind: 'scale-up',
      setting: pending.setting,
      partitionCount,
      partitionTarget: pending.partitionTarget,
      evenSplitRu: evenSplitTarget(provisionedRu(pending.setting), partitionCount),
      ...progress,
    };
  }
  const shares = sharesOf(parts, owner);
  const left = pending.toSplit.filter((id) => shares.some((share) => share.id === id));
  return {
    kind: 'redistribution',
    setting,
    partitionCount,
    partitionTarget: partitionCount + left.length,
    ...progress,
  };
}

function partitionViews({ store, governor, clock }: ThroughputParts, container: number): PartitionView[] {
  const nowMs = clock.monotonic();
  return (store.mapOf(container)?.partitions ?? []).map(({ id, throughputFraction }) => {
    const partition = governor.partition(container, id);
    const rest = partition?.measure.budget?.rest(nowMs);
    return {
      id,
      fraction: throughputFraction,
      ruPerSecond: partition?.measure.ruPerSecond ?? 0,
      ...(rest === undefined ? {} : rest),
      normalizedPercent: lastPercent(partition?.minutes(nowMs) ?? []),
    };
  });
}

function stretchViews(
  { governor, clock }: ThroughputParts,
  database: string,
  record: ThroughputRecord,
): PartitionView[] {
  const nowMs = clock.monotonic();
  return stretchesIn(record).list.map(({ id, throughputFraction }) => {
    const stretch = governor.database(database)?.stretch(id);
    return {
      id,
      fraction: throughputFraction,
      ruPerSecond: stretch?.budget.ruPerSecond ?? 0,
      ...stretch?.budget.rest(nowMs),
      normalizedPercent: lastPercent(stretch?.accounting.minutes(nowMs) ?? []),
    };
  });
}

/** Whoever has a share of the throughput: physical partitions of a container, stretches of a database. */
function sharesOf(
  { store, records }: ThroughputParts,
  owner: ThroughputOwner,
): readonly Pick<PhysicalPartition, 'id' | 'throughputFraction'>[] {
  return owner.kind === 'container'
    ? (store.mapOf(owner.container)?.partitions ?? [])
    : (records.of(owner)?.stretches?.list ?? []);
}

/** Serverless is estimated from the last hour, or from the time since the start if that is less. */
function billedThroughput(
  parts: ThroughputParts,
  owner: ThroughputOwner,
  { state: { setting } }: ThroughputRecord,
): BilledThroughput {
  switch (setting.kind) {
    case 'manual':
      return setting;
    case 'default':
      return shownThroughput(setting) as BilledThroughput;
    case 'shared':
      return { kind: 'manual', ruPerSecond: 0 };
    case 'autoscale': {
      const reading = parts.autoscaler.readingOf(owner);
      const hourlyPeaksRu = [...(reading?.pastPeaksRu ?? []), reading?.hourPeakRu ?? 0];
      return { kind: 'autoscale', hourlyPeaksRu };
    }
    case 'serverless': {
      const observedMs = parts.clock.monotonic() - parts.startedAtMs;
      const consumedRu = minutesOf(parts, owner).reduce((sum, { charge }) => sum + charge, 0);
      const observedHours = Math.min(Math.max(observedMs, 1_000), MINUTES_KEPT * 60_000) / hourMs;
      return { kind: 'serverless', consumedRu, observedHours };
    }
  }
}

function minutesOf({ governor, clock }: ThroughputParts, owner: ThroughputOwner): RequestFigures[] {
  const nowMs = clock.monotonic();
  return owner.kind === 'container'
    ? governor.minutes(nowMs, owner.container)
    : (governor.database(owner.database)?.minutes(nowMs) ?? []);
}

function lastPercent(minutes: readonly RequestFigures[]): number {
  return minutes.at(-1)?.normalizedPercent ?? 0;
}
