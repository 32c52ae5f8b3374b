// Users, permissions and their tokens, and encryption keys.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CosmosClient, PermissionMode, type User } from '@azure/cosmos';
import { failure } from './support/failure.ts';
import { nosqlServer } from './support/nosql-server.ts';

const server = nosqlServer();

async function user(id = 'ann'): Promise<User> {
  const database = await server.database();
  return (await database.users.create({ id })).user;
}

test('users are created, read, listed, queried, renamed, upserted and deleted', async () => {
  const database = await server.database();
  const { resource, statusCode } = await database.users.create({ id: 'ann' });
  assert.equal(statusCode, 201);
  assert.ok(resource);
  const { resource: owner } = await database.read();
  assert.equal(resource._self, `${owner?._self}users/${resource._rid}/`);
  const rid = Buffer.from(resource._rid.replaceAll('-', '/'), 'base64');
  assert.deepEqual([rid.length, (rid[4] ?? 0) & 0x80], [8, 0]);
  assert.deepEqual((await database.user('ann').read()).resource, resource);
  const byRid = await server.send('GET', `/${resource._self}`, {
    type: 'users',
    link: resource._rid.toLowerCase(),
  });
  assert.deepEqual(await byRid.json(), resource);
  assert.equal((await failure(database.users.create({ id: 'ann' }))).code, 409);
  assert.equal((await database.users.upsert({ id: 'ann' })).statusCode, 200);
  assert.equal((await database.users.upsert({ id: 'bob' })).statusCode, 201);
  const queried = await database.users
    .query({ query: 'SELECT * FROM root r WHERE r.id = @id', parameters: [{ name: '@id', value: 'bob' }] })
    .fetchAll();
  assert.deepEqual(
    queried.resources.map(({ id }) => id),
    ['bob'],
  );
  const renamed = await database.user('ann').replace({ id: 'anna' });
  assert.deepEqual([renamed.resource?.id, renamed.resource?._rid], ['anna', resource._rid]);
  assert.equal((await failure(database.user('ann').read())).code, 404);
  assert.equal((await failure(database.user('anna').replace({ id: 'bob' }))).code, 409);
  assert.deepEqual(
    (await database.users.readAll().fetchAll()).resources.map(({ id }) => id),
    ['anna', 'bob'],
  );
  assert.equal((await database.user('anna').delete()).statusCode, 204);
  assert.equal((await failure(database.user('anna').delete())).code, 404);
});

test('a permission has a token, and a new one whenever it is looked at', async () => {
  const ann = await user();
  const { container } = await ann.database.containers.create({ id: 'c', partitionKey: { paths: ['/pk'] } });
  const { resource, permission } = await ann.permissions.create({
    id: 'reading',
    permissionMode: PermissionMode.Read,
    resource: container.url,
  });
  const made = resource as unknown as Record<string, string>;
  assert.match(made['_token'] ?? '', /^type=resource&ver=1&sig=.+;.+;$/);
  assert.deepEqual([made['permissionMode'], made['resource']], ['read', container.url]);
  // Its life is counted in milliseconds.
  const madeAtMs = Date.now();
  while (Date.now() === madeAtMs) await new Promise((resolve) => setTimeout(resolve, 1));
  const read = (await permission.read()).resource as unknown as Record<string, string>;
  assert.notEqual(read['_token'], made['_token']);
  assert.equal(read['_etag'], made['_etag']);
  const listed = (await ann.permissions.readAll().fetchAll()).resources;
  assert.deepEqual(
    listed.map(({ id }) => id),
    ['reading'],
  );
  const queried = await ann.permissions
    .query({ query: 'SELECT * FROM root r WHERE r.id = "reading"' })
    .fetchAll();
  assert.equal(queried.resources.length, 1);
});

