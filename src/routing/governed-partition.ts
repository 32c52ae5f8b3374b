import { HotLogicalPartitions, type LogicalPartitionHeat } from '../throughput/hot-logical-partitions.ts';
import { RequestAccounting } from '../throughput/request-accounting.ts';
import type { RequestFigures, RequestStatus } from '../throughput/request-figures.ts';
import type { RequestPriority } from '../throughput/request-priority.ts';
import type { RequestRefusal } from '../throughput/request-refusal.ts';
import { fromHundredths, type RequestUnits } from '../throughput/request-units.ts';
import type { ThroughputBudget } from '../throughput/throughput-budget.ts';
import type { OperationKind } from '../throughput/work-done.ts';
import { PartitionGrowth } from './partition-growth.ts';

/** What is known of a request before it runs. Most requests of a kind can share one of these. */
export interface RequestTraits {
  readonly operation: OperationKind;
  readonly priority: RequestPriority;
  /** 1 to 5, or none. */
  readonly bucket: number;
}

/** What a partition is measured by. */
export interface PartitionMeasure {
  readonly ruPerSecond: number;
  /** Undefined where nobody set a throughput: requests are counted, and none is refused. Containers may share one. */
  readonly budget: ThroughputBudget | undefined;
  /** Where the budget is shared: only there can its use, and who uses most of it, be told. */
  readonly shared: SharedMeasure | undefined;
}

/** What all containers do in one stretch of ring that they share. */
export interface SharedMeasure {
  readonly accounting: RequestAccounting;
  readonly heat: HotLogicalPartitions;
}

const noCharge = fromHundredths(0);

/** All that throughput knows of one physical partition: its budget, its figures, its hottest keys. */
export class GovernedPartition {
  readonly id: number;
  readonly growth: PartitionGrowth = new PartitionGrowth();
  #measure: PartitionMeasure;
  readonly #accounting: RequestAccounting;
  readonly #heat = new HotLogicalPartitions();

  constructor(id: number, measure: PartitionMeasure) {
    this.id = id;
    this.#measure = measure;
    this.#accounting = new RequestAccounting(measure.ruPerSecond);
  }

  get measure(): PartitionMeasure {
    return this.#measure;
  }

  /** Undefined admits the request, which must then be told to `spend` however it ends. */
  admit(nowMs: number, { operation, priority, bucket }: RequestTraits): RequestRefusal | undefined {
    const { budget } = this.#measure;
    if (budget === undefined) return undefined;
    const waitMs = budget.admit(nowMs, priority, bucket);
    if (waitMs === 0) return undefined;
    const cause = budget.refusalCause(nowMs, bucket);
    const status = cause === 'bucket' ? 'throughput-bucket-exceeded' : 'throughput-exceeded';
    this.#count(nowMs, operation, status, noCharge, 0);
    return {
      cause,
      waitMs: cause === 'budget' ? budget.returnMs(nowMs, waitMs) : waitMs,
      physicalPartition: this.id,
      budgetRuPerSecond: budget.ruPerSecond,
      hottest: (this.#measure.shared?.heat ?? this.#heat).hottest(),
    };
  }

  /** The logical partition is undefined for what touched several, such as a query over the whole range. */
  spend(
    nowMs: number,
    { operation, priority, bucket }: RequestTraits,
    status: RequestStatus,
    logicalPartition: string | undefined,
    charge: RequestUnits,
  ): void {
    const burstRu = this.#measure.budget?.spend(nowMs, charge, priority, bucket) ?? 0;
    this.#count(nowMs, operation, status, charge, burstRu);
    if (logicalPartition === undefined) return;
    this.#heat.spend(nowMs, logicalPartition, charge);
    this.#measure.shared?.heat.spend(nowMs, logicalPartition, charge);
  }

  change(nowMs: number, measure: PartitionMeasure): void {
    this.#measure = measure;
    this.#accounting.changeRate(nowMs, measure.ruPerSecond);
  }

  seconds(nowMs: number): RequestFigures[] {
    return this.#accounting.seconds(nowMs);
  }

  minutes(nowMs: number): RequestFigures[] {
    return this.#accounting.minutes(nowMs);
  }

  hottest(): readonly LogicalPartitionHeat[] {
    return this.#heat.ranking();
  }

  /** The one key that a split would not help against, if there is one. */
  hotOne(): LogicalPartitionHeat | undefined {
    return this.#heat.hotOne();
  }

  #count(
    nowMs: number,
    operation: OperationKind,
    status: RequestStatus,
    charge: RequestUnits,
    burstRu: number,
  ): void {
    this.#accounting.count(nowMs, operation, status, charge, burstRu);
    this.#measure.shared?.accounting.count(nowMs, operation, status, charge, burstRu);
  }
}
