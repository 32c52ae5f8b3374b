// What was asked of a physical partition or of a whole container in a second or a minute, as metrics show it. Charges are
// whole hundredths, so figures of partitions, seconds and minutes add up exactly, in whatever order.

import type { ErrorCode } from '../errors/error-codes.ts';
import { RingfoldError } from '../errors/ringfold-error.ts';
import { fromHundredths, hundredthsOf, type RequestUnits } from './request-units.ts';
import type { OperationKind } from './work-done.ts';

export type RequestStatus = 'ok' | ErrorCode;

/** How a request that failed is counted. */
export function statusOfError(error: unknown): ErrorCode {
  return error instanceof RingfoldError ? error.code : 'internal-error';
}

/** Requests of one kind that ended in one way. */
export interface RequestCount {
  readonly operation: OperationKind;
  readonly status: RequestStatus;
  readonly requests: number;
  readonly charge: RequestUnits;
}

export interface RequestFigures {
  /** Of the monotonic clock: which second since its start, or which minute. */
  readonly time: number;
  readonly counts: readonly RequestCount[];
  readonly requests: number;
  readonly charge: RequestUnits;
  /** Those whose charge a burst bank paid at least in part (Cosmos' CapacityType BurstCapacity), and that part. */
  readonly burstRequests: number;
  readonly burstRu: number;
  /** Spent of what was provisioned, 0 to 100: of the busiest second in the busiest partition. */
  readonly normalizedPercent: number;
}

/** Of one time, or of the seconds of one minute. Shares are not added up: the greatest counts. */
export function sumOfFigures(time: number, parts: readonly RequestFigures[]): RequestFigures {
  const byKind = new Map<string, RequestCount>();
  for (const count of parts.flatMap(({ counts }) => counts)) {
    const kind = `${count.operation} ${count.status}`;
    const known = byKind.get(kind);
    byKind.set(kind, known === undefined ? count : sumOfCounts(known, count));
  }
  const sum = (value: (part: RequestFigures) => number) =>
    parts.reduce((total, part) => total + value(part), 0);
  return {
    time,
    counts: [...byKind.values()],
    requests: sum(({ requests }) => requests),
    charge: fromHundredths(sum(({ charge }) => hundredthsOf(charge))),
    burstRequests: sum(({ burstRequests }) => burstRequests),
    burstRu: sum(({ burstRu }) => burstRu),
    normalizedPercent: Math.max(0, ...parts.map(({ normalizedPercent }) => normalizedPercent)),
  };
}

/** One series of several: those of a container's physical partitions, each in order of time. */
export function sumOfSeries(series: readonly (readonly RequestFigures[])[]): RequestFigures[] {
  const byTime = new Map<number, RequestFigures[]>();
  for (const figures of series.flat()) {
    const parts = byTime.get(figures.time);
    if (parts === undefined) byTime.set(figures.time, [figures]);
    else parts.push(figures);
  }
  return [...byTime].map(([time, parts]) => sumOfFigures(time, parts)).sort((a, b) => a.time - b.time);
}

function sumOfCounts(a: RequestCount, b: RequestCount): RequestCount {
  return {
    ...a,
    requests: a.requests + b.requests,
    charge: fromHundredths(hundredthsOf(a.charge) + hundredthsOf(b.charge)),
  };
}
