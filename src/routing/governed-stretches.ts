// What the containers that share a database's throughput spend together: a budget for each stretch of the ring, with its figures and its
// hottest keys, whichever container they are of.

import { assert } from '../foundation/assert.ts';
import type { SharedStretch, SharedStretches } from '../partitioning/shared-stretches.ts';
import { HotLogicalPartitions } from '../throughput/hot-logical-partitions.ts';
import { MINUTES_KEPT, RequestAccounting } from '../throughput/request-accounting.ts';
import { type RequestFigures, sumOfSeries } from '../throughput/request-figures.ts';
import { type BudgetSettings, ThroughputBudget } from '../throughput/throughput-budget.ts';
import type { PartitionMeasure, SharedMeasure } from './governed-partition.ts';
import { inheritedRest } from './inherited-rest.ts';

/** Rates are given for each stretch: a share of the setting or, under autoscale, of the maximum. */
export interface StretchedThroughput extends Omit<BudgetSettings, 'ruPerSecond'> {
  readonly stretches: SharedStretches;
  readonly ruOf: (stretch: number) => number;
}

export interface GovernedStretch extends SharedMeasure {
  readonly budget: ThroughputBudget;
}

export class GovernedStretches {
  #stretches: SharedStretches;
  #governed: ReadonlyMap<number, GovernedStretch>;
  /** Split or merged, and kept while their figures belong to a minute that is shown. */
  #retired: readonly { readonly stretch: GovernedStretch; readonly atMs: number }[] = [];

  constructor(nowMs: number, throughput: StretchedThroughput) {
    this.#stretches = throughput.stretches;
    this.#governed = new Map(
      throughput.stretches.list.map(({ id }) => [
        id,
        stretchWith(new ThroughputBudget(nowMs, settingsOf(throughput, id))),
      ]),
    );
  }

  change(nowMs: number, throughput: StretchedThroughput): void {
    const before = this.#governed;
    const budgets = new Map([...before].map(([id, { budget }]) => [id, budget]));
    const rates = throughput.stretches.list.map(({ id, parents }) => ({
      id,
      parents,
      ruPerSecond: throughput.ruOf(id),
    }));
    const next = new Map<number, GovernedStretch>();
    for (const rate of rates) {
      const known = before.get(rate.id);
      const settings = settingsOf(throughput, rate.id);
      known?.budget.change(nowMs, settings);
      known?.accounting.changeRate(nowMs, settings.ruPerSecond);
      next.set(
        rate.id,
        known ??
          stretchWith(new ThroughputBudget(nowMs, settings, inheritedRest(nowMs, budgets, rate, rates))),
      );
    }
    const gone = [...before].filter(([id]) => !next.has(id));
    this.#retired = [
      ...this.#retired.filter(({ atMs }) => nowMs - atMs <= MINUTES_KEPT * 60_000),
      ...gone.map(([, stretch]) => ({ stretch, atMs: nowMs })),
    ];
    this.#stretches = throughput.stretches;
    this.#governed = next;
  }

  /** Of a partition that begins there. */
  measureAt(ringPlace: number): PartitionMeasure {
    const { budget, ...shared } = this.#governedOf(this.#stretches.ownerOf(ringPlace));
    return { ruPerSecond: budget.ruPerSecond, budget, shared };
  }

  /** Undefined for one that is not there any more. */
  stretch(id: number): GovernedStretch | undefined {
    return this.#governed.get(id);
  }

  /** Those that are over and had requests, the oldest first. */
  seconds(nowMs: number): RequestFigures[] {
    return sumOfSeries(this.#all().map(({ accounting }) => accounting.seconds(nowMs)));
  }

  minutes(nowMs: number): RequestFigures[] {
    return sumOfSeries(this.#all().map(({ accounting }) => accounting.minutes(nowMs)));
  }

  #governedOf({ id }: SharedStretch): GovernedStretch {
    const governed = this.#governed.get(id);
    assert(governed !== undefined, 'every stretch has a budget');
    return governed;
  }

  #all(): GovernedStretch[] {
    return [...this.#governed.values(), ...this.#retired.map(({ stretch }) => stretch)];
  }
}

function stretchWith(budget: ThroughputBudget): GovernedStretch {
  return {
    budget,
    accounting: new RequestAccounting(budget.ruPerSecond),
    heat: new HotLogicalPartitions(),
  };
}

function settingsOf({ hasBurst, controlBuckets, ruOf }: StretchedThroughput, id: number): BudgetSettings {
  return { ruPerSecond: ruOf(id), hasBurst, controlBuckets };
}
