// From what somebody asks for to a setting that can be given.

import { type MinimumThroughput, minimumThroughput, type ThroughputFacts } from './minimum-throughput.ts';
import { MAX_RU, MAX_SHARED_CONTAINERS } from './throughput-limits.ts';
import {
  bothKindsAtOnce,
  notANumber,
  outOfRange,
  serverlessContainer,
  serverlessDatabase,
  tooManySharedContainers,
} from './throughput-refusal.ts';
import {
  type AutoscaleThroughput,
  type ProvisionedThroughput,
  provisionedRu,
  stepOf,
  type ThroughputSetting,
} from './throughput-setting.ts';

/** Numbers as a client sent them; nothing is known of them yet. */
export interface ThroughputRequest {
  readonly ruPerSecond?: number | undefined;
  readonly maxRuPerSecond?: number | undefined;
  readonly incrementPercent?: number | undefined;
}

/** Whether the server bills what is provisioned or what is used. */
export type CapacityMode = 'provisioned' | 'serverless';

const newResource: ThroughputFacts = { storageGb: 0, highestRuEver: 0, sharingContainers: 0 };

/** A new database: undefined when its containers are to have throughput of their own. */
export function databaseThroughput(
  request: ThroughputRequest,
  capacityMode: CapacityMode,
): ProvisionedThroughput | undefined {
  const requested = requestedThroughput(request);
  if (requested === undefined) return undefined;
  if (capacityMode === 'serverless') throw serverlessDatabase();
  checkThroughput(requested, newResource);
  return requested;
}

/** `sharingContainers` are those that share the database's throughput already; undefined where it has none to share. */
export function containerThroughput(
  request: ThroughputRequest,
  capacityMode: CapacityMode,
  sharingContainers: number | undefined,
): ThroughputSetting {
  const requested = requestedThroughput(request);
  if (capacityMode === 'serverless') {
    if (requested !== undefined) throw serverlessContainer();
    return { kind: 'serverless' };
  }
  if (requested !== undefined) {
    checkThroughput(requested, newResource);
    return requested;
  }
  if (sharingContainers === undefined) return { kind: 'default' };
  if (sharingContainers >= MAX_SHARED_CONTAINERS) throw tooManySharedContainers();
  return { kind: 'shared' };
}

/** Undefined when nothing is asked for. The figure may still be one that cannot be given. */
export function requestedThroughput(request: ThroughputRequest): ProvisionedThroughput | undefined {
  const { ruPerSecond, maxRuPerSecond, incrementPercent } = request;
  const wantsAutoscale = maxRuPerSecond !== undefined || incrementPercent !== undefined;
  if (ruPerSecond !== undefined) {
    if (wantsAutoscale) throw bothKindsAtOnce();
    if (!Number.isSafeInteger(ruPerSecond)) throw notANumber('x-ms-offer-throughput', ruPerSecond);
    return { kind: 'manual', ruPerSecond };
  }
  return wantsAutoscale ? requestedAutoscale(maxRuPerSecond, incrementPercent) : undefined;
}

function requestedAutoscale(
  maxRuPerSecond: number | undefined,
  incrementPercent: number | undefined,
): AutoscaleThroughput {
  const header = 'x-ms-cosmos-offer-autopilot-settings';
  if (maxRuPerSecond === undefined || !Number.isSafeInteger(maxRuPerSecond)) {
    throw notANumber(header, maxRuPerSecond ?? Number.NaN);
  }
  if (incrementPercent === undefined) return { kind: 'autoscale', maxRuPerSecond };
  if (!Number.isSafeInteger(incrementPercent) || incrementPercent < 0 || incrementPercent > 100) {
    throw notANumber(header, incrementPercent);
  }
  return { kind: 'autoscale', maxRuPerSecond, incrementPercent };
}

/** Throws unless the figure lies between the minimum and the maximum, on a step. */
export function checkThroughput(requested: ProvisionedThroughput, facts: ThroughputFacts): void {
  const minimum: MinimumThroughput = minimumThroughput(requested.kind, facts);
  const ru = provisionedRu(requested);
  if (ru < minimum.ruPerSecond || ru > MAX_RU || ru % stepOf(requested.kind) !== 0) {
    throw outOfRange(requested, minimum, facts);
  }
}
