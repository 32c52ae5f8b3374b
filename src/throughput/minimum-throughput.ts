// How low throughput may be set. Data needs a minimum of it, and whoever once had much keeps the physical partitions that
// came with it: the minimum follows both, and never falls by itself. Formulas: concepts-limits, autoscale-faq.

import {
  AUTOSCALE_STEP_RU,
  MAX_SHARED_CONTAINERS,
  MIN_AUTOSCALE_MAX_RU,
  MIN_MANUAL_RU,
} from './throughput-limits.ts';
import {
  type AutoscaleThroughput,
  type ProvisionedThroughput,
  provisionedRu,
  roundUpToStep,
} from './throughput-setting.ts';

/** What the minimum of a container, or of a database that shares its throughput, depends on. */
export interface ThroughputFacts {
  readonly storageGb: number;
  /** RU/s ever provisioned, manual or as maximum of autoscale. */
  readonly highestRuEver: number;
  /** Those that share a database's throughput; 0 for a container's own. */
  readonly sharingContainers: number;
}

export interface MinimumThroughput {
  readonly ruPerSecond: number;
  /** Which of the rules gave the figure. */
  readonly because: 'least' | 'storage' | 'highest-ever' | 'containers';
}

interface MinimumRule {
  readonly leastRu: number;
  readonly ruPerGb: number;
  readonly highestEverDivisor: number;
  readonly ruPerFurtherContainer: number;
}

const rules: Record<ProvisionedThroughput['kind'], MinimumRule> = {
  manual: {
    leastRu: MIN_MANUAL_RU,
    ruPerGb: 1,
    highestEverDivisor: 100,
    ruPerFurtherContainer: 100,
  },
  // For 30 containers the formula gives 6,000, and so does Microsoft's table; the prose beside it says 5,000.
  autoscale: {
    leastRu: MIN_AUTOSCALE_MAX_RU,
    ruPerGb: 10,
    highestEverDivisor: 10,
    ruPerFurtherContainer: 1_000,
  },
};

/** Rounded up to what can be set: Cosmos publishes that for autoscale, and its manual steps leave no other choice. */
export function minimumThroughput(
  kind: ProvisionedThroughput['kind'],
  facts: ThroughputFacts,
): MinimumThroughput {
  const rule = rules[kind];
  const furtherContainers = Math.max(0, facts.sharingContainers - MAX_SHARED_CONTAINERS);
  const candidates: readonly MinimumThroughput[] = [
    { because: 'least', ruPerSecond: rule.leastRu },
    { because: 'storage', ruPerSecond: facts.storageGb * rule.ruPerGb },
    { because: 'highest-ever', ruPerSecond: facts.highestRuEver / rule.highestEverDivisor },
    { because: 'containers', ruPerSecond: rule.leastRu + furtherContainers * rule.ruPerFurtherContainer },
  ];
  const highest = candidates.reduce((best, next) => (next.ruPerSecond > best.ruPerSecond ? next : best));
  return { ...highest, ruPerSecond: roundUpToStep(highest.ruPerSecond, kind) };
}

/** What manual throughput becomes when it is migrated: nobody may choose the figure. */
export function autoscaleFromManual(manualRu: number, facts: ThroughputFacts): AutoscaleThroughput {
  // Published as rounded to the nearest step; the minimum keeps that from falling below what could be set.
  const nearest = Math.round(manualRu / AUTOSCALE_STEP_RU) * AUTOSCALE_STEP_RU;
  const { ruPerSecond } = minimumThroughput('autoscale', facts);
  return { kind: 'autoscale', maxRuPerSecond: Math.max(nearest, ruPerSecond) };
}

/**
 * A tenth of autoscale's maximum is also the GB that go with it: data that outgrows them raises the maximum by itself. Microsoft's
 * example goes from 50,000 to 60,000 RU/s at 5,001 GB, its formula to 51,000; this is the formula.
 */
export function autoscaleForStorage(setting: AutoscaleThroughput, storageGb: number): AutoscaleThroughput {
  const neededRu = storageGb * rules.autoscale.ruPerGb;
  const currentRu = provisionedRu(setting);
  if (neededRu <= currentRu) return setting;
  const incrementedRu = currentRu + (currentRu * (setting.incrementPercent ?? 0)) / 100;
  return { ...setting, maxRuPerSecond: roundUpToStep(Math.max(neededRu, incrementedRu), 'autoscale') };
}
