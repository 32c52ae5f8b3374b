// Reads of a data set that is on disk and applied: from memory, and past it, each beside a bare LevelDB that holds the same rows.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ByteString } from '../src/foundation/byte-string.ts';
import type { PartitionAddress, Scan } from '../src/storage/partition-store.ts';
import { BareLevel } from './bare-level.ts';
import { closedLoop, synchronousLoop } from './closed-loop.ts';
import { type Figures, Measurement } from './measure.ts';
import { MeasuredStore, wholePartition } from './measured-store.ts';
import { keyOf, RowSource } from './row-source.ts';

export interface ReadPlan {
  readonly logicalPartitions: number;
  readonly rounds: number;
  readonly secondsPerRound: number;
}

/** Each logical partition has as many rows as a scan takes. */
const rowsPerScan = 50;
/** Far less than the data, so that nearly every read goes to a row store. */
const hardlyAnyCacheBytes = 2 ** 20;
const callersOfReads = 64;
const callersOfScans = 16;

type Run = (seconds: number, measurement: Measurement) => Promise<{ operations: number; seconds: number }>;

interface Contender {
  readonly name: string;
  readonly run: Run;
}

export interface ReadFigures {
  readonly cached: Figures[];
  readonly uncached: Figures[];
}

export async function measureReads(directory: string, plan: ReadPlan): Promise<ReadFigures> {
  await mkdir(directory, { recursive: true });
  const level = await BareLevel.open(join(directory, 'level'));
  try {
    const dataDir = join(directory, 'store');
    const cached = await withStore(dataDir, {}, async (store) => {
      const rows = new RowSource(store.container, plan.logicalPartitions);
      await fill(store, level, rows);
      return race(await cachedReads(store, level, rows), plan);
    });
    const uncached = await withStore(dataDir, { cacheBytes: hardlyAnyCacheBytes }, async (store) => {
      const rows = new RowSource(store.container, plan.logicalPartitions);
      return race(uncachedReads(store, level, rows), plan);
    });
    return { cached, uncached };
  } finally {
    await level.close();
  }
}

async function withStore<T>(
  dataDir: string,
  settings: object,
  work: (store: MeasuredStore) => Promise<T>,
): Promise<T> {
  const store = await MeasuredStore.open(dataDir, { scrubIntervalMs: 0, ...settings });
  try {
    return await work(store);
  } finally {
    await store.stop();
  }
}

async function fill(store: MeasuredStore, level: BareLevel, rows: RowSource): Promise<void> {
  for (const logicalPartition of rows.logicalPartitions) {
    await new Promise<void>((resolve) => {
      let left = 2 * rowsPerScan;
      const done = (): void => {
        if (--left === 0) resolve();
      };
      for (let number = 0; number < rowsPerScan; number++) {
        const row = rows.row(logicalPartition, number);
        store.write(row, done);
        level.write(row, done);
      }
    });
  }
  await store.store.whenQuiet();
}

async function cachedReads(store: MeasuredStore, level: BareLevel, rows: RowSource): Promise<Contender[]> {
  const targets = new ReadTargets(store, rows);
  // A scan of a whole logical partition is what brings it into the cache.
  for (const { address, scan } of targets.all) await store.store.scan(address, scan);
  const pointRead = (): void => {
    const { address, keys } = targets.any();
    if (store.store.readCached(address, targets.anyOf(keys)) === undefined) throw missing();
  };
  const barePointRead = (): void => {
    if (level.getSync(targets.anyOf(targets.any().keys)) === undefined) throw missing();
  };
  const scan = (): void => {
    const target = targets.any();
    if (store.store.scanCached(target.address, target.scan)?.rows.length !== rowsPerScan) throw missing();
  };
  return [
    { name: 'point read, readCached', run: synchronous(pointRead) },
    { name: 'point read, bare LevelDB getSync', run: synchronous(barePointRead) },
    { name: `${rowsPerScan} rows, scanCached`, run: synchronous(scan) },
    { name: `${rowsPerScan} rows, bare LevelDB iterator, 1 caller`, run: bareScans(level, targets, 1) },
  ];
}

