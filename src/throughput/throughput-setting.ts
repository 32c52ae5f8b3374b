// How many request units a container, or a database for the containers that share it, may spend in a second.

import { AUTOSCALE_STEP_RU, MANUAL_STEP_RU, MIN_MANUAL_RU } from './throughput-limits.ts';

export interface ManualThroughput {
  readonly kind: 'manual';
  readonly ruPerSecond: number;
}

/** All of the maximum can be used at any instant; what floats between a tenth of it and the whole is the bill. */
export interface AutoscaleThroughput {
  readonly kind: 'autoscale';
  readonly maxRuPerSecond: number;
  /** By how much the maximum rises at least when storage outgrows it. Clients tell "none given" from 0. */
  readonly incrementPercent?: number;
}

/** What somebody set, and what is always enforced. */
export type ProvisionedThroughput = ManualThroughput | AutoscaleThroughput;

export type ThroughputSetting =
  | ProvisionedThroughput
  /** Nobody set anything: shown as Cosmos' manual 400 RU/s and metered, but enforced only where the server is told to. */
  | { readonly kind: 'default' }
  /** The container spends what its database was given. */
  | { readonly kind: 'shared' }
  /** No setting at all: each physical partition has its fixed rate, and what is used is billed. */
  | { readonly kind: 'serverless' };

/** The RU/s that are divided over physical partitions, and that "highest ever" remembers. */
export function provisionedRu(setting: ProvisionedThroughput): number {
  return setting.kind === 'manual' ? setting.ruPerSecond : setting.maxRuPerSecond;
}

/** The same kind of setting with another figure. */
export function withProvisionedRu(setting: ProvisionedThroughput, ru: number): ProvisionedThroughput {
  return setting.kind === 'manual' ? { kind: 'manual', ruPerSecond: ru } : { ...setting, maxRuPerSecond: ru };
}

export function stepOf(kind: ProvisionedThroughput['kind']): number {
  return kind === 'manual' ? MANUAL_STEP_RU : AUTOSCALE_STEP_RU;
}

export function roundUpToStep(ru: number, kind: ProvisionedThroughput['kind']): number {
  const step = stepOf(kind);
  // A sum of thirds may come out a trillionth above the step that it is.
  return Math.ceil(ru / step - 1e-9) * step;
}

/** What clients are shown; undefined where there is nothing of the container's own to show. */
export function shownThroughput(setting: ThroughputSetting): ProvisionedThroughput | undefined {
  switch (setting.kind) {
    case 'manual':
    case 'autoscale':
      return setting;
    case 'default':
      return { kind: 'manual', ruPerSecond: MIN_MANUAL_RU };
    case 'shared':
    case 'serverless':
      return undefined;
  }
}

/** Whether requests are refused when the budget is spent. */
export function isEnforced(setting: ThroughputSetting, enforceDefaults: boolean): boolean {
  return setting.kind !== 'default' || enforceDefaults;
}
