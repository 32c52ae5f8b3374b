// What the .NET SDK sends in gateway mode, by its source: it cannot run here. Binary JSON, of .NET and Rust, is read and never sent.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Container } from '@azure/cosmos';
import { nosqlServer } from './support/nosql-server.ts';

const server = nosqlServer();

/** As it offers them for every query. */
const formats = { 'x-ms-cosmos-supported-serialization-formats': 'JsonText, CosmosBinary' };
const usual = {
  accept: 'application/json',
  'x-ms-cosmos-sdk-supportedcapabilities': '3',
  'x-ms-documentdb-populatequerymetrics': 'True',
};

interface Page {
  readonly Documents: readonly Record<string, unknown>[];
}

function linkOf({ id, database }: Container): string {
  return `dbs/${database.id}/colls/${id}`;
}

async function rangesByRid(container: Container, etag?: string): Promise<Response> {
  const { resource } = await container.read();
  const rid = resource?._rid ?? '';
  const databaseRid = (resource?._self ?? '').split('/')[1];
  return server.send('GET', `//dbs/${databaseRid}/colls/${rid}/pkranges`, {
    type: 'pkranges',
    link: rid.toLowerCase(),
    headers: {
      ...usual,
      'a-im': 'Incremental feed',
      'x-ms-max-item-count': '-1',
      ...(etag === undefined ? {} : { 'if-none-match': etag }),
    },
  });
}

/** One page of a query to one physical partition. */
function query(
  container: Container,
  text: string,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const link = linkOf(container);
  return server.send('POST', `/${link}/docs`, {
    type: 'docs',
    link,
    headers: {
      ...usual,
      ...formats,
      'content-type': 'application/query+json',
      'x-ms-documentdb-isquery': 'True',
      'x-ms-documentdb-query-iscontinuationexpected': 'False',
      'x-ms-cosmos-query-optimisticdirectexecute': 'False',
      'x-ms-documentdb-query-enablecrosspartition': 'True',
      'x-ms-cosmos-correlated-activityid': '7f8d3c1e-0000-4000-8000-000000000001',
      'x-ms-max-item-count': '-1',
      ...headers,
    },
    body: JSON.stringify({ query: text }),
  });
}

test('ranges are read by rid until there is nothing new, 304 with the etag', async () => {
  const container = await server.container({ throughput: 20_000 });
  const first = await rangesByRid(container);
  assert.equal(first.status, 200);
  const { PartitionKeyRanges } = (await first.json()) as { PartitionKeyRanges: { id: string }[] };
  assert.ok(PartitionKeyRanges.length >= 2);
  const second = await rangesByRid(container, first.headers.get('etag') ?? '');
  assert.equal(second.status, 304);
  assert.equal(second.headers.get('etag'), first.headers.get('etag'));
});

test('a query is planned, and sent to each range with the rid before its id; the answers are text', async () => {
  const container = await server.container({ throughput: 20_000 });
  await Promise.all(
    Array.from({ length: 20 }, (_, n) => container.items.create({ id: `${n}`, pk: `k${n}`, n })),
  );
  const link = linkOf(container);
  const plan = await server.send('POST', `/${link}/docs`, {
    type: 'docs',
    link,
    headers: {
      'content-type': 'application/query+json',
      'x-ms-cosmos-is-query-plan-request': 'True',
      'x-ms-cosmos-supported-query-features':
        'Aggregate, CountIf, DCount, Distinct, GroupBy, HybridSearch, MultipleAggregates, MultipleOrderBy, NonStreamingOrderBy, NonValueAggregate, OffsetAndLimit, OrderBy, Top, WeightedRankFusion',
      'x-ms-cosmos-query-version': '1.0',
    },
    body: JSON.stringify({ query: 'SELECT VALUE c.n FROM c ORDER BY c.n' }),
  });
  assert.equal(plan.status, 200);
  const { queryInfo } = (await plan.json()) as { queryInfo: { rewrittenQuery: string; orderBy: string[] } };
  assert.deepEqual(queryInfo.orderBy, ['Ascending']);
  const text = queryInfo.rewrittenQuery.replace('{documentdb-formattableorderbyquery-filter}', 'true');
  const { resource } = await container.read();
  const ranges = (await (await rangesByRid(container)).json()) as {
    PartitionKeyRanges: { id: string; minInclusive: string; maxExclusive: string }[];
  };
  const found: unknown[] = [];
  for (const { id, minInclusive, maxExclusive } of ranges.PartitionKeyRanges) {
    const page = await query(container, text, {
      'x-ms-documentdb-partitionkeyrangeid': `${resource?._rid},${id}`,
      'x-ms-start-epk': minInclusive,
      'x-ms-end-epk': maxExclusive,
      'x-ms-read-key-type': 'EffectivePartitionKeyRange',
    });
    assert.equal(page.status, 200);
    assert.equal(page.headers.get('content-type'), 'application/json');
    const { Documents } = (await page.json()) as Page;
    found.push(...Documents.map(({ payload }) => payload));
  }
  assert.deepEqual(
    found.toSorted((x, y) => Number(x) - Number(y)),
    Array.from({ length: 20 }, (_, n) => n),
  );
});

