// Queries of all kinds over several physical partitions: what a client puts together by the plan it was given is what the server itself
// puts together, and what one partition answers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Container, ErrorResponse } from '@azure/cosmos';
import fc from 'fast-check';
import { anyQuery } from '../../src/language/sql/access/any-query.samples.ts';
import { nosqlServer } from './support/nosql-server.ts';

const server = nosqlServer();

/** Of one type each, and none of them false: the client merges no others. */
const count = fc.integer({ min: 1, max: 4 });
const document = fc.record({
  pk: fc.constantFrom('p', 'q', 'r', 's', 't', 'u', 'v'),
  a: count,
  b: count,
  c: fc.record({ n: count }),
  tags: fc.array(count, { minLength: 1, maxLength: 4 }),
});
const compositeIndexes = ['a+ b-', 'b+ a+', 'pk+ a-', 'a+ b+ id+'].map((of) =>
  of.split(' ').map((one) => ({
    path: `/${one.slice(0, -1)}`,
    order: one.endsWith('+') ? ('ascending' as const) : ('descending' as const),
  })),
);

async function filled(documents: readonly object[], splits: number): Promise<Container> {
  const container = await server.container({
    indexingPolicy: { includedPaths: [{ path: '/*' }], compositeIndexes },
  });
  await Promise.all(documents.map((one, at) => container.items.create({ ...one, id: `i${at}` })));
  const listed = await fetch(`${server.endpoint}/_ringfold/containers`);
  const { containers } = (await listed.json()) as { containers: { container: number }[] };
  const newest = Math.max(...containers.map((one) => one.container));
  for (let partition = 0; partition < splits; partition++) {
    const answer = await fetch(`${server.endpoint}/_ringfold/containers/${newest}/split`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ partition }),
    });
    assert.equal(answer.status, 200, await answer.text());
  }
  return container;
}

/** Put together by the server. */
async function mergedOf(container: Container, query: string): Promise<readonly unknown[] | undefined> {
  const link = `dbs/${container.database.id}/colls/${container.id}`;
  const rows: unknown[] = [];
  for (let token = ''; ; ) {
    const answer = await server.send('POST', `/${link}/docs`, {
      type: 'docs',
      link,
      headers: {
        'x-ms-documentdb-isquery': 'true',
        'content-type': 'application/query+json',
        'x-ms-documentdb-query-enablecrosspartition': 'true',
        'x-ringfold-merge-partitions': 'true',
        'x-ms-max-item-count': '7',
        ...(token === '' ? {} : { 'x-ms-continuation': token }),
      },
      body: JSON.stringify({ query }),
    });
    if (answer.status === 400) return undefined;
    assert.equal(answer.status, 200, await answer.clone().text());
    rows.push(...((await answer.json()) as { Documents: unknown[] }).Documents);
    token = answer.headers.get('x-ms-continuation') ?? '';
    if (token === '') return rows;
  }
}

/** Put together by the client; undefined where there is no plan by which it could. */
async function plannedOf(container: Container, query: string): Promise<readonly unknown[] | undefined> {
  try {
    return (await container.items.query<unknown>(query, { maxItemCount: 5 }).fetchAll()).resources;
  } catch (error) {
    if (error instanceof ErrorResponse && error.code === 400) return undefined;
    throw error;
  }
}

/** System properties are each container's own. */
function textsOf(rows: readonly unknown[]): readonly string[] {
  return rows
    .map((row) =>
      JSON.stringify(row, (name, value) => (name.startsWith('_') ? undefined : (value as unknown))),
    )
    .sort();
}

test('a query without FROM has one row, however many partitions there are', async () => {
  const container = await filled([{ pk: 'p' }, { pk: 'q' }], 2);
  assert.equal((await container.readPartitionKeyRanges().fetchAll()).resources.length, 3);
  for (const [query, expected] of [
    ['SELECT VALUE 1', [1]],
    ['SELECT TOP 2 5 AS a', [{ a: 5 }]],
    ['SELECT VALUE COUNT(1)', [1]],
    ['SELECT VALUE 1 WHERE false', []],
  ] as const)
    for (const forceQueryPlan of [true, false]) {
      const { resources } = await container.items.query(query, { forceQueryPlan }).fetchAll();
      assert.deepEqual(resources, expected, query);
    }
});

// docs/sdk-faults.md: what the SDK does wrong by itself.
test('a client that asks the server to put results together has them whole, with values of all types and page by page', async () => {
  const values = [0, '', false, null, 1, 'a', true, [1]];
  const container = await filled(
    Array.from({ length: 40 }, (_, n) => ({ pk: `p${n}`, a: values[n % 8], b: n % 5 })),
    1,
  );
  const merged = { initialHeaders: { 'x-ringfold-merge-partitions': 'true' } };
  const all = async (query: string) => (await container.items.query(query, merged).fetchAll()).resources;
  const distinct = [null, false, true, 0, 1, '', 'a', [1]];
  assert.deepEqual(await all('SELECT DISTINCT VALUE c.a FROM c'), distinct);
  assert.equal((await all('SELECT VALUE c.a FROM c ORDER BY c.a')).length, 40);
  assert.deepEqual(
    await all('SELECT TOP 5 c.id FROM c WHERE c.b > 9 ORDER BY VectorDistance(c.v, [1, 0])'),
    [],
  );
  const ids = new Set<string>();
  let continuationToken: string | undefined;
  do {
    const page = await container.items
      .query<string>('SELECT VALUE c.id FROM c ORDER BY c.b, c.a', {
        ...merged,
        maxItemCount: 7,
        ...(continuationToken === undefined ? {} : { continuationToken }),
      })
      .fetchNext();
    for (const id of page.resources) ids.add(id);
    continuationToken = page.continuationToken;
  } while (continuationToken !== undefined);
  assert.equal(ids.size, 40);
});

test('what a client or the server puts together out of several partitions is what one partition answers', async () => {
  const [documents = []] = fc.sample(fc.array(document, { minLength: 40, maxLength: 40, size: 'max' }), {
    numRuns: 1,
    seed: 7,
  });
  const [one, several] = [await filled(documents, 0), await filled(documents, 3)];
  await fc.assert(
    fc.asyncProperty(anyQuery, async ({ text }) => {
      const expected = await mergedOf(one, text);
      const merged = await mergedOf(several, text);
      assert.equal(merged === undefined, expected === undefined, text);
      // Which rows are within a window depends on numbers that the containers have given to the items.
      if (expected === undefined || merged === undefined || /\(SELECT.*OFFSET/.test(text)) return;
      const check = (rows: readonly unknown[]): void => {
        if (/ TOP | OFFSET /.test(text)) assert.equal(rows.length, expected.length, text);
        else assert.deepEqual(textsOf(rows), textsOf(expected), text);
      };
      check(merged);
      const planned = await plannedOf(several, text);
      if (planned !== undefined) check(planned);
    }),
    { numRuns: Number(process.env['RUNS'] ?? 30) },
  );
});
