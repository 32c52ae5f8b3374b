// An account has a largest number of databases and containers together, 500 as in the service: here 3, so that it is reached.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failure } from './support/failure.ts';
import { nosqlServer } from './support/nosql-server.ts';

const server = nosqlServer({ nosql: { settings: { maxDatabasesAndContainers: 3 } } });

test('an account has so many databases and containers together, 403 beyond; that the substatus is 1005 is a choice', async () => {
  const { database } = await server.client.databases.create({ id: 'one' });
  const { container } = await database.containers.create({ id: 'two', partitionKey: '/pk' });
  await database.containers.create({ id: 'three', partitionKey: '/pk' });
  for (const refused of [
    await failure(server.client.databases.create({ id: 'four' })),
    await failure(database.containers.create({ id: 'four', partitionKey: '/pk' })),
  ]) {
    assert.deepEqual([refused.code, refused.substatus], [403, 1005]);
    assert.match(refused.message, /maximum of 3 databases and containers/);
  }
  assert.equal((await server.client.databases.createIfNotExists({ id: 'one' })).statusCode, 200);
  await container.delete();
  assert.equal((await server.client.databases.create({ id: 'four' })).statusCode, 201);
});
