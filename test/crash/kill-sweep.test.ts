// What is swept, and how, is in kill-sweep.ts; it runs in a thread of its own, where no test runner follows its promises.

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sweptActs, sweptOpenings } from './kill-sweep.ts';
import { SweepThread } from './sweep-thread.ts';

// A kill takes nothing that was written, synced or not, so a disk in memory shows the same and is five times as fast.
const directory = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'ringfold-sweep-'));
const thread = new SweepThread(directory);
after(async () => {
  await thread.end();
  rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
});

/** What was being done at each kill. */
const cuts: string[] = [];

for (const what of sweptActs) {
  test(`${what} may be killed at every write and sync`, async (context) => {
    const found = await thread.run(what);
    cuts.push(...found);
    context.diagnostic(`${found.length} kills`);
    assert.ok(found.length >= 4, `${what} writes and syncs more often than ${found.length} times`);
  });
}

for (const what of sweptOpenings) {
  test(`${what} may be killed at every write and sync`, async (context) => {
    const found = await thread.run(what);
    cuts.push(...found);
    context.diagnostic(`${found.length} kills`);
    assert.ok(found.length > 10, `${what} writes and syncs more often than ${found.length} times`);
  });
}

test('the kills met logs, runs, manifests, and runs that were removed after a merge', () => {
  const calls = [
    /append to log\//,
    /sync log\//,
    /create rows\/\d+\.run/,
    /append to rows\/\d+\.run/,
    /sync rows\/\d+\.run/,
  ];
  for (const call of [...calls, /replace rows\/manifest/, /remove rows\/\d+\.run/])
    assert.ok(
      cuts.some((cut) => call.test(cut)),
      `no kill came at ${call}`,
    );
});
