// Figures as text for people: columns as wide as what stands in them, numbers to the right.

import type { Aim } from './aims.ts';
import type { LongFigures, LongMinute } from './long-run.ts';
import type { Figures } from './measure.ts';

export function figuresTable(title: string, figures: readonly Figures[]): string {
  const isWriting = figures.some(({ writtenPerStoredByte }) => writtenPerStoredByte !== undefined);
  const heads = [
    'per second',
    'CPU µs',
    'p50 ms',
    'p99 ms',
    'max ms',
    ...(isWriting ? ['sustained', 'written/stored'] : []),
  ];
  const rows = figures.map((figure) => [
    figure.name,
    count(figure.perSecond),
    decimals(figure.cpuMicros),
    decimals(figure.p50Ms, 2),
    decimals(figure.p99Ms, 2),
    decimals(figure.maxMs),
    ...(isWriting ? [count(figure.sustainedPerSecond), decimals(figure.writtenPerStoredByte)] : []),
  ]);
  return table([title, ...heads], rows);
}

export function aimsTable(aims: readonly Aim[]): string {
  return table(
    ['aim, on two quiet cores', 'aim', 'here', 'reached'],
    aims.map(({ what, aim, figure, isMet }) => [what, aim, figure, isMet ? 'yes' : 'no']),
  );
}

export const minuteHeads: readonly string[] = [
  'minute',
  'commits/s',
  'CPU µs',
  'p50 ms',
  'p99 ms',
  'max ms',
  'stall ms',
  'loop p99',
  'loop max',
  'refused',
  'memory MB',
  'mapped MB',
];

export function minuteLine(minute: LongMinute): string {
  const cells = [
    String(minute.minute),
    count(minute.commitsPerSecond),
    decimals(minute.cpuMicros),
    decimals(minute.p50Ms, 2),
    decimals(minute.p99Ms),
    decimals(minute.maxMs),
    decimals(minute.longestStallMs),
    decimals(minute.loopDelayP99Ms),
    decimals(minute.loopDelayMaxMs),
    count(minute.refusals),
    megabytes(minute.memory.ownBytes),
    megabytes(minute.memory.mappedBytes),
  ];
  return line(
    cells,
    minuteHeads.map((head) => Math.max(9, head.length)),
    false,
  );
}

export function longSummary(figures: LongFigures): string {
  const { seconds, commits, storedBytes } = figures;
  return [
    `${count(commits)} commits, ${(storedBytes / 1e9).toFixed(1)} GB of keys and values in ${Math.round(seconds)} s: ${count(figures.commitsPerSecond)}/s, ${decimals(figures.cpuMicros)} µs of CPU each`,
    `p99 ${decimals(figures.p99Ms)} ms, longest stall ${decimals(figures.longestStallMs)} ms, ${decimals(figures.writtenPerStoredByte)} bytes written per byte stored`,
    `memory ${megabytes(figures.memory.ownBytes)} MB and ${megabytes(figures.memory.mappedBytes)} MB of mapped files at the end; ${megabytes(figures.memoryAfter.ownBytes)} MB and ${megabytes(figures.memoryAfter.mappedBytes)} MB once all rows were applied, which took ${decimals(figures.secondsToQuiet)} s more`,
  ].join('\n');
}

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  return [heads, ...rows].map((row) => line(row, widths, true)).join('\n');
}

export function line(cells: readonly string[], widths: readonly number[], isFirstLeft: boolean): string {
  return cells
    .map((cell, column) => {
      const width = widths[column] ?? 0;
      return isFirstLeft && column === 0 ? cell.padEnd(width) : cell.padStart(width);
    })
    .join('  ')
    .trimEnd();
}

export function count(value: number): string {
  return Math.round(value).toLocaleString('en');
}

export function decimals(value: number | undefined, places = 1): string {
  return value?.toFixed(places) ?? '–';
}

function megabytes(bytes: number): string {
  return count(bytes / 1e6);
}
