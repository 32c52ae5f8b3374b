// Transactional batches: all operations on one partition key, or none.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Container, OperationInput, PatchOperation } from '@azure/cosmos';
import { nosqlServer } from './support/nosql-server.ts';

const server = nosqlServer();

interface Told {
  readonly statusCode: number;
  readonly subStatusCode?: number;
  readonly requestCharge: number;
  readonly eTag?: string;
  readonly resourceBody?: { readonly id: string; readonly n?: number; readonly _etag: string };
}

async function batch(
  container: Container,
  operations: readonly OperationInput[],
): Promise<{ code: number; told: Told[]; charge: number }> {
  const { code, result, headers } = await container.items.batch([...operations], 'p');
  return {
    code: code ?? 0,
    told: (result ?? []) as unknown as Told[],
    charge: Number(headers['x-ms-request-charge']),
  };
}

const create = (id: string, n = 0): OperationInput => ({
  operationType: 'Create',
  resourceBody: { id, pk: 'p', n },
});

test('all operations of a batch happen, in their order, and each is answered', async () => {
  const container = await server.container();
  await container.items.create({ id: 'old', pk: 'p', n: 1 });
  await container.items.create({ id: 'gone', pk: 'p' });
  const operations: PatchOperation[] = [{ op: 'incr', path: '/n', value: 10 }];
  const { code, told, charge } = await batch(container, [
    create('new', 1),
    { operationType: 'Upsert', resourceBody: { id: 'up', pk: 'p', n: 2 } },
    { operationType: 'Upsert', resourceBody: { id: 'new', pk: 'p', n: 3 } },
    { operationType: 'Read', id: 'new' },
    { operationType: 'Replace', id: 'old', resourceBody: { id: 'old', pk: 'p', n: 4 } },
    { operationType: 'Patch', id: 'old', resourceBody: { operations } },
    { operationType: 'Delete', id: 'gone' },
  ]);
  assert.equal(code, 200);
  assert.deepEqual(
    told.map(({ statusCode }) => statusCode),
    [201, 201, 200, 200, 200, 200, 204],
  );
  assert.deepEqual(
    told.map(({ resourceBody }) => resourceBody?.n),
    [1, 2, 3, 3, 4, 14, undefined],
  );
  for (const { eTag, resourceBody } of told) assert.equal(eTag, resourceBody?._etag);
  assert.ok(told.every(({ requestCharge }) => requestCharge >= 1));
  const sum = told.reduce((total, { requestCharge }) => total + requestCharge, 0);
  assert.ok(Math.abs(charge - sum - 1) < 0.001, 'the batch itself costs one more');
  const { resource } = await container.item('old', 'p').read<{ n: number }>();
  assert.equal(resource?.n, 14);
});

test('when one fails none has happened: 207, its own status, and 424 for the others', async () => {
  const container = await server.container();
  await container.items.create({ id: 'there', pk: 'p' });
  const { code, told } = await batch(container, [create('a'), create('there'), create('b')]);
  assert.equal(code, 207);
  assert.deepEqual(
    told.map(({ statusCode }) => statusCode),
    [424, 409, 424],
  );
  const { resources } = await container.items.readAll<{ id: string }>().fetchAll();
  assert.deepEqual(
    resources.map(({ id }) => id),
    ['there'],
  );
});

test('each kind of failure has its status inside a batch', async () => {
  const container = await server.container();
  await container.items.create({ id: 'a', pk: 'p' });
  const cases: [OperationInput, number][] = [
    [{ operationType: 'Read', id: 'none' }, 404],
    [{ operationType: 'Delete', id: 'none' }, 404],
    [{ operationType: 'Replace', id: 'none', resourceBody: { id: 'none', pk: 'p' } }, 404],
    [{ operationType: 'Replace', id: 'a', resourceBody: { id: 'a', pk: 'p' }, ifMatch: '"x"' }, 412],
    [{ operationType: 'Create', resourceBody: { id: 'b', pk: 'other' } }, 400],
    [
      { operationType: 'Patch', id: 'a', resourceBody: { operations: [{ op: 'remove', path: '/none' }] } },
      400,
    ],
  ];
  for (const [operation, expected] of cases) {
    const { told } = await batch(container, [create('new'), operation]);
    assert.deepEqual(
      told.map(({ statusCode }) => statusCode),
      [424, expected],
      JSON.stringify(operation),
    );
  }
});

test('a batch is one step in the history of its partition', async () => {
  const container = await server.container();
  const before = await container.items.create({ id: 'before', pk: 'p' });
  const { headers } = await container.items.batch([create('a'), create('b'), create('c')], 'p');
  assert.equal(Number(headers?.['lsn']) - Number(before.headers['lsn']), 1);
  assert.equal(headers?.['x-ms-session-token'], `0:-1#${headers?.['lsn']}`);
});

test('a batch has at most 100 operations', async () => {
  const container = await server.container();
  const many = Array.from({ length: 101 }, (_, n) => create(`i${n}`));
  const link = `dbs/${container.database.id}/colls/c`;
  const headers = {
    'x-ms-documentdb-partitionkey': '["p"]',
    'x-ms-cosmos-is-batch-request': 'true',
    'x-ms-cosmos-batch-atomic': 'true',
  };
  const request = { type: 'docs', link, headers, body: JSON.stringify(many) };
  assert.equal((await server.send('POST', `/${link}/docs`, request)).status, 400);
  const { code } = await batch(container, many.slice(0, 100));
  assert.equal(code, 200);
});

test('a batch of the binary form is refused with words that help', async () => {
  const container = await server.container();
  const link = `dbs/${container.database.id}/colls/c`;
  const headers = {
    'x-ms-documentdb-partitionkey': '["p"]',
    'x-ms-cosmos-is-batch-request': 'True',
    'x-ms-cosmos-batch-atomic': 'True',
  };
  const body = Buffer.from([0x81, 0xff, 0x00]);
  const response = await server.send('POST', `/${link}/docs`, { type: 'docs', link, headers, body });
  assert.equal(response.status, 400);
  assert.match(await response.text(), /HybridRow/);
});

test('a batch that would answer more than 4 MB is refused as a whole', async () => {
  const container = await server.container();
  for (const id of ['a', 'b', 'c'])
    await container.items.create({ id, pk: 'p', text: 'x'.repeat(1_500_000) });
  const { code, told } = await batch(container, [
    create('new'),
    ...['a', 'b', 'c'].map((id) => ({ operationType: 'Read' as const, id })),
  ]);
  assert.equal(code, 207);
  assert.deepEqual(
    told.map(({ statusCode }) => statusCode),
    [424, 424, 424, 413],
  );
  assert.equal((await container.item('new', 'p').read()).statusCode, 404);
});
