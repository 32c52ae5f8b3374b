// Bulk: many operations in one request, each for itself.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Container, PartitionKeyKind } from '@azure/cosmos';
import { standingTime } from '../support/throughput-client.ts';
import { nosqlServer } from './support/nosql-server.ts';

const server = nosqlServer();

interface Told {
  readonly statusCode: number;
  readonly subStatusCode?: number;
  readonly retryAfterMilliseconds?: number;
  readonly resourceBody?: { readonly id: string };
}

/** As clients send it to one physical partition. */
async function sendBulk(
  container: Container,
  operations: readonly Record<string, unknown>[],
  headers: Record<string, string>,
): Promise<{ status: number; told: Told[] }> {
  const link = `dbs/${container.database.id}/colls/${container.id}`;
  const response = await server.send('POST', `/${link}/docs`, {
    type: 'docs',
    link,
    headers: { 'x-ms-cosmos-is-batch-request': 'true', 'x-ms-cosmos-batch-atomic': 'false', ...headers },
    body: JSON.stringify(operations),
  });
  return { status: response.status, told: (await response.json()) as Told[] };
}

const create = (id: string, pk: string) => ({
  operationType: 'Create',
  partitionKey: JSON.stringify([pk]),
  resourceBody: { id, pk },
});

test('a partition key of -0 is that of 0, also where clients take it for another and ask another range', async () => {
  const partitionKey = { paths: ['/pk'], version: 2, kind: PartitionKeyKind.Hash };
  const container = await server.container({ throughput: 20_000, partitionKey });
  const [created] = await container.items.executeBulkOperations([
    { operationType: 'Create', partitionKey: -0, resourceBody: { id: 'a', pk: -0 } },
  ]);
  assert.equal(created?.response?.statusCode, 201);
  assert.equal((await container.item('a', 0).read()).statusCode, 200);
  // Java writes the sign. The range of the one, that of the other, and no further one.
  const { resources: ranges } = await container.readPartitionKeyRanges().fetchAll();
  const statuses: (number | undefined)[] = [];
  for (const { id } of ranges) {
    const operation = { operationType: 'Read', partitionKey: '[-0.0]', id: 'a' };
    const headers = { 'x-ms-documentdb-partitionkeyrangeid': id };
    statuses.push((await sendBulk(container, [operation], headers)).told[0]?.statusCode);
  }
  assert.equal(statuses.filter((status) => status === 200).length, 2);
  assert.ok(statuses.every((status) => status === 200 || status === 410));
});

test('bulk runs operations of many partition keys in many physical partitions', async () => {
  const container = await server.container({ throughput: 20_000 });
  const creates = Array.from({ length: 250 }, (_, n) => ({
    operationType: 'Create' as const,
    partitionKey: `p${n % 50}`,
    resourceBody: { id: `i${n}`, pk: `p${n % 50}`, n },
  }));
  const created = await container.items.executeBulkOperations(creates);
  assert.deepEqual(
    created.filter(({ response }) => response?.statusCode !== 201),
    [],
  );
  const reads = Array.from({ length: 250 }, (_, n) => ({
    operationType: 'Read' as const,
    id: `i${n}`,
    partitionKey: `p${n % 50}`,
  }));
  const found = await container.items.executeBulkOperations(reads);
  assert.deepEqual(
    found.map(({ response }) => (response?.resourceBody as { n?: number } | undefined)?.n),
    reads.map((_, n) => n),
  );
});

test('one that fails in bulk leaves the others alone', async () => {
  const container = await server.container();
  const { status, told } = await sendBulk(
    container,
    [
      create('a', 'p'),
      create('a', 'p'),
      create('b', 'q'),
      { operationType: 'Delete', id: 'none', partitionKey: '["p"]' },
      { operationType: 'Read', id: 'a', partitionKey: '["p"]' },
      { ...create('c', 'p'), partitionKey: '["q"]' },
    ],
    { 'x-ms-documentdb-partitionkeyrangeid': '0', 'x-ms-cosmos-batch-continue-on-error': 'true' },
  );
  assert.equal(status, 207);
  assert.deepEqual(
    told.map(({ statusCode }) => statusCode),
    [201, 409, 201, 404, 200, 400],
  );
  assert.equal(told[5]?.subStatusCode, 1001);
});

test('without continue-on-error bulk stops at the first failure', async () => {
  const container = await server.container();
  const { told } = await sendBulk(container, [create('a', 'p'), create('a', 'p'), create('b', 'p')], {
    'x-ms-documentdb-partitionkeyrangeid': '0',
    'x-ms-cosmos-batch-continue-on-error': 'false',
  });
  assert.deepEqual(
    told.map(({ statusCode }) => statusCode),
    [201, 409, 424],
  );
});

test('a key of another range is gone by itself, a range that is gone altogether', async () => {
  const container = await server.container({ throughput: 20_000 });
  const operations = Array.from({ length: 40 }, (_, n) => create(`i${n}`, `p${n}`));
  const { told } = await sendBulk(container, operations, {
    'x-ms-documentdb-partitionkeyrangeid': '0',
    'x-ms-cosmos-batch-continue-on-error': 'true',
  });
  const statuses = new Set(told.map(({ statusCode }) => statusCode));
  assert.deepEqual(statuses, new Set([201, 410]));
  assert.ok(told.every(({ statusCode, subStatusCode }) => statusCode === 201 || subStatusCode === 1002));
  const { status } = await sendBulk(container, operations, { 'x-ms-documentdb-partitionkeyrangeid': '99' });
  assert.equal(status, 410);
});

test('bulk of no operations has no results, as JavaScript asks ranges that got nothing of one that was split', async () => {
  const container = await server.container();
  const headers = {
    'x-ms-documentdb-partitionkeyrangeid': '0',
    'x-ms-cosmos-batch-continue-on-error': 'true',
  };
  assert.deepEqual(await sendBulk(container, [], headers), { status: 200, told: [] });
  const { status } = await sendBulk(container, [], {
    ...headers,
    'x-ms-documentdb-partitionkeyrangeid': '9',
  });
  assert.equal(status, 410);
  const batch = { 'x-ms-cosmos-batch-atomic': 'true', 'x-ms-documentdb-partitionkey': '["p"]' };
  assert.equal((await sendBulk(container, [], batch)).status, 400);
});

test('bulk is throttled by the operation', async (context) => {
  const container = await server.container({ throughput: 400 });
  standingTime(context);
  const operations = Array.from({ length: 100 }, (_, n) => ({
    ...create(`i${n}`, 'p'),
    resourceBody: { id: `i${n}`, pk: 'p', text: 'x'.repeat(10_000) },
  }));
  const lots = await Promise.all(
    [0, 1, 2].map((lot) =>
      sendBulk(
        container,
        operations.map((operation) => ({
          ...operation,
          resourceBody: { ...operation.resourceBody, id: `${operation.resourceBody.id}-${lot}` },
        })),
        { 'x-ms-documentdb-partitionkeyrangeid': '0', 'x-ms-cosmos-batch-continue-on-error': 'true' },
      ),
    ),
  );
  const late = await sendBulk(container, operations, {
    'x-ms-documentdb-partitionkeyrangeid': '0',
    'x-ms-cosmos-batch-continue-on-error': 'true',
  });
  const throttled = [...lots, late]
    .flatMap(({ told }) => told)
    .filter(({ statusCode }) => statusCode === 429);
  assert.ok(throttled.length > 0);
  for (const { subStatusCode, retryAfterMilliseconds } of throttled) {
    assert.equal(subStatusCode, 3200);
    assert.ok((retryAfterMilliseconds ?? 0) > 0);
  }
});
