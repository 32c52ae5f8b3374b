// Once a second: how far autoscale has scaled, from what its partitions spent, and what the hour will be billed for. Once a minute:
// whether data has outgrown a maximum. Refuses nobody: all of the maximum can be spent at any instant.

import type { AutoscaleHours, AutoscaleHoursRecords } from '../catalog/autoscale-hours.ts';
import { type ThroughputOwner, textOfOwner } from '../catalog/throughput-owner.ts';
import type { ThroughputRecords } from '../catalog/throughput-records.ts';
import { BackgroundWork } from '../foundation/background-work.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Log } from '../foundation/log.ts';
import type { Scheduler } from '../foundation/scheduler.ts';
import type { PartitionMap } from '../partitioning/partition-map.ts';
import type { ThroughputGovernor } from '../routing/throughput-governor.ts';
import { type AutoscaleBilling, AutoscaleLevel, type PartitionUse } from '../throughput/autoscale-level.ts';
import { SECONDS_KEPT } from '../throughput/request-accounting.ts';
import type { RequestFigures } from '../throughput/request-figures.ts';

export interface AutoscalerParts {
  readonly governor: ThroughputGovernor;
  readonly records: ThroughputRecords;
  readonly hours: AutoscaleHoursRecords;
  readonly mapOf: (container: number) => PartitionMap | undefined;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** Sees to it that the maximum goes with the data. */
  readonly raiseForStorage: (owner: ThroughputOwner) => Promise<void>;
}

export interface AutoscaleReading {
  readonly ruPerSecond: number;
  readonly hourPeakRu: number;
  /** Of the hours before this one, the oldest first. */
  readonly pastPeaksRu: readonly number[];
}

interface Scaled {
  readonly level: AutoscaleLevel;
  maxRu: number;
  pastPeaksRu: readonly number[];
  isWriting: boolean;
}

/** Accounts made since September 2024 are billed so; provision-throughput-autoscale. */
const billing: AutoscaleBilling = 'dynamic';
const hourMs = 3_600_000;
const storageIntervalSeconds = 60;
/** A tick a little after the second is over sees all of it. */
const tickDelayMs = 5;
/** Bills are in units of this, so a smaller rise need not be written. */
const billedRu = 100;

export class Autoscaler {
  readonly #parts: AutoscalerParts;
  readonly #scaled = new Map<string, Scaled>();
  readonly #background: BackgroundWork;
  /** Of the monotonic clock: the first second that has not been looked at. */
  #nextSecond: number;
  #nextStorageSecond: number;
  #cancelTick: () => void = () => {};
  #isStopping = false;

  constructor(parts: AutoscalerParts) {
    this.#parts = parts;
    this.#background = new BackgroundWork(parts.log);
    this.#nextSecond = Math.floor(parts.clock.monotonic() / 1_000);
    this.#nextStorageSecond = this.#nextSecond + storageIntervalSeconds;
  }

