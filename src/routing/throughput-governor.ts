// The only place that throttles. Each physical partition has one object, reached by its container's and its own id, and
// nothing that a request does there waits. What the rates are is decided elsewhere: `govern` is told whenever a setting, a
// share or the partition map has changed.

import { assert } from '../foundation/assert.ts';
import { initialPartitionCount } from '../partitioning/initial-layout.ts';
import { MINUTES_KEPT, RequestAccounting } from '../throughput/request-accounting.ts';
import { type RequestFigures, sumOfSeries } from '../throughput/request-figures.ts';
import { type BudgetSettings, ThroughputBudget } from '../throughput/throughput-budget.ts';
import { GovernedPartition, type PartitionMeasure } from './governed-partition.ts';
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
 * Partitions of all containers that share spend from the budgets of their database: one for each 10,000 RU/s or part of them, over equal
 * stretches of the ring, as in Cosmos, where such containers share their physical partitions.
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

interface GovernedDatabase {
  /** In ring order. */
  budgets: readonly ThroughputBudget[];
  readonly accounting: RequestAccounting;
}

export class ThroughputGovernor {
  readonly #containers = new Map<number, GovernedContainer>();
  readonly #databases = new Map<string, GovernedDatabase>();

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

  /** Before the first of its containers is governed, and whenever its throughput has changed. */
  governDatabase(nowMs: number, database: string, settings: BudgetSettings): void {
    const known = this.#databases.get(database);
    const budgets = sharedBudgets(nowMs, settings, known?.budgets ?? []);
    if (known === undefined) {
      this.#databases.set(database, { budgets, accounting: new RequestAccounting(settings.ruPerSecond) });
      return;
    }
    known.budgets = budgets;
    known.accounting.changeRate(nowMs, settings.ruPerSecond);
    for (const { throughput, partitions } of this.#containers.values()) {
      if (throughput.kind !== 'shared' || throughput.database !== database) continue;
      for (const sharing of throughput.partitions)
        partitions.get(sharing.id)?.change(nowMs, measureOf(known, sharing));
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

  /** Of all containers that share; how much of the throughput they use is known for the whole database only. */
  databaseMinutes(nowMs: number, database: string): RequestFigures[] {
    return this.#databases.get(database)?.accounting.minutes(nowMs) ?? [];
  }

  databaseSeconds(nowMs: number, database: string): RequestFigures[] {
    return this.#databases.get(database)?.accounting.seconds(nowMs) ?? [];
  }

  #measuresOf(
    nowMs: number,
    throughput: ContainerThroughput,
    known: GovernedContainer | undefined,
  ): Map<number, PartitionMeasure> {
    if (throughput.kind === 'shared') {
      const database = this.#databases.get(throughput.database);
      assert(database !== undefined, 'a database that is shared is governed');
      return new Map(throughput.partitions.map((sharing) => [sharing.id, measureOf(database, sharing)]));
    }
    const { isEnforced, hasBurst, controlBuckets, partitions } = throughput;
    const before = known?.throughput.kind === 'own' ? known.partitions : undefined;
    return new Map(
      partitions.map((partition) => {
        const { id, ruPerSecond } = partition;
        const settings = { ruPerSecond, hasBurst, controlBuckets };
        const budget = isEnforced ? budgetOf(nowMs, partition, settings, partitions, before) : undefined;
        return [id, { ruPerSecond, budget, sharedAccounting: undefined }];
      }),
    );
  }

  #all(container: number): GovernedPartition[] {
    const known = this.#containers.get(container);
    if (known === undefined) return [];
    return [...known.partitions.values(), ...known.retired.map(({ partition }) => partition)];
  }
}

/** Boundaries are cut to whole positions, so a partition may begin a hair before its stretch does. */
const cutOff = 1e-6;

function measureOf(
  { budgets, accounting }: GovernedDatabase,
  { ringPlace }: SharingPartition,
): PartitionMeasure {
  const budget = budgets[Math.min(budgets.length - 1, Math.floor((ringPlace + cutOff) * budgets.length))];
  assert(budget !== undefined, 'a database that is shared has a budget');
  return { ruPerSecond: budget.ruPerSecond, budget, sharedAccounting: accounting };
}

/** Those that are there go on with new settings. */
function sharedBudgets(
  nowMs: number,
  settings: BudgetSettings,
  known: readonly ThroughputBudget[],
): ThroughputBudget[] {
  const count = initialPartitionCount({ kind: 'shared', ruPerSecond: settings.ruPerSecond });
  const each = { ...settings, ruPerSecond: settings.ruPerSecond / count };
  return Array.from({ length: count }, (_, index) => {
    const budget = known[index];
    budget?.change(nowMs, each);
    return budget ?? new ThroughputBudget(nowMs, each);
  });
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
  const rest = isNewToContainer ? inheritedRest(nowMs, before, partition, partitions) : undefined;
  return new ThroughputBudget(nowMs, settings, rest);
}
