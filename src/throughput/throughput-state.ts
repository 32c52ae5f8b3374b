// The throughput of one container or database over time: what is set, what it was at most, and the change under way. A
// state is never edited. Changes that need more physical partitions wait in `pending` until somebody has split them.

import { RingfoldError } from '../errors/ringfold-error.ts';
import { assert } from '../foundation/assert.ts';
import type { ThroughputPolicy } from '../partitioning/physical-partition.ts';
import {
  autoscaleForStorage,
  autoscaleFromManual,
  type MinimumThroughput,
  minimumThroughput,
  type ThroughputFacts,
} from './minimum-throughput.ts';
import type { PartitionShares, Redistribution } from './partition-shares.ts';
import {
  instantMaximumRu,
  nextScaleStep,
  partitionsNeeded,
  type ScaleStep,
  type SplitCandidate,
} from './scale-plan.ts';
import { SERVERLESS_PARTITION_RU } from './throughput-limits.ts';
import {
  changePending,
  customPolicy,
  migrationNeeded,
  nobodyShares,
  noThroughputOfItsOwn,
  serverlessOffer,
} from './throughput-refusal.ts';
import { checkThroughput, requestedThroughput, type ThroughputRequest } from './throughput-request.ts';
import {
  type ProvisionedThroughput,
  provisionedRu,
  roundUpToStep,
  shownThroughput,
  type ThroughputSetting,
  withProvisionedRu,
} from './throughput-setting.ts';

export interface ThroughputState {
  readonly setting: ThroughputSetting;
  /** RU/s ever provisioned; never falls. */
  readonly highestRuEver: number;
  readonly pending: PendingChange | undefined;
}

export type PendingChange =
  /** The setting that holds once there are so many physical partitions. Until then the old one does. */
  | {
      readonly kind: 'scale-up';
      readonly setting: ProvisionedThroughput;
      readonly partitionTarget: number;
    }
  /** These physical partitions were given more than one carries, and are to be split. */
  | { readonly kind: 'redistribution'; readonly toSplit: readonly number[] };

/** What a change depends on besides the state. */
export interface ThroughputSurroundings {
  readonly storageGb: number;
  /** Those that share a database's throughput; 0 for a container's own. */
  readonly sharingContainers: number;
  readonly partitionCount: number;
  readonly sharePolicy: ThroughputPolicy;
}

export function initialThroughput(setting: ThroughputSetting): ThroughputState {
  const shown = shownThroughput(setting);
  return {
    setting,
    highestRuEver: shown === undefined ? 0 : provisionedRu(shown),
    pending: undefined,
  };
}

/** What clients are told together with the setting. */
export function minimumOf(state: ThroughputState, surroundings: ThroughputSurroundings): MinimumThroughput {
  return minimumThroughput(changeable(state).kind, factsOf(state, surroundings));
}

/** Another figure for the same kind of throughput. */
export function changeThroughput(
  state: ThroughputState,
  request: ThroughputRequest,
  surroundings: ThroughputSurroundings,
): ThroughputState {
  const current = changeable(state);
  const requested = requestedThroughput(request);
  if (requested === undefined) return state;
  if (requested.kind !== current.kind) throw migrationNeeded(current.kind);
  checkThroughput(requested, factsOf(state, surroundings));
  refuseWhileBound(state, surroundings);
  return settingChanged(state, requested, surroundings);
}

/** From manual to autoscale or back. The figure follows from the one before: nobody may choose it in the same step. */
export function migrateThroughput(
  state: ThroughputState,
  to: ProvisionedThroughput['kind'],
  surroundings: ThroughputSurroundings,
): ThroughputState {
  const current = changeable(state);
  if (current.kind === to) return state;
  refuseWhileBound(state, surroundings);
  const migrated: ProvisionedThroughput =
    to === 'manual'
      ? { kind: 'manual', ruPerSecond: provisionedRu(current) }
      : autoscaleFromManual(provisionedRu(current), factsOf(state, surroundings));
  return settingChanged(state, migrated, surroundings);
}

/** One way only: a serverless container gets, as manual throughput, what its partitions could spend before. */
export function provisionServerless(state: ThroughputState, partitionCount: number): ThroughputState {
  assert(state.setting.kind === 'serverless', 'the container is serverless');
  return initialThroughput({ kind: 'manual', ruPerSecond: partitionCount * SERVERLESS_PARTITION_RU });
}