  start(): void {
    const { clock, scheduler } = this.#parts;
    const untilNextMs = 1_000 - (clock.monotonic() % 1_000);
    this.#cancelTick = scheduler.after(untilNextMs + tickDelayMs, () => {
      // As background work, because what fails in a timer would end the process.
      this.#background.add((async () => this.tick())());
      this.start();
    });
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#cancelTick();
    await this.#background.settle();
    // What rose while the peak before it was being written.
    for (const owner of this.#parts.records.owners()) {
      const scaled = this.#scaled.get(textOfOwner(owner));
      if (scaled !== undefined) this.#remember(owner, scaled);
    }
    await this.#background.settle();
  }

  /** Undefined where the setting is not autoscale. */
  readingOf(owner: ThroughputOwner): AutoscaleReading | undefined {
    const maxRu = this.#maximumOf(owner);
    if (maxRu === undefined) return undefined;
    const { level, pastPeaksRu } = this.#scaledOf(owner, maxRu);
    return { ruPerSecond: level.ruPerSecond, hourPeakRu: level.hourPeakRu, pastPeaksRu };
  }

  /** Looks at every second that has ended since the last call. */
  tick(): void {
    if (this.#isStopping) return;
    const nowMs = this.#parts.clock.monotonic();
    const second = Math.floor(nowMs / 1_000);
    const owners = this.#parts.records.owners();
    const scaling = owners.filter((owner) => this.#maximumOf(owner) !== undefined);
    this.#forgetAllBut(scaling);
    // A process that was stopped for longer knows nothing of those seconds: they were idle.
    const first = Math.max(this.#nextSecond, second - SECONDS_KEPT);
    for (const owner of scaling) this.#observe(owner, nowMs, first, second);
    this.#nextSecond = second;
    if (second < this.#nextStorageSecond) return;
    this.#nextStorageSecond = second + storageIntervalSeconds;
    for (const owner of scaling) this.#background.add(this.#parts.raiseForStorage(owner));
  }

  /** From the first second on, up to the last, which is not over. */
  #observe(owner: ThroughputOwner, nowMs: number, first: number, last: number): void {
    const { clock } = this.#parts;
    const maxRu = this.#maximumOf(owner);
    if (maxRu === undefined) return;
    const scaled = this.#scaledOf(owner, maxRu);
    if (scaled.maxRu !== maxRu) {
      scaled.level.changeMaximum(maxRu);
      scaled.maxRu = maxRu;
    }
    const useOf = this.#usesOf(owner, nowMs);
    const epochOfStartMs = clock.now() - nowMs;
    for (let second = first; second < last; second++) {
      const ended = scaled.level.observe(epochOfStartMs + second * 1_000, useOf(second));
      if (ended.length > 0) {
        scaled.pastPeaksRu = [...scaled.pastPeaksRu, ...ended.map(({ ruPerSecond }) => ruPerSecond)];
      }
    }
    this.#remember(owner, scaled);
  }

  #usesOf(owner: ThroughputOwner, nowMs: number): (second: number) => PartitionUse[] {
    const { governor, records, mapOf } = this.#parts;
    if (owner.kind === 'database') {
      const stretches = records.of(owner)?.stretches?.list ?? [];
      const governed = governor.database(owner.database);
      return usesIn(stretches, (id) => governed?.stretch(id)?.accounting.seconds(nowMs) ?? []);
    }
    const partitions = mapOf(owner.container)?.partitions ?? [];
    return usesIn(partitions, (id) => governor.partition(owner.container, id)?.seconds(nowMs) ?? []);
  }

  /** Written when the bill would be another, not for every second. */
  #remember(owner: ThroughputOwner, scaled: Scaled): void {
    const { hours, clock } = this.#parts;
    const next: AutoscaleHours = {
      hourEpochMs: hourOf(clock.now()),
      peakRu: Math.ceil(scaled.level.hourPeakRu / billedRu) * billedRu,
      pastPeaksRu: scaled.pastPeaksRu,
    };
    const known = hours.of(owner);
    const isKnown = known?.hourEpochMs === next.hourEpochMs && known.peakRu >= next.peakRu;
    if (isKnown || scaled.isWriting) return;
    scaled.isWriting = true;
    this.#background.add(
      hours.put(owner, next).finally(() => {
        scaled.isWriting = false;
      }),
    );
  }

  #scaledOf(owner: ThroughputOwner, maxRu: number): Scaled {
    const id = textOfOwner(owner);
    const known = this.#scaled.get(id);
    if (known !== undefined) return known;
    const nowEpochMs = this.#parts.clock.now();
    const stored = this.#parts.hours.of(owner);
    const isThisHour = stored?.hourEpochMs === hourOf(nowEpochMs);
    const scaled: Scaled = {
      level: new AutoscaleLevel(billing, maxRu, nowEpochMs, isThisHour ? stored.peakRu : 0),
      maxRu,
      pastPeaksRu:
        stored === undefined || isThisHour
          ? (stored?.pastPeaksRu ?? [])
          : [...stored.pastPeaksRu, stored.peakRu],
      isWriting: false,
    };
    this.#scaled.set(id, scaled);
    return scaled;
  }

  #maximumOf(owner: ThroughputOwner): number | undefined {
    const setting = this.#parts.records.of(owner)?.state.setting;
    return setting?.kind === 'autoscale' ? setting.maxRuPerSecond : undefined;
  }

  #forgetAllBut(owners: readonly ThroughputOwner[]): void {
    const kept = new Set(owners.map(textOfOwner));
    for (const id of this.#scaled.keys()) if (!kept.has(id)) this.#scaled.delete(id);
  }
}

/** Each by its own use, for which dynamic billing asks. */
function usesIn(
  shares: readonly { readonly id: number; readonly throughputFraction: number }[],
  secondsOf: (id: number) => readonly RequestFigures[],
): (second: number) => PartitionUse[] {
  const parts = shares.map(({ id, throughputFraction }) => ({
    id,
    fraction: throughputFraction,
    figures: bySecond(secondsOf(id)),
  }));
  return (second) =>
    parts.map(({ id, fraction, figures }) => ({ id, fraction, utilization: figures.get(second) ?? 0 }));
}

/** What was spent of what could be, 0 to 1. */
function bySecond(figures: readonly RequestFigures[]): Map<number, number> {
  return new Map(figures.map(({ time, normalizedPercent }) => [time, normalizedPercent / 100]));
}

function hourOf(epochMs: number): number {
  return Math.floor(epochMs / hourMs) * hourMs;
}
