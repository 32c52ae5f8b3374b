// Items that go by themselves.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Container } from '@azure/cosmos';
import { keyRangeOf } from '../../src/partitioning/logical-partition.ts';
import { wholeRing } from '../../src/partitioning/ring-range.ts';
import { eventually } from '../support/start-ringfold.ts';
import { failure } from './support/failure.ts';
import { nosqlServer } from './support/nosql-server.ts';

const server = nosqlServer({ purge: { intervalMs: 100 } });

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

// Most of their time is waiting, so they wait together.
describe('time to live', { concurrency: true }, () => {
  test('an item is not there any more when its container or its own ttl is over', async () => {
    const [short, none, off] = await Promise.all([
      server.container({ defaultTtl: 1 }),
      server.container({ defaultTtl: -1 }),
      server.container(),
    ]);
    await Promise.all([
      short.items.create({ id: 'default', pk: 'p' }),
      short.items.create({ id: 'longer', pk: 'p', ttl: 100 }),
      short.items.create({ id: 'never', pk: 'p', ttl: -1 }),
      none.items.create({ id: 'default', pk: 'p' }),
      none.items.create({ id: 'own', pk: 'p', ttl: 1 }),
      off.items.create({ id: 'own', pk: 'p', ttl: 1 }),
    ]);
    await pause(2_100);
    const status = async (container: typeof short, id: string) =>
      (await container.item(id, 'p').read()).statusCode;
    assert.equal(await status(short, 'default'), 404);
    assert.equal(await status(short, 'longer'), 200);
    assert.equal(await status(short, 'never'), 200);
    assert.equal(await status(none, 'default'), 200);
    assert.equal(await status(none, 'own'), 404);
    assert.equal(await status(off, 'own'), 200);
    const { resources } = await short.items.readAll<{ id: string }>().fetchAll();
    assert.deepEqual(resources.map(({ id }) => id).sort(), ['longer', 'never']);

    // What is over counts as absent for every kind of write.
    assert.equal((await failure(short.item('default', 'p').replace({ id: 'default', pk: 'p' }))).code, 404);
    assert.equal((await failure(short.item('default', 'p').delete())).code, 404);
    assert.equal((await short.items.upsert({ id: 'default', pk: 'p', ttl: 50 })).statusCode, 201);
    assert.equal((await none.items.create({ id: 'own', pk: 'p' })).statusCode, 201);
  });

  test('a changed default applies to items that are there', async () => {
    const container = await server.container();
    await container.items.create({ id: 'a', pk: 'p' });
    await pause(1_100);
    const { resource } = await container.read();
    await container.replace({
      ...resource,
      id: container.id,
      partitionKey: { paths: ['/pk'] },
      defaultTtl: 1,
    });
    assert.equal((await container.item('a', 'p').read()).statusCode, 404);
  });

  test('a ttl is -1 or a positive integer where the container has one', async () => {
    const [on, off] = await Promise.all([server.container({ defaultTtl: 5 }), server.container()]);
    for (const ttl of [0, -2, null, 1.5, '5', 2_147_483_648]) {
      assert.equal(
        (await failure(on.items.create<Record<string, unknown>>({ id: 'a', pk: 'p', ttl }))).code,
        400,
        String(ttl),
      );
      await off.items.upsert<Record<string, unknown>>({ id: 'a', pk: 'p', ttl });
    }
  });

  test('what has expired is removed from the disks in the background, with all that belongs to it', async () => {
    const container = await server.container({
      defaultTtl: 1,
      uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/n'] }] },
    });
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => container.items.create({ id: `i${n}`, pk: 'p', n })),
    );
    await container.items.create({ id: 'stays', pk: 'p', n: -1, ttl: 100 });
    const { store } = server.ringfold;
    const number = await containerNumber(container);
    const rows = async (): Promise<number> => {
      const range = keyRangeOf(number, wholeRing);
      const limits = { maxRows: 1_000, maxBytes: 2 ** 20, reverse: false };
      const outcome = await store.scan({ container: number, physicalPartition: 0 }, { ...range, ...limits });
      return outcome.kind === 'read' ? outcome.page.rows.length : 0;
    };
    // The item that stays, its number and its unique key.
    await eventually('only what stays is left', async () => (await rows()) === 3);
  });
});

/** A container's number in the store is in its rid. */
async function containerNumber(container: Container): Promise<number> {
  const { resource } = await container.read();
  const rid = Buffer.from((resource?._rid ?? '').replaceAll('-', '/'), 'base64');
  return rid.readUInt32BE(4) & 0x7fff_ffff;
}
