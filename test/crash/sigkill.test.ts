import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { integerBetween } from '../../src/foundation/random.ts';
import { temporaryDirectory } from '../support/start-ringfold.ts';
import { CrashRun } from './crash-run.ts';
import { cutInHalf, flipBytes, logSegments, rowTables } from './file-damage.ts';

// RINGFOLD_CRASH_SEED replays the choices of a run (what is written, when it is killed), though not the threads' timing.
const seed = Number(process.env['RINGFOLD_CRASH_SEED'] ?? Date.now() % 1_000_000);
const rounds = Number(process.env['RINGFOLD_CRASH_ROUNDS'] ?? 15);

test(`every acknowledged write survives SIGKILL at any moment under load, ${rounds} times in a row`, async (context) => {
  context.diagnostic(`RINGFOLD_CRASH_SEED=${seed}`);
  const run = new CrashRun(temporaryDirectory(context), seed);
  for (let round = 0; round < rounds; round++) await run.killedLife(500);
  await run.lastLife();
  const counts = JSON.stringify(run.model.counts);
  context.diagnostic(counts);
  assert.ok(run.model.counts.committed > rounds * 20, `there was hardly any load: ${counts}`);
});

// Never two at a time: the next node is damaged when the one before is whole again.
test('every acknowledged write survives SIGKILL while a node that was lost or damaged is being rebuilt', async (context) => {
  context.diagnostic(`RINGFOLD_CRASH_SEED=${seed}`);
  const run = new CrashRun(temporaryDirectory(context), seed);
  let damaged: string | undefined;
  let damages = 0;
  await run.killedLife(1_000);
  for (let round = 1; round < rounds * 0.7; round++) {
    if (damaged === undefined) {
      damaged = join(run.dataDir, `node-${integerBetween(run.random, 0, 4)}`);
      if (existsSync(damaged)) damages += damage(damaged, run.random.next()) ? 1 : 0;
    }
    const records = await run.killedLife(1_000, { rebuildNodes: nodesWithoutName(run.dataDir) });
    if (records.some(({ kind }) => kind === 'whole')) damaged = undefined;
  }
  await run.lastLife({ rebuildNodes: nodesWithoutName(run.dataDir) });
  context.diagnostic(`${damages} nodes damaged, ${JSON.stringify(run.model.counts)}`);
});

/** False when there was nothing to damage yet. */
function damage(node: string, dice: number): boolean {
  const segments = existsSync(join(node, 'log')) ? logSegments(node) : [];
  const [oldest, newest] = [segments[0], segments.at(-1)];
  const table = existsSync(join(node, 'rows')) ? rowTables(node)[0] : undefined;
  if (oldest === undefined || newest === undefined) return false;
  if (dice < 0.4 || table === undefined) rmSync(node, { recursive: true });
  else if (dice < 0.6) flipBytes(oldest);
  else if (dice < 0.8) cutInHalf(newest);
  else flipBytes(table);
  return true;
}

/** Those that an operator must allow to be made anew. */
function nodesWithoutName(dataDir: string): number[] {
  const hasName = (node: number) =>
    ['a', 'b'].some((copy) => existsSync(join(dataDir, `node-${node}`, `superblock-${copy}`)));
  return [0, 1, 2, 3, 4].filter((node) => !hasName(node));
}
