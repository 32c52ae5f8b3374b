// Clients that ask for much at once, race one another, and send what nobody should.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ChangeFeedStartFrom,
  type Container,
  CosmosClient,
  type ErrorResponse,
  type OperationInput,
  type PatchOperation,
  type RetryOptions,
} from '@azure/cosmos';
import { standingTime } from '../support/throughput-client.ts';
import { failure } from './support/failure.ts';
import { nosqlServer, wellKnownKey } from './support/nosql-server.ts';

const server = nosqlServer({ throughput: { burst: false } });

interface Numbered {
  readonly id: string;
  readonly pk: string;
  readonly n: number;
}

function numbered(count: number, from = 0): Numbered[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `i${from + at}`,
    pk: `k${from + at}`,
    n: from + at,
  }));
}

function creates(items: readonly Numbered[]): OperationInput[] {
  return items.map(({ id, pk, n }) => ({
    operationType: 'Create',
    partitionKey: pk,
    resourceBody: { id, pk, n },
  }));
}

/** The number of the container that was made last. */
function newest(): number {
  return Math.max(...server.ringfold.store.containers());
}

test('a thousand operations in bulk go on through a split, and each happens once', async () => {
  const container = await server.container({ throughput: 20_000 });
  const { store } = server.ringfold;
  const number = newest();
  // The client knows the ranges before they change.
  await container.items.executeBulkOperations(creates(numbered(1, 5_000)));
  const running = container.items.executeBulkOperations(creates(numbered(1_000)));
  await store.splitPartition(number, store.mapOf(number)?.partitions[0]?.id ?? 0, 'midpoint');
  const results = await running;
  assert.deepEqual([...new Set(results.map(({ response }) => response?.statusCode))], [201]);
  const { resources } = await container.items.query<number>('SELECT VALUE COUNT(1) FROM c').fetchAll();
  assert.deepEqual(resources, [1_001]);
});

test('ten clients that count by etag count to ten, and fifty patches to sixty', async () => {
  const container = await server.container({ throughput: 50_000 });
  await container.items.create({ id: 'a', pk: 'k', n: 0 });
  const item = container.item('a', 'k');
  const count = async (): Promise<void> => {
    for (;;) {
      const { resource, etag } = await item.read<Numbered>();
      const next = { id: 'a', pk: 'k', n: (resource?.n ?? 0) + 1 };
      const accessCondition = { type: 'IfMatch', condition: etag };
      const refused = await item.replace(next, { accessCondition }).then(
        () => undefined,
        (error: { code: number }) => error.code,
      );
      if (refused === undefined) return;
      assert.equal(refused, 412);
    }
  };
  await Promise.all(Array.from({ length: 10 }, count));
  const patches = Array.from({ length: 50 }, () => item.patch([{ op: 'incr', path: '/n', value: 1 }]));
  await Promise.all(patches);
  assert.equal((await item.read<Numbered>()).resource?.n, 60);
});

test('writes beyond the throughput are 429/3200 with a time, waited for by the client, and all there in the end', async (context) => {
  const container = await server.container({ throughput: 400 });
  // More than two seconds' worth.
  const items = numbered(12).map((item) => ({ ...item, pk: 'one', text: 'x'.repeat(80_000) }));
  await Promise.all(items.map((item) => container.items.create(item)));
  const impatient = new CosmosClient({
    endpoint: server.endpoint,
    key: wellKnownKey,
    connectionPolicy: { retryOptions: { maxRetryAttemptCount: 0 } as RetryOptions },
  });
  const same = impatient.database(container.database.id).container(container.id);
  // It asks who the account and the container are while time goes on; that takes nothing from the throughput, which may be spent.
  await same.read();
  // What comes at once is let in together, and who comes next has to wait.
  const time = standingTime(context);
  const refused: unknown[] = [];
  for (let round = 0; round < 2; round++) {
    const written = await Promise.allSettled(items.map((item) => same.items.upsert(item)));
    for (const result of written) if (result.status === 'rejected') refused.push(result.reason);
  }
  time.goOn();
  impatient.dispose();
  assert.ok(refused.length >= 12, `${refused.length} of 24 were refused`);
  for (const { code, substatus, retryAfterInMs } of refused as ErrorResponse[]) {
    assert.deepEqual([code, substatus], [429, 3200]);
    assert.ok(Number(retryAfterInMs) > 0);
  }
  await Promise.all(items.map((item) => container.items.upsert({ ...item, n: -1 })));
  const query = 'SELECT VALUE COUNT(1) FROM c WHERE c.n = -1';
  assert.deepEqual((await container.items.query(query).fetchAll()).resources, [12]);
});

/** Until every range has said twice that it has nothing. */
async function drain(iterator: ReturnType<Container['items']['getChangeFeedIterator']>): Promise<string[]> {
  const ids: string[] = [];
  for (let empty = 0; empty < 8; ) {
    const page = await iterator.readNext();
    if (page.statusCode === 304) empty += 1;
    else ids.push(...(page.result as unknown as Numbered[]).map(({ id }) => id));
  }
  return ids;
}

