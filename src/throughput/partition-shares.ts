// Which part of the total each physical partition has. Parts are stored with the partition map, not RU/s: they stay what they are
// when the total changes. The map divides and joins them when partitions are split and merged; here they become RU/s, and here
// somebody may choose others.

import { assert } from '../foundation/assert.ts';
import { MAX_PHYSICAL_PARTITION_RU } from '../partitioning/partition-limits.ts';
import type { PhysicalPartition } from '../partitioning/physical-partition.ts';
import { MAX_REDISTRIBUTED_PARTITIONS, MAX_REDISTRIBUTION_RU } from './throughput-limits.ts';
import { badThroughput } from './throughput-refusal.ts';

/** What somebody wants single partitions to have. */
export interface Redistribution {
  /** RU/s by physical partition. */
  readonly targets: ReadonlyMap<number, number>;
  /** Who gives what the targets gain. With none the total changes instead, and nobody else's RU/s. */
  readonly sources: readonly number[];
}

export interface Redistributed {
  /** By physical partition; all above zero, and together one. */
  readonly fractions: ReadonlyMap<number, number>;
  /** The sum over all partitions. */
  readonly totalRu: number;
  /** Those that were given more than one partition carries. Until they are split they have what it does carry. */
  readonly toSplit: readonly number[];
}

export class PartitionShares {
  readonly #fractions: ReadonlyMap<number, number>;

  /** Of a container, as its partition map has them. */
  constructor(partitions: readonly Pick<PhysicalPartition, 'id' | 'throughputFraction'>[]) {
    this.#fractions = new Map(
      partitions.map(({ id, throughputFraction }) => [id, throughputFraction] as const),
    );
  }

  /** Never more than one partition carries, even where its part of the total would be more. */
  ruOf(physicalPartition: number, totalRu: number): number {
    const fraction = this.#fractions.get(physicalPartition);
    assert(fraction !== undefined, 'each partition has a share');
    return Math.min(fraction * totalRu, MAX_PHYSICAL_PARTITION_RU);
  }

  /** What can be spent of the total. It is all of it but where a partition's part is more than it carries. */
  usableRu(totalRu: number): number {
    return sumOf([...this.#fractions.keys()].map((id) => this.ruOf(id, totalRu)));
  }

  redistribute(totalRu: number, { targets, sources }: Redistribution): Redistributed {
    this.#check(targets, sources);
    const ruByPartition = new Map([...this.#fractions.keys()].map((id) => [id, this.ruOf(id, totalRu)]));
    if (sources.length > 0) takeFrom(sources, targets, ruByPartition);
    for (const [id, ru] of targets) ruByPartition.set(id, ru);
    const newTotalRu = sumOf(ruByPartition.values());
    return {
      fractions: new Map([...ruByPartition].map(([id, ru]) => [id, ru / newTotalRu])),
      totalRu: newTotalRu,
      toSplit: [...targets].filter(([, ru]) => ru > MAX_PHYSICAL_PARTITION_RU).map(([id]) => id),
    };
  }

  #check(targets: ReadonlyMap<number, number>, sources: readonly number[]): void {
    if (targets.size === 0) throw badThroughput('At least one target physical partition must be provided.');
    for (const count of [targets.size, sources.length]) {
      if (count > MAX_REDISTRIBUTED_PARTITIONS) {
        throw badThroughput(
          `The number of physical partitions in a request cannot exceed ${MAX_REDISTRIBUTED_PARTITIONS} sources and ${MAX_REDISTRIBUTED_PARTITIONS} targets.`,
        );
      }
    }
    const named = [...targets.keys(), ...sources];
    for (const id of named) {
      if (!this.#fractions.has(id)) {
        throw badThroughput(`Physical partition ${id} does not exist.`, { physicalPartition: id });
      }
    }
    if (new Set(named).size !== named.length) {
      throw badThroughput('A physical partition can be given only once, as a source or as a target.');
    }
    for (const [id, ru] of targets) {
      if (!Number.isSafeInteger(ru) || ru <= 0 || ru > MAX_REDISTRIBUTION_RU) {
        throw badThroughput(
          `Throughput of physical partition ${id} should be between 1 and ${MAX_REDISTRIBUTION_RU}. Requested throughput is ${ru}.`,
          { physicalPartition: id, requestedRu: ru },
        );
      }
    }
  }
}

/** Each source gives the same part of what it has. */
function takeFrom(
  sources: readonly number[],
  targets: ReadonlyMap<number, number>,
  ruByPartition: Map<number, number>,
): void {
  const ruOf = (id: number) => ruByPartition.get(id) ?? 0;
  const neededRu = sumOf(targets.values()) - sumOf([...targets.keys()].map(ruOf));
  const availableRu = sumOf(sources.map(ruOf));
  if (neededRu >= availableRu) {
    throw badThroughput('The source physical partitions do not have enough throughput to redistribute.', {
      neededRu,
      availableRu,
    });
  }
  const left = 1 - neededRu / availableRu;
  for (const id of sources) ruByPartition.set(id, ruOf(id) * left);
}

function sumOf(numbers: Iterable<number>): number {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}
