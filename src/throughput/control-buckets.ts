// Throughput buckets: caps for workloads that share a container (throughput-buckets and its FAQ; Microsoft's docs). Nothing
// is reserved for a bucket, and requests of none have no cap. The percentage is taken of each physical partition by itself,
// because a partition's budget knows of no other.

import { RingfoldError } from '../errors/ringfold-error.ts';
import { assert } from '../foundation/assert.ts';
import { RefillingBalance } from './refilling-balance.ts';

/** The request names no bucket, or one that does not exist any more. */
export const NO_BUCKET: 0 = 0;

const MAX_CONTROL_BUCKETS: number = 5;

export interface ControlBucketSetting {
  /** 1 to 5. */
  readonly id: number;
  readonly maxThroughputPercentage: number;
}

/** Throws `bad-setting`. */
export function checkControlBuckets(settings: readonly ControlBucketSetting[]): void {
  for (const { id, maxThroughputPercentage } of settings) {
    if (!Number.isInteger(id) || id < 1 || id > MAX_CONTROL_BUCKETS)
      throw new RingfoldError('bad-setting', { reason: 'a throughput bucket has an id from 1 to 5', id });
    if (settings.filter((other) => other.id === id).length > 1)
      throw new RingfoldError('bad-setting', { reason: 'a throughput bucket is given twice', id });
    if (
      !Number.isInteger(maxThroughputPercentage) ||
      maxThroughputPercentage < 1 ||
      maxThroughputPercentage > 100
    )
      throw new RingfoldError('bad-setting', {
        reason: 'the maximum of a throughput bucket is a whole percentage from 1 to 100',
        id,
        maxThroughputPercentage,
      });
  }
}

/** The buckets of one physical partition. */
export class ControlBuckets {
  readonly #balances: (RefillingBalance | undefined)[] = new Array(MAX_CONTROL_BUCKETS + 1).fill(undefined);

  constructor(nowMs: number, ruPerSecond: number, settings: readonly ControlBucketSetting[]) {
    for (const { id, maxThroughputPercentage } of settings) {
      const capRu = (ruPerSecond * maxThroughputPercentage) / 100;
      this.#balances[id] = new RefillingBalance(nowMs, capRu, capRu);
    }
  }

  /** 0 when the bucket may spend. */
  waitMs(nowMs: number, bucket: number): number {
    const balance = this.#balance(bucket);
    if (balance === undefined) return 0;
    balance.settle(nowMs);
    return balance.waitMs(0, 0);
  }

  spend(nowMs: number, bucket: number, chargeRu: number): void {
    const balance = this.#balance(bucket);
    balance?.settle(nowMs);
    balance?.add(-chargeRu);
  }

  /** A bucket that is new begins empty, so that taking it away and giving it back is no gain. */
  change(nowMs: number, ruPerSecond: number, settings: readonly ControlBucketSetting[]): void {
    const old = [...this.#balances];
    this.#balances.fill(undefined);
    for (const { id, maxThroughputPercentage } of settings) {
      const capRu = (ruPerSecond * maxThroughputPercentage) / 100;
      const balance = old[id] ?? new RefillingBalance(nowMs, capRu, 0);
      balance.settle(nowMs);
      balance.changeRate(capRu);
      this.#balances[id] = balance;
    }
  }

  #balance(bucket: number): RefillingBalance | undefined {
    assert(
      bucket >= NO_BUCKET && bucket <= MAX_CONTROL_BUCKETS,
      'a request names a bucket from 1 to 5, or none',
    );
    return this.#balances[bucket];
  }
}
