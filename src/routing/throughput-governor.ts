// The only place that throttles. Each physical partition has one object, reached by its container's and its own id, and
// nothing that a request does there waits. What the rates are is decided elsewhere: `govern` is told whenever a setting, a
// share or the partition map has changed.

import { assert } from '../foundation/assert.ts';
import { MINUTES_KEPT } from '../throughput/request-accounting.ts';
import { type RequestFigures, sumOfSeries } from '../throughput/request-figures.ts';
import { type BudgetSettings, ThroughputBudget } from '../throughput/throughput-budget.ts';
import { GovernedPartition, type PartitionMeasure } from './governed-partition.ts';
import { GovernedStretches, type StretchedThroughput } from './governed-stretches.ts';
import { inheritedRest } from './inherited-rest.ts';

export type ContainerThroughput = OwnThroughput | SharedThroughput;

/** Rates are given for each partition: a share of the setting or, under autoscale, of the maximum. */
export interface OwnThroughput extends Omit<BudgetSettings, 'ruPerSecond'> {
  readonly kind: 'own';
  /** False where nobody set a throughput, and it is only metered. */
  readonly isEnforced: boolean;
  readonly partitions: readonly PartitionThroughput[];
}

/**
 * Partitions of all containers that share spend from the budgets of their database, one for each stretch of the ring, as in Cosmos, where
 * such containers share their physical partitions.
 */
export interface SharedThroughput {
  readonly kind: 'shared';
  readonly database: string;
  readonly partitions: readonly SharingPartition[];
}

interface SharingPartition {
  readonly id: number;
  /** Where it begins on the ring, 0 to 1. */
  readonly ringPlace: number;
}

export interface PartitionThroughput {
  readonly id: number;
  /** One after a split, two after a merge, as in the partition map. */
  readonly parents: readonly number[];
  readonly ruPerSecond: number;
}

interface GovernedContainer {
  readonly throughput: ContainerThroughput;
  readonly partitions: ReadonlyMap<number, GovernedPartition>;
  /** Split or merged, and kept while their figures belong to a minute that is shown. */
  readonly retired: readonly { readonly partition: GovernedPartition; readonly atMs: number }[];
}

export class ThroughputGovernor {
  readonly #containers = new Map<number, GovernedContainer>();
  readonly #databases = new Map<string, GovernedStretches>();

  /** Undefined if the container, or this partition of it, is not there any more. */
  partition(container: number, physicalPartition: number): GovernedPartition | undefined {
    return this.#containers.get(container)?.partitions.get(physicalPartition);
  }

  /** The container is governed so from now on. Requests under way are spent from the partitions they began in. */
  govern(nowMs: number, container: number, throughput: ContainerThroughput): void {
    const known = this.#containers.get(container);
    const measures = this.#measuresOf(nowMs, throughput, known);
    const partitions = new Map<number, GovernedPartition>();
    for (const [id, measure] of measures) {
      const before = known?.partitions.get(id);
      before?.change(nowMs, measure);
      partitions.set(id, before ?? new GovernedPartition(id, measure));
    }
    const gone = [...(known?.partitions.values() ?? [])].filter(({ id }) => !partitions.has(id));
    const retired = [
      ...(known?.retired ?? []).filter(({ atMs }) => nowMs - atMs <= MINUTES_KEPT * 60_000),
      ...gone.map((partition) => ({ partition, atMs: nowMs })),
    ];
    this.#containers.set(container, { throughput, partitions, retired });
  }

  forget(container: number): void {
    this.#containers.delete(container);
  }

  /** Before the first of its containers is governed, and whenever its throughput or how it is divided has changed. */
  governDatabase(nowMs: number, database: string, throughput: StretchedThroughput): void {
    const known = this.#databases.get(database);
    if (known === undefined) {
      this.#databases.set(database, new GovernedStretches(nowMs, throughput));
      return;
    }
    known.change(nowMs, throughput);
    for (const { throughput: shared, partitions } of this.#containers.values()) {
      if (shared.kind !== 'shared' || shared.database !== database) continue;
      for (const { id, ringPlace } of shared.partitions)
        partitions.get(id)?.change(nowMs, known.measureAt(ringPlace));
    }
  }

  forgetDatabase(database: string): void {
    this.#databases.delete(database);
  }

  /** Those that are over and had requests, the oldest first. */
  seconds(nowMs: number, container: number): RequestFigures[] {
    return sumOfSeries(this.#all(container).map((partition) => partition.seconds(nowMs)));
  }

  minutes(nowMs: number, container: number): RequestFigures[] {
    return sumOfSeries(this.#all(container).map((partition) => partition.minutes(nowMs)));
  }

  /** Of all containers that share; how much of the throughput they use is known for the whole database and its stretches only. */
  database(database: string): GovernedStretches | undefined {
    return this.#databases.get(database);
  }

  #measuresOf(
    nowMs: number,
    throughput: ContainerThroughput,
    known: GovernedContainer | undefined,
  ): Map<number, PartitionMeasure> {
    if (throughput.kind === 'shared') {
      const database = this.#databases.get(throughput.database);
      assert(database !== undefined, 'a database that is shared is governed');
      return new Map(throughput.partitions.map(({ id, ringPlace }) => [id, database.measureAt(ringPlace)]));
    }
    const { isEnforced, hasBurst, controlBuckets, partitions } = throughput;
    const before = known?.throughput.kind === 'own' ? known.partitions : undefined;
    return new Map(
      partitions.map((partition) => {
        const { id, ruPerSecond } = partition;
        const settings = { ruPerSecond, hasBurst, controlBuckets };
        const budget = isEnforced ? budgetOf(nowMs, partition, settings, partitions, before) : undefined;
        return [id, { ruPerSecond, budget, shared: undefined }];
      }),
    );
  }

  #all(container: number): GovernedPartition[] {
    const known = this.#containers.get(container);
    if (known === undefined) return [];
    return [...known.partitions.values(), ...known.retired.map(({ partition }) => partition)];
  }
}

/** The budget that the partition has, with new settings, or one to begin with. */
function budgetOf(
  nowMs: number,
  partition: PartitionThroughput,
  settings: BudgetSettings,
  partitions: readonly PartitionThroughput[],
  before: ReadonlyMap<number, GovernedPartition> | undefined,
): ThroughputBudget {
  const known = before?.get(partition.id);
  const budget = known?.measure.budget;
  budget?.change(nowMs, settings);
  if (budget !== undefined) return budget;
  const isNewToContainer = before !== undefined && known === undefined;
  if (!isNewToContainer) return new ThroughputBudget(nowMs, settings);
  const budgets = new Map([...before].map(([id, { measure }]) => [id, measure.budget]));
  const rest = inheritedRest(nowMs, budgets, partition, partitions);
  return new ThroughputBudget(nowMs, settings, rest);
}
