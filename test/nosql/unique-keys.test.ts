// Unique keys within a logical partition.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failure } from './support/failure.ts';
import { nosqlServer } from './support/nosql-server.ts';

const server = nosqlServer();

const byEmail = { uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/email'] }] } };

test('a unique key is there once in a logical partition, and again in another', async () => {
  const container = await server.container(byEmail);
  await container.items.create({ id: 'a', pk: 'p', email: 'x' });
  const error = await failure(container.items.create({ id: 'b', pk: 'p', email: 'x' }));
  assert.equal(error.code, 409);
  assert.match(error.message, /[Uu]nique index/);
  await container.items.create({ id: 'b', pk: 'q', email: 'x' });
  await container.items.create({ id: 'b', pk: 'p', email: 'y' });
});

test('a missing path counts as null', async () => {
  const container = await server.container(byEmail);
  await container.items.create({ id: 'a', pk: 'p' });
  assert.equal((await failure(container.items.create({ id: 'b', pk: 'p' }))).code, 409);
  assert.equal((await failure(container.items.create({ id: 'c', pk: 'p', email: null }))).code, 409);
});

test('all paths of a constraint count together, and each constraint by itself', async () => {
  const container = await server.container({
    uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/first', '/name/last'] }, { paths: ['/number'] }] },
  });
  await container.items.create({ id: 'a', pk: 'p', first: 1, name: { last: 'x' }, number: 1 });
  await container.items.create({ id: 'b', pk: 'p', first: 1, name: { last: 'y' }, number: 2 });
  assert.equal(
    (await failure(container.items.create({ id: 'c', pk: 'p', first: 1, name: { last: 'y' }, number: 3 })))
      .code,
    409,
  );
  assert.equal((await failure(container.items.create({ id: 'c', pk: 'p', first: 2, number: 2 }))).code, 409);
});

test('values of different types are different', async () => {
  const container = await server.container(byEmail);
  const values = ['1', 1, true, 'true', '', 'x'.repeat(2_000), `${'x'.repeat(1_999)}y`, { a: 1 }, [1]];
  for (const [n, email] of values.entries()) await container.items.create({ id: `i${n}`, pk: 'p', email });
  for (const email of values)
    assert.equal((await failure(container.items.create({ id: 'again', pk: 'p', email }))).code, 409);
});

test('an item may be replaced, upserted and patched under its own unique key', async () => {
  const container = await server.container(byEmail);
  await container.items.create({ id: 'a', pk: 'p', email: 'x', n: 1 });
  await container.item('a', 'p').replace({ id: 'a', pk: 'p', email: 'x', n: 2 });
  await container.items.upsert({ id: 'a', pk: 'p', email: 'x', n: 3 });
  await container.item('a', 'p').patch([{ op: 'set', path: '/n', value: 4 }]);
  assert.equal((await container.item('a', 'p').read()).resource?.n, 4);
  assert.equal((await failure(container.items.create({ id: 'b', pk: 'p', email: 'x' }))).code, 409);
});

test('what an item had before is free after a replace, a patch and a delete', async () => {
  const container = await server.container(byEmail);
  await container.items.create({ id: 'a', pk: 'p', email: 'x' });
  await container.item('a', 'p').replace({ id: 'a', pk: 'p', email: 'y' });
  await container.items.create({ id: 'b', pk: 'p', email: 'x' });
  assert.equal((await failure(container.item('a', 'p').replace({ id: 'a', pk: 'p', email: 'x' }))).code, 409);
  assert.equal(
    (await failure(container.item('a', 'p').patch([{ op: 'set', path: '/email', value: 'x' }]))).code,
    409,
  );
  await container.item('a', 'p').patch([{ op: 'set', path: '/email', value: 'z' }]);
  await container.items.create({ id: 'c', pk: 'p', email: 'y' });
  await container.item('c', 'p').delete();
  await container.items.create({ id: 'd', pk: 'p', email: 'y' });
});

test('a batch may pass a unique key from one item to another', async () => {
  const container = await server.container(byEmail);
  await container.items.create({ id: 'a', pk: 'p', email: 'x' });
  const { code } = await container.items.batch(
    [
      { operationType: 'Delete', id: 'a' },
      { operationType: 'Create', resourceBody: { id: 'b', pk: 'p', email: 'x' } },
    ],
    'p',
  );
  assert.equal(code, 200);
  assert.equal((await failure(container.items.create({ id: 'a', pk: 'p', email: 'x' }))).code, 409);
});

test('an expired item does not hold its unique key', async () => {
  const container = await server.container({ ...byEmail, defaultTtl: 1 });
  await container.items.create({ id: 'a', pk: 'p', email: 'x' });
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  await container.items.create({ id: 'b', pk: 'p', email: 'x', ttl: 100 });
  await container.items.create({ id: 'a', pk: 'p', email: 'y', ttl: 100 });
  assert.equal((await failure(container.items.create({ id: 'c', pk: 'p', email: 'x' }))).code, 409);
  assert.equal((await failure(container.items.create({ id: 'c', pk: 'p', email: 'y' }))).code, 409);
});
