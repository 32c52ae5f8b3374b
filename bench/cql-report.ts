// Figures of the CQL bench as tables, and what it is meant to show: how much work a second of processor time does, beside Cassandra.

import type { Aim } from './aims.ts';
import type { LoadResult } from './cql-generator.ts';
import type { OperationName } from './cql-workload.ts';
import { count, decimals, table } from './table.ts';

export interface Setting {
  readonly connections: number;
  readonly inFlight: number;
}

/** One operation at one setting on one server, over all rounds. */
export interface CqlFigures extends Setting {
  readonly operation: OperationName;
  readonly server: string;
  readonly operations: number;
  readonly errors: number;
  readonly firstError: string | undefined;
  readonly perSecond: number;
  /** Of the server, for one operation; of each round too, to show how much they differ. */
  readonly cpuMicros: number | undefined;
  readonly roundCpuMicros: readonly number[];
  /** How much of it fell after the last answer. */
  readonly laterCpuMicros: number | undefined;
  readonly generatorCpuMicros: number;
  /** How much of one core the generator used: near 1 it is what limits. */
  readonly generatorCores: number;
  readonly p50Ms: number | undefined;
  readonly p99Ms: number | undefined;
  readonly maxMs: number | undefined;
}

export interface CqlRound {
  readonly load: LoadResult;
  /** Until the server was idle again; undefined where it cannot be told. */
  readonly serverCpuSeconds: number | undefined;
  /** How much of it fell after the last answer. */
  readonly laterCpuSeconds: number | undefined;
}

const operationTitles: Readonly<Record<OperationName, string>> = {
  read: 'point read',
  partition: 'read of a 50-row partition',
  overwrite: 'write over a row',
  insert: 'write of a new row',
};

const aims: Readonly<Record<OperationName, number>> = { read: 5, partition: 3, overwrite: 1, insert: 1 };

export function figuresOf(
  operation: OperationName,
  setting: Setting,
  server: string,
  rounds: readonly CqlRound[],
): CqlFigures {
  const total = (of: (round: CqlRound) => number): number =>
    rounds.reduce((sum, round) => sum + of(round), 0);
  const operations = total(({ load }) => load.operations);
  const seconds = total(({ load }) => load.seconds);
  const generatorCpu = total(({ load }) => load.cpuSeconds);
  const isCpuKnown = rounds.every(({ serverCpuSeconds }) => serverCpuSeconds !== undefined);
  const micros = (cpuSeconds: number, by: number): number => (cpuSeconds * 1e6) / Math.max(1, by);
  const last = rounds.at(-1)?.load;
  return {
    operation,
    ...setting,
    server,
    operations,
    errors: total(({ load }) => load.errors),
    firstError: rounds.find(({ load }) => load.firstError !== undefined)?.load.firstError,
    perSecond: operations / seconds,
    cpuMicros: isCpuKnown
      ? micros(
          total(({ serverCpuSeconds = 0 }) => serverCpuSeconds),
          operations,
        )
      : undefined,
    roundCpuMicros: isCpuKnown
      ? rounds.map(({ load, serverCpuSeconds = 0 }) => micros(serverCpuSeconds, load.operations))
      : [],
    laterCpuMicros: isCpuKnown
      ? micros(
          total(({ laterCpuSeconds = 0 }) => laterCpuSeconds),
          operations,
        )
      : undefined,
    generatorCpuMicros: micros(generatorCpu, operations),
    generatorCores: generatorCpu / seconds,
    p50Ms: last?.p50Ms,
    p99Ms: last?.p99Ms,
    maxMs: last?.maxMs,
  };
}

export function settingText({ connections, inFlight }: Setting): string {
  return `${connections} × ${inFlight}`;
}

export function cqlFiguresTable(operation: OperationName, figures: readonly CqlFigures[]): string {
  const heads = [
    operationTitles[operation],
    'connections × in flight',
    'per second',
    'server CPU µs',
    'of it later',
    'of the rounds',
    'p50 ms',
    'p99 ms',
    'max ms',
    'generator CPU µs',
    'cores',
    'errors',
  ];
  const rows = figures.map((figure) => [
    figure.server,
    settingText(figure),
    count(figure.perSecond),
    decimals(figure.cpuMicros),
    decimals(figure.laterCpuMicros),
    spread(figure.roundCpuMicros),
    decimals(figure.p50Ms, 2),
    decimals(figure.p99Ms, 2),
    decimals(figure.maxMs),
    decimals(figure.generatorCpuMicros),
    decimals(figure.generatorCores, 2),
    count(figure.errors),
  ]);
  const problems = figures
    .filter(({ firstError }) => firstError !== undefined)
    .map(({ server, firstError }) => `${server}, first error: ${firstError}`);
  return [table(heads, rows), ...problems].join('\n');
}

/** Every operation at every setting that both have: Ringfold's work per second of processor time, as a multiple of Cassandra's. */
export function cassandraAims(figures: readonly CqlFigures[]): Aim[] {
  return figures.flatMap((ours) => {
    if (ours.server !== 'Ringfold' || ours.cpuMicros === undefined) return [];
    const theirs = figures.find(
      ({ server, operation, connections, inFlight }) =>
        server === 'Cassandra' &&
        operation === ours.operation &&
        connections === ours.connections &&
        inFlight === ours.inFlight,
    );
    if (theirs?.cpuMicros === undefined) return [];
    const ratio = theirs.cpuMicros / ours.cpuMicros;
    const aim = aims[ours.operation];
    const throughput = ours.perSecond / theirs.perSecond;
    return [
      {
        what: `${operationTitles[ours.operation]}, ${settingText(ours)}`,
        aim: `${aim}×`,
        figure: `${ratio.toFixed(1)}× (throughput ${throughput.toFixed(1)}×)`,
        isMet: ratio >= aim,
      },
    ];
  });
}

export function cassandraAimsTable(all: readonly Aim[]): string {
  return table(
    ['work per second of server CPU, Cassandra = 1', 'aim', 'here', 'reached'],
    all.map(({ what, aim, figure, isMet }) => [what, aim, figure, isMet ? 'yes' : 'no']),
  );
}

function spread(values: readonly number[]): string {
  if (values.length === 0) return '–';
  return `${Math.min(...values).toFixed(0)}–${Math.max(...values).toFixed(0)}`;
}
