// Holds logical partitions to their largest size without counting what each write adds. One can only be too large in a physical partition
// that is: so that is looked at first, the less often the further it is from the limit. In one that is large, keys that are written
// are looked at one by one, as the writes come: a key that grows is written often, so it is found long before it matters.

import { RingfoldError } from '../errors/ringfold-error.ts';
import { assert } from '../foundation/assert.ts';
import { BackgroundWork } from '../foundation/background-work.ts';
import { type ByteString, endOfPrefix } from '../foundation/byte-string.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Log } from '../foundation/log.ts';
import { keyRangeOf, type LogicalPartition } from '../partitioning/logical-partition.ts';
import { wholeRing } from '../partitioning/ring-range.ts';
import type { PartitionAddress } from '../storage/partition-store.ts';
import type { GovernedPartition } from './governed-partition.ts';
import type { KeySize, PartitionGrowth } from './partition-growth.ts';

export interface LimitParts {
  readonly maxBytes: number;
  /** About how many bytes the stored keys in the range take; undefined when the physical partition is not there any more. */
  readonly sizeWithin: (
    address: PartitionAddress,
    range: { readonly from: ByteString; readonly to: ByteString },
  ) => Promise<number | undefined>;
  readonly clock: Clock;
  readonly log: Log;
}

/** More than any disk takes from one server: how soon the limit could be reached. */
const fastestGrowthBytesPerMs = 250_000;
const shortestRestMs = 200;
const longestRestMs = 60_000;
/** Between two looks at keys of a large partition that nothing is known of. */
const keyRestMs = 50;
/** Those above half of the limit are remembered. A physical partition has room for few of them. */
const maxKeysKept = 100;

export class LogicalPartitionLimit {
  readonly #parts: LimitParts;
  readonly #background: BackgroundWork;

  constructor(parts: LimitParts) {
    this.#parts = parts;
    this.#background = new BackgroundWork(parts.log);
  }

  /** For a write that adds. Never waits: what it learns counts from a later write on. */
  refusal(
    nowMs: number,
    partition: GovernedPartition,
    { container, prefix }: Pick<LogicalPartition, 'container' | 'prefix'>,
  ): RingfoldError | undefined {
    const { growth } = partition;
    const address = { container, physicalPartition: partition.id };
    if (nowMs >= growth.nextLookMs) this.#lookAtPartition(growth, address);
    if (!growth.isLarge) return undefined;
    const known = growth.keys.get(prefix);
    if (nowMs >= (known ?? growth).nextKeyLookMs) this.#lookAtKey(growth, address, prefix, known);
    if (known === undefined || known.sizeBytes < this.#parts.maxBytes) return undefined;
    const { sizeBytes } = known;
    return new RingfoldError('logical-partition-full', { sizeBytes, limitBytes: this.#parts.maxBytes });
  }

  stop(): Promise<void> {
    return this.#background.settle();
  }

  #lookAtPartition(growth: PartitionGrowth, address: PartitionAddress): void {
    growth.nextLookMs = Number.POSITIVE_INFINITY;
    // It is clipped to what the physical partition holds.
    this.#measure(address, keyRangeOf(address.container, wholeRing), (sizeBytes, nowMs) => {
      growth.nextLookMs = nowMs + this.#restMs(sizeBytes);
      growth.isLarge = sizeBytes >= this.#parts.maxBytes;
      if (!growth.isLarge) growth.keys.clear();
    });
  }

  #lookAtKey(
    growth: PartitionGrowth,
    address: PartitionAddress,
    prefix: ByteString,
    known: KeySize | undefined,
  ): void {
    (known ?? growth).nextKeyLookMs = Number.POSITIVE_INFINITY;
    const to = endOfPrefix(prefix);
    assert(to !== undefined, 'a logical partition is not the last of all');
    this.#measure(address, { from: prefix, to }, (sizeBytes, nowMs) => {
      growth.nextKeyLookMs = nowMs + keyRestMs;
      growth.keys.delete(prefix);
      if (sizeBytes < this.#parts.maxBytes / 2 || growth.keys.size >= maxKeysKept) return;
      growth.keys.set(prefix, { sizeBytes, nextKeyLookMs: nowMs + this.#restMs(sizeBytes) });
    });
  }

  #measure(
    address: PartitionAddress,
    range: { readonly from: ByteString; readonly to: ByteString },
    take: (sizeBytes: number, nowMs: number) => void,
  ): void {
    const { sizeWithin, clock } = this.#parts;
    const measured = sizeWithin(address, range).then(
      (sizeBytes) => take(sizeBytes ?? 0, clock.monotonic()),
      (error: unknown) => {
        // Without a figure nobody is refused; it is looked again after a rest.
        take(0, clock.monotonic());
        throw error;
      },
    );
    this.#background.add(measured);
  }

  #restMs(sizeBytes: number): number {
    const missingBytes = Math.abs(this.#parts.maxBytes - sizeBytes);
    return Math.min(longestRestMs, Math.max(shortestRestMs, missingBytes / fastestGrowthBytesPerMs));
  }
}
