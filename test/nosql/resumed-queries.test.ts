// Sorted queries that somebody else goes on with: a client that has the last result of the page before, and tells by its rid which of
// its equals were seen. So it matters in which order those come.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Container, ContainerRequest } from '@azure/cosmos';
import { nosqlServer } from './support/nosql-server.ts';

const server = nosqlServer();
const numbers = Array.from({ length: 60 }, (_, n) => n);

/** One after another, so that their rids are in the order of their numbers. */
async function filled(request: Partial<ContainerRequest>): Promise<Container> {
  const container = await server.container(request);
  for (const n of numbers)
    await container.items.create({ id: `t${n}`, pk: `p${n % 20}`, n, word: `w${n % 3}`, half: n % 2 });
  return container;
}

/** Every page by an iterator of its own. */
async function byOthers(container: Container, query: string, maxItemCount: number): Promise<unknown[]> {
  const rows: unknown[] = [];
  let continuationToken: string | undefined;
  for (let pages = 0; pages < 200; pages++) {
    const iterator = container.items.query(query, {
      enableQueryControl: true,
      maxItemCount,
      ...(continuationToken === undefined ? {} : { continuationToken }),
    });
    const page = await iterator.fetchNext();
    rows.push(...(page.resources ?? []));
    continuationToken = page.continuationToken;
    if (continuationToken === undefined || !iterator.hasMoreResults()) return rows;
  }
  throw new Error('the query does not end');
}

for (const throughput of [400, 40_000])
  for (const order of ['c.word', 'c.word DESC', 'c.n DESC'])
    test(`ORDER BY ${order} is resumed by the last result of a page, at ${throughput} RU/s`, async () => {
      const container = await filled({ throughput });
      const query = `SELECT VALUE c.n FROM c ORDER BY ${order}`;
      const { resources } = await container.items.query(query).fetchAll();
      assert.equal(resources.length, numbers.length);
      for (const size of [4, 7, 30]) assert.deepEqual(await byOthers(container, query, size), resources);
    });

test('results with equal keys come by their rids, the highest first where the first key falls', async () => {
  const directions = { ASC: 'ascending', DESC: 'descending' } as const;
  const signs = { ASC: 1, DESC: -1 } as const;
  const ways = ['ASC', 'DESC'] as const;
  for (const indexed of ways) {
    // Both orders of it, forwards and backwards, are served by this one.
    const container = await filled({
      indexingPolicy: {
        compositeIndexes: [
          [
            { path: '/word', order: directions[indexed] },
            { path: '/half', order: directions.ASC },
          ],
        ],
      },
    });
    for (const way of ways) {
      const other = indexed === way ? 'ASC' : 'DESC';
      const expected = numbers.toSorted(
        (a, b) =>
          signs[way] * ((a % 3) - (b % 3)) || signs[other] * ((a % 2) - (b % 2)) || signs[way] * (a - b),
      );
      for (const maxItemCount of [3, 8, 1000]) {
        const query = `SELECT VALUE c.n FROM c ORDER BY c.word ${way}, c.half ${other}`;
        const { resources } = await container.items.query(query, { maxItemCount }).fetchAll();
        assert.deepEqual(resources, expected, `${query} by ${indexed}, ${maxItemCount} at once`);
      }
    }
  }
});