test('a change feed iterator goes on through a merge and a split, and misses nothing', async () => {
  const container = await server.container({ throughput: 20_000 });
  const { store } = server.ringfold;
  const number = newest();
  const write = (items: readonly Numbered[]) =>
    Promise.all(items.map((item) => container.items.upsert({ ...item })));
  await write(numbered(30));
  const iterator = container.items.getChangeFeedIterator({
    changeFeedStartFrom: ChangeFeedStartFrom.Beginning(),
    maxItemCount: 5,
  });
  const first = (await iterator.readNext()).result as unknown as Numbered[];
  const [left, right] = (store.mapOf(number)?.partitions ?? []).map(({ id }) => id);
  assert.ok(left !== undefined && right !== undefined);
  await store.mergePartitions(number, left, right);
  await write(numbered(10, 30));
  const seen = new Set([...first.map(({ id }) => id), ...(await drain(iterator))]);
  assert.deepEqual(
    numbered(40).filter(({ id }) => !seen.has(id)),
    [],
  );
  await store.splitPartition(number, store.mapOf(number)?.partitions[0]?.id ?? 0, 'midpoint');
  await write(numbered(5, 40));
  assert.deepEqual(
    (await drain(iterator)).toSorted(),
    numbered(5, 40).map(({ id }) => id),
  );
});

test('a patch on a path that is not there or of another type is refused, and the item stays as it was', async () => {
  const container = await server.container({ throughput: 20_000 });
  const before = { id: 'a', pk: 'k', number: 1, text: 's', list: [1, 2, 3], object: { a: 1 }, nothing: null };
  const { resource: stored } = await container.items.create(before);
  const everywhere = ['/list/4', '/list/-1', '/list/x', '/list/01', '/object/b/c', '/nothing/x', '/number/x'];
  const wrong = ['/text/0', '/missing/x', '', '/', 'number', '/_ts', '/_etag', '/id'];
  const there = ['/missing', '/object/b', '/list/3', '/list/-'];
  const patches = [
    ...['add', 'set', 'incr', 'replace', 'remove'].flatMap((op) =>
      [...everywhere, ...wrong].map((path) => ({ op, path, value: 9 })),
    ),
    ...['replace', 'remove'].flatMap((op) => there.map((path) => ({ op, path, value: 9 }))),
    ...['/text', '/list', '/object', '/nothing'].map((path) => ({ op: 'incr', path, value: 1 })),
    ...['x', null, {}, [], true].map((value) => ({ op: 'incr', path: '/number', value })),
    { op: 'move', from: '/missing', path: '/new' },
    { op: 'move', from: '/object', path: '/object/deeper' },
    { op: 'move', from: '/number', path: '/text/x' },
    { op: 'nonsense', path: '/number', value: 1 },
  ];
  for (const patch of patches) {
    const refused = await failure(container.item('a', 'k').patch([patch as PatchOperation]));
    assert.equal(refused.code, 400, JSON.stringify(patch));
    assert.match(refused.message, /For Operation\(1\)/, JSON.stringify(patch));
  }
  assert.deepEqual((await container.item('a', 'k').read()).resource, stored);
});

test('ids of any characters but / and \\ are found, replaced, patched, queried and deleted', async () => {
  const container = await server.container({ throughput: 20_000 });
  const ids = [
    ...[
      'a b',
      ' lead',
      'ünï日本語😀',
      '%',
      '%2F',
      'a%20b',
      '+',
      '&=;:@,$',
      '\'"<>|',
      '~`^[]{}',
      '...',
      'a\tb\u0001',
    ],
    ...['e\u0301', '\u00e9', '__proto__', '*', 'a\u2028b', '\u200b', 'x'.repeat(1_023), 'ü'.repeat(511)],
  ];
  await Promise.all(ids.map((id) => container.items.create({ id, pk: id })));
  for (const id of ids) {
    const item = container.item(id, id);
    assert.equal((await item.read<Numbered>()).resource?.id, id);
    await item.replace({ id, pk: id, n: 1 });
    await item.patch([{ op: 'incr', path: '/n', value: 1 }]);
    const query = {
      query: 'SELECT VALUE c.n FROM c WHERE c.id = @id',
      parameters: [{ name: '@id', value: id }],
    };
    assert.deepEqual(
      (await container.items.query(query, { partitionKey: id }).fetchAll()).resources,
      [2],
      id,
    );
    assert.equal((await item.delete()).statusCode, 204);
  }
});

test('whatever page size is asked for, a feed and a query have everything once, in pages no longer than that', async () => {
  const container = await server.container({ throughput: 20_000 });
  await container.items.executeBulkOperations(creates(numbered(40)));
  for (const maxItemCount of [-1, 1, 7, 1_000]) {
    const pages = [
      container.items.readAll<Numbered>({ maxItemCount }),
      container.items.query<Numbered>('SELECT * FROM c', { maxItemCount }),
    ];
    for (const iterator of pages) {
      const ids: string[] = [];
      while (iterator.hasMoreResults()) {
        const { resources = [] } = await iterator.fetchNext();
        assert.ok(maxItemCount === -1 || resources.length <= maxItemCount);
        ids.push(...resources.map(({ id }) => id));
      }
      assert.equal(ids.length, 40);
      assert.equal(new Set(ids).size, 40);
    }
  }
});

test('a number that no client could read is refused', async () => {
  const container = await server.container();
  const link = `dbs/${container.database.id}/colls/${container.id}`;
  const headers = { 'x-ms-documentdb-partitionkey': '["k"]' };
  for (const number of ['1e999', '-1e999', '[{"deep":1e400}]', 'NaN', 'Infinity']) {
    const body = `{"id":"a","pk":"k","n":${number}}`;
    const answer = await server.send('POST', `/${link}/docs`, { type: 'docs', link, headers, body });
    assert.equal(answer.status, 400, number);
  }
  await container.items.create({ id: 'a', pk: 'k', n: 1.7e308 });
  const patch = container.item('a', 'k').patch([{ op: 'incr', path: '/n', value: 1.7e308 }]);
  assert.equal((await failure(patch)).code, 400);
});
