// A process that is killed while the index of items follows its writes: when it is back, the index says what the rows say.

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eachElement } from '../../src/catalog/nosql/property-path.ts';
import type { IndexStore } from '../../src/execution/nosql/indexes/index-store.samples.ts';
import type { IndexedOrder } from '../../src/execution/nosql/indexes/item-index.ts';
import { temporaryDirectory } from '../support/start-ringfold.ts';
import { openIndexStore } from './index-on-disk.ts';

const rounds = Number(process.env['RINGFOLD_CRASH_ROUNDS'] ?? 2);
const orders: readonly IndexedOrder[] = [
  { kind: 'path', path: [] },
  { kind: 'path', path: ['n'] },
  { kind: 'path', path: ['o', 's'] },
  { kind: 'path', path: ['tags', eachElement] },
];

/** How many partitions could be asked. */
async function agrees(store: IndexStore): Promise<number> {
  let asked = 0;
  for (const { id } of store.map.partitions) {
    const index = await store.ready(id);
    if (index === undefined) continue;
    asked++;
    for (const order of orders) {
      const expected = await store.expected(id, order);
      assert.deepEqual(await store.walked(index, order, 500), expected, JSON.stringify(order));
    }
  }
  return asked;
}

test('after a kill the index says what the rows say', async (context) => {
  const dataDir = temporaryDirectory(context);
  for (let round = 1; round <= rounds; round++) {
    const child = fork(fileURLToPath(new URL('./index-life.js', import.meta.url)), [dataDir, String(round)]);
    const exited = once(child, 'exit');
    const isDead = exited.then(() => assert(child.killed, 'it lives until it is killed'));
    await Promise.race([once(child, 'message'), isDead]);
    await Promise.race([once(child, 'message'), isDead]);
    await new Promise((resolve) => setTimeout(resolve, 137 * round));
    child.kill('SIGKILL');
    await exited;
    const { store, close } = await openIndexStore(dataDir, round + 1_000);
    try {
      await agrees(store);
      await store.put('after', [{ id: 'the kill', n: round }]);
      await store.untilBuilt();
      assert.equal(await agrees(store), store.map.partitions.length);
    } finally {
      await close();
    }
  }
});

const damages: readonly { readonly what: string; readonly damage: (directory: string) => void }[] = [
  { what: 'is gone', damage: (directory) => rmSync(directory, { recursive: true }) },
  {
    what: 'has lost a table',
    damage: (directory) => {
      for (const name of readdirSync(directory)) if (/\.ldb$/.test(name)) rmSync(join(directory, name));
    },
  },
  {
    what: 'has a bad manifest',
    damage: (directory) => {
      for (const name of readdirSync(directory)) {
        if (!name.startsWith('MANIFEST')) continue;
        const bytes = readFileSync(join(directory, name));
        writeFileSync(join(directory, name), bytes.fill(0x5a));
      }
    },
  },
];

test('an index that cannot be read is made anew', async (context) => {
  const dataDir = temporaryDirectory(context);
  const opened = await openIndexStore(dataDir, 1);
  for (let n = 0; n < 200; n++)
    await opened.store.put(`p${n}`, [{ id: 'i', n, o: { s: `${n}` }, tags: [n] }]);
  await opened.close();
  let life = 1;
  for (const { what, damage } of damages) {
    damage(join(dataDir, 'index'));
    const { store, close } = await openIndexStore(dataDir, ++life);
    try {
      await agrees(store);
      await store.untilBuilt();
      assert.equal(await agrees(store), 1, what);
    } finally {
      await close();
    }
  }
});
