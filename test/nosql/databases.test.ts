// Databases: made, found, listed, deleted with all that is in them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failure } from './support/failure.ts';
import { nosqlServer } from './support/nosql-server.ts';

const server = nosqlServer();

test('a database is created, read, found by name and by rid, and deleted', async () => {
  const { databases } = server.client;
  const { resource, statusCode, headers } = await databases.create({ id: 'shop' });
  assert.equal(statusCode, 201);
  assert.ok(resource);
  const { _rid, _self, _etag, _ts } = resource;
  assert.deepEqual(resource, { id: 'shop', _rid, _self, _etag, _ts, _colls: 'colls/', _users: 'users/' });
  assert.equal(_self, `dbs/${_rid}/`);
  assert.equal(Buffer.from(_rid.replaceAll('-', '/'), 'base64').length, 4);
  assert.equal(headers['etag'], _etag);
  assert.ok(Number(headers['x-ms-request-charge']) > 0);
  assert.deepEqual((await server.client.database('shop').read()).resource, resource);
  const byRid = await server.send('GET', `/${_self}`, { type: 'dbs', link: _rid.toLowerCase() });
  assert.deepEqual(await byRid.json(), resource);
  assert.equal((await server.client.database('shop').delete()).statusCode, 204);
  const missing = await failure(server.client.database('shop').read());
  assert.deepEqual([missing.code, missing.substatus], [404, 0]);
  assert.match(missing.message, /Resource Not Found/);
});

test('a database of a name that is taken is refused, and createIfNotExists finds it', async () => {
  const { databases } = server.client;
  await databases.create({ id: 'once' });
  const refused = await failure(databases.create({ id: 'once' }));
  assert.equal(refused.code, 409);
  assert.match(refused.message, /already exists/);
  assert.equal((await databases.createIfNotExists({ id: 'once' })).statusCode, 200);
  assert.equal((await databases.createIfNotExists({ id: 'twice' })).statusCode, 201);
});

test('a database that is deleted and made again has another rid', async () => {
  const first = await server.client.databases.create({ id: 'phoenix' });
  await first.database.delete();
  const second = await server.client.databases.create({ id: 'phoenix' });
  assert.notEqual(first.resource?._rid, second.resource?._rid);
});

test('databases are listed and queried in the order in which they were made, a page at a time', async () => {
  const names = ['page-c', 'page-a', 'page-b'];
  for (const id of names) await server.client.databases.create({ id });
  const pages: string[][] = [];
  const listing = server.client.databases.readAll({ maxItemCount: 2 });
  while (listing.hasMoreResults()) {
    const { resources } = await listing.fetchNext();
    pages.push((resources ?? []).map(({ id }) => id));
  }
  assert.ok(pages.every((page) => page.length <= 2));
  assert.deepEqual(
    pages.flat().filter((id) => id.startsWith('page-')),
    names,
  );
  const { resources } = await server.client.databases
    .query({
      query: 'SELECT * FROM root r WHERE r.id = @id',
      parameters: [{ name: '@id', value: 'page-a' }],
    })
    .fetchAll();
  assert.deepEqual(
    resources.map(({ id }) => id),
    ['page-a'],
  );
  const ids = await server.client.databases
    .query('SELECT VALUE r.id FROM r WHERE STARTSWITH(r.id, "page-") ORDER BY r.id', { maxItemCount: 1 })
    .fetchAll();
  assert.deepEqual(ids.resources, ['page-a', 'page-b', 'page-c']);
});

test('a page of databases that nobody else asked for is refused, and so is a page size that is none', async () => {
  const ask = (headers: Record<string, string>) =>
    server.send('GET', '/dbs', { type: 'dbs', link: '', headers });
  assert.equal((await ask({ 'x-ms-continuation': 'nonsense' })).status, 400);
  assert.equal((await ask({ 'x-ms-max-item-count': '0' })).status, 400);
  assert.equal((await ask({ 'x-ms-max-item-count': '2147483648' })).status, 400);
  for (const size of ['-1', '2147483647'])
    assert.equal((await ask({ 'x-ms-max-item-count': size })).status, 200);
});

test('ids of databases are up to 255 characters, and have none of / \\ ? # and no space at their end', async () => {
  const create = (id: unknown) =>
    server.send('POST', '/dbs', { type: 'dbs', link: '', body: JSON.stringify({ id }) });
  for (const id of [
    'a/b',
    'a\\b',
    'a?b',
    'a#b',
    'a ',
    'a\tb',
    'a\n',
    '',
    'x'.repeat(256),
    '\ud800',
    1,
    null,
  ]) {
    const answer = await create(id);
    assert.equal(answer.status, 400, JSON.stringify(id));
    assert.equal(((await answer.json()) as { code: string }).code, 'BadRequest');
  }
  for (const id of ['x'.repeat(255), 'größe', 'a b', '日本', '%41', '__proto__', 'constructor']) {
    assert.equal((await create(id)).status, 201, id);
    assert.equal((await server.client.database(id).read()).resource?.id, id);
  }
  const bodies = ['', '[]', '{', '"shop"', '{}'];
  for (const body of bodies)
    assert.equal((await server.send('POST', '/dbs', { type: 'dbs', link: '', body })).status, 400, body);
});

test('a database is not sent to who has it, and not deleted by who has seen another', async () => {
  const { database, resource } = await server.client.databases.create({ id: 'etags' });
  const unchanged = await server.send('GET', '/dbs/etags', {
    type: 'dbs',
    link: 'dbs/etags',
    headers: { 'if-none-match': resource?._etag ?? '' },
  });
  assert.equal(unchanged.status, 304);
  const options = { accessCondition: { type: 'IfMatch', condition: '"another"' } };
  assert.equal((await failure(database.delete(options))).code, 412);
  assert.equal((await database.read()).statusCode, 200);
});

test('what was in a database is gone with it', async () => {
  const { database } = await server.client.databases.create({ id: 'full', throughput: 400 });
  const { container } = await database.containers.create({ id: 'c', partitionKey: { paths: ['/pk'] } });
  await database.users.create({ id: 'u' });
  await container.items.create({ id: '1', pk: 'a' });
  const before = server.ringfold.store.containers().length;
  await database.delete();
  assert.equal(server.ringfold.store.containers().length, before - 1);
  const { database: again } = await server.client.databases.create({ id: 'full' });
  assert.deepEqual((await again.containers.readAll().fetchAll()).resources, []);
  assert.deepEqual((await again.users.readAll().fetchAll()).resources, []);
  const missing = await failure(container.items.create({ id: '1', pk: 'a' }));
  assert.deepEqual([missing.code, missing.substatus], [404, 1003]);
});

test('what is asked for in a database that is not there has no owner', async () => {
  const missing = await failure(server.client.database('nowhere').containers.readAll().fetchAll());
  assert.deepEqual([missing.code, missing.substatus], [404, 1003]);
});

test('databases are made by many at once, and one of a name', async () => {
  const all = await Promise.allSettled(
    Array.from({ length: 12 }, (_, index) => server.client.databases.create({ id: `race${index % 4}` })),
  );
  assert.equal(all.filter(({ status }) => status === 'fulfilled').length, 4);
});