test('a token opens what its permission is for, and no more', async () => {
  const ann = await user();
  const { container } = await ann.database.containers.create({ id: 'c', partitionKey: { paths: ['/pk'] } });
  const { container: other } = await ann.database.containers.create({
    id: 'o',
    partitionKey: { paths: ['/pk'] },
  });
  await container.items.create({ id: '1', pk: 'a' });
  await other.items.create({ id: '1', pk: 'a' });
  const { resource } = await ann.permissions.create({
    id: 'p',
    permissionMode: PermissionMode.Read,
    resource: container.url,
  });
  const token = (resource as unknown as { _token: string })._token;
  const client = new CosmosClient({
    endpoint: server.endpoint,
    resourceTokens: { [container.url]: token, [other.url]: token },
  });
  try {
    const seen = client.database(ann.database.id);
    assert.equal((await seen.container('c').item('1', 'a').read()).resource?.id, '1');
    assert.equal((await failure(seen.container('c').items.create({ id: '2', pk: 'a' }))).code, 403);
    assert.equal((await failure(seen.container('o').item('1', 'a').read())).code, 403);
    await ann
      .permission('p')
      .replace({ id: 'p', permissionMode: PermissionMode.All, resource: container.url });
    assert.equal(
      (await failure(seen.container('c').items.create({ id: '2', pk: 'a' }))).code,
      403,
      'an old token',
    );
  } finally {
    client.dispose();
  }
});

test('a permission names its resource by letters as they are, or encoded, as .NET does', async () => {
  const ann = await user();
  for (const id of ['a%20b', '100%', 'c d']) {
    const { container } = await ann.database.containers.create({ id, partitionKey: { paths: ['/pk'] } });
    await container.items.create({ id: '1', pk: 'a' });
    for (const resource of [container.url, `dbs/${ann.database.id}/colls/${encodeURIComponent(id)}`]) {
      const made = await ann.permissions.upsert({ id, permissionMode: PermissionMode.Read, resource });
      const token = (made.resource as unknown as { _token: string })._token;
      const client = new CosmosClient({
        endpoint: server.endpoint,
        resourceTokens: { [container.url]: token },
      });
      const read = await client.database(ann.database.id).container(id).item('1', 'a').read();
      assert.equal(read.statusCode, 200, resource);
      client.dispose();
    }
  }
});

test('a user has one permission for a resource, by name or by rid, and one for each of its partition keys', async () => {
  const ann = await user();
  const { container, resource } = await ann.database.containers.create({
    id: 'c',
    partitionKey: { paths: ['/pk'] },
  });
  const create = (id: string, more: object = {}) =>
    ann.permissions.create({ id, permissionMode: PermissionMode.Read, resource: container.url, ...more });
  await create('first');
  assert.equal((await failure(create('second'))).code, 409);
  assert.equal((await failure(create('second', { resource: resource?._self ?? '' }))).code, 409);
  await create('key', { resourcePartitionKey: ['a'] });
  assert.equal((await failure(create('again', { resourcePartitionKey: ['a'] }))).code, 409);
  await create('other', { resourcePartitionKey: ['b'] });
  const upserted = await ann.permissions.upsert({
    id: 'first',
    permissionMode: PermissionMode.All,
    resource: container.url,
  });
  assert.equal(upserted.statusCode, 200);
});

test('a permission is for a container or what is in it, and reads or does all', async () => {
  const ann = await user();
  const { container } = await ann.database.containers.create({ id: 'c', partitionKey: { paths: ['/pk'] } });
  const create = (permissionMode: string, resource: string) =>
    ann.permissions.create({ id: 'p', permissionMode: permissionMode as PermissionMode, resource });
  assert.equal((await failure(create('sometimes', container.url))).code, 400);
  assert.equal((await failure(create('none', container.url))).code, 400);
  assert.equal((await failure(create('read', ann.database.url))).code, 400);
  assert.equal((await failure(create('read', 'nonsense'))).code, 400);
  const missing = await failure(
    ann.database
      .user('nobody')
      .permissions.create({ id: 'p', permissionMode: PermissionMode.Read, resource: container.url }),
  );
  assert.deepEqual([missing.code, missing.substatus], [404, 1003]);
});

