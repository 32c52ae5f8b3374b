import type { Autoscaler } from '../balancing/autoscaler.ts';
import type { ScaleUps } from '../balancing/scale-ups.ts';
import type { AutoscaleHoursRecords } from '../catalog/autoscale-hours.ts';
import type { ThroughputRecords } from '../catalog/throughput-records.ts';
import type { Clock } from '../foundation/clock.ts';
import type { ReplicatedPartitionStore } from '../replication/replicated-partition-store.ts';
import type { LogicalPartitionLimit } from '../routing/logical-partition-limit.ts';
import type { ThroughputGovernor } from '../routing/throughput-governor.ts';
import type { ThroughputRates } from '../routing/throughput-rates.ts';
import type { ListPrices } from '../throughput/list-prices.ts';
import type { PriceList } from '../throughput/request-charge.ts';
import type { CapacityMode } from '../throughput/throughput-request.ts';
import type { ThroughputChanges } from './throughput-changes.ts';

/** All that a running server has for throughput; made once, at the start. */
export interface ThroughputParts {
  readonly store: ReplicatedPartitionStore;
  readonly clock: Clock;
  readonly records: ThroughputRecords;
  readonly hours: AutoscaleHoursRecords;
  readonly governor: ThroughputGovernor;
  readonly limit: LogicalPartitionLimit;
  readonly rates: ThroughputRates;
  readonly scaleUps: ScaleUps;
  readonly autoscaler: Autoscaler;
  readonly changes: ThroughputChanges;
  readonly prices: PriceList;
  readonly listPrices: ListPrices;
  /** Of containers that are made. */
  readonly capacityMode: CapacityMode;
  /** When the server started, by the monotonic clock: how long it has been observing. */
  readonly startedAtMs: number;
}
