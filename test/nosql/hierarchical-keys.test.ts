// Items under partition keys of several levels.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PartitionKeyBuilder, PartitionKeyDefinitionVersion, PartitionKeyKind } from '@azure/cosmos';
import { failure } from './support/failure.ts';
import { nosqlServer } from './support/nosql-server.ts';

const server = nosqlServer();

const hierarchical = {
  partitionKey: {
    paths: ['/tenant', '/user', '/session'],
    kind: PartitionKeyKind.MultiHash,
    version: PartitionKeyDefinitionVersion.V2,
  },
};

test('an item is found by all levels of its key', async () => {
  const container = await server.container(hierarchical);
  await container.items.create({ id: 'a', tenant: 't', user: 1, session: true });
  await container.items.create({ id: 'a', tenant: 't', user: 1, session: false });
  const { resource } = await container.item('a', ['t', 1, true]).read<{ session: boolean }>();
  assert.equal(resource?.session, true);
  assert.equal((await container.item('a', ['t', 2, true]).read()).statusCode, 404);
});

test('levels may be null or missing, and these are different keys', async () => {
  const container = await server.container(hierarchical);
  await container.items.create({ id: 'a', tenant: 't', user: null, session: 1 });
  await container.items.create({ id: 'a', tenant: 't', session: 1 });
  await container.items.create({ id: 'a', tenant: 't' });
  const withNull = new PartitionKeyBuilder().addValue('t').addNullValue().addValue(1).build();
  const { resource } = await container.item('a', withNull).read<{ user: unknown }>();
  assert.equal(resource?.user, null);
  const without = new PartitionKeyBuilder().addValue('t').addNoneValue().addNoneValue().build();
  assert.equal((await container.item('a', without).read()).statusCode, 200);
});

test('a part of the key is not enough for one item', async () => {
  const container = await server.container(hierarchical);
  await container.items.create({ id: 'a', tenant: 't', user: 1, session: 2 });
  const error = await failure(
    container.item('a', ['t', 1]).replace({ id: 'a', tenant: 't', user: 1, session: 2 }),
  );
  assert.deepEqual([error.code, error.substatus], [400, 1001]);
});

test('all kinds of writes go by hierarchical keys', async () => {
  const container = await server.container(hierarchical);
  const body = { id: 'a', tenant: 't', user: 'u', session: 's' };
  const key = ['t', 'u', 's'];
  await container.items.upsert(body);
  await container.item('a', key).replace({ ...body, n: 1 });
  await container.item('a', key).patch([{ op: 'incr', path: '/n', value: 1 }]);
  const { code } = await container.items.batch([{ operationType: 'Read', id: 'a' }], key);
  assert.equal(code, 200);
  assert.equal(
    (await failure(container.item('a', key).patch([{ op: 'set', path: '/user', value: 'x' }]))).code,
    400,
  );
  await container.item('a', key).delete();
});
