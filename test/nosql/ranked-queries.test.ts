// Full text, vectors, and ranks of both put together.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Container, VectorEmbeddingDataType, VectorEmbeddingDistanceFunction } from '@azure/cosmos';
import { nosqlServer } from './support/nosql-server.ts';

const server = nosqlServer();

const texts = [
  'the quick brown fox',
  'lazy dogs sleep all day',
  'a fox and a dog are friends',
  'fox fox fox',
  'nothing to see',
  'quick quick dog',
];

async function filled(distanceFunction: VectorEmbeddingDistanceFunction): Promise<Container> {
  const container = await server.container({
    throughput: 20_000,
    partitionKey: { paths: ['/id'] },
    vectorEmbeddingPolicy: {
      vectorEmbeddings: [
        { path: '/near', dataType: VectorEmbeddingDataType.Float32, dimensions: 2, distanceFunction },
      ],
    },
  });
  await Promise.all(
    texts.map((text, n) => container.items.create({ id: `i${n}`, text, near: [n, 1], score: [n, 6 - n] })),
  );
  return container;
}

async function ids(container: Container, query: string): Promise<readonly string[]> {
  const { resources } = await container.items.query<{ id: string }>(query).fetchAll();
  return resources.map(({ id }) => id);
}

let container: Container;

test('items are ranked by how well their text fits', async () => {
  container = await filled(VectorEmbeddingDistanceFunction.Euclidean);
  const fox = await ids(container, 'SELECT TOP 3 c.id FROM c ORDER BY RANK FullTextScore(c.text, "fox")');
  assert.deepEqual(fox, ['i3', 'i0', 'i2']);
  const both = await ids(
    container,
    'SELECT TOP 2 c.id FROM c WHERE FullTextContains(c.text, "quick") ORDER BY RANK FullTextScore(c.text, "fox", "quick")',
  );
  assert.deepEqual(both.toSorted(), ['i0', 'i5']);
});

test('a term may be spelt nearly so, in the text of a query or in a parameter', async () => {
  const asked = 'SELECT TOP 3 c.id FROM c ORDER BY RANK FullTextScore(c.text, @terms)';
  const near = { term: 'foxx', distance: 1 };
  const literal = asked.replace('@terms', JSON.stringify(near));
  assert.deepEqual(await ids(container, literal), ['i3', 'i0', 'i2']);
  for (const value of [near, [near]]) {
    const { resources } = await container.items
      .query<{ id: string }>({ query: asked, parameters: [{ name: '@terms', value }] })
      .fetchAll();
    assert.deepEqual(
      resources.map(({ id }) => id),
      ['i3', 'i0', 'i2'],
    );
  }
});

test('ranks of several scores are put together, with weights if there are any', async () => {
  const scores =
    'FullTextScore(c.text, "fox"), VectorDistance(c.score, [0, 1], false, {"distanceFunction": "cosine"})';
  const even = await ids(container, `SELECT TOP 1 c.id FROM c ORDER BY RANK RRF(${scores})`);
  assert.deepEqual(even, ['i0']);
  const text = await ids(container, `SELECT TOP 1 c.id FROM c ORDER BY RANK RRF(${scores}, [1, 0.01])`);
  assert.deepEqual(text, ['i3']);
  const page = await ids(container, `SELECT c.id FROM c ORDER BY RANK RRF(${scores}) OFFSET 1 LIMIT 2`);
  assert.equal(page.length, 2);
});

test('the nearest vector comes first, by the function that the policy names or the query', async () => {
  const near = 'SELECT TOP 3 c.id FROM c ORDER BY VectorDistance(c.near, [2.2, 1])';
  assert.deepEqual(await ids(container, near), ['i2', 'i3', 'i1']);
  const dot =
    'SELECT TOP 2 c.id FROM c ORDER BY VectorDistance(c.near, [2, 1], false, {"distanceFunction": "dotproduct"})';
  assert.deepEqual(await ids(container, dot), ['i5', 'i4']);
  const byDot = await filled(VectorEmbeddingDistanceFunction.DotProduct);
  assert.deepEqual(await ids(byDot, 'SELECT TOP 2 c.id FROM c ORDER BY VectorDistance(c.near, [2, 1])'), [
    'i5',
    'i4',
  ]);
});

test('a part of a ranked search has all of its rows on one page, whatever page size is asked for', async () => {
  const score = '_FullTextScore(c.text, ["fox"], 6, 24, [3])';
  const part = `SELECT c._rid, [{"item": ${score}}] AS orderByItems, {"payload": {"id": c.id}, "componentScores": [(${score} ?? -1)]} AS payload FROM c WHERE (true) ORDER BY ${score} DESC OFFSET 0 LIMIT 120`;
  const one = await server.container({ partitionKey: { paths: ['/id'] } });
  await Promise.all(texts.map((text, n) => one.items.create({ id: `i${n}`, text })));
  const link = `dbs/${one.database.id}/colls/${one.id}`;
  const ask = async (query: string): Promise<Response> =>
    server.send('POST', `/${link}/docs`, {
      type: 'docs',
      link,
      headers: {
        'content-type': 'application/query+json',
        'x-ms-documentdb-isquery': 'true',
        'x-ms-documentdb-partitionkeyrangeid': '0',
        'x-ms-max-item-count': '2',
      },
      body: JSON.stringify({ query }),
    });
  const answer = await ask(part);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('x-ms-continuation'), null);
  assert.equal(answer.headers.get('x-ms-item-count'), String(texts.length));
  // What nobody has to put together is cut into pages as it was asked for.
  const plain = await ask(`SELECT c.id FROM c ORDER BY ${score} DESC OFFSET 0 LIMIT 120`);
  assert.equal(plain.headers.get('x-ms-item-count'), '2');
});
