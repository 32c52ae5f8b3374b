// Kills a real process at every system call that writes, syncs or renames during a commit, a split, a merge, a move, a recovery and a first
// start, those of the row store included. Takes minutes and strace, so it runs only when asked for: RINGFOLD_STRACE=1.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryDirectory } from '../support/start-ringfold.ts';
import { CrashChild } from './crash-child.ts';
import { readJournal } from './crash-journal.ts';
import { CrashModel } from './crash-model.ts';
import { isCopied } from './crash-run.ts';
import type { CrashServerTask } from './crash-server.ts';

/** One group at a time is counted, so that every call of each kind is met. */
const callGroups: readonly { readonly calls: string; readonly stride: number }[] = [
  { calls: 'fdatasync,fsync', stride: 1 },
  { calls: 'writev,pwritev,pwrite64', stride: 1 },
  // Small files that are replaced as a whole; but most are threads that wake one another.
  { calls: 'write', stride: 3 },
  { calls: 'rename,unlink,ftruncate,mkdir', stride: 1 },
];
/** strace counts for each thread by itself, so one thread does all the work. */
const threads = 1;
const tracer = 'strace';
const whyNot =
  process.env['RINGFOLD_STRACE'] !== '1'
    ? 'it takes minutes: RINGFOLD_STRACE=1 runs it'
    : spawnSync(tracer, ['-V']).status === 0
      ? false
      : 'there is no strace here';

interface Sweep {
  readonly what: string;
  readonly work: CrashServerTask['work'];
  readonly base: 'none' | 'stopped' | 'killed';
  /** Calls are counted from the beginning of the process, or once the store is open. */
  readonly from: 'start' | 'open';
}

const sweeps: readonly Sweep[] = [
  { what: 'a commit and a stop', work: 'write-and-stop', base: 'stopped', from: 'open' },
  { what: 'a split', work: 'split', base: 'stopped', from: 'open' },
  { what: 'a merge', work: 'merge', base: 'stopped', from: 'open' },
  { what: 'a move', work: 'move', base: 'stopped', from: 'open' },
  { what: 'a recovery', work: 'check-and-stop', base: 'killed', from: 'start' },
  { what: 'a first start', work: 'write-and-stop', base: 'none', from: 'start' },
];

for (const sweep of sweeps) {
  test(`${sweep.what} may be killed at every system call that writes`, { skip: whyNot }, async (context) => {
    const directory = temporaryDirectory(context);
    const base = await makeBase(directory, sweep.base);
    for (const { calls, stride } of callGroups) {
      let kills = 0;
      for (let at = 1; ; at += stride) {
        const dataDir = join(directory, 'data');
        rmSync(dataDir, { recursive: true, force: true });
        if (existsSync(base.dataDir)) cpSync(base.dataDir, dataDir, { recursive: true, filter: isCopied });
        const model = new CrashModel();
        for (const journal of base.journals) model.replay(readJournal(journal));
        const journal = join(directory, `journal-${calls}-${at}`);
        const { isKilled, stderr } = await killAt(sweep, taskOf(dataDir, journal, sweep.work), calls, at);
        await verify(context, model, dataDir, journal, `${sweep.what} killed at ${calls} ${at}: ${stderr}`);
        if (!isKilled) {
          const isChanged = readJournal(journal).some(({ kind }) => kind === 'changed');
          assert.equal(isChanged, ['split', 'merge', 'move'].includes(sweep.work), 'the change is made');
          break;
        }
        kills++;
      }
      context.diagnostic(`${sweep.what}: killed at ${calls} ${kills} times`);
    }
  });
}

async function killAt(
  sweep: Sweep,
  task: CrashServerTask,
  calls: string,
  at: number,
): Promise<{ isKilled: boolean; stderr: string }> {
  const injection = [
    '-f',
    '-o',
    '/dev/null',
    '-e',
    `trace=${calls}`,
    '-e',
    `inject=${calls}:signal=KILL:when=${at}`,
  ];
  let child: CrashChild;
  if (sweep.from === 'start') {
    child = new CrashChild(task, [tracer, '-qq', ...injection], threads);
  } else {
    child = new CrashChild({ ...task, waits: true }, [], threads);
    await child.says('running');
    const attached = spawn(tracer, [...injection, '-p', String(child.pid)], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    // "Process 123 attached with 7 threads"
    await once(attached.stderr, 'data');
    child.goOn();
  }
  const { code } = await child.ended();
  return { isKilled: code !== 0, stderr: child.stderr };
}

async function verify(
  context: TestContext,
  model: CrashModel,
  dataDir: string,
  journal: string,
  what: string,
): Promise<void> {
  const after = `${journal}-after`;
  const child = new CrashChild(taskOf(dataDir, after, 'check-and-stop'));
  context.after(() => child.kill());
  try {
    await child.says('done');
    if (existsSync(journal)) model.replay(readJournal(journal));
    model.replay(readJournal(after));
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    throw new Error(`${what}\n${found}\n${child.stderr}`, { cause: error });
  }
  assert.deepEqual(await child.ended(), { code: 0, signal: null });
}

async function makeBase(
  directory: string,
  base: 'none' | 'stopped' | 'killed',
): Promise<{ dataDir: string; journals: string[] }> {
  const dataDir = join(directory, 'base');
  if (base === 'none') return { dataDir, journals: [] };
  mkdirSync(dataDir);
  const journals: string[] = [];
  // The split leaves two neighbours on the same storage nodes, which can be merged.
  for (const work of ['write-and-stop', 'split'] as const) {
    const journal = join(directory, `journal-base-${work}`);
    journals.push(journal);
    const child = new CrashChild({ ...taskOf(dataDir, journal, work), name: `base-${work}` });
    await child.says('done');
    await child.ended();
  }
  if (base === 'stopped') return { dataDir, journals };
  const journal = join(directory, 'journal-base-killed');
  const running = new CrashChild({ ...taskOf(dataDir, journal, 'run'), name: 'base-killed' });
  await running.says('running');
  await new Promise((resolve) => setTimeout(resolve, 300));
  await running.kill();
  return { dataDir, journals: [...journals, journal] };
}

function taskOf(dataDir: string, journal: string, work: CrashServerTask['work']): CrashServerTask {
  const name = work === 'check-and-stop' ? 'check' : 'sweep';
  return {
    dataDir,
    journal,
    work,
    name,
    seed: 3,
    nodes: 5,
    clients: 8,
    changesMap: false,
    settings: { scrubIntervalMs: 0 },
  };
}
