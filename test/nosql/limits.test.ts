// What is too large, too deep or too long, and what requests cost.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failure } from './support/failure.ts';
import { nosqlServer } from './support/nosql-server.ts';

const server = nosqlServer();

test('an item of 2 MB is stored, a larger one is a 413 and the connection stays', async () => {
  const container = await server.container();
  const room = 2 * 2 ** 20 - 400;
  await container.items.create({ id: 'a', pk: 'p', text: 'x'.repeat(room) });
  const { resource } = await container.item('a', 'p').read<{ text: string }>();
  assert.equal(resource?.text.length, room);
  for (const length of [2 * 2 ** 20, 3 * 2 ** 20])
    assert.equal(
      (await failure(container.items.create({ id: 'b', pk: 'p', text: 'x'.repeat(length) }))).code,
      413,
    );
  assert.equal((await container.item('b', 'p').read()).statusCode, 404);
});

test('a patch cannot make an item larger than 2 MB', async () => {
  const container = await server.container();
  await container.items.create({ id: 'a', pk: 'p', text: 'x'.repeat(1_500_000) });
  const operations = [{ op: 'set' as const, path: '/more', value: 'x'.repeat(1_000_000) }];
  assert.equal((await failure(container.item('a', 'p').patch(operations))).code, 413);
});

test('an id has 1 to 1,023 bytes and neither / nor \\', async () => {
  const container = await server.container();
  const link = `dbs/${container.database.id}/colls/c`;
  const create = async (id: unknown) =>
    (
      await server.send('POST', `/${link}/docs`, {
        type: 'docs',
        link,
        body: JSON.stringify({ id, pk: 'p' }),
      })
    ).status;
  assert.equal(await create('é'.repeat(511)), 201);
  for (const id of ['', 'é'.repeat(512), 'a/b', 'a\\b', 5, null])
    assert.equal(await create(id), 400, String(id));
});

test('nesting of 128 levels is stored, of more refused', async () => {
  const container = await server.container();
  const nested = (levels: number) => {
    let value: unknown = 1;
    for (let level = 1; level < levels; level++) value = level % 2 === 0 ? [value] : { v: value };
    return value;
  };
  await container.items.create({ id: 'a', pk: 'p', deep: nested(128) });
  assert.equal((await failure(container.items.create({ id: 'b', pk: 'p', deep: nested(129) }))).code, 400);
});

test('a partition key value has at most 2,048 bytes', async () => {
  const container = await server.container();
  await container.items.create({ id: 'a', pk: 'x'.repeat(2_048) });
  assert.equal((await failure(container.items.create({ id: 'a', pk: 'x'.repeat(2_049) }))).code, 400);
});

test('a large item costs more than a small one, to write and to read', async () => {
  const container = await server.container();
  const small = await container.items.create({ id: 's', pk: 'p' });
  const large = await container.items.create({ id: 'l', pk: 'p', text: 'x'.repeat(100_000) });
  assert.ok(large.requestCharge > 5 * small.requestCharge);
  const read = await container.item('l', 'p').read();
  assert.ok(read.requestCharge > 5);
});

test('index terms are charged by the indexing policy', async () => {
  const [all, nothing] = await Promise.all([
    server.container(),
    server.container({ indexingPolicy: { indexingMode: 'none', automatic: false } as never }),
  ]);
  const body = {
    id: 'a',
    pk: 'p',
    ...Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`n${n}`, n])),
  };
  const indexed = await all.items.create(body);
  const plain = await nothing.items.create(body);
  // Two terms of 0.2 RU each for 22 scalars.
  assert.ok(Math.abs(indexed.requestCharge - plain.requestCharge - 22 * 0.4) < 0.02);
});

test('a failed write is charged for what it looked at', async () => {
  const container = await server.container();
  await container.items.create({ id: 'a', pk: 'p' });
  const error = await failure(container.items.create({ id: 'a', pk: 'p' }));
  assert.equal(Number(error.headers?.['x-ms-request-charge']), 1);
});

test('a body that is found to be wrong is charged, and what it was is told', async () => {
  const container = await server.container();
  await container.items.create({ id: 'a', pk: 'p' });
  const error = await failure(container.item('a', 'p').patch([{ op: 'bad', path: '/n', value: 1 } as never]));
  assert.equal(error.code, 400);
  assert.equal(Number(error.headers?.['x-ms-request-charge']), 1);
});
