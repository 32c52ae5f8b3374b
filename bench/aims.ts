// What the store is meant to reach, on two quiet cores. Said beside the figures; a figure that misses its aim fails nothing.

import type { Figures } from './measure.ts';

export interface Aim {
  readonly what: string;
  readonly aim: string;
  readonly figure: string;
  readonly isMet: boolean;
}

export function commitAims({ perSecond, cpuMicros, p99Ms = Number.POSITIVE_INFINITY }: Figures): Aim[] {
  return [
    {
      what: 'durable commits at 256 writers',
      aim: 'at least 50,000/s',
      figure: `${Math.round(perSecond).toLocaleString('en')}/s`,
      isMet: perSecond >= 50_000,
    },
    atMost('CPU of a commit at 256 writers', cpuMicros, 30, 'µs'),
    atMost('p99 of a commit at 256 writers', p99Ms, 20, 'ms'),
  ];
}

export function cachedReadAims(pointRead: Figures, scan: Figures): Aim[] {
  return [
    atMost('CPU of a cached point read', pointRead.cpuMicros, 3, 'µs'),
    atMost('CPU of a cached 50-row read', scan.cpuMicros, 15, 'µs'),
  ];
}

function atMost(what: string, value: number, limit: number, unit: string): Aim {
  return {
    what,
    aim: `at most ${limit} ${unit}`,
    figure: `${value.toFixed(1)} ${unit}`,
    isMet: value <= limit,
  };
}
