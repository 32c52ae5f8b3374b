import { RingfoldError } from '../errors/ringfold-error.ts';
import type { LogicalPartitionHeat } from './hot-logical-partitions.ts';
import type { RefusalCause } from './throughput-budget.ts';

/** Why a request was not admitted, in full: people who are throttled ask first which partition, which key and how long. */
export interface RequestRefusal {
  readonly cause: RefusalCause;
  /** Never 0: told to wait no time at all, .NET clients sleep five seconds and JavaScript ones spin (§4.3). */
  readonly waitMs: number;
  readonly physicalPartition: number;
  readonly budgetRuPerSecond: number;
  /** The logical partition that spent most of late; undefined if none has spent anything. */
  readonly hottest: LogicalPartitionHeat | undefined;
}

/** A bucket's limit has a code of its own, because clients are told another substatus (3212). */
export function errorOfRefusal(refusal: RequestRefusal): RingfoldError {
  const { cause, waitMs, physicalPartition, budgetRuPerSecond, hottest } = refusal;
  return new RingfoldError(cause === 'bucket' ? 'throughput-bucket-exceeded' : 'throughput-exceeded', {
    cause,
    retryAfterMs: waitMs,
    physicalPartition,
    budgetRuPerSecond,
    hottestLogicalPartition: hottest?.logicalPartition,
    hottestShare: hottest?.share,
  });
}
