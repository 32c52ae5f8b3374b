// SQL through the client that merges what partitions give, and through requests of one's own making.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Container, FeedOptions, SqlQuerySpec } from '@azure/cosmos';
import { queryList } from '../../src/language/sql/query-list.ts';
import { noParameters } from '../../src/language/sql/sql-parameters.ts';
import { nosqlServer } from './support/nosql-server.ts';

const server = nosqlServer();

interface Thing {
  readonly id: string;
  readonly pk: string;
  readonly n: number;
  readonly half?: number;
  readonly word: string;
  readonly tags: readonly string[];
}

const words = ['ash', 'birch', 'cedar', 'elm'];
const things: readonly Thing[] = Array.from({ length: 36 }, (_, n) => ({
  id: `t${n}`,
  pk: `p${n % 12}`,
  n,
  ...(n % 3 === 0 ? {} : { half: n / 2 }),
  word: words[n % 4] as string,
  tags: words.slice(0, n % 3),
}));

/** One range, and several, with the same items. */
let small: Container;
let large: Container;
let loading: Promise<void> | undefined;

beforeEach(() => {
  loading ??= load();
  return loading;
});

async function load(): Promise<void> {
  const compositeIndexes = [
    [
      { path: '/word', order: 'ascending' as const },
      { path: '/n', order: 'descending' as const },
    ],
  ];
  const indexingPolicy = { compositeIndexes, includedPaths: [{ path: '/*' }] };
  small = await server.container({ indexingPolicy });
  large = await server.container({ indexingPolicy, throughput: 20_000 });
  await Promise.all(
    things.flatMap((thing) => [small.items.create({ ...thing }), large.items.create({ ...thing })]),
  );
}

async function ask(
  container: Container,
  query: string | SqlQuerySpec,
  options: FeedOptions = {},
): Promise<unknown[]> {
  const { resources } = await container.items.query<unknown>(query, options).fetchAll();
  return resources;
}

function expected(text: string): readonly unknown[] {
  const context = { now: () => 0, startedAt: 0, random: () => 0, isGeography: true };
  return queryList({ text, parameters: noParameters }, things, context);
}