test('a sorted query goes on by the filters that .NET and Java write, past values of other types', async () => {
  const container = await server.container();
  const values = [undefined, null, false, true, -1, 2, 'a', 'b', [1], { x: 1 }];
  for (const [n, v] of values.entries()) await container.items.create({ id: `${n}`, pk: 'k', n, v });
  const after = async (filter: string, direction: string) => {
    const text = `SELECT c._rid, [{"item": c.v}] AS orderByItems, c.n AS payload FROM c WHERE (${filter}) ORDER BY c.v ${direction}`;
    const page = await query(container, text, { 'x-ms-documentdb-partitionkeyrangeid': '0' });
    assert.equal(page.status, 200, filter);
    return ((await page.json()) as Page).Documents.map(({ payload }) => payload);
  };
  const upwards = '( c.v > -1 OR IS_STRING(c.v) OR IS_ARRAY(c.v) OR IS_OBJECT(c.v) )';
  assert.deepEqual(await after(upwards, 'ASC'), [5, 6, 7, 8, 9]);
  const downwards = '( c.v <= -1 OR NOT IS_DEFINED(c.v) OR IS_NULL(c.v) OR IS_BOOLEAN(c.v) )';
  assert.deepEqual(await after(downwards, 'DESC'), [4, 3, 2, 1, 0]);
  assert.deepEqual(await after('( IS_DEFINED(c.v) )', 'ASC'), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('a query that .NET executes directly on one physical partition is answered whole', async () => {
  const container = await server.container();
  for (const n of [2, 1, 3]) await container.items.create({ id: `${n}`, pk: `k${n}`, n });
  const answer = await query(container, 'SELECT TOP 2 VALUE c.n FROM c ORDER BY c.n DESC', {
    'x-ms-cosmos-query-optimisticdirectexecute': 'True',
    'x-ms-documentdb-partitionkeyrangeid': '0',
  });
  assert.equal(answer.status, 200);
  assert.deepEqual(((await answer.json()) as Page).Documents, [3, 2]);
});

test('an item in binary JSON is stored as its text, and shown as text whichever form a client would like best', async () => {
  const container = await server.container();
  const link = linkOf(container);
  const headers = {
    'x-ms-documentdb-partitionkey': '["k"]',
    'x-ms-cosmos-supported-serialization-formats': 'CosmosBinary',
  };
  // {"id":"a","pk":"k","list":[1,2.5]} with a name of the dictionary, lengths and counts.
  const body = Buffer.from('80ed1a032c816182706b816b846c697374e50a0201cc0000000000000440', 'hex');
  const created = await server.send('POST', `/${link}/docs`, { type: 'docs', link, headers, body });
  assert.equal(created.status, 201);
  assert.equal(created.headers.get('content-type'), 'application/json');
  const path = `${link}/docs/a`;
  const read = await server.send('GET', `/${path}`, { type: 'docs', link: path, headers });
  assert.equal(read.headers.get('content-type'), 'application/json');
  assert.match(await read.text(), /^\{"id":"a","pk":"k","list":\[1,2\.5\],"_rid"/);
  const { resource } = await container.item('a', 'k').read<{ list: number[] }>();
  assert.deepEqual(resource?.list, [1, 2.5]);
  const broken = await server.send('POST', `/${link}/docs`, {
    type: 'docs',
    link,
    headers,
    body: body.subarray(0, -1),
  });
  assert.equal(broken.status, 400);
  assert.match(((await broken.json()) as { message: string }).message, /payload is invalid/);
});

test('a failure has the type and the length by which .NET reads its message', async () => {
  const container = await server.container();
  const link = `${linkOf(container)}/docs/none`;
  const headers = { 'x-ms-documentdb-partitionkey': '["k"]' };
  const answer = await server.send('GET', `/${link}`, { type: 'docs', link, headers });
  assert.equal(answer.status, 404);
  assert.equal(answer.headers.get('content-type'), 'application/json');
  const text = await answer.text();
  assert.equal(answer.headers.get('content-length'), String(Buffer.byteLength(text)));
  assert.equal((JSON.parse(text) as { code: string }).code, 'NotFound');
});
