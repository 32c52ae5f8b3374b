import assert from 'node:assert/strict';
import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { integerBetween } from '../../src/foundation/random.ts';
import { temporaryDirectory } from '../support/start-ringfold.ts';
import { CrashRun } from './crash-run.ts';
import type { CrashServerTask } from './crash-server.ts';
import {
  cutInHalf,
  flipBytes,
  knownRuns,
  logSegments,
  manifestOf,
  numberOfRun,
  rowFiles,
} from './file-damage.ts';

// RINGFOLD_CRASH_SEED replays the choices of a run (what is written, when it is killed), though not the threads' timing.
const seed = Number(process.env['RINGFOLD_CRASH_SEED'] ?? Date.now() % 1_000_000);
const rounds = Number(process.env['RINGFOLD_CRASH_ROUNDS'] ?? 10);

test(`every acknowledged write survives SIGKILL at any moment under load, ${rounds} times in a row`, (context) =>
  survive(context, rounds, {}));

test('every acknowledged write survives SIGKILL at any moment under load with LevelDB', (context) =>
  survive(context, Math.ceil(rounds / 3), { rowStore: 'leveldb' }));

test('every acknowledged write survives SIGKILL while a node that was lost or damaged is being rebuilt', (context) =>
  surviveDamage(context, Math.floor(rounds * 0.7), {}));

test('every acknowledged write survives SIGKILL while a node that was lost or damaged is being rebuilt with LevelDB', (context) =>
  surviveDamage(context, Math.ceil(rounds * 0.2), { rowStore: 'leveldb' }));

test('every acknowledged write survives SIGKILL while runs are merged in their thread', async (context) => {
  context.diagnostic(`RINGFOLD_CRASH_SEED=${seed}`);
  const run = new CrashRun(temporaryDirectory(context), seed, { ballastBytes: 6 * 2 ** 20 });
  await run.wholeLife({ work: 'write-and-stop' });
  let kills = 0;
  // Chance may have it that no merge is under way at any of them: then there are more.
  for (let round = 0; round < rounds / 2 || (kills === 0 && round < 5 * rounds); round++) {
    await run.killedLife(1_000);
    if (unfinishedMerges(run.dataDir) > 0) kills++;
  }
  await run.wholeLife();
  context.diagnostic(`${kills} kills amid a merge, ${JSON.stringify(run.model.counts)}`);
  assert.ok(kills > 0, 'no merge was under way at any of the kills');
});

async function survive(context: TestContext, lives: number, own: Partial<CrashServerTask>): Promise<void> {
  context.diagnostic(`RINGFOLD_CRASH_SEED=${seed}`);
  const run = new CrashRun(temporaryDirectory(context), seed, own);
  const wanted = lives * 20;
  const hasLoad = (): boolean => run.model.counts.committed > wanted;
  // On a busy machine a life may be over before it has done much: then there are more.
  for (let round = 0; round < lives || (!hasLoad() && round < 5 * lives); round++) await run.killedLife(500);
  await run.wholeLife();
  const counts = JSON.stringify(run.model.counts);
  context.diagnostic(counts);
  assert.ok(hasLoad(), `there was hardly any load: ${counts}`);
}

/** Never two at a time: the next node is damaged when the one before is whole again. */
async function surviveDamage(
  context: TestContext,
  lives: number,
  own: Partial<CrashServerTask>,
): Promise<void> {
  context.diagnostic(`RINGFOLD_CRASH_SEED=${seed}`);
  const run = new CrashRun(temporaryDirectory(context), seed, own);
  let damaged: string | undefined;
  let damages = 0;
  await run.killedLife(1_000);
  for (let round = 0; round < lives; round++) {
    if (damaged === undefined) {
      damaged = join(run.dataDir, `node-${integerBetween(run.random, 0, 4)}`);
      if (existsSync(damaged)) damages += damage(damaged, run.random.next()) ? 1 : 0;
    }
    const records = await run.killedLife(1_000, { rebuildNodes: nodesWithoutName(run.dataDir) });
    if (records.some(({ kind }) => kind === 'whole')) damaged = undefined;
  }
  await run.wholeLife({ rebuildNodes: nodesWithoutName(run.dataDir) });
  context.diagnostic(`${damages} nodes damaged, ${JSON.stringify(run.model.counts)}`);
}

/** False when there was nothing to damage yet. */
function damage(node: string, dice: number): boolean {
  // A kill may leave a file that was made and never written to.
  const hasBytes = (path: string) => statSync(path).size > 0;
  const segments = existsSync(join(node, 'log')) ? logSegments(node).filter(hasBytes) : [];
  const [oldest, newest] = [segments[0], segments.at(-1)];
  const rows = existsSync(join(node, 'rows')) ? rowFiles(node).find(hasBytes) : undefined;
  if (oldest === undefined || newest === undefined) return false;
  if (dice < 0.3 || rows === undefined) rmSync(node, { recursive: true });
  else if (dice < 0.4) flipBytes(oldest);
  else if (dice < 0.5) cutInHalf(newest);
  else if (dice < 0.6) flipBytes(rows);
  else if (dice < 0.7) cutInHalf(rows);
  else if (dice < 0.8) rmSync(rows);
  else if (dice < 0.9 && existsSync(manifestOf(node))) flipBytes(manifestOf(node));
  else rmSync(join(node, 'rows'), { recursive: true });
  return true;
}

/** Storage nodes with a run that no manifest has yet and that is too large to be a memtable's, which ends with some 0.5 MB of ballast. */
function unfinishedMerges(dataDir: string): number {
  return [0, 1, 2, 3, 4].filter((node) => {
    const directory = join(dataDir, `node-${node}`);
    const known = knownRuns(directory);
    const unknown = rowFiles(directory).filter((path) => !known.has(numberOfRun(path)));
    return unknown.some((path) => statSync(path).size > 1.5 * 2 ** 20);
  }).length;
}

/** Those that an operator must allow to be made anew. */
function nodesWithoutName(dataDir: string): number[] {
  const hasName = (node: number) =>
    ['a', 'b'].some((copy) => existsSync(join(dataDir, `node-${node}`, `superblock-${copy}`)));
  return [0, 1, 2, 3, 4].filter((node) => !hasName(node));
}