function sorted(rows: readonly unknown[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}

const queries = [
  'SELECT c.id, c.n FROM c',
  'SELECT VALUE c.n FROM c WHERE c.n % 2 = 0',
  'SELECT VALUE c.id FROM c WHERE c.pk IN ("p1", "p2", "nobody")',
  'SELECT VALUE c.id FROM c WHERE c.pk = "p3" AND c.n > 20',
  'SELECT VALUE c.id FROM c WHERE STARTSWITH(c.word, "b") OR ARRAY_CONTAINS(c.tags, "birch")',
  'SELECT VALUE {"t": t, "n": c.n} FROM c JOIN t IN c.tags',
  'SELECT VALUE {"k": COUNT(1), "s": SUM(c.n)} FROM c',
  'SELECT VALUE {"w": c.word, "k": COUNT(1), "m": AVG(c.half)} FROM c GROUP BY c.word',
  'SELECT c.id, ARRAY(SELECT VALUE UPPER(t) FROM t IN c.tags) AS shouted FROM c WHERE c.n < 9',
  'SELECT VALUE COUNT(1) FROM c',
  'SELECT VALUE SUM(c.n) FROM c WHERE c.n > 10',
  'SELECT VALUE AVG(c.half) FROM c',
  'SELECT VALUE MIN(c.word) FROM c',
  'SELECT VALUE MAX(c.n) FROM c',
  'SELECT VALUE COUNT(c.half) FROM c',
  'SELECT COUNT(1) AS n, MAX(c.n) AS m FROM c',
  'SELECT c.word, COUNT(1) AS n, AVG(c.n) AS a FROM c GROUP BY c.word',
  'SELECT VALUE c.word FROM c GROUP BY c.word',
  'SELECT DISTINCT VALUE c.word FROM c',
  'SELECT DISTINCT c.word, c.tags FROM c',
];

test('over one range and over several, a query has the same rows', async () => {
  for (const query of queries) {
    assert.deepEqual(sorted(await ask(small, query)), sorted(expected(query)), query);
    assert.deepEqual(sorted(await ask(large, query)), sorted(expected(query)), query);
    const planned = await ask(large, query, { maxItemCount: 20, forceQueryPlan: true });
    assert.deepEqual(sorted(planned), sorted(expected(query)), query);
  }
});

const orderedQueries = [
  'SELECT VALUE c.n FROM c ORDER BY c.n',
  'SELECT c.id FROM c WHERE c.n > 9 ORDER BY c.n DESC',
  'SELECT VALUE c.id FROM c ORDER BY c.word ASC, c.n DESC',
  'SELECT VALUE c.id FROM c ORDER BY c.word DESC, c.n ASC',
  'SELECT TOP 5 VALUE c.n FROM c ORDER BY c.n DESC',
  'SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 7 LIMIT 9',
  'SELECT DISTINCT VALUE c.word FROM c ORDER BY c.word',
];

test('over one range and over several, rows come in the order that was asked for', async () => {
  for (const query of orderedQueries) {
    assert.deepEqual(await ask(small, query), expected(query), query);
    assert.deepEqual(await ask(large, query), expected(query), query);
    assert.deepEqual(await ask(large, query, { maxItemCount: 8 }), expected(query), query);
  }
});

test('TOP, and OFFSET with LIMIT, without an order give as many as there are', async () => {
  assert.equal((await ask(large, 'SELECT TOP 13 c.id FROM c')).length, 13);
  assert.equal((await ask(large, 'SELECT c.id FROM c OFFSET 31 LIMIT 10')).length, 5);
  assert.equal((await ask(large, 'SELECT c.id FROM c OFFSET 20 LIMIT 10')).length, 10);
});

const pagedQueries = [
  'SELECT VALUE c.id FROM c',
  'SELECT VALUE c.id FROM c WHERE c.n > 20',
  'SELECT VALUE t FROM c JOIN t IN c.tags',
  'SELECT VALUE c.n FROM c ORDER BY c.n DESC',
  'SELECT DISTINCT VALUE c.tags FROM c',
  'SELECT c.word, COUNT(1) AS n FROM c GROUP BY c.word',
  'SELECT TOP 3 VALUE c.n FROM c',
  'SELECT VALUE c.n FROM c OFFSET 1 LIMIT 3',
];

test('within one partition key no page is longer than asked, and the last one is known as such', async () => {
  const mine = things.filter(({ pk }) => pk === 'p4');
  const context = { now: () => 0, startedAt: 0, random: () => 0, isGeography: true };
  for (const query of pagedQueries) {
    const whole = queryList({ text: query, parameters: noParameters }, mine, context);
    for (const maxItemCount of [1, 2, 100]) {
      const rows: unknown[] = [];
      let continuationToken: string | undefined;
      let pages = 0;
      do {
        const options = {
          partitionKey: 'p4',
          maxItemCount,
          ...(continuationToken === undefined ? {} : { continuationToken }),
        };
        const page = await large.items.query(query, options).fetchNext();
        assert.ok(page.resources.length <= maxItemCount);
        rows.push(...page.resources);
        continuationToken = page.continuationToken;
        pages++;
      } while (continuationToken !== undefined && pages < 40);
      assert.deepEqual(rows, whole, query);
      assert.equal(pages, Math.max(Math.ceil(whole.length / maxItemCount), 1), query);
    }
  }
});

function post(container: Container, body: unknown, headers: Record<string, string>): Promise<Response> {
  const link = `dbs/${container.database.id}/colls/${container.id}`;
  return server.send('POST', `/${link}/docs`, {
    type: 'docs',
    link,
    headers: { 'x-ms-documentdb-isquery': 'true', 'content-type': 'application/query+json', ...headers },
    body: JSON.stringify(body),
  });
}

const crossing = { 'x-ms-documentdb-query-enablecrosspartition': 'true' };

test('pages of no items are of as many as the server chooses, which Java asks for with TOP 0', async () => {
  const headers = { 'x-ms-documentdb-partitionkey': '["p1"]', 'x-ms-max-item-count': '0' };
  for (const [query, rows] of [
    ['SELECT TOP 0 c.id FROM c', 0],
    ['SELECT c.id FROM c', 3],
  ] as const) {
    const answer = await post(large, { query }, headers);
    assert.equal(answer.status, 200, await answer.clone().text());
    assert.equal(((await answer.json()) as { _count: number })._count, rows);
    assert.equal(answer.headers.get('x-ms-continuation'), null);
  }
});

test('what must be put together out of several partitions is refused with 400/1004 and the plan, as the gateway does', async () => {
  for (const query of [
    'SELECT * FROM c ORDER BY c.n',
    'SELECT TOP 1 * FROM c',
    'SELECT * FROM c OFFSET 1 LIMIT 1',
    'SELECT DISTINCT c.word FROM c',
    'SELECT VALUE COUNT(1) FROM c',
    'SELECT c.word FROM c GROUP BY c.word',
  ]) {
    const answer = await post(small, { query }, crossing);
    assert.equal(answer.status, 400, query);
    assert.equal(answer.headers.get('x-ms-substatus'), '1004');
    const body = (await answer.json()) as { code: string; message: string; additionalErrorInfo: string };
    assert.match(body.message, /cross partition query can not be directly served by the gateway/);
    assert.ok('queryInfo' in (JSON.parse(body.additionalErrorInfo) as object));
  }
});

test('a caller without an SDK may ask the server to put results together', async () => {
  const merging = { ...crossing, 'x-ringfold-merge-partitions': 'true', 'x-ms-max-item-count': '10' };
  for (const query of [...queries, ...orderedQueries]) {
    const rows: unknown[] = [];
    let token = '';
    do {
      const headers: Record<string, string> =
        token === '' ? merging : { ...merging, 'x-ms-continuation': token };
      const answer = await post(large, { query }, headers);
      assert.equal(answer.status, 200, query);
      rows.push(...((await answer.json()) as { Documents: unknown[] }).Documents);
      token = answer.headers.get('x-ms-continuation') ?? '';
    } while (token !== '');
    if (orderedQueries.includes(query)) assert.deepEqual(rows, expected(query), query);
    else assert.deepEqual(sorted(rows), sorted(expected(query)), query);
  }
});

test('a query over several partitions that was not allowed to be one is refused', async () => {
  const refused = await post(small, { query: 'SELECT * FROM c' }, {});
  assert.equal(refused.status, 400);
  assert.match(await refused.text(), /Cross partition query is required but disabled/);
  const named = await post(small, { query: 'SELECT * FROM c' }, { 'x-ms-documentdb-partitionkey': '["p1"]' });
  assert.equal(named.status, 200);
  const filtered = await post(small, { query: 'SELECT VALUE COUNT(1) FROM c WHERE c.pk = "p1"' }, {});
  assert.equal(filtered.status, 200);
  assert.deepEqual(((await filtered.json()) as { Documents: unknown }).Documents, [3]);
});

test('a continuation that is damaged, or of another query, is refused with 400', async () => {
  const key = { 'x-ms-documentdb-partitionkey': '["p1"]', 'x-ms-max-item-count': '1' };
  const first = await post(small, { query: 'SELECT * FROM c' }, key);
  const token = first.headers.get('x-ms-continuation') ?? '';
  assert.equal(
    (await post(small, { query: 'SELECT * FROM c' }, { ...key, 'x-ms-continuation': token })).status,
    200,
  );
  for (const [query, continuation] of [
    ['SELECT c.id FROM c', token],
    ['SELECT * FROM c', `${token.slice(0, -2)}AA`],
    ['SELECT * FROM c', 'nonsense'],
    ['SELECT * FROM c', '+RID:~abc#RT:1#TRC:1'],
  ] as const) {
    const answer = await post(small, { query }, { ...key, 'x-ms-continuation': continuation });
    assert.equal(answer.status, 400, continuation);
  }
});

test('a query is charged the same on every run, and says its metrics when asked', async () => {
  const charges = new Set<number>();
  for (let run = 0; run < 3; run++) {
    const page = await small.items
      .query('SELECT * FROM c WHERE c.n > 3', { partitionKey: 'p1', populateQueryMetrics: true })
      .fetchNext();
    charges.add(page.requestCharge);
    const metrics = page.queryMetrics;
    assert.ok(metrics !== undefined);
  }
  assert.equal(charges.size, 1);
});

test('a query says which indexes of the policy it has use for, in both forms that clients ask for', async () => {
  const query = 'SELECT * FROM c WHERE c.n > 3';
  const page = await small.items.query(query, { populateIndexMetrics: true }).fetchNext();
  assert.deepEqual(JSON.parse(String(page.indexMetrics)), {
    UtilizedIndexes: { SingleIndexes: [{ IndexSpec: '/n/?' }], CompositeIndexes: [] },
    PotentialIndexes: { SingleIndexes: [], CompositeIndexes: [] },
  });
  const link = `dbs/${small.database.id}/colls/${small.id}`;
  const answer = await server.send('POST', `/${link}/docs`, {
    type: 'docs',
    link,
    headers: {
      'x-ms-documentdb-isquery': 'true',
      'content-type': 'application/query+json',
      'x-ms-documentdb-query-enablecrosspartition': 'true',
      'x-ms-cosmos-populateindexmetrics': 'true',
    },
    body: JSON.stringify({ query }),
  });
  const text = answer.headers.get('x-ms-cosmos-index-utilization') ?? '';
  const { UtilizedSingleIndexes } = JSON.parse(Buffer.from(text, 'base64').toString()) as {
    UtilizedSingleIndexes: { IndexSpec: string }[];
  };
  assert.deepEqual(
    UtilizedSingleIndexes.map(({ IndexSpec }) => IndexSpec),
    ['/n/?'],
  );
});

test('who asks for advice gets it with the first page, by the ids of the service', async () => {
  const ask = async (query: string, headers: Record<string, string> = {}) => {
    const link = `dbs/${small.database.id}/colls/${small.id}`;
    const answer = await server.send('POST', `/${link}/docs`, {
      type: 'docs',
      link,
      headers: {
        'x-ms-documentdb-isquery': 'true',
        'content-type': 'application/query+json',
        'x-ms-documentdb-query-enablecrosspartition': 'true',
        'x-ms-max-item-count': '1',
        'x-ms-cosmos-populatequeryadvice': 'true',
        ...headers,
      },
      body: JSON.stringify({ query }),
    });
    assert.equal(answer.status, 200);
    const advice = answer.headers.get('x-ms-cosmos-query-advice');
    const next = answer.headers.get('x-ms-continuation');
    return { next, advice: advice === null ? undefined : JSON.parse(decodeURIComponent(advice)) };
  };
  const query = 'SELECT * FROM c WHERE c.n >= 0 OR CONTAINS(c.a, "x") OR c.n > GetCurrentTicks()';
  const first = await ask(query);
  assert.deepEqual(first.advice, [
    { Id: 'QA1002', Params: [] },
    { Id: 'QA1008', Params: [] },
  ]);
  assert.ok(first.next !== null);
  assert.equal((await ask(query, { 'x-ms-continuation': first.next })).advice, undefined);
  assert.equal((await ask(query, { 'x-ms-cosmos-populatequeryadvice': 'false' })).advice, undefined);
  assert.deepEqual((await ask('SELECT * FROM c WHERE c.n = 1')).advice, []);
});

test('a ranked search under one partition key finds what is under it and nothing else, page by page', async () => {
  const container = await server.container({
    throughput: 20_000,
    fullTextPolicy: { defaultLanguage: 'en-US', fullTextPaths: [{ path: '/text', language: 'en-US' }] },
  });
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      container.items.create({ id: `t${n}`, pk: `p${n % 2}`, text: `fox ${'dog '.repeat(n)}`, v: [n, 1] }),
    ),
  );
  const ask = async (query: string, maxItemCount: number) => {
    const found: unknown[] = [];
    let continuationToken: string | undefined;
    do {
      const options = { partitionKey: 'p1', maxItemCount, continuationToken };
      const page = await container.items.query(query, options as FeedOptions).fetchNext();
      assert.ok(page.resources.length <= maxItemCount);
      found.push(...page.resources);
      continuationToken = page.continuationToken;
    } while (continuationToken !== undefined);
    return found;
  };
  const byText = await ask("SELECT TOP 5 VALUE c.pk FROM c ORDER BY RANK FullTextScore(c.text, 'dog')", 2);
  assert.deepEqual(byText, ['p1', 'p1', 'p1', 'p1', 'p1']);
  const byBoth = await ask(
    "SELECT VALUE c.id FROM c ORDER BY RANK RRF(FullTextScore(c.text, 'dog'), VectorDistance(c.v, [1, 0])) OFFSET 1 LIMIT 3",
    10,
  );
  assert.equal(byBoth.length, 3);
  assert.ok(byBoth.every((id) => Number(String(id).slice(1)) % 2 === 1));
});

