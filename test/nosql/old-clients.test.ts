// Clients of API versions before 2018-12-31, as JavaScript's 2.1.7 (2018-06-18) and Python's 3.2.0 (2018-09-17): they may have containers without
// a partition key, and never ask for the plan of a query.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nosqlServer } from './support/nosql-server.ts';

const server = nosqlServer();
const oldVersion = { 'x-ms-version': '2018-06-18' };
const queryHeaders = { 'x-ms-documentdb-isquery': 'true', 'content-type': 'application/query+json' };
const acrossPartitions = { 'x-ms-documentdb-query-enablecrosspartition': 'True' };

interface Told {
  readonly partitionKey?: unknown;
  readonly Documents: readonly unknown[];
  readonly DocumentCollections: readonly { readonly partitionKey?: unknown }[];
}

/** To a feed of what has the link, unless a path is given. */
async function send(
  method: string,
  link: string,
  type: string,
  {
    body,
    headers = {},
    path = `/${link}/${type}`,
  }: Partial<Record<'body' | 'path', string>> & {
    readonly headers?: Record<string, string>;
  },
): Promise<{ status: number; told: Told; headers: Headers }> {
  const answer = await server.send(method, path, {
    type,
    link,
    headers: { ...oldVersion, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  return { status: answer.status, told: (await answer.json()) as Told, headers: answer.headers };
}

async function query(container: string, text: string, headers: Record<string, string> = {}): Promise<Told> {
  const body = JSON.stringify({ query: text });
  const { status, told } = await send('POST', container, 'docs', {
    body,
    headers: { ...queryHeaders, ...headers },
  });
  assert.equal(status, 200, JSON.stringify(told));
  return told;
}

/** A container without a partition key, with items 0 to 9. */
async function unpartitioned(): Promise<{ readonly database: string; readonly container: string }> {
  const database = `dbs/${(await server.database()).id}`;
  const { status, told } = await send('POST', database, 'colls', { body: '{"id":"old"}' });
  assert.deepEqual([status, told.partitionKey], [201, undefined]);
  const container = `${database}/colls/old`;
  for (let n = 0; n < 10; n++) {
    const body = JSON.stringify({ id: `i${n}`, n, group: n % 3 });
    assert.equal((await send('POST', container, 'docs', { body })).status, 201);
  }
  return { database, container };
}

test('a container without a partition key shows none to clients that do not know of system keys', async () => {
  const { database, container } = await unpartitioned();
  const shown = async (headers: Record<string, string>): Promise<unknown[]> => {
    const read = await send('GET', container, 'colls', { path: `/${container}`, headers });
    const listed = await send('GET', database, 'colls', { headers });
    const body = JSON.stringify({ ...read.told, defaultTtl: -1 });
    const replaced = await send('PUT', container, 'colls', { path: `/${container}`, body, headers });
    assert.equal(replaced.status, 200);
    return [read, replaced]
      .map(({ told }) => told.partitionKey)
      .concat(listed.told.DocumentCollections.map(({ partitionKey }) => partitionKey));
  };
  assert.deepEqual(await shown({}), [undefined, undefined, undefined]);
  const systemKey = { paths: ['/_partitionKey'], kind: 'Hash', systemKey: true };
  assert.deepEqual(await shown({ 'x-ms-version': '2018-12-31' }), [systemKey, systemKey, systemKey]);
});

test('a container without a partition key is queried without naming one, and answered whole', async () => {
  const { container } = await unpartitioned();
  const cases: [string, unknown[]][] = [
    ['SELECT VALUE c.n FROM c ORDER BY c.n DESC', [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]],
    ['SELECT TOP 2 VALUE c.n FROM c ORDER BY c.n', [0, 1]],
    ['SELECT VALUE COUNT(1) FROM c', [10]],
    ['SELECT DISTINCT VALUE c["group"] FROM c', [0, 1, 2]],
    ['SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 3 LIMIT 2', [3, 4]],
  ];
  for (const [text, expected] of cases) {
    assert.deepEqual((await query(container, text)).Documents, expected);
    assert.deepEqual((await query(container, text, acrossPartitions)).Documents, expected);
  }
});

test('items that newer clients gave a system key are not for older ones', async () => {
  const { container } = await unpartitioned();
  const body = JSON.stringify({ id: 'new', _partitionKey: 'a' });
  const newer = { 'x-ms-version': '2018-12-31', 'x-ms-documentdb-partitionkey': '["a"]' };
  assert.equal((await send('POST', container, 'docs', { body, headers: newer })).status, 201);
  assert.equal((await query(container, 'SELECT * FROM c')).Documents.length, 10);
  assert.equal((await send('GET', container, 'docs', {})).told.Documents.length, 10);
  const changes = await send('GET', container, 'docs', { headers: { 'a-im': 'Incremental feed' } });
  assert.equal(changes.told.Documents.length, 10);
  const headers = { ...acrossPartitions, 'x-ms-version': '2018-12-31' };
  assert.equal((await query(container, 'SELECT * FROM c', headers)).Documents.length, 11);
});

test('queries over several partitions are put together for clients that never ask for a plan', async () => {
  const container = await server.container({ throughput: 20_000 });
  for (let n = 0; n < 20; n++) await container.items.create({ id: `i${n}`, pk: `p${n}`, n, group: n % 3 });
  const link = `dbs/${container.database.id}/colls/${container.id}`;
  const cases: [string, unknown[]][] = [
    ['SELECT DISTINCT VALUE c["group"] FROM c', [0, 1, 2]],
    ['SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 3 LIMIT 2', [3, 4]],
    ['SELECT TOP 2 VALUE c.n FROM c ORDER BY c.n DESC', [19, 18]],
    [
      'SELECT c["group"], COUNT(1) AS k FROM c GROUP BY c["group"]',
      [7, 7, 6].map((k, group) => ({ group, k })),
    ],
    ['SELECT COUNT(1) AS k, MAX(c.n) AS most FROM c', [{ k: 20, most: 19 }]],
  ];
  for (const [text, expected] of cases)
    assert.deepEqual((await query(link, text, acrossPartitions)).Documents, expected);
  const body = JSON.stringify({ query: 'SELECT VALUE COUNT(1) FROM c' });
  const unasked = await send('POST', link, 'docs', { body, headers: queryHeaders });
  assert.equal(unasked.status, 400);
  const newer = { ...queryHeaders, ...acrossPartitions, 'x-ms-version': '2018-12-31' };
  const refused = await send('POST', link, 'docs', { body, headers: newer });
  assert.deepEqual([refused.status, refused.headers.get('x-ms-substatus')], [400, '1004']);
});

test('a sorted query over several partitions that is put together goes on from page to page', async () => {
  const container = await server.container({ throughput: 20_000 });
  for (let n = 0; n < 20; n++) await container.items.create({ id: `i${n}`, pk: `p${n}`, n });
  const link = `dbs/${container.database.id}/colls/${container.id}`;
  const body = JSON.stringify({ query: 'SELECT VALUE c.n FROM c ORDER BY c.n' });
  const found: unknown[] = [];
  let position: string | undefined = '';
  while (position !== undefined) {
    const headers = {
      ...queryHeaders,
      ...acrossPartitions,
      'x-ms-max-item-count': '6',
      'x-ms-continuation': position,
    };
    const page = await send('POST', link, 'docs', { body, headers });
    found.push(...page.told.Documents);
    position = page.headers.get('x-ms-continuation') ?? undefined;
  }
  assert.deepEqual(
    found,
    Array.from({ length: 20 }, (_, n) => n),
  );
});

test('a query may be sent as its text alone', async () => {
  const { container } = await unpartitioned();
  const ask = (body: string, type: string) =>
    send('POST', container, 'docs', { body, headers: { 'content-type': type } });
  const text = 'SELECT VALUE c.n FROM c WHERE c.n > 7 ORDER BY c.n';
  const found = await ask(text, 'application/sql; charset=utf-8');
  assert.deepEqual([found.status, found.told.Documents], [200, [8, 9]]);
  assert.equal((await ask('SELECT', 'application/sql')).status, 400);
  assert.equal((await ask(text, 'application/query+json')).status, 400);
});