/** Gives single partitions other RU/s; the setting becomes the sum of all. */
export function redistributeThroughput(
  state: ThroughputState,
  shares: PartitionShares,
  redistribution: Redistribution,
  surroundings: ThroughputSurroundings,
): { readonly state: ThroughputState; readonly fractions: ReadonlyMap<number, number> } {
  const current = changeable(state);
  refuseWhilePending(state);
  const { fractions, totalRu, toSplit } = shares.redistribute(provisionedRu(current), redistribution);
  // A sum between the steps is rounded up: it has to be a figure that could have been set.
  const setting = withProvisionedRu(current, roundUpToStep(totalRu, current.kind));
  checkThroughput(setting, factsOf(state, surroundings));
  return {
    state: {
      setting,
      highestRuEver: Math.max(state.highestRuEver, provisionedRu(setting)),
      pending: toSplit.length > 0 ? { kind: 'redistribution', toSplit } : undefined,
    },
    fractions,
  };
}

/** Whether the custom policy may be ended now. The total stays, so the state does. */
export function checkEqualizing(state: ThroughputState): void {
  changeable(state);
  refuseWhilePending(state);
}

/** Whether all of the total can be spent after a merge as before. */
export function checkMerged({ setting }: ThroughputState, merged: PartitionShares): void {
  const shown = shownThroughput(setting);
  if (shown === undefined || merged.usableRu(provisionedRu(shown)) > provisionedRu(shown) - 1) return;
  throw new RingfoldError('merge-refused', { reason: 'together they have more than one carries' });
}

/** Autoscale whose data has outgrown it. Nothing to do, for now or at all, leaves the state as it is. */
export function raiseForStorage(
  state: ThroughputState,
  surroundings: ThroughputSurroundings,
): ThroughputState {
  const { setting, pending } = state;
  if (setting.kind !== 'autoscale' || pending !== undefined) return state;
  const raised = autoscaleForStorage(setting, surroundings.storageGb);
  return raised === setting ? state : settingChanged(state, raised, surroundings);
}

/** What to do next for a pending change, given the partitions as they are now. After 'done' call `finishPending`. */
export function nextPendingStep(
  pending: PendingChange,
  candidates: readonly SplitCandidate[],
  unsplittable: ReadonlySet<number>,
): ScaleStep {
  if (pending.kind === 'scale-up') return nextScaleStep(candidates, pending.partitionTarget, unsplittable);
  // Ids are never used twice: one that is gone has been split.
  const waiting = pending.toSplit.filter((id) => candidates.some((candidate) => candidate.id === id));
  if (waiting.length === 0) return { kind: 'done' };
  const physicalPartition = waiting.find((id) => !unsplittable.has(id));
  return physicalPartition === undefined ? { kind: 'stuck' } : { kind: 'split', physicalPartition };
}

/** Also ends a change that is stuck: what a partition has beyond what it carries cannot be spent, and does no harm. */
export function finishPending(state: ThroughputState): ThroughputState {
  const { pending } = state;
  assert(pending !== undefined, 'a change is pending');
  if (pending.kind === 'redistribution') return { ...state, pending: undefined };
  return withSetting(state, pending.setting);
}

/** The setting as something that can be changed; refused where the container has none of its own. */
function changeable({ setting }: ThroughputState): ProvisionedThroughput {
  if (setting.kind === 'serverless') throw serverlessOffer();
  const shown = shownThroughput(setting);
  if (shown === undefined) throw noThroughputOfItsOwn();
  return shown;
}

function refuseWhileBound(state: ThroughputState, { sharePolicy }: ThroughputSurroundings): void {
  refuseWhilePending(state);
  if (sharePolicy === 'custom') throw customPolicy();
}

function refuseWhilePending({ pending }: ThroughputState): void {
  if (pending !== undefined) throw changePending();
}

function settingChanged(
  state: ThroughputState,
  setting: ProvisionedThroughput,
  { partitionCount }: ThroughputSurroundings,
): ThroughputState {
  const ru = provisionedRu(setting);
  const isLowered = ru <= provisionedRu(changeable(state));
  // A database has no partitions before it has containers, and then there is nothing to split either.
  if (partitionCount === 0 && ru > instantMaximumRu(1) && !isLowered) throw nobodyShares();
  return isLowered || ru <= instantMaximumRu(Math.max(1, partitionCount))
    ? withSetting(state, setting)
    : { ...state, pending: { kind: 'scale-up', setting, partitionTarget: partitionsNeeded(ru) } };
}

function withSetting(state: ThroughputState, setting: ProvisionedThroughput): ThroughputState {
  return {
    setting,
    highestRuEver: Math.max(state.highestRuEver, provisionedRu(setting)),
    pending: undefined,
  };
}

function factsOf(
  { highestRuEver }: ThroughputState,
  { storageGb, sharingContainers }: ThroughputSurroundings,
): ThroughputFacts {
  return { storageGb, sharingContainers, highestRuEver };
}
