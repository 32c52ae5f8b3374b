// `npm run bench -- store`: what the store costs, each figure beside the bare cost of the same work in the same run. bench/README.md
// says how to read it.

import { spawn } from 'node:child_process';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Aim, cachedReadAims, commitAims } from './aims.ts';
import { measureCommits } from './commits.ts';
import { type LongFigures, measureLongRun } from './long-run.ts';
import { machineLine } from './machine-line.ts';
import type { Figures } from './measure.ts';
import { measureReads, type ReadFigures } from './reads.ts';
import { makeScratchDirectory } from './scratch-directory.ts';
import { aimsTable, figuresTable, line, longSummary, minuteHeads, minuteLine } from './table.ts';

const poolThreads = 16;

const { values: flags } = parseArgs({
  options: {
    long: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    /** About how long all of it takes. */
    seconds: { type: 'string' },
    /** `commits` or `reads` alone. */
    only: { type: 'string' },
    /** The store without what it is compared with, for a profiler. */
    'store-only': { type: 'boolean', default: false },
  },
});

if (flags.only !== undefined && flags.only !== 'commits' && flags.only !== 'reads') {
  console.error('--only takes commits or reads');
  process.exit(2);
}

interface Result {
  commits?: Map<number, Figures[]>;
  reads?: ReadFigures;
  long?: LongFigures;
  aims: Aim[];
}

if (Number(process.env['UV_THREADPOOL_SIZE'] ?? 0) < poolThreads) runAgainWithPool();
else await main();

/** libuv reads the size of its pool once, before this line runs. */
function runAgainWithPool(): void {
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...process.env, UV_THREADPOOL_SIZE: String(poolThreads) },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => process.exit(code ?? 1));
}

async function main(): Promise<void> {
  const directory = makeScratchDirectory();
  const seconds = wantedSeconds();
  console.log(machineLine());
  const result: Result = { aims: [] };
  if (flags.long) await runLong(directory, seconds, result);
  else await runShort(directory, seconds, result);
  if (result.aims.length > 0) console.log(`\n${aimsTable(result.aims)}`);
  console.log(`\nload at the end ${loadavg()[0]?.toFixed(1)}`);
  if (flags.json)
    console.log(JSON.stringify({ ...result, commits: Object.fromEntries(result.commits ?? []) }));
  process.exit(0);
}

function wantedSeconds(): number {
  const standard = flags.long ? 600 : flags.quick ? 10 : 60;
  const seconds = flags.seconds === undefined ? standard : Number(flags.seconds);
  if (Number.isFinite(seconds) && seconds > 0) return seconds;
  console.error('--seconds takes a number above 0');
  process.exit(2);
}

async function runLong(directory: string, seconds: number, result: Result): Promise<void> {
  console.log(`\n256 writers for ${seconds} s or until 10 GB, scrubs on`);
  console.log(
    line(
      minuteHeads,
      minuteHeads.map((head) => Math.max(9, head.length)),
      false,
    ),
  );
  const plan = { seconds, storedBytes: 10e9, writers: 256 };
  result.long = await measureLongRun(join(directory, 'long'), plan, (minute) =>
    console.log(minuteLine(minute)),
  );
  console.log(`\n${longSummary(result.long)}`);
}

async function runShort(directory: string, seconds: number, result: Result): Promise<void> {
  // Shares of the whole: rounds are long enough for several memtables, and the pauses between them take a third of the time.
  const rounds = seconds < 30 ? 1 : 3;
  if (flags.only !== 'reads') {
    const plan = (writers: number, share: number) => ({
      writers,
      rounds,
      secondsPerRound: (seconds * share) / rounds,
      storeOnly: flags['store-only'],
    });
    result.commits = await measureCommits(join(directory, 'commits'), [
      plan(256, 0.07),
      plan(64, 0.03),
      plan(1, 0.015),
    ]);
    for (const [writers, figures] of result.commits) {
      console.log(
        `\n${figuresTable(`durable commits of 340 B, ${writers} writer${writers === 1 ? '' : 's'}`, figures)}`,
      );
    }
    const [store] = result.commits.get(256) ?? [];
    if (store !== undefined) result.aims.push(...commitAims(store));
  }
  if (flags.only !== 'commits') {
    const plan = {
      logicalPartitions: seconds < 30 ? 400 : 4_000,
      rounds,
      secondsPerRound: (seconds * 0.01) / rounds,
    };
    result.reads = await measureReads(join(directory, 'reads'), plan);
    console.log(`\n${figuresTable('reads from memory', result.reads.cached)}`);
    console.log(`\n${figuresTable('reads past the cache', result.reads.uncached)}`);
    const [pointRead, , scan] = result.reads.cached;
    if (pointRead !== undefined && scan !== undefined) result.aims.push(...cachedReadAims(pointRead, scan));
  }
}
