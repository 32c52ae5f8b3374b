// Builds the background pass that removes what has expired and forgets old tombstones, for all doors together.

import type { ContainerPurge } from './balancing/container-purge.ts';
import { defaultPurgeSettings, PurgePass, type PurgeSettings } from './balancing/purge-pass.ts';
import type { ThroughputParts } from './execution/throughput-parts.ts';
import type { Log } from './foundation/log.ts';
import type { Scheduler } from './foundation/scheduler.ts';

/** How a door tells what may go of a container; undefined for one that is not its own. */
export type PurgeOf = (container: number, moment: PurgeMoment) => ContainerPurge | undefined;

export interface PurgeMoment {
  readonly nowSeconds: number;
  /** As long as requests may be under way: what one of them might still meet stays. */
  readonly shortestGraceSeconds: number;
}

export interface PurgeOptions extends PurgeSettings {
  readonly shortestGraceSeconds: number;
}

export const defaultPurgeOptions: PurgeOptions = {
  ...defaultPurgeSettings,
  // More than any request takes: those that wait for request units do so for a minute.
  shortestGraceSeconds: 120,
};

export function startPurging(
  { store, governor, clock }: Pick<ThroughputParts, 'store' | 'governor' | 'clock'>,
  doors: readonly PurgeOf[],
  { shortestGraceSeconds, ...settings }: PurgeOptions,
  { scheduler, log }: { readonly scheduler: Scheduler; readonly log: Log },
): PurgePass {
  const pass = new PurgePass({
    store,
    purgeOf: (container, nowSeconds) => {
      for (const purgeOf of doors) {
        const purge = purgeOf(container, { nowSeconds, shortestGraceSeconds });
        if (purge !== undefined) return purge;
      }
      return undefined;
    },
    isExhausted: ({ container, physicalPartition }) => {
      const budget = governor.partition(container, physicalPartition)?.measure.budget;
      return budget !== undefined && budget.rest(clock.monotonic()).balanceRu <= 0;
    },
    clock,
    scheduler,
    log,
    settings,
  });
  pass.start();
  return pass;
}
