// Items one by one: create, read, upsert, replace, delete, by names and by rids.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConsistencyLevel, type Container, CosmosClient } from '@azure/cosmos';
import { temporaryDirectory } from '../support/start-ringfold.ts';
import { failure } from './support/failure.ts';
import { NosqlTestServer, nosqlServer, wellKnownKey } from './support/nosql-server.ts';

const server = nosqlServer();

test('an item that is created comes back with the system properties', async () => {
  const container = await server.container();
  const { statusCode, resource, headers } = await container.items.create({ id: 'a', pk: 'p', n: 1 });
  assert.equal(statusCode, 201);
  assert.ok(resource);
  const { _rid, _self, _etag, _ts, _attachments, ...own } = resource as typeof resource & {
    _attachments: string;
  };
  assert.deepEqual(own, { id: 'a', pk: 'p', n: 1 });
  assert.equal(Buffer.from(_rid.replaceAll('-', '/'), 'base64').length, 16);
  assert.match(_self, /^dbs\/[^/]+\/colls\/[^/]+\/docs\/[^/]+\/$/);
  assert.match(_etag, /^"[\da-f-]{36}"$/);
  assert.ok(Math.abs(_ts - Date.now() / 1_000) < 60);
  assert.equal(_attachments, 'attachments/');
  assert.equal(headers['etag'], _etag);
  assert.match(String(headers['x-ms-session-token']), /^0:-1#\d+$/);
});

test('a point read gives what was written, its charge and its etag', async () => {
  const container = await server.container();
  const { resource: created } = await container.items.create({ id: 'a', pk: 'p', text: 'ä€😀' });
  const { resource, statusCode, requestCharge, etag } = await container.item('a', 'p').read();
  assert.equal(statusCode, 200);
  assert.deepEqual(resource, created);
  assert.equal(requestCharge, 1);
  assert.equal(etag, created?._etag);
});

test('an item that is not there, or under another partition key, is a 404 with a session token', async () => {
  const container = await server.container();
  await container.items.create({ id: 'a', pk: 'p' });
  for (const [id, key] of [
    ['a', 'q'],
    ['b', 'p'],
  ] as const) {
    const { statusCode, headers, resource } = await container.item(id, key).read();
    assert.equal(statusCode, 404);
    assert.equal(resource, undefined);
    assert.match(String(headers['x-ms-session-token']), /^0:-1#\d+$/);
  }
});

test('an id is taken once in each logical partition', async () => {
  const container = await server.container();
  await container.items.create({ id: 'a', pk: 'p' });
  await container.items.create({ id: 'a', pk: 'q' });
  const error = await failure(container.items.create({ id: 'a', pk: 'p' }));
  assert.equal(error.code, 409);
  assert.match(error.message, /already exists/);
});

test('an upsert creates with 201 and replaces with 200, and the item keeps its rid', async () => {
  const container = await server.container();
  const first = await container.items.upsert({ id: 'a', pk: 'p', n: 1 });
  const second = await container.items.upsert({ id: 'a', pk: 'p', n: 2 });
  assert.deepEqual([first.statusCode, second.statusCode], [201, 200]);
  assert.equal(second.resource?._rid, first.resource?._rid);
  assert.notEqual(second.resource?._etag, first.resource?._etag);
});

test('a replace changes what is there and is a 404 where nothing is', async () => {
  const container = await server.container();
  await container.items.create({ id: 'a', pk: 'p', n: 1, old: true });
  const { statusCode, resource } = await container.item('a', 'p').replace({ id: 'a', pk: 'p', n: 2 });
  assert.equal(statusCode, 200);
  assert.equal(resource?.['old' as never], undefined);
  assert.equal((await failure(container.item('b', 'p').replace({ id: 'b', pk: 'p' }))).code, 404);
});

test('a replace changes neither the id nor the partition key', async () => {
  const container = await server.container();
  await container.items.create({ id: 'a', pk: 'p' });
  assert.equal((await failure(container.item('a', 'p').replace({ id: 'b', pk: 'p' }))).code, 400);
  const moved = await failure(container.item('a', 'p').replace({ id: 'a', pk: 'q' }));
  assert.deepEqual([moved.code, moved.substatus], [400, 1001]);
});

test('a delete is a 204, and then the item is not there', async () => {
  const container = await server.container();
  await container.items.create({ id: 'a', pk: 'p' });
  const { statusCode, resource } = await container.item('a', 'p').delete();
  assert.equal(statusCode, 204);
  assert.equal(resource, null);
  assert.equal((await container.item('a', 'p').read()).statusCode, 404);
  assert.equal((await failure(container.item('a', 'p').delete())).code, 404);
});

test('an id that was deleted can be created again and has a new rid', async () => {
  const container = await server.container();
  const { resource: first } = await container.items.create({ id: 'a', pk: 'p' });
  await container.item('a', 'p').delete();
  const { resource: second } = await container.items.create({ id: 'a', pk: 'p' });
  assert.notEqual(second?._rid, first?._rid);
});

test('items are found by the rids of their _self links', async () => {
  const container = await server.container();
  const { resource } = await container.items.create({ id: 'a', pk: 'p', n: 1 });
  const path = `/${resource?._self}`;
  const request = {
    type: 'docs',
    link: (resource?._rid ?? '').toLowerCase(),
    headers: { 'x-ms-documentdb-partitionkey': '["p"]' },
  };
  const found = await server.send('GET', path, request);
  assert.equal(found.status, 200);
  assert.equal(((await found.json()) as { id: string }).id, 'a');
  assert.equal((await server.send('DELETE', path, request)).status, 204);
  assert.equal((await server.send('GET', path, request)).status, 404);
});

test('null, numbers, booleans and missing properties are partition keys of their own', async () => {
  const container = await server.container();
  const keys = [null, 0, 1.5, true, false, '', 'x'];
  for (const pk of keys) await container.items.create({ id: 'a', pk });
  await container.items.create({ id: 'a' });
  for (const pk of keys) {
    const { resource } = await container.item('a', pk).read();
    assert.equal((resource as { pk: unknown } | undefined)?.pk, pk);
  }
  const { resource } = await container.item('a', undefined).read();
  assert.equal(Object.hasOwn(resource ?? {}, 'pk'), false);
});

test('a nested path is a partition key', async () => {
  const container = await server.container({ partitionKey: { paths: ['/where/city'] } });
  await container.items.create({ id: 'a', where: { city: 'Rome' } });
  assert.equal((await container.item('a', 'Rome').read()).statusCode, 200);
});

test('text stays as it came: long integers, member order, escapes and __proto__', async () => {
  const container = await server.container();
  const body = '{"id":"a", "pk" : "p","2":1,"1":2,"long":9007199254740993,"__proto__":{"x":1},"t":"\\u0041"}';
  const headers = { 'x-ms-documentdb-partitionkey': '["p"]' };
  const { id: db } = container.database;
  const link = `dbs/${db}/colls/c`;
  const created = await server.send('POST', `/${link}/docs`, { type: 'docs', link, headers, body });
  assert.equal(created.status, 201);
  const found = await server.send('GET', `/${link}/docs/a`, {
    type: 'docs',
    link: `${link}/docs/a`,
    headers,
  });
  assert.ok((await found.text()).startsWith(body.slice(0, -1)));
});

test('system properties that a client sends are not stored', async () => {
  const container = await server.container();
  const { resource: first } = await container.items.create({ id: 'a', pk: 'p' });
  const { resource } = await container
    .item('a', 'p')
    .replace({ ...first, id: 'a', pk: 'p', _ts: 1, _rid: 'x', _etag: 'y' } as never);
  assert.equal((resource as unknown as { _rid: string })._rid, first?._rid);
  assert.notEqual((resource as unknown as { _ts: number })._ts, 1);
});

test('with return=minimal a write has no body', async () => {
  const { status, text } = await sendItem(await server.container(), '{"id":"a","pk":"p"}', {
    prefer: 'return=minimal',
  });
  assert.deepEqual([status, text], [201, '']);
});

test('without a header the partition key is taken from the item', async () => {
  const container = await server.container();
  assert.equal((await sendItem(container, '{"id":"a","pk":"p"}', {})).status, 201);
  assert.equal((await container.item('a', 'p').read()).statusCode, 200);
});

test('a header that is not the key of the item is a 400 with 1001', async () => {
  const headers = { 'x-ms-documentdb-partitionkey': '["q"]' };
  const { status, substatus, text } = await sendItem(
    await server.container(),
    '{"id":"a","pk":"p"}',
    headers,
  );
  assert.deepEqual([status, substatus], [400, '1001']);
  assert.match(text, /PartitionKey extracted from document doesn't match/);
});

test('a read without a partition key is a 400', async () => {
  const { database } = await server.container();
  const link = `dbs/${database.id}/colls/c/docs/a`;
  const { status } = await server.send('GET', `/${link}`, { type: 'docs', link });
  assert.equal(status, 400);
});

test('bodies that are no item are refused and nothing is stored', async () => {
  const container = await server.container();
  for (const body of [
    '',
    '{',
    '[]',
    '"a"',
    '1',
    'null',
    '{"pk":"p"}',
    '{"id":1,"pk":"p"}',
    '{"id":"","pk":"p"}',
    '{"id":"a/b","pk":"p"}',
    '{"id":"a","pk":{}}',
    '{"id":"a","pk":[1]}',
    '{"id":"a","pk":"p",}',
  ])
    assert.equal((await sendItem(container, body, {})).status, 400, body);
  const broken = Buffer.from([0x7b, 0x22, 0x69, 0x64, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]);
  assert.equal((await sendItem(container, broken, {})).status, 400);
  const { resources } = await container.items.readAll().fetchAll();
  assert.deepEqual(resources, []);
});

test('a range that does not hold the key is gone', async () => {
  const container = await server.container();
  const headers = { 'x-ms-documentdb-partitionkeyrangeid': '7' };
  const { status, substatus } = await sendItem(container, '{"id":"a","pk":"p"}', headers);
  assert.deepEqual([status, substatus], [410, '1002']);
});

test('a session token ahead of the partition is a 404 with 1002', async () => {
  const container = await server.container();
  const { headers: made } = await container.items.create({ id: 'a', pk: 'p' });
  const link = `dbs/${container.database.id}/colls/c/docs/a`;
  const ahead = `0:-1#${Number(made['lsn']) + 1}`;
  const headers = { 'x-ms-documentdb-partitionkey': '["p"]', 'x-ms-session-token': ahead };
  const { status, headers: told } = await server.send('GET', `/${link}`, { type: 'docs', link, headers });
  assert.deepEqual([status, told.get('x-ms-substatus')], [404, '1002']);
});

test('a client that has seen a container is served by the one that was made again under its name', async () => {
  const container = await server.container();
  // Asked for by name, since the SDK sends its session tokens with nothing else.
  const consistencyLevel = ConsistencyLevel.Session;
  const knowing = new CosmosClient({ endpoint: server.endpoint, key: wellKnownKey, consistencyLevel });
  try {
    const known = knowing.database(container.database.id).container('c');
    for (let n = 0; n < 20; n++) await known.items.create({ id: `i${n}`, pk: 'p' });
    await container.delete();
    const { container: again } = await container.database.containers.create({
      id: 'c',
      partitionKey: { paths: ['/pk'] },
    });
    await again.items.create({ id: 'a', pk: 'p' });
    const { statusCode, diagnostics } = await known.item('a', 'p').read();
    assert.equal(statusCode, 200);
    assert.deepEqual(diagnostics.clientSideRequestStatistics.retryDiagnostics.failedAttempts, []);
    const query = known.items.query('SELECT VALUE c.id FROM c', { partitionKey: 'p' });
    const page = await query.fetchNext();
    assert.deepEqual(page.resources, ['a']);
    assert.deepEqual(page.diagnostics.clientSideRequestStatistics.retryDiagnostics.failedAttempts, []);
  } finally {
    knowing.dispose();
  }
});

test('LSNs that clients are told go on after a restart, and begin higher where a container is made again', async (context) => {
  const options = { dataDir: temporaryDirectory(context), nodes: 4 };
  const lsnOfWrite = async (container: Container): Promise<number> =>
    Number((await container.items.upsert({ id: 'a', pk: 'p' })).headers['lsn']);
  const first = new NosqlTestServer();
  await first.start(options);
  const made = await first.container();
  const before = await lsnOfWrite(made);
  await first.stop();
  const second = new NosqlTestServer();
  await second.start(options);
  try {
    const database = second.client.database(made.database.id);
    const after = await lsnOfWrite(database.container('c'));
    assert.equal(after - before, 1);
    await database.container('c').delete();
    await database.containers.create({ id: 'c', partitionKey: { paths: ['/pk'] } });
    const again = await lsnOfWrite(database.container('c'));
    assert.ok(again > after, `${again} is not above ${after}`);
  } finally {
    await second.stop();
  }
});

test('ids of odd characters are served', async () => {
  const container = await server.container();
  for (const id of ['a b', 'ä€', 'a%2Fb', "it's", 'a+b&c=d', '日本', ' lead', 'x'.repeat(1023)]) {
    await container.items.create({ id, pk: 'p' });
    assert.equal((await container.item(id, 'p').read()).statusCode, 200, id);
  }
});

async function sendItem(
  container: Container,
  body: string | Uint8Array,
  headers: Record<string, string>,
): Promise<{ status: number; substatus: string | null; text: string }> {
  const link = `dbs/${container.database.id}/colls/${container.id}`;
  const response = await server.send('POST', `/${link}/docs`, { type: 'docs', link, headers, body });
  return {
    status: response.status,
    substatus: response.headers.get('x-ms-substatus'),
    text: await response.text(),
  };
}