test('an order over several paths without a composite index is refused', async () => {
  await assert.rejects(ask(small, 'SELECT * FROM c ORDER BY c.n, c.word'), /composite index/);
  await assert.rejects(
    ask(small, 'SELECT * FROM c ORDER BY c.n + 1'),
    /could not be mapped to a document path/,
  );
});

test('a list of ids with their keys is answered item by item', async () => {
  const query =
    'SELECT VALUE c.id FROM c WHERE (c.id = "t1" AND c.pk = "p1") OR (c.id = "t2" AND c.pk = "p2") OR (c.id = "t3" AND c.pk = "p9")';
  assert.deepEqual(sorted(await ask(large, query)), sorted(['t1', 't2']));
});

test('what a query selects of an item that has no such thing is left out', async () => {
  assert.deepEqual(await ask(small, 'SELECT c.half, c.nothing FROM c WHERE c.id = "t3"'), [{}]);
  assert.deepEqual(await ask(small, 'SELECT VALUE c.nothing FROM c'), []);
});

test('a query that cannot be read is refused with the place and the code', async () => {
  const answer = await post(small, { query: 'SELECT * FRM c' }, crossing);
  assert.equal(answer.status, 400);
  const { code, message } = (await answer.json()) as { code: string; message: string };
  assert.equal(code, 'BadRequest');
  assert.match(message, /"location":\{"start":9,"end":12\},"code":"SC1001"/);
});

