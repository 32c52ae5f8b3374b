// Items while physical partitions are split and merged under them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Container } from '@azure/cosmos';
import { nosqlServer } from './support/nosql-server.ts';

const server = nosqlServer();

/** A container's number in the store is in its rid. */
async function numberOf(container: Container): Promise<number> {
  const { resource } = await container.read();
  return Buffer.from((resource?._rid ?? '').replaceAll('-', '/'), 'base64').readUInt32BE(4) & 0x7fff_ffff;
}

test('writes, batches and reads go on through splits and a merge, and none is lost', async () => {
  const container = await server.container();
  const { store } = server.ringfold;
  const number = await numberOf(container);
  let isOver = false;
  const written = new Map<string, number>();
  const writing = Array.from({ length: 6 }, async (_, writer) => {
    for (let n = 0; !isOver; n++) {
      const pk = `p${writer}-${n % 5}`;
      const id = `i${n}`;
      await container.items.upsert({ id, pk, n });
      const { code } = await container.items.batch(
        [
          { operationType: 'Read', id },
          { operationType: 'Upsert', resourceBody: { id: 'last', pk, n } },
        ],
        pk,
      );
      assert.equal(code, 200);
      written.set(`${pk}/${id}`, n);
      const { resource } = await container.item('last', pk).read<{ n: number }>();
      assert.equal(resource?.n, n);
    }
  });
  await store.splitPartition(number, 0, 'midpoint');
  const [first] = store.mapOf(number)?.partitions ?? [];
  await store.splitPartition(number, first?.id ?? 0, 'midpoint');
  const [left, right] = store.mapOf(number)?.partitions ?? [];
  await store.mergePartitions(number, left?.id ?? 0, right?.id ?? 0);
  isOver = true;
  await Promise.all(writing);
  assert.equal(store.mapOf(number)?.partitions.length, 2);
  for (const [key, n] of written) {
    const [pk = '', id = ''] = key.split('/');
    const { resource } = await container.item(id, pk).read<{ n: number }>();
    assert.equal(resource?.n, n);
  }
});

test('bulk that has begun is done to its end, though its range is split meanwhile', async () => {
  const container = await server.container();
  const number = await numberOf(container);
  const operations = Array.from({ length: 100 }, (_, n) => ({
    operationType: 'Create',
    partitionKey: `["p${n}"]`,
    resourceBody: { id: 'i', pk: `p${n}`, text: 'x'.repeat(10_000) },
  }));
  const link = `dbs/${container.database.id}/colls/c`;
  const bulk = server.send('POST', `/${link}/docs`, {
    type: 'docs',
    link,
    headers: { 'x-ms-cosmos-is-batch-request': 'true', 'x-ms-documentdb-partitionkeyrangeid': '0' },
    body: JSON.stringify(operations),
  });
  while ((await container.item('i', 'p0').read()).statusCode === 404);
  await server.ringfold.store.splitPartition(number, 0, 'midpoint');
  assert.equal((await bulk).status, 200);
});

test('a session token of a partition that was split is good for its children', async () => {
  const container = await server.container();
  const { headers } = await container.items.create({ id: 'a', pk: 'p' });
  const sessionToken = String(headers['x-ms-session-token']);
  await server.ringfold.store.splitPartition(await numberOf(container), 0, 'midpoint');
  const found = await container.item('a', 'p').read({ sessionToken });
  assert.equal(found.statusCode, 200);
  assert.notEqual(String(found.headers['x-ms-session-token']).split(':')[0], '0');
});

test('a request that names a range that was split is told so', async () => {
  const container = await server.container();
  await container.items.create({ id: 'a', pk: 'p' });
  await server.ringfold.store.splitPartition(await numberOf(container), 0, 'midpoint');
  const link = `dbs/${container.database.id}/colls/c/docs/a`;
  const headers = { 'x-ms-documentdb-partitionkey': '["p"]', 'x-ms-documentdb-partitionkeyrangeid': '0' };
  const { status, headers: told } = await server.send('GET', `/${link}`, { type: 'docs', link, headers });
  assert.deepEqual([status, told.get('x-ms-substatus')], [410, '1002']);
});
