// What queries find by an index, beside what the same queries find in a container that has none.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Container, FeedOptions, IndexingPolicy } from '@azure/cosmos';
import { nosqlServer } from './support/nosql-server.ts';

const server = nosqlServer();

const everything: IndexingPolicy = {
  indexingMode: 'consistent',
  includedPaths: [{ path: '/*' }],
  excludedPaths: [{ path: '/secret/*' }],
  compositeIndexes: [
    [
      { path: '/kind', order: 'ascending' },
      { path: '/n', order: 'descending' },
    ],
  ],
};

const kinds = ['post', 'like', 'user'];
const items = Array.from({ length: 120 }, (_, n) => ({
  id: `i${n}`,
  pk: `p${n % 5}`,
  kind: kinds[n % 3],
  n,
  ...(n % 4 === 0 ? {} : { half: n / 2, name: `name ${n % 7}` }),
  tags: [`t${n % 6}`, `u${n % 2}`],
  at: { day: n % 30, hour: [n % 24] },
  secret: { s: n % 3 },
  flag: n % 2 === 0,
  mixed: [n, `s${n}`, null, true, [n], { n }][n % 6],
}));

let indexed: Container;
let plain: Container;
let loading: Promise<void> | undefined;

beforeEach(() => {
  loading ??= load();
  return loading;
});

async function load(): Promise<void> {
  indexed = await server.container({ indexingPolicy: everything });
  plain = await server.container({ indexingPolicy: { indexingMode: 'none', automatic: false } });
  await Promise.all(
    items.flatMap((item) => [indexed.items.create({ ...item }), plain.items.create({ ...item })]),
  );
}

interface Asked {
  readonly results: readonly unknown[];
  readonly explanation: {
    readonly access: readonly string[];
    readonly charge: readonly { readonly name: string }[];
  };
  readonly chargeRu: number;
}

/** The whole of a query in one request to the one physical partition. */
async function ask(
  container: Container,
  query: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Asked> {
  const link = `dbs/${container.database.id}/colls/${container.id}`;
  const answer = await server.send('POST', `/${link}/docs`, {
    type: 'docs',
    link,
    headers: {
      'x-ms-documentdb-isquery': 'true',
      'content-type': 'application/query+json',
      'x-ms-documentdb-partitionkeyrangeid': '0',
      'x-ringfold-ru-explain': 'true',
      ...headers,
    },
    body: JSON.stringify({ query }),
  });
  const body = (await answer.json()) as { Documents?: readonly unknown[] };
  assert.equal(answer.status, 200, `${query}: ${JSON.stringify(body)}`);
  return {
    results: body.Documents ?? [],
    explanation: JSON.parse(answer.headers.get('x-ringfold-ru-explain') ?? '{}') as Asked['explanation'],
    chargeRu: Number(answer.headers.get('x-ms-request-charge')),
  };
}

test('a query finds by an index what it finds without one, and says which index it was', async () => {
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['c.n = 7', ['index /n/?']],
    ['c.id = "i9"', ['index /id/?']],
    ['c.n > 100 AND c.n <= 110', ['index /n/?']],
    ['c.n IN (1, 5, 500)', ['index /n/?']],
    ['STARTSWITH(c.name, "name 3")', ['index /name/?']],
    ['c.name LIKE "name 3%"', ['index /name/?']],
    ['ARRAY_CONTAINS(c.tags, "t4")', ['index /tags/[]/?']],
    ['IS_DEFINED(c.half)', ['index /half/?']],
    ['IS_NULL(c.mixed)', ['index /mixed/?']],
    ['IS_ARRAY(c.mixed) OR IS_OBJECT(c.mixed)', ['index /mixed/?']],
    ['c.flag', ['index /flag/?']],
    ['c.at.day = 3 AND c.flag', ['index /at/day/?', 'index /flag/?']],
    ['c.kind = "post" AND c.n = 6', ['composite index /kind ascending, /n descending']],
    ['c.n = 3 OR c.half = 3', ['index /n/?', 'index /half/?']],
    ['c.n = 3 OR c.n = 4 OR c.n = 5', ['index /n/?']],
    ['c.secret.s = 1', ['scan']],
    ['UPPER(c.name) = "NAME 3"', ['scan']],
    ['NOT IS_DEFINED(c.half)', ['scan']],
    ['c.n = undefined', []],
  ];
  for (const [where, access] of rows) {
    const query = `SELECT VALUE c.id FROM c WHERE ${where}`;
    const [found, expected] = [await ask(indexed, query), await ask(plain, query)];
    assert.deepEqual([...found.results].sort(), [...expected.results].sort(), where);
    assert.deepEqual(found.explanation.access, access, where);
  }
});