test('a sub-query over all items sees those of all ranges, and where a client asks range by range those of each', async () => {
  const nested = [
    'SELECT * FROM (SELECT c.word, COUNT(1) AS k FROM c GROUP BY c.word) g WHERE g.k > 1',
    'SELECT VALUE MAX(g.k) FROM (SELECT COUNT(1) AS k FROM c GROUP BY c.word) g',
    'SELECT VALUE x FROM (SELECT DISTINCT VALUE c.word FROM c) x',
  ];
  for (const query of nested) {
    assert.deepEqual(sorted(await ask(small, query)), sorted(expected(query)), query);
    assert.deepEqual(sorted(await ask(large, query)), sorted(expected(query)), query);
  }
  const [query = ''] = nested;
  const planned = (await ask(large, query, { forceQueryPlan: true })) as { word: string; k: number }[];
  assert(planned.length > words.length, 'several ranges each have their own groups');
  assert.equal(
    planned.reduce((sum, { k }) => sum + k, 0),
    things.length,
  );
});

test('what a query passes on of an item keeps the digits of its long integers', async () => {
  const container = await server.container();
  const link = `dbs/${container.database.id}/colls/${container.id}`;
  const created = await server.send('POST', `/${link}/docs`, {
    type: 'docs',
    link,
    headers: { 'x-ms-documentdb-partitionkey': '["p"]' },
    body: '{"id":"long","pk":"p","n":9007199254740993,"deep":{"list":[-9223372036854775808,1]}}',
  });
  assert.equal(created.status, 201);
  for (const [query, rows] of [
    ['SELECT c.n, c.deep FROM c', '[{"n":9007199254740993,"deep":{"list":[-9223372036854775808,1]}}]'],
    ['SELECT VALUE x FROM c JOIN x IN c.deep.list', '[-9223372036854775808,1]'],
    ['SELECT VALUE c.n FROM c ORDER BY c.n', '[9007199254740993]'],
    ['SELECT c.n, COUNT(1) AS k FROM c GROUP BY c.n', '[{"n":9007199254740993,"k":1}]'],
    ['SELECT VALUE c.n + 0 FROM c', '[9007199254740992]'],
  ]) {
    const answer = await post(container, { query }, { 'x-ms-documentdb-partitionkey': '["p"]' });
    const body = await answer.text();
    assert.equal(answer.status, 200, body);
    assert(body.includes(`"Documents":${rows}`), body);
  }
});
