// How far autoscale has scaled, which is what it bills. All of the maximum can be used at any instant, so this figure refuses
// nobody. Microsoft publishes its band, a tenth of the maximum to the whole, that it reaches the whole only after five seconds
// of full use, and that shorter spikes take it to something in between. Here it is the mean use of the last five seconds.

import { assert } from '../foundation/assert.ts';
import { AUTOSCALE_FLOOR, AUTOSCALE_WINDOW_SECONDS } from './throughput-limits.ts';

/** Classic: everything is billed as if it were as busy as the busiest partition. Dynamic: each partition for itself. */
export type AutoscaleBilling = 'classic' | 'dynamic';

/** One second of one physical partition. */
export interface PartitionUse {
  readonly id: number;
  /** Its part of the maximum. */
  readonly fraction: number;
  /** RU spent of RU it could spend; above 1 where an operation overdrew. */
  readonly utilization: number;
}

/** What an hour is billed for. */
export interface BilledHour {
  /** When it began. */
  readonly epochMs: number;
  readonly ruPerSecond: number;
}

const HOUR_MS = 3_600_000;
const none: readonly BilledHour[] = [];

export class AutoscaleLevel {
  readonly #billing: AutoscaleBilling;
  #maxRu: number;
  #partitions = new Map<number, PartitionLevel>();
  #lastSecond: number;
  #hour: number;
  #hourPeakRu: number;

  /** `hourPeakRu` is what was reached in this hour before, if somebody remembers. */
  constructor(billing: AutoscaleBilling, maxRuPerSecond: number, epochMs: number, hourPeakRu = 0) {
    this.#billing = billing;
    this.#maxRu = maxRuPerSecond;
    this.#lastSecond = Math.floor(epochMs / 1000);
    this.#hour = Math.floor(epochMs / HOUR_MS);
    this.#hourPeakRu = Math.max(this.#floorRu, hourPeakRu);
  }

  /** Between a tenth of the maximum and the maximum. */
  get ruPerSecond(): number {
    return this.#scaled((partition) => partition.level);
  }

  /** The highest it has been in this hour so far. */
  get hourPeakRu(): number {
    return this.#hourPeakRu;
  }

  /**
   * To be called once a second, when it is over, with an instant in it and what was used; seconds left out were idle. Answers with
   * the hours that ended before it, nearly always none. A clock that is set back neither ends an hour nor repeats one.
   */
  observe(epochMs: number, partitions: readonly PartitionUse[]): readonly BilledHour[] {
    const second = Math.floor(epochMs / 1000);
    const elapsedSeconds = Math.max(1, second - this.#lastSecond);
    this.#lastSecond = second;
    const finished = this.#finishHours(Math.floor(epochMs / HOUR_MS));
    this.#adoptLayout(partitions);
    for (const { id, utilization } of partitions) {
      this.#partitions.get(id)?.add(elapsedSeconds, utilization);
    }
    const peakRu =
      this.#billing === 'dynamic' ? this.#scaled((partition) => partition.peak) : this.ruPerSecond;
    this.#hourPeakRu = Math.max(this.#hourPeakRu, peakRu);
    return finished;
  }

  /** What the hour was billed for until now stays in the bill. */
  changeMaximum(maxRuPerSecond: number): void {
    this.#maxRu = maxRuPerSecond;
    this.#hourPeakRu = Math.max(this.#hourPeakRu, this.#floorRu);
    for (const partition of this.#partitions.values()) partition.beginPeak();
  }

  get #floorRu(): number {
    return this.#maxRu * AUTOSCALE_FLOOR;
  }

  #scaled(figureOf: (partition: PartitionLevel) => number): number {
    let part = 0;
    for (const partition of this.#partitions.values()) {
      const figure = figureOf(partition);
      part = this.#billing === 'dynamic' ? part + figure * partition.fraction : Math.max(part, figure);
    }
    // Fractions that add up to one do so only nearly; the band is kept exactly.
    return this.#maxRu * Math.min(1, Math.max(AUTOSCALE_FLOOR, part));
  }

  /**
   * Peaks of partitions that were not there together must not be added up: two children could then be billed beside the parent
   * they came from. So new peaks begin with each new layout, and the hour keeps the highest sum there was.
   */
  #adoptLayout(partitions: readonly PartitionUse[]): void {
    const isSame =
      partitions.length === this.#partitions.size &&
      partitions.every(({ id, fraction }) => this.#partitions.get(id)?.fraction === fraction);
    if (isSame) return;
    const adopted = new Map<number, PartitionLevel>();
    for (const { id, fraction } of partitions) {
      const partition = this.#partitions.get(id) ?? new PartitionLevel();
      partition.fraction = fraction;
      partition.beginPeak();
      adopted.set(id, partition);
    }
    assert(adopted.size === partitions.length, 'each partition is given once');
    this.#partitions = adopted;
  }

  #finishHours(hour: number): readonly BilledHour[] {
    if (hour <= this.#hour) return none;
    const finished = [{ epochMs: this.#hour * HOUR_MS, ruPerSecond: this.#hourPeakRu }];
    for (let idle = this.#hour + 1; idle < hour; idle++) {
      finished.push({ epochMs: idle * HOUR_MS, ruPerSecond: this.#floorRu });
    }
    this.#hour = hour;
    this.#hourPeakRu = this.#floorRu;
    for (const partition of this.#partitions.values()) partition.beginPeak();
    return finished;
  }
}

/** The last seconds of one partition. */
class PartitionLevel {
  fraction = 0;
  #seconds: readonly number[] = new Array<number>(AUTOSCALE_WINDOW_SECONDS).fill(0);
  #level: number = AUTOSCALE_FLOOR;
  #peak: number = AUTOSCALE_FLOOR;

  get level(): number {
    return this.#level;
  }

  get peak(): number {
    return this.#peak;
  }

  beginPeak(): void {
    this.#peak = AUTOSCALE_FLOOR;
  }

  add(elapsedSeconds: number, utilization: number): void {
    const idleSeconds = Math.min(elapsedSeconds - 1, AUTOSCALE_WINDOW_SECONDS - 1);
    const idle = new Array<number>(idleSeconds).fill(0);
    // A second counts as fully used at most: an overdrawn one says nothing about its neighbours.
    const latest = Math.min(1, Math.max(0, utilization));
    this.#seconds = [...this.#seconds, ...idle, latest].slice(-AUTOSCALE_WINDOW_SECONDS);
    const sum = this.#seconds.reduce((total, second) => total + second, 0);
    this.#level = Math.max(AUTOSCALE_FLOOR, sum / AUTOSCALE_WINDOW_SECONDS);
    this.#peak = Math.max(this.#peak, this.#level);
  }
}
