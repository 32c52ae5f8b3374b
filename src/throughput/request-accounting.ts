// What one physical partition was asked for, by kind and outcome: each of the last two minutes' seconds and each of the last
// hour's minutes. Times without a request take no room. Counting a request allocates nothing; the first one in a new second
// writes up the second before it.

import { type RequestFigures, type RequestStatus, sumOfFigures } from './request-figures.ts';
import { fromHundredths, hundredthsOf, type RequestUnits } from './request-units.ts';
import type { OperationKind } from './work-done.ts';

export const SECONDS_KEPT: number = 120;
export const MINUTES_KEPT: number = 60;

interface OpenCount {
  readonly operation: OperationKind;
  readonly status: RequestStatus;
  requests: number;
  hundredths: number;
}

export class RequestAccounting {
  #provisionedRu: number;
  /** Kept from second to second: there are only so many kinds and outcomes. */
  readonly #open = new Map<OperationKind, Map<RequestStatus, OpenCount>>();
  #second = 0;
  #requests = 0;
  #hundredths = 0;
  #burstRequests = 0;
  #burstRu = 0;
  readonly #seconds = new RecentFigures(SECONDS_KEPT);
  readonly #minutes = new RecentFigures(MINUTES_KEPT);

  constructor(provisionedRu: number) {
    this.#provisionedRu = provisionedRu;
  }

  /** For a refused request the charge is 0. */
  count(
    nowMs: number,
    operation: OperationKind,
    status: RequestStatus,
    charge: RequestUnits,
    burstRu: number,
  ): void {
    const second = Math.floor(nowMs / 1_000);
    if (second > this.#second) this.#moveTo(second);
    const hundredths = hundredthsOf(charge);
    const count = this.#open.get(operation)?.get(status) ?? this.#begin(operation, status);
    count.requests += 1;
    count.hundredths += hundredths;
    this.#requests += 1;
    this.#hundredths += hundredths;
    if (burstRu > 0) {
      this.#burstRequests += 1;
      this.#burstRu += burstRu;
    }
  }

  /** The present second, and those after it, are measured by this rate. */
  changeRate(nowMs: number, provisionedRu: number): void {
    this.#moveTo(Math.floor(nowMs / 1_000));
    this.#provisionedRu = provisionedRu;
  }

  /** Those that are over and had requests, the oldest first. */
  seconds(nowMs: number): RequestFigures[] {
    const second = Math.floor(nowMs / 1_000);
    this.#moveTo(second);
    return this.#seconds.since(second - SECONDS_KEPT);
  }

  /** Those that had requests, the oldest first; the last may be the present minute, as far as its seconds are over. */
  minutes(nowMs: number): RequestFigures[] {
    const second = Math.floor(nowMs / 1_000);
    this.#moveTo(second);
    return this.#minutes.since(Math.floor(second / 60) - MINUTES_KEPT + 1);
  }

  #begin(operation: OperationKind, status: RequestStatus): OpenCount {
    const count = { operation, status, requests: 0, hundredths: 0 };
    const byStatus = this.#open.get(operation) ?? new Map<RequestStatus, OpenCount>();
    this.#open.set(operation, byStatus.set(status, count));
    return count;
  }

  #moveTo(second: number): void {
    if (second <= this.#second) return;
    if (this.#requests > 0) {
      const figures = this.#closeSecond();
      this.#seconds.add(figures);
      const minute = Math.floor(this.#second / 60);
      const before = this.#minutes.at(minute);
      this.#minutes.add(sumOfFigures(minute, before === undefined ? [figures] : [before, figures]));
    }
    this.#second = second;
  }

  #closeSecond(): RequestFigures {
    const counts = [];
    for (const byStatus of this.#open.values()) {
      for (const count of byStatus.values()) {
        if (count.requests === 0) continue;
        const { operation, status, requests, hundredths } = count;
        counts.push({ operation, status, requests, charge: fromHundredths(hundredths) });
        count.requests = 0;
        count.hundredths = 0;
      }
    }
    const charge = fromHundredths(this.#hundredths);
    const figures = {
      time: this.#second,
      counts,
      requests: this.#requests,
      charge,
      burstRequests: this.#burstRequests,
      burstRu: this.#burstRu,
      normalizedPercent: Math.min(100, (100 * charge) / this.#provisionedRu),
    };
    this.#requests = 0;
    this.#hundredths = 0;
    this.#burstRequests = 0;
    this.#burstRu = 0;
    return figures;
  }
}

/** A ring: figures of a time take the place of those of so many times before. */
class RecentFigures {
  readonly #ring: (RequestFigures | undefined)[];

  constructor(kept: number) {
    this.#ring = new Array(kept).fill(undefined);
  }

  add(figures: RequestFigures): void {
    this.#ring[figures.time % this.#ring.length] = figures;
  }

  at(time: number): RequestFigures | undefined {
    const figures = this.#ring[time % this.#ring.length];
    return figures?.time === time ? figures : undefined;
  }

  since(time: number): RequestFigures[] {
    return this.#ring
      .filter((figures) => figures !== undefined)
      .filter((figures) => figures.time >= time)
      .sort((a, b) => a.time - b.time);
  }
}
