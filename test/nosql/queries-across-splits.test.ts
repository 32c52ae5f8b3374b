// Queries that begin before a split and go on after it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Container,
  CosmosClient,
  type CosmosClientOptions,
  type FeedOptions,
  type Plugin,
} from '@azure/cosmos';
import { nosqlServer, wellKnownKey } from './support/nosql-server.ts';

const server = nosqlServer();
const count = 40;
const numbers = Array.from({ length: count }, (_, n) => n);

async function filled(): Promise<Container> {
  const container = await server.container();
  await Promise.all(
    numbers.map((n) => container.items.create({ id: `t${n}`, pk: `p${n % 20}`, n, word: `w${n % 3}` })),
  );
  return container;
}

/** Of the container that was made last. */
function split(partition: number): Promise<void> {
  return change('split', { partition });
}

async function change(kind: 'split' | 'merge', body: object): Promise<void> {
  const listed = await fetch(`${server.endpoint}/_ringfold/containers`);
  const { containers } = (await listed.json()) as { containers: { container: number }[] };
  const newest = Math.max(...containers.map(({ container }) => container));
  const answer = await fetch(`${server.endpoint}/_ringfold/containers/${newest}/${kind}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.equal(answer.status, 200, await answer.text());
}

/** All rows, with a split after the second page. */
async function readAcross(container: Container, query: string, options: FeedOptions): Promise<unknown[]> {
  const iterator = container.items.query(query, options);
  const rows: unknown[] = [];
  for (let pages = 0; iterator.hasMoreResults() && pages < 100; pages++) {
    const { resources } = await iterator.fetchNext();
    rows.push(...(resources ?? []));
    if (pages === 1) await split(0);
  }
  return rows;
}

interface RangePage {
  readonly rows: readonly unknown[];
  readonly token: string;
}

/** A page of what one range has, as clients ask for it that put ranges together. */
async function ask(
  container: Container,
  query: string,
  range: string,
  headers: Record<string, string> = {},
): Promise<RangePage> {
  const link = `dbs/${container.database.id}/colls/${container.id}`;
  const answer = await server.send('POST', `/${link}/docs`, {
    type: 'docs',
    link,
    headers: {
      'x-ms-documentdb-isquery': 'true',
      'content-type': 'application/query+json',
      'x-ms-documentdb-partitionkeyrangeid': range,
      ...headers,
    },
    body: JSON.stringify({ query }),
  });
  assert.equal(answer.status, 200, query);
  const { Documents } = (await answer.json()) as { Documents: unknown[] };
  return { rows: Documents, token: answer.headers.get('x-ms-continuation') ?? '' };
}

function ascending(rows: readonly unknown[]): readonly number[] {
  return (rows as number[]).toSorted((a, b) => a - b);
}

test('a walk over the whole container goes on after a split, with every item once', async () => {
  const rows = await readAcross(await filled(), 'SELECT VALUE c.n FROM c', { maxItemCount: 3 });
  assert.deepEqual(ascending(rows), numbers);
});

test('a walk with a filter goes on after a split', async () => {
  const rows = await readAcross(await filled(), 'SELECT VALUE c.n FROM c WHERE c.n >= 10', {
    maxItemCount: 3,
  });
  assert.deepEqual(ascending(rows), numbers.slice(10));
});

test('ranges that came from a split go on where the range they came from stopped', async () => {
  const container = await filled();
  const queries = ['SELECT VALUE c.n FROM c WHERE true', 'SELECT VALUE c.n FROM c ORDER BY c.n'];
  const firsts = await Promise.all(
    queries.map((query) => ask(container, query, '0', { 'x-ms-max-item-count': '5' })),
  );
  await split(0);
  for (const [at, query] of queries.entries()) {
    const { rows, token } = firsts[at] as (typeof firsts)[number];
    const whole = await ask(container, query, '0', { 'x-ms-continuation': token });
    assert.deepEqual(ascending([...rows, ...whole.rows]), numbers);
    const parts = await Promise.all(
      ['1', '2'].map((range) => ask(container, query, range, { 'x-ms-continuation': token })),
    );
    assert.deepEqual(ascending([...rows, ...parts.flatMap((part) => part.rows)]), numbers);
  }
});

test('a query of a range that was split or merged is answered where its items are now', async () => {
  const container = await filled();
  await split(0);
  await split(1);
  const queries = {
    plain: 'SELECT VALUE c.n FROM c',
    sorted: 'SELECT c._rid, [{"item": c.n}] AS orderByItems, c.n AS payload FROM c ORDER BY c.n',
    counted: 'SELECT VALUE [{"item": COUNT(1)}] FROM c',
    distinct: 'SELECT DISTINCT VALUE c.word FROM c',
  };
  const answers = async (range: string): Promise<readonly (readonly unknown[])[]> =>
    Promise.all(Object.values(queries).map(async (query) => (await ask(container, query, range)).rows));
  const [plain = [], sorted = [], counted, distinct = []] = await answers('0');
  assert.deepEqual(ascending(plain), numbers);
  const payloads = (sorted as { payload: number }[]).map(({ payload }) => payload);
  assert.deepEqual(payloads, numbers);
  assert.deepEqual(counted, [[{ item: count }]]);
  assert.deepEqual(distinct.toSorted(), ['w0', 'w1', 'w2']);
  const before = await answers('4');
  await change('merge', { left: 4, right: 2 });
  assert.deepEqual(await answers('4'), before, 'no more than the range had that was merged');
});

test('a sorted query under way goes on after a split, in order and with every item once', async () => {
  const rows = await readAcross(await filled(), 'SELECT VALUE c.n FROM c ORDER BY c.n DESC', {
    maxItemCount: 3,
  });
  assert.deepEqual(rows, numbers.toReversed());
});

test('a query within one partition key goes on after a split', async () => {
  for (const [query, expected] of [
    ['SELECT VALUE c.n FROM c', numbers],
    ['SELECT VALUE c.n FROM c ORDER BY c.n DESC', numbers.toReversed()],
    ['SELECT DISTINCT VALUE c.half FROM c ORDER BY c.n DESC', numbers.slice(0, 20).toReversed()],
    ['SELECT DISTINCT VALUE MAX(c.half) FROM c GROUP BY c.n', numbers.slice(0, 20)],
  ] as const) {
    const container = await server.container();
    await Promise.all(
      numbers.map((n) => container.items.create({ id: `t${n}`, pk: 'one', n, half: Math.floor(n / 2) })),
    );
    const rows: unknown[] = [];
    let continuationToken: string | undefined;
    for (let page = 0; page === 0 || continuationToken !== undefined; page++) {
      const options = {
        partitionKey: 'one',
        maxItemCount: 7,
        ...(continuationToken === undefined ? {} : { continuationToken }),
      };
      const answer = await container.items.query(query, options).fetchNext();
      rows.push(...answer.resources);
      continuationToken = answer.continuationToken;
      if (page === 1) await split(0);
    }
    assert.deepEqual(query.includes('ORDER BY') ? rows : ascending(rows), expected, query);
  }
});

test('after a split aggregates, groups and distinct values are put together out of the parts', async () => {
  const container = await filled();
  await split(0);
  const ask = async (query: string) => (await container.items.query<unknown>(query).fetchAll()).resources;
  assert.deepEqual(await ask('SELECT VALUE COUNT(1) FROM c'), [count]);
  assert.deepEqual(await ask('SELECT VALUE SUM(c.n) FROM c'), [780]);
  const groups = (await ask('SELECT c.word, COUNT(1) AS n FROM c GROUP BY c.word')) as {
    word: string;
    n: number;
  }[];
  assert.deepEqual(
    groups.toSorted((a, b) => (a.word < b.word ? -1 : 1)),
    [
      { word: 'w0', n: 14 },
      { word: 'w1', n: 13 },
      { word: 'w2', n: 13 },
    ],
  );
  assert.deepEqual((await ask('SELECT DISTINCT VALUE c.word FROM c')).length, 3);
});

test('groups and distinct values of a client go on after a split', async () => {
  const container = await server.container();
  await Promise.all(
    numbers.map((n) => container.items.create({ id: `t${n}`, pk: `p${n % 20}`, n, half: Math.floor(n / 2) })),
  );
  const distinct = await readAcross(container, 'SELECT DISTINCT VALUE {"h": c.half} FROM c', {
    maxItemCount: 3,
  });
  const halves = (distinct as { h: number }[]).map(({ h }) => h);
  assert.deepEqual(ascending(halves), numbers.slice(0, 20));
});

test('distinct values of a client in an order that is not theirs go on after a split', async () => {
  const rows = await readAcross(
    await filled(),
    'SELECT DISTINCT VALUE {"word": c.word, "pk": c.pk} FROM c ORDER BY c.n DESC',
    { maxItemCount: 3 },
  );
  const expected = numbers.toReversed().map((n) => ({ word: `w${n % 3}`, pk: `p${n % 20}` }));
  assert.deepEqual(rows, expected);
});

test('groups and distinct values that the server puts together come once each, with a split in between', async () => {
  for (const key of [undefined, 'one']) {
    const container = await server.container();
    await Promise.all(
      numbers.map((n) =>
        container.items.create({ id: `t${n}`, pk: key ?? `p${n % 20}`, n, word: `w${n % 13}` }),
      ),
    );
    const link = `dbs/${container.database.id}/colls/${container.id}`;
    const all: Record<string, string> = {
      'x-ms-documentdb-query-enablecrosspartition': 'true',
      'x-ringfold-merge-partitions': 'true',
    };
    const where = key === undefined ? all : { 'x-ms-documentdb-partitionkey': JSON.stringify([key]) };
    const ask = async (query: string, token: string) => {
      const answer = await server.send('POST', `/${link}/docs`, {
        type: 'docs',
        link,
        headers: {
          'x-ms-documentdb-isquery': 'true',
          'content-type': 'application/query+json',
          'x-ms-max-item-count': '4',
          ...where,
          ...(token === '' ? {} : { 'x-ms-continuation': token }),
        },
        body: JSON.stringify({ query }),
      });
      assert.equal(answer.status, 200);
      const { Documents } = (await answer.json()) as { Documents: unknown[] };
      return { rows: Documents, token: answer.headers.get('x-ms-continuation') ?? '' };
    };
    const groups = 'SELECT c.word, COUNT(1) AS n FROM c GROUP BY c.word';
    const distinct = 'SELECT DISTINCT VALUE c.word FROM c';
    const elsewhere = 'SELECT DISTINCT VALUE c.word FROM c ORDER BY c.n DESC';
    const overGroups = 'SELECT DISTINCT VALUE MAX(c.n) FROM c GROUP BY c.word';
    const queries = [groups, distinct, elsewhere, overGroups];
    const firsts: Awaited<ReturnType<typeof ask>>[] = [];
    for (const query of queries) firsts.push(await ask(query, ''));
    await split(0);
    const answers: unknown[][] = [];
    for (const [at, query] of queries.entries()) {
      let page = firsts[at] as (typeof firsts)[number];
      const rows = [...page.rows];
      while (page.token !== '') {
        page = await ask(query, page.token);
        rows.push(...page.rows);
      }
      answers.push(rows);
    }
    const words = Array.from({ length: 13 }, (_, n) => `w${n}`).sort();
    const count = (word: string) => numbers.filter((n) => `w${n % 13}` === word).length;
    const last = numbers.slice(-13);
    assert.deepEqual(answers, [
      words.map((word) => ({ word, n: count(word) })),
      words,
      last.toReversed().map((n) => `w${n % 13}`),
      last,
    ]);
  }
});

test('a sorted query goes on after the values and the item of a resume filter, in any range', async () => {
  const container = await filled();
  await split(0);
  const link = `dbs/${container.database.id}/colls/${container.id}`;
  const query =
    'SELECT c._rid, [{"item": c.word}] AS orderByItems, c.n AS payload FROM c WHERE (true) ORDER BY c.word';
  const ask = async (range: string, resumeFilter: unknown) => {
    const answer = await server.send('POST', `/${link}/docs`, {
      type: 'docs',
      link,
      headers: {
        'x-ms-documentdb-isquery': 'true',
        'content-type': 'application/query+json',
        'x-ms-documentdb-partitionkeyrangeid': range,
      },
      body: JSON.stringify({ query, ...(resumeFilter === undefined ? {} : { resumeFilter }) }),
    });
    const { Documents } = (await answer.json()) as {
      Documents: { _rid: string; orderByItems: { item: string }[]; payload: number }[];
    };
    return Documents.map(({ _rid, orderByItems, payload }) => ({
      rid: _rid,
      word: orderByItems[0]?.item,
      n: payload,
    }));
  };
  const [all, other] = [await ask('1', undefined), await ask('2', undefined)];
  const at = all.findIndex(({ word }) => word === 'w1') + 1;
  const { rid } = all[at] as (typeof all)[number];
  assert.deepEqual(await ask('1', { value: ['w1'], rid, exclude: false }), all.slice(at));
  assert.deepEqual(await ask('1', { value: ['w1'], rid, exclude: true }), all.slice(at + 1));
  const after = other.filter(({ word }) => word === 'w2');
  const from = other.filter(({ word }) => word !== 'w0');
  assert.deepEqual(await ask('2', { value: ['w1'], exclude: true }), after);
  assert.deepEqual(await ask('2', { value: ['w1'], exclude: false }), from);
});

test('a client that has read the ranges before a split has its queries answered', async () => {
  const queries: readonly (readonly [string, readonly unknown[]])[] = [
    ['SELECT VALUE c.n FROM c ORDER BY c.n DESC', numbers.toReversed()],
    ['SELECT VALUE COUNT(1) FROM c', [count]],
    ['SELECT VALUE c.word FROM c GROUP BY c.word', ['w0', 'w1', 'w2']],
    ['SELECT TOP 3 VALUE c.n FROM c ORDER BY c.n', [0, 1, 2]],
  ];
  for (const [query, rows] of queries) {
    const { database, id } = await filled();
    let isSplit = false;
    let asked = 0;
    const plugin: Plugin<unknown> = async (context, _node, next) => {
      const range = context.headers?.['x-ms-documentdb-partitionkeyrangeid'];
      if (range !== undefined) asked++;
      assert.ok(asked < 20, 'the client asks again and again');
      if (range !== undefined && !isSplit) {
        isSplit = true;
        await split(0);
      }
      return next(context);
    };
    const client = new CosmosClient({
      endpoint: server.endpoint,
      key: wellKnownKey,
      plugins: [{ on: 'request', plugin }],
    } as CosmosClientOptions);
    const found = await client.database(database.id).container(id).items.query(query).fetchAll();
    client.dispose();
    assert.deepEqual(found.resources, rows);
    assert.ok(isSplit);
  }
});
