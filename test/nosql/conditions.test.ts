// If-Match and If-None-Match.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failure } from './support/failure.ts';
import { nosqlServer } from './support/nosql-server.ts';

const server = nosqlServer();

const stale = { type: 'IfMatch', condition: '"00000000-0000-0000-0000-000000000000"' };

test('a replace with the etag of the item succeeds, with another it is a 412', async () => {
  const container = await server.container();
  const { resource } = await container.items.create({ id: 'a', pk: 'p', n: 1 });
  const accessCondition = { type: 'IfMatch', condition: resource?._etag ?? '' };
  const item = container.item('a', 'p');
  const { statusCode } = await item.replace({ id: 'a', pk: 'p', n: 2 }, { accessCondition });
  assert.equal(statusCode, 200);
  const error = await failure(item.replace({ id: 'a', pk: 'p', n: 3 }, { accessCondition }));
  assert.equal(error.code, 412);
  assert.match(error.message, /pre-?condition/);
  assert.equal((await item.read<{ n: number }>()).resource?.n, 2);
});

test('a delete and a patch keep to If-Match too', async () => {
  const container = await server.container();
  await container.items.create({ id: 'a', pk: 'p', n: 1 });
  const item = container.item('a', 'p');
  assert.equal((await failure(item.delete({ accessCondition: stale }))).code, 412);
  const operations = [{ op: 'set' as const, path: '/n', value: 2 }];
  assert.equal((await failure(item.patch(operations, { accessCondition: stale }))).code, 412);
  const { resource } = await item.read<{ n: number; _etag: string }>();
  assert.equal(resource?.n, 1);
  const { statusCode } = await item.delete({
    accessCondition: { type: 'IfMatch', condition: resource?._etag ?? '' },
  });
  assert.equal(statusCode, 204);
});

test('If-Match of an upsert counts only where the item exists', async () => {
  const container = await server.container();
  const created = await container.items.upsert({ id: 'a', pk: 'p' }, { accessCondition: stale });
  assert.equal(created.statusCode, 201);
  const error = await failure(container.items.upsert({ id: 'a', pk: 'p' }, { accessCondition: stale }));
  assert.equal(error.code, 412);
});

test('If-Match: * is any version, and none where the item is not there', async () => {
  const container = await server.container();
  await container.items.create({ id: 'a', pk: 'p' });
  const accessCondition = { type: 'IfMatch', condition: '*' };
  const { statusCode } = await container.item('a', 'p').replace({ id: 'a', pk: 'p' }, { accessCondition });
  assert.equal(statusCode, 200);
  const error = await failure(container.item('b', 'p').replace({ id: 'b', pk: 'p' }, { accessCondition }));
  assert.equal(error.code, 404);
});

test('a read with the etag of the item is a 304 and costs what finding nothing costs', async () => {
  const container = await server.container();
  const { resource } = await container.items.create({ id: 'a', pk: 'p', text: 'x'.repeat(100_000) });
  const item = container.item('a', 'p');
  const accessCondition = { type: 'IfNoneMatch', condition: resource?._etag ?? '' };
  const same = await item.read({ accessCondition });
  assert.deepEqual([same.statusCode, same.resource], [304, null]);
  assert.equal(same.requestCharge, 1);
  await item.replace({ id: 'a', pk: 'p' });
  assert.equal((await item.read({ accessCondition })).statusCode, 200);
});

test('of many replaces with one etag exactly one succeeds', async () => {
  const container = await server.container();
  const { resource } = await container.items.create({ id: 'a', pk: 'p', n: 0 });
  const accessCondition = { type: 'IfMatch', condition: resource?._etag ?? '' };
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      container
        .item('a', 'p')
        .replace({ id: 'a', pk: 'p', n }, { accessCondition })
        .then(
          ({ statusCode }) => statusCode,
          ({ code }: { code: number }) => code,
        ),
    ),
  );
  assert.deepEqual(outcomes.sort(), [200, ...Array.from({ length: 19 }, () => 412)]);
});