test('an order along an index is the order without one, and loads no more than is wanted', async () => {
  const rows: readonly (readonly [string, string])[] = [
    ['ORDER BY c.n', 'index /n/?'],
    ['ORDER BY c.n DESC', 'index /n/?'],
    ['ORDER BY c._ts DESC', 'index /_ts/?'],
    ['ORDER BY c.half DESC', 'index /half/?'],
    ['ORDER BY c.half', 'scan'],
    ['WHERE c.half > 3 ORDER BY c.half', 'index /half/?'],
    ['ORDER BY c.mixed DESC', 'index /mixed/?'],
    ['WHERE c.kind = "post" ORDER BY c.n DESC', 'composite index /kind ascending, /n descending'],
    ['WHERE c.kind = "post" ORDER BY c.n', 'composite index /kind ascending, /n descending'],
  ];
  for (const [clauses, access] of rows) {
    const query = `SELECT TOP 7 VALUE c.n FROM c ${clauses}`;
    const [found, expected] = [await ask(indexed, query), await ask(plain, query)];
    if (!clauses.includes('_ts')) assert.deepEqual(found.results, expected.results, clauses);
    assert.deepEqual(found.explanation.access, [access], clauses);
    if (access !== 'scan' && !clauses.includes('mixed'))
      assert.ok(found.chargeRu < 4, `${clauses}: ${found.chargeRu}`);
  }
});

test('what was written before a query began is found by it, and what was changed is found where it is now', async () => {
  const container = await server.container();
  for (let round = 0; round < 20; round++) {
    await container.items.upsert({ id: 'x', pk: 'p', round, other: round % 2 });
    const { results } = await ask(container, `SELECT VALUE c.round FROM c WHERE c.round = ${round}`);
    assert.deepEqual(results, [round]);
    const before = await ask(container, `SELECT VALUE c.round FROM c WHERE c.round < ${round}`);
    assert.deepEqual(before.results, []);
  }
  await container.item('x', 'p').delete();
  assert.deepEqual((await ask(container, 'SELECT * FROM c WHERE c.other >= 0')).results, []);
});

test('pages of a query by an index have all of it, each once', async () => {
  const options: FeedOptions = { maxItemCount: 7 };
  for (const query of [
    'SELECT * FROM c WHERE c.n >= 10',
    'SELECT * FROM c WHERE c.flag',
    'SELECT * FROM c ORDER BY c.n DESC',
  ]) {
    const found: number[] = [];
    const pages = indexed.items.query<{ n: number }>(query, options);
    while (pages.hasMoreResults())
      found.push(...((await pages.fetchNext()).resources ?? []).map(({ n }) => n));
    const expected = items.filter(({ n, flag }) =>
      query.includes('>= 10') ? n >= 10 : query.includes('flag') ? flag : true,
    );
    assert.deepEqual(
      [...found].sort((a, b) => a - b),
      expected.map(({ n }) => n),
      query,
    );
  }
});

test('a charge is taken apart where that is asked for', async () => {
  const { explanation, chargeRu } = await ask(indexed, 'SELECT * FROM c WHERE c.n IN (1, 2, 3)');
  assert.deepEqual(
    explanation.charge.map(({ name }) => name),
    ['partitions-visited', 'items-loaded', 'items-returned', 'extra-seeks'],
  );
  assert.ok(chargeRu > 3 && chargeRu < 4, String(chargeRu));
});

test('a composite index that would have served is suggested', async () => {
  const query = 'SELECT * FROM c WHERE c.flag = true AND c.n > 100';
  const page = await indexed.items.query(query, { populateIndexMetrics: true }).fetchNext();
  assert.deepEqual(JSON.parse(String(page.indexMetrics)), {
    UtilizedIndexes: {
      SingleIndexes: [{ IndexSpec: '/flag/?' }, { IndexSpec: '/n/?' }],
      CompositeIndexes: [],
    },
    PotentialIndexes: { SingleIndexes: [], CompositeIndexes: [{ IndexSpecs: ['/flag ASC', '/n ASC'] }] },
  });
});
