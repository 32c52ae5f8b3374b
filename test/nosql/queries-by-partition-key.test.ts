// Queries that a partition key, or a part of one, leads to where their items are.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Container,
  type FeedOptions,
  PartitionKeyBuilder,
  PartitionKeyKind,
  type SqlQuerySpec,
} from '@azure/cosmos';
import { nosqlServer } from './support/nosql-server.ts';

const server = nosqlServer();

async function ask(
  container: Container,
  query: string | SqlQuerySpec,
  options: FeedOptions = {},
): Promise<readonly string[]> {
  const { resources } = await container.items.query<unknown>(query, options).fetchAll();
  return resources.map((row) => JSON.stringify(row)).sort();
}

function json(...rows: readonly unknown[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}

test('a hierarchical key, leading levels of it, and a filter on either, lead to the same items', async () => {
  const container = await server.container({
    throughput: 20_000,
    partitionKey: { paths: ['/tenant', '/user'], kind: PartitionKeyKind.MultiHash, version: 2 },
  });
  for (let n = 0; n < 18; n++) {
    await container.items.create({ id: `i${n}`, tenant: `t${n % 3}`, user: `u${n % 2}`, n });
  }
  const mine = json(1, 7, 13);
  const whole = new PartitionKeyBuilder().addValue('t1').addValue('u1').build();
  const prefix = new PartitionKeyBuilder().addValue('t1').build();
  const values = 'SELECT VALUE c.n FROM c';
  assert.deepEqual(await ask(container, values, { partitionKey: whole }), mine);
  assert.deepEqual(await ask(container, values, { partitionKey: prefix }), json(1, 4, 7, 10, 13, 16));
  assert.deepEqual(await ask(container, `${values} WHERE c.tenant = "t1" AND c.user = "u1"`), mine);
  assert.deepEqual(await ask(container, `${values} WHERE c.tenant = "t1"`), json(1, 4, 7, 10, 13, 16));
  assert.deepEqual(
    await ask(container, `${values} WHERE c.user = "u1"`),
    json(1, 3, 5, 7, 9, 11, 13, 15, 17),
  );
  assert.deepEqual(
    await ask(container, `${values} WHERE c.tenant IN ("t1", "t2") AND c.user = "u1" ORDER BY c.n`),
    json(1, 5, 7, 11, 13, 17),
  );
  assert.deepEqual(await ask(container, 'SELECT VALUE COUNT(1) FROM c WHERE c.tenant = "t1"'), json(6));
  assert.deepEqual(await ask(container, 'SELECT VALUE COUNT(1) FROM c', { partitionKey: prefix }), json(6));
});

test('keys of every type, and none, are found by header and by filter', async () => {
  const container = await server.container({ partitionKey: { paths: ['/a/b'] } });
  const keys = ['x', '', 5, 0, true, false, null];
  for (const [at, key] of keys.entries()) await container.items.create({ id: `i${at}`, a: { b: key } });
  await container.items.create({ id: 'none', a: {} });
  for (const [at, key] of keys.entries()) {
    const query = {
      query: 'SELECT VALUE c.id FROM c WHERE c.a.b = @key',
      parameters: [{ name: '@key', value: key }],
    };
    assert.deepEqual(await ask(container, query), json(`i${at}`));
    assert.deepEqual(await ask(container, 'SELECT VALUE c.id FROM c', { partitionKey: key }), json(`i${at}`));
  }
  assert.deepEqual(
    await ask(container, 'SELECT VALUE c.id FROM c WHERE NOT IS_DEFINED(c.a.b)'),
    json('none'),
  );
  assert.deepEqual(await ask(container, 'SELECT VALUE c.id FROM c WHERE c.a.b = -0'), json('i3'));
  const long = {
    query: 'SELECT VALUE c.id FROM c WHERE c.a.b = @key',
    parameters: [{ name: '@key', value: 'x'.repeat(5_000) }],
  };
  assert.deepEqual(await ask(container, long), []);
});

test('a filter on the key and the id is a look at one item', async () => {
  const container = await server.container();
  for (let n = 0; n < 20; n++) await container.items.create({ id: `i${n}`, pk: 'p', n });
  const { resources, requestCharge } = await container.items
    .query('SELECT * FROM c WHERE c.id = "i7" AND c.pk = "p"')
    .fetchAll();
  assert.equal(resources.length, 1);
  assert.ok(requestCharge < 3, String(requestCharge));
});

test('what a container computes is found by name, and is in no item', async () => {
  const container = await server.container({
    computedProperties: [{ name: 'lower', query: 'SELECT VALUE LOWER(c.word) FROM c' }],
  });
  await container.items.create({ id: '1', pk: 'p', word: 'Elm' });
  await container.items.create({ id: '2', pk: 'p', word: 'ASH' });
  await container.items.create({ id: '3', pk: 'p', word: 'Fir', lower: 'own' });
  assert.deepEqual(await ask(container, 'SELECT VALUE c.id FROM c WHERE c.lower = "ash"'), json('2'));
  const ordered = await container.items
    .query<string>('SELECT VALUE c.lower FROM c ORDER BY c.lower')
    .fetchAll();
  assert.deepEqual(ordered.resources, ['ash', 'elm', 'own']);
  const { resources } = await container.items.query('SELECT * FROM c WHERE c.lower = "elm"').fetchAll();
  assert.ok(!('lower' in (resources[0] as object)));
});
