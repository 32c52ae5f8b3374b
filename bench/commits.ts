// Durable commits: the store with its four replicas beside one bare log, four bare logs and one bare LevelDB, in alternating rounds.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BareLevel } from './bare-level.ts';
import { BareLog } from './bare-log.ts';
import { closedLoop } from './closed-loop.ts';
import { type Figures, Measurement } from './measure.ts';
import { MeasuredStore } from './measured-store.ts';
import { RowSource, type SourceRow } from './row-source.ts';

export interface CommitPlan {
  readonly writers: number;
  readonly rounds: number;
  readonly secondsPerRound: number;
  /** Leaves out what the store is compared with, for profiling. */
  readonly storeOnly: boolean;
}

interface Contender {
  readonly name: string;
  write(row: SourceRow, done: () => void): void;
  /** Absent where nothing is left to be done once the last write is answered. */
  readonly settle?: () => Promise<void>;
}

const logicalPartitionCount = 4_096;
const onlyCompactions = async (): Promise<void> => {};

export async function measureCommits(
  directory: string,
  plans: readonly CommitPlan[],
): Promise<Map<number, Figures[]>> {
  await mkdir(directory, { recursive: true });
  // Scrubs come every few seconds and would hit some rounds and not others; the long run has them.
  const store = await MeasuredStore.open(join(directory, 'store'), { scrubIntervalMs: 0 });
  const oneLog = new BareLog(directory, 1);
  const fourLogs = new BareLog(directory, 4);
  const level = await BareLevel.open(join(directory, 'level'));
  const contenders: Contender[] = [
    {
      name: 'Ringfold, four replicas',
      write: (...call) => store.write(...call),
      settle: () => store.store.whenQuiet(),
    },
    { name: 'one bare log', write: (...call) => oneLog.write(...call) },
    {
      name: 'four bare logs, three awaited',
      write: (...call) => fourLogs.write(...call),
    },
    { name: 'one bare LevelDB, synced', write: (...call) => level.write(...call), settle: onlyCompactions },
  ];
  const rows = new RowSource(store.container, logicalPartitionCount);
  const figures = new Map<number, Figures[]>();
  try {
    for (const plan of plans) {
      figures.set(plan.writers, await race(plan.storeOnly ? contenders.slice(0, 1) : contenders, plan, rows));
    }
  } finally {
    await store.stop();
    await level.close();
    oneLog.close();
    fourLogs.close();
  }
  return figures;
}

async function race(contenders: readonly Contender[], plan: CommitPlan, rows: RowSource): Promise<Figures[]> {
  const { writers, rounds, secondsPerRound } = plan;
  const measurements = contenders.map(({ name }) => new Measurement(name));
  const warmUp = new Measurement('warm-up');
  for (let round = -1; round < rounds; round++) {
    for (const [index, contender] of contenders.entries()) {
      const measurement = round < 0 ? warmUp : (measurements[index] ?? warmUp);
      const seconds = round < 0 ? secondsPerRound / 2 : secondsPerRound;
      await measurement.round(async () => {
        let storedBytes = 0;
        const begin = (done: () => void): void => {
          const row = rows.next();
          storedBytes += row.key.length + row.value.length;
          contender.write(row, done);
        };
        return { ...(await closedLoop(writers, seconds, begin, measurement.latencies)), storedBytes };
      }, contender.settle);
    }
  }
  return measurements.map((measurement) => measurement.figures());
}
