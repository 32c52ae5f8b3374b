// Builds what throughput needs in a running server, from the stored settings up, and starts what works in the background.

import { Autoscaler } from './balancing/autoscaler.ts';
import { ScaleUps } from './balancing/scale-ups.ts';
import { AutoscaleHoursRecords } from './catalog/autoscale-hours.ts';
import { databaseOwner } from './catalog/throughput-owner.ts';
import { ThroughputRecords } from './catalog/throughput-records.ts';
import { ThroughputChanges } from './execution/throughput-changes.ts';
import type { ThroughputParts } from './execution/throughput-parts.ts';
import type { Clock } from './foundation/clock.ts';
import type { Log } from './foundation/log.ts';
import type { Scheduler } from './foundation/scheduler.ts';
import { MAX_LOGICAL_PARTITION_BYTES } from './partitioning/partition-limits.ts';
import type { ReplicatedPartitionStore } from './replication/replicated-partition-store.ts';
import { LogicalPartitionLimit } from './routing/logical-partition-limit.ts';
import { ThroughputGovernor } from './routing/throughput-governor.ts';
import { ThroughputRates } from './routing/throughput-rates.ts';
import { defaultListPrices, type ListPrices } from './throughput/list-prices.ts';
import { type ChargeProfile, priceLists } from './throughput/request-charge.ts';

export interface ThroughputOptions {
  /** Refuse requests beyond the 400 RU/s that a container has which nobody gave throughput. */
  readonly enforceDefaults: boolean;
  /** Containers are made without throughput: what they use is what counts. */
  readonly serverless: boolean;
  readonly chargeProfile: ChargeProfile;
  readonly listPrices: ListPrices;
  /** Let partitions of less than 3,000 RU/s bank what they leave unused. */
  readonly burst: boolean;
  /** Of all items with one partition key. */
  readonly maxLogicalPartitionBytes: number;
}

export const defaultThroughputOptions: ThroughputOptions = {
  enforceDefaults: false,
  serverless: false,
  chargeProfile: 'docs-2026',
  listPrices: defaultListPrices,
  burst: true,
  maxLogicalPartitionBytes: MAX_LOGICAL_PARTITION_BYTES,
};

export interface StartedThroughput {
  readonly parts: ThroughputParts;
  readonly stop: () => Promise<void>;
}

export async function startThroughput(
  store: ReplicatedPartitionStore,
  options: ThroughputOptions,
  { clock, scheduler, log }: { readonly clock: Clock; readonly scheduler: Scheduler; readonly log: Log },
): Promise<StartedThroughput> {
  const records = await ThroughputRecords.load(store.records);
  const hours = await AutoscaleHoursRecords.load(store.records);
  const governor = new ThroughputGovernor();
  const mapOf = (container: number) => store.mapOf(container);
  const { burst: hasBurst, enforceDefaults } = options;
  const definitionOf = (container: number) => store.definitionOf(container);
  const rates = new ThroughputRates({
    governor,
    records,
    mapOf,
    definitionOf,
    clock,
    hasBurst,
    enforceDefaults,
  });
  records.whenChanged((owner) => rates.refresh(owner));
  store.whenMapChanges((container) => rates.refreshContainer(container));
  for (const database of records.databases()) rates.refresh(databaseOwner(database));
  for (const container of store.containers()) rates.refreshContainer(container);

  const scaleUps = new ScaleUps({ store, records, scheduler, log });
  const changes = new ThroughputChanges({ store, records, scaleUps });
  const autoscaler = new Autoscaler({
    governor,
    records,
    hours,
    mapOf,
    clock,
    scheduler,
    log,
    raiseForStorage: (owner) => changes.raiseForStorage(owner),
  });
  const limit = new LogicalPartitionLimit({
    maxBytes: options.maxLogicalPartitionBytes,
    sizeWithin: (address, range) => store.sizeWithin(address, range),
    clock,
    log,
  });
  scaleUps.resume();
  autoscaler.start();
  return {
    parts: {
      store,
      clock,
      records,
      hours,
      governor,
      limit,
      rates,
      scaleUps,
      autoscaler,
      changes,
      prices: priceLists[options.chargeProfile],
      listPrices: options.listPrices,
      capacityMode: options.serverless ? 'serverless' : 'provisioned',
      startedAtMs: clock.monotonic(),
    },
    stop: async () => {
      await Promise.all([autoscaler.stop(), scaleUps.stop(), limit.stop()]);
    },
  };
}