test('a permission may be for something that is not there yet', async () => {
  const ann = await user();
  const resource = `dbs/${ann.database.id}/colls/later`;
  const { permission } = await ann.permissions.create({
    id: 'p',
    permissionMode: PermissionMode.Read,
    resource,
  });
  await ann.permissions.create({
    id: 'q',
    permissionMode: PermissionMode.Read,
    resource: 'dbs/AQAAAA==/colls/AQAAAJ0fgTc=',
  });
  const client = async (): Promise<CosmosClient> => {
    const { _token } = (await permission.read()).resource as unknown as { _token: string };
    return new CosmosClient({ endpoint: server.endpoint, resourceTokens: { [resource]: _token } });
  };
  const early = await client();
  await ann.database.containers.create({ id: 'later', partitionKey: { paths: ['/pk'] } });
  const late = await client();
  try {
    assert.equal((await failure(early.database(ann.database.id).container('later').read())).code, 403);
    assert.equal((await late.database(ann.database.id).container('later').read()).statusCode, 200);
  } finally {
    early.dispose();
    late.dispose();
  }
});

test('how long a token lives is for who asks to say', async () => {
  const ann = await user();
  const { container } = await ann.database.containers.create({ id: 'c', partitionKey: { paths: ['/pk'] } });
  const definition = { id: 'p', permissionMode: PermissionMode.Read, resource: container.url };
  assert.equal(
    (await failure(ann.permissions.create(definition, { resourceTokenExpirySeconds: 100_000 }))).code,
    400,
  );
  const { resource } = await ann.permissions.create(definition, { resourceTokenExpirySeconds: 20 });
  const [, payload = ''] = (resource as unknown as { _token: string })._token.split(';');
  const { s, e } = JSON.parse(Buffer.from(payload, 'base64').toString()) as { s: number; e: number };
  assert.equal(e - s, 20_000);
});

test('the permissions of a user go with the user', async () => {
  const ann = await user();
  const { container } = await ann.database.containers.create({ id: 'c', partitionKey: { paths: ['/pk'] } });
  await ann.permissions.create({ id: 'p', permissionMode: PermissionMode.Read, resource: container.url });
  await ann.replace({ id: 'renamed' });
  const renamed = ann.database.user('renamed');
  assert.equal((await renamed.permission('p').read()).statusCode, 200);
  await renamed.delete();
  await ann.database.users.create({ id: 'renamed' });
  assert.deepEqual((await renamed.permissions.readAll().fetchAll()).resources, []);
});

test('encryption keys are kept as clients wrapped them, and containers name keys that are there', async () => {
  const database = await server.database();
  const link = `dbs/${database.id}`;
  const send = (method: string, path: string, body?: unknown) =>
    server.send(method, `/${link}/${path}`, {
      type: path.split('/')[0] ?? '',
      link: method === 'POST' ? link : `${link}/${path}`,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const key = {
    id: 'key',
    encryptionAlgorithm: 'AEAD_AES_256_CBC_HMAC_SHA256',
    wrappedDataEncryptionKey: 'AAAA',
    keyWrapMetadata: { type: 'akv', name: 'n', value: 'https://vault/keys/1', algorithm: 'RSA-OAEP' },
  };
  const made = await send('POST', 'clientencryptionkeys', key);
  assert.equal(made.status, 201);
  const shown = (await made.json()) as Record<string, unknown>;
  assert.deepEqual({ ...shown, ...key }, shown);
  assert.deepEqual(await (await send('GET', 'clientencryptionkeys/key')).json(), shown);
  const rewrapped = { ...key, wrappedDataEncryptionKey: 'BBBB' };
  assert.equal((await send('PUT', 'clientencryptionkeys/key', rewrapped)).status, 200);
  assert.equal((await send('POST', 'clientencryptionkeys', { id: 'other' })).status, 400);
  const policy = (clientEncryptionKeyId: string) => ({
    includedPaths: [
      {
        path: '/secret',
        clientEncryptionKeyId,
        encryptionType: 'Deterministic',
        encryptionAlgorithm: 'AEAD_AES_256_CBC_HMAC_SHA256',
      },
    ],
    policyFormatVersion: 1,
  });
  const container = (id: string, clientEncryptionPolicy: unknown) => ({
    id,
    partitionKey: { paths: ['/pk'] },
    clientEncryptionPolicy,
  });
  assert.equal((await send('POST', 'colls', container('c', policy('none')))).status, 400);
  const answer = await send('POST', 'colls', container('c', policy('key')));
  assert.equal(answer.status, 201);
  assert.deepEqual(
    ((await answer.json()) as Record<string, unknown>)['clientEncryptionPolicy'],
    policy('key'),
  );
});