function uncachedReads(store: MeasuredStore, level: BareLevel, rows: RowSource): Contender[] {
  const targets = new ReadTargets(store, rows);
  const reads = (callers: number): Run =>
    asynchronous(callers, async () => {
      const { address, keys } = targets.any();
      const outcome = await store.store.read(address, targets.anyOf(keys));
      if (outcome.kind !== 'read' || outcome.value === null) throw missing();
    });
  const bareReads = (callers: number): Run =>
    asynchronous(callers, async () => {
      if ((await level.get(targets.anyOf(targets.any().keys))) === undefined) throw missing();
    });
  const scans = asynchronous(callersOfScans, async () => {
    const { address, scan } = targets.any();
    const outcome = await store.store.scan(address, scan);
    if (outcome.kind !== 'read' || outcome.page.rows.length !== rowsPerScan) throw missing();
  });
  const bare = bareScans(level, targets, callersOfScans);
  return [
    { name: 'point read, 1 caller', run: reads(1) },
    { name: 'point read, bare LevelDB get, 1 caller', run: bareReads(1) },
    { name: `point read, ${callersOfReads} callers`, run: reads(callersOfReads) },
    { name: `point read, bare LevelDB get, ${callersOfReads} callers`, run: bareReads(callersOfReads) },
    { name: `${rowsPerScan} rows, scan, ${callersOfScans} callers`, run: scans },
    { name: `${rowsPerScan} rows, bare LevelDB iterator, ${callersOfScans} callers`, run: bare },
  ];
}

function bareScans(level: BareLevel, targets: ReadTargets, callers: number): Run {
  return asynchronous(callers, async () => {
    const { from, to } = targets.any().scan;
    const found = await level.scan(from, to, rowsPerScan);
    if (found.length !== rowsPerScan) throw missing();
  });
}

interface ReadTarget {
  readonly address: PartitionAddress;
  readonly scan: Scan;
  readonly keys: readonly ByteString[];
}

/** Addresses, ranges and keys made beforehand: making a key takes a good part of the time that reading a cached row does. */
class ReadTargets {
  readonly all: readonly ReadTarget[];
  readonly #rows: RowSource;

  constructor(store: MeasuredStore, rows: RowSource) {
    this.#rows = rows;
    this.all = rows.logicalPartitions.map((logicalPartition) => ({
      address: store.addressOf(logicalPartition),
      scan: wholePartition(logicalPartition, rowsPerScan),
      keys: Array.from({ length: rowsPerScan }, (_, number) => keyOf(logicalPartition, number)),
    }));
  }

  any(): ReadTarget {
    return this.anyOf(this.all);
  }

  anyOf<T>(from: readonly T[]): T {
    return from[this.#rows.integerBelow(from.length)] as T;
  }
}

function missing(): Error {
  return new Error('a row that was written is not found where it is looked for');
}

function synchronous(operation: () => void): Run {
  return async (seconds) => synchronousLoop(seconds, operation);
}

function asynchronous(callers: number, operation: () => Promise<void>): Run {
  return async (seconds, { latencies }) => {
    let failure: unknown;
    const begin = (done: () => void): void => {
      operation()
        .catch((error) => {
          failure ??= error;
        })
        .finally(done);
    };
    const result = await closedLoop(callers, seconds, begin, latencies);
    if (failure !== undefined) throw failure;
    return result;
  };
}

async function race(contenders: readonly Contender[], plan: ReadPlan): Promise<Figures[]> {
  const measurements = contenders.map(({ name }) => new Measurement(name));
  const warmUp = new Measurement('warm-up');
  for (let round = -1; round < plan.rounds; round++) {
    for (const [index, { run }] of contenders.entries()) {
      const measurement = round < 0 ? warmUp : (measurements[index] ?? warmUp);
      await measurement.round(async () => ({
        ...(await run(plan.secondsPerRound, measurement)),
        storedBytes: 0,
      }));
    }
  }
  return measurements.map((measurement) => measurement.figures());
}
