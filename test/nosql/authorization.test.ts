// Who may do what: account keys, resource tokens, tokens of Microsoft Entra.

import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  type Container,
  type ContainerRequest,
  CosmosClient,
  PartitionKeyKind,
  PermissionMode,
  TriggerOperation,
  TriggerType,
} from '@azure/cosmos';
import { hexOf } from '../../src/foundation/byte-string.ts';
import { effectivePartitionKey, hierarchicalRange } from '../../src/partitioning/effective-partition-key.ts';
import { ringStart } from '../../src/partitioning/ring-position.ts';
import { type RingRange, rangeOfPosition, ringRange, wholeRing } from '../../src/partitioning/ring-range.ts';
import { type Ringfold, type RingfoldOptions, startRingfold } from '../../src/ringfold.ts';
import { afterTest, temporaryDirectory } from '../support/start-ringfold.ts';
import { failure } from './support/failure.ts';
import { nosqlServer } from './support/nosql-server.ts';

const server = nosqlServer();

async function answerTo(
  headers: Record<string, string>,
  path = '/dbs',
): Promise<{ status: number; message: string }> {
  const answer = await fetch(`${server.endpoint}${path}`, { headers });
  const body = (await answer.json()) as { message?: string };
  return { status: answer.status, message: body.message ?? '' };
}

function clientWith(key: string): CosmosClient {
  return new CosmosClient({ endpoint: server.endpoint, key });
}

test('a request without a signature, or with a wrong one, is 401, and says what should have been signed', async () => {
  const missing = await answerTo({});
  assert.equal(missing.status, 401);
  assert.match(missing.message, /Required Header authorization is missing/);
  const wrong = await answerTo(server.signedHeaders('GET', 'dbs', '', { key: 'AAAA' }));
  assert.equal(wrong.status, 401);
  assert.match(wrong.message, /The wrong key is being used.*payload to sign: 'get\ndbs\n\n/s);
  const error = await failure(clientWith('d3Jvbmc=').databases.readAll().fetchAll());
  assert.equal(error.code, 401);
});

test('a header that is no token is 401, with the words of the service', async () => {
  const date = { 'x-ms-date': new Date().toUTCString() };
  for (const authorization of [
    'nonsense',
    'type=master',
    'type=sas&ver=1.0&sig=a',
    '%zz',
    'type=master&ver=1.0&sig=',
  ]) {
    assert.equal((await answerTo({ ...date, authorization })).status, 401, authorization);
  }
  // What Python sends for a resource that none of its tokens is for.
  const none = await answerTo({ ...date, authorization: 'None' });
  assert.match(none.message, /Authorization header doesn't confirm to the required format/);
});

test('a SAS token is 401, and its user is told what to use instead', async () => {
  const authorization = encodeURIComponent('type=sas&ver=1.0&sig=c2ln;dXNlcg==');
  const answer = await answerTo({ 'x-ms-date': new Date().toUTCString(), authorization });
  assert.equal(answer.status, 401);
  assert.match(answer.message, /SAS tokens .* not served.* Use an account key/);
});

test('primary and secondary key do everything; the two read-only keys read and query, and are 403 for the rest', async () => {
  const { keys } = server.ringfold;
  const container = await server.container();
  await container.items.create({ id: 'a', pk: 'p' });
  const through = (key: string) => clientWith(key).database(container.database.id).container(container.id);
  await through(keys.secondary).items.create({ id: 'b', pk: 'p' });
  for (const key of [keys.primaryReadonly, keys.secondaryReadonly]) {
    const readOnly = through(key);
    assert.equal((await readOnly.item('a', 'p').read()).statusCode, 200);
    assert.equal((await readOnly.items.query('SELECT * FROM c').fetchAll()).resources.length, 2);
    assert.equal((await failure(readOnly.items.create({ id: 'c', pk: 'p' }))).code, 403);
    assert.equal((await failure(readOnly.item('a', 'p').delete())).code, 403);
    assert.equal((await failure(clientWith(key).databases.create({ id: 'd' }))).code, 403);
  }
});

test('a signature is good for fifteen minutes, before and after', async () => {
  const at = (minutes: number) =>
    answerTo(
      server.signedHeaders('GET', 'dbs', '', {
        date: new Date(Date.now() + minutes * 60_000).toUTCString(),
      }),
    );
  assert.equal((await at(-14)).status, 200);
  assert.equal((await at(14)).status, 200);
  for (const minutes of [-16, 16]) {
    const { status, message } = await at(minutes);
    assert.equal(status, 403);
    assert.match(message, /not valid at the current time/);
  }
});

test('a signature bears a date, as x-ms-date or as date', async () => {
  const { 'x-ms-date': date = '', 'x-ms-version': version = '' } = server.signedHeaders('GET', 'dbs', '');
  const signed = (text: string): string => {
    const key = Buffer.from(server.ringfold.keys.primary, 'base64');
    return encodeURIComponent(
      `type=master&ver=1.0&sig=${createHmac('sha256', key).update(text).digest('base64')}`,
    );
  };
  const asDate = signed(`get\ndbs\n\n\n${date.toLowerCase()}\n`);
  assert.equal((await answerTo({ authorization: asDate, date, 'x-ms-version': version })).status, 200);
  const without = await answerTo({ authorization: signed('get\ndbs\n\n\n\n'), 'x-ms-version': version });
  assert.equal(without.status, 401);
  assert.match(without.message, /date header is invalid/);
});

test('the token may be encoded with small or capital letters, or not at all', async () => {
  const { authorization = '', ...rest } = server.signedHeaders('GET', 'dbs', '');
  const small = authorization.replaceAll(/%[\dA-F]{2}/g, (code) => code.toLowerCase());
  for (const each of [authorization, small, decodeURIComponent(authorization)])
    assert.equal((await answerTo({ ...rest, authorization: each })).status, 200);
});

test('names are signed decoded, whatever stands in them', async () => {
  for (const id of ['with space', 'ümläut', 'per%cent', "quote'", '名前', 'a+b&c=d']) {
    await server.client.databases.create({ id });
    const { resource } = await server.client.database(id).read();
    assert.equal(resource?.id, id);
    await server.client.database(id).delete();
  }
});

test('by rid the last rid is signed, in small letters', async () => {
  const container = await server.container();
  const { resource } = await container.read();
  const self = String(resource?._self).replace(/\/$/, '');
  const rid = String(resource?._rid).toLowerCase();
  const one = await server.send('GET', `/${self}`, { type: 'colls', link: rid });
  assert.equal(one.status, 200);
  const feed = await server.send('GET', `/${self}/pkranges`, { type: 'pkranges', link: rid });
  assert.equal(feed.status, 200);
});

test('the reading of a conflict may be signed as if it were a user, as JS does', async () => {
  const container = await server.container();
  const error = await failure(container.conflict('none').read());
  assert.equal(error.code, 404);
});

test('a read token reads what is below its resource, and nothing else', async () => {
  const { container, tokenClient } = await grant(PermissionMode.Read);
  const { item } = await container.items.create({ id: 'a', pk: 'p' });
  const limited = tokenClient.database(container.database.id).container(container.id);
  assert.equal((await limited.item(item.id, 'p').read()).statusCode, 200);
  assert.equal((await limited.items.query('SELECT * FROM c').fetchAll()).resources.length, 1);
  assert.equal((await limited.read()).statusCode, 200);
  const refused: readonly (() => Promise<unknown>)[] = [
    () => limited.items.create({ id: 'b', pk: 'p' }),
    () => limited.item('a', 'p').delete(),
    () => limited.delete(),
    () => tokenClient.database(container.database.id).read(),
  ];
  for (const each of refused) assert.equal((await failure(each())).code, 403, String(each));
});

test('a token for everything writes too, below its resource', async () => {
  const { container, tokenClient } = await grant(PermissionMode.All);
  const limited = tokenClient.database(container.database.id).container(container.id);
  assert.equal((await limited.items.create({ id: 'b', pk: 'p' })).statusCode, 201);
  assert.equal((await failure(tokenClient.database(container.database.id).delete())).code, 403);
});

test('a token that is bound to a partition key sees only that', async () => {
  const { container, tokenClient } = await grant(PermissionMode.All, ['p']);
  await container.items.create({ id: 'a', pk: 'q' });
  const limited = tokenClient.database(container.database.id).container(container.id);
  assert.equal((await limited.items.create({ id: 'a', pk: 'p' })).statusCode, 201);
  assert.equal((await limited.item('a', 'p').read()).statusCode, 200);
  assert.equal((await failure(limited.item('a', 'q').read())).code, 403);
  assert.equal((await failure(limited.items.query('SELECT * FROM c').fetchAll())).code, 403);
});

test('a token that is bound to a partition key does nothing to other keys, nor to the container', async () => {
  const { container, tokenClient, token } = await grant(PermissionMode.All, ['p']);
  await container.items.create({ id: 'a', pk: 'q' });
  const limited = tokenClient.database(container.database.id).container(container.id);
  const { resource: definition } = await limited.read();
  assert.ok(definition !== undefined);
  const trigger = { triggerType: TriggerType.Pre, triggerOperation: TriggerOperation.All };
  for (const refused of [
    () => limited.delete(),
    () => limited.replace({ id: container.id, partitionKey: { paths: ['/pk'] } }),
    () => limited.scripts.triggers.create({ id: 't', body: 'function () {}', ...trigger }),
    () => limited.items.readAll().fetchAll(),
    () => limited.deleteAllItemsForPartitionKey('q'),
  ]) {
    assert.equal((await failure(refused())).code, 403);
  }
  const link = `dbs/${container.database.id}/colls/${container.id}`;
  const bulk = await server.send('POST', `/${link}/docs`, {
    type: 'docs',
    link,
    headers: {
      authorization: encodeURIComponent(token),
      'x-ms-documentdb-partitionkey': '["p"]',
      'x-ms-cosmos-is-batch-request': 'true',
      'x-ms-cosmos-batch-atomic': 'false',
    },
    body: JSON.stringify([
      { operationType: 'Delete', id: 'a', partitionKey: '["q"]' },
      { operationType: 'Upsert', partitionKey: '["p"]', resourceBody: { id: 'b', pk: 'p' } },
    ]),
  });
  const results = (await bulk.json()) as { statusCode: number }[];
  assert.equal(results[0]?.statusCode, 403);
  assert.equal((await container.item('a', 'q').read()).statusCode, 200);
});

test('a token that is bound to a partition key has feeds and queries of the key, also by its place on the ring', async () => {
  // As Python's change feeds ask: from the position of the key to the next. Of a key that is hashed by version 1 only 100 characters count.
  const long = 'x'.repeat(100);
  for (const { key, other, version } of [
    { key: 'a', other: 'b', version: 2 },
    { key: `${long}a`, other: `${long}b`, version: 1 },
  ]) {
    const definition = { partitionKey: { paths: ['/pk'], version, kind: PartitionKeyKind.Hash } };
    const { container, token } = await grant(PermissionMode.Read, [key], definition);
    for (const pk of [key, other]) await container.items.create({ id: pk.slice(-1), pk });
    const rangeOf = (pk: string): RingRange =>
      rangeOfPosition(effectivePartitionKey(version === 1 ? 'v1' : 'v2', [pk]));
    const own = rangeOf(key);
    const beyond: Record<string, string>[] = [
      {},
      epkHeaders(wholeRing),
      epkHeaders(ringRange(ringStart, own.max)),
    ];
    if (version === 2) beyond.push(epkHeaders(rangeOf(other)));
    else assert.deepEqual(rangeOf(other), own);
    const query = 'SELECT * FROM c';
    const changes = { 'a-im': 'Incremental Feed' };
    for (const named of [{}, { 'x-ms-documentdb-partitionkeyrangeid': '0' }]) {
      const seen = (headers: Record<string, string>, asked?: string) =>
        idsSeen(container, token, { ...named, ...headers }, asked);
      assert.deepEqual(await seen({ ...epkHeaders(own), ...changes }), ['a']);
      assert.deepEqual(await seen(epkHeaders(own)), ['a']);
      assert.deepEqual(await seen(epkHeaders(own), query), ['a']);
      for (const range of beyond) {
        assert.equal(await seen({ ...range, ...changes }), 403);
        assert.equal(await seen(range), 403);
        assert.equal(await seen(range, query), 403);
      }
    }
  }
});

test('a token that is bound to the first levels of a key has what is below them by their place on the ring', async () => {
  const paths = ['/tenant', '/pk'];
  const definition = { partitionKey: { paths, version: 2, kind: PartitionKeyKind.MultiHash } };
  const { container, token } = await grant(PermissionMode.Read, ['t'], definition);
  for (const [tenant, pk] of [
    ['t', 'p'],
    ['t', 'q'],
    ['u', 'p'],
  ])
    await container.items.create({ id: `${tenant}${pk}`, tenant, pk });
  const changes = { 'a-im': 'Incremental Feed' };
  const seen = (range: RingRange) => idsSeen(container, token, { ...changes, ...epkHeaders(range) });
  assert.deepEqual(await seen(hierarchicalRange(2, ['t'])), ['tp', 'tq']);
  assert.deepEqual(await seen(hierarchicalRange(2, ['t', 'q'])), ['tq']);
  assert.equal(await seen(hierarchicalRange(2, ['u'])), 403);
  assert.equal(await seen(wholeRing), 403);
});

function epkHeaders({ min, max }: RingRange): Record<string, string> {
  return { 'x-ms-start-epk': hexOf(min), 'x-ms-end-epk': hexOf(max) };
}

/** Of a feed or a query, or the status that there was instead. */
async function idsSeen(
  { database, id }: Container,
  token: string,
  headers: Record<string, string>,
  query?: string,
): Promise<string[] | number> {
  const link = `dbs/${database.id}/colls/${id}`;
  const asQuery = {
    'x-ms-documentdb-isquery': 'true',
    'x-ms-documentdb-query-enablecrosspartition': 'true',
    'content-type': 'application/query+json',
  };
  const answer = await server.send(query === undefined ? 'GET' : 'POST', `/${link}/docs`, {
    type: 'docs',
    link,
    headers: {
      ...(query === undefined ? {} : asQuery),
      ...headers,
      authorization: encodeURIComponent(token),
    },
    ...(query === undefined ? {} : { body: JSON.stringify({ query, parameters: [] }) }),
  });
  if (answer.status !== 200) return answer.status;
  const { Documents } = (await answer.json()) as { Documents: { id: string }[] };
  return Documents.map((one) => one.id).sort();
}

test('a token that was changed is 401', async () => {
  const { token } = await grant(PermissionMode.Read);
  const [head = '', payload = ''] = token.split(';');
  const forged = Buffer.from(payload, 'base64').toString().replace('"read"', '"all"');
  const changed = `${head};${Buffer.from(forged).toString('base64')};`;
  assert.equal((await answerTo({ authorization: encodeURIComponent(changed) })).status, 401);
  assert.equal((await answerTo({ authorization: encodeURIComponent(token) }, '/')).status, 200);
});

async function grant(
  permissionMode: PermissionMode,
  resourcePartitionKey?: string[],
  definition: Partial<ContainerRequest> = {},
) {
  const container = await server.container(definition);
  const { user } = await container.database.users.create({ id: 'u' });
  const { resource } = await user.permissions.create({
    id: 'p',
    permissionMode,
    resource: container.url,
    ...(resourcePartitionKey === undefined ? {} : { resourcePartitionKey }),
  });
  const token = (resource as unknown as { _token: string })._token;
  const tokenClient = new CosmosClient({
    endpoint: server.endpoint,
    resourceTokens: { [container.url]: token, [`dbs/${container.database.id}`]: token },
  });
  return { container, token, tokenClient };
}

interface TokenParts {
  readonly iss: string;
  readonly aud: string;
  readonly exp: number;
}

const issuer = 'https://sts.example/tenant/';
const claims: TokenParts = { iss: issuer, aud: 'https://cosmos.example', exp: Date.now() / 1_000 + 3_600 };

test('Entra tokens are checked against the keys and the issuer they must be of', async (context) => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const keysFile = join(temporaryDirectory(context), 'keys.json');
  writeFileSync(keysFile, JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1' }] }));
  const entra = { keysFile, issuer, audience: claims.aud, structureOnly: false };
  const other = await started(context, { nosql: { entra } });
  const signed = (parts: TokenParts, kid = 'k1'): string => {
    const text = `${encoded({ alg: 'RS256', kid })}.${encoded(parts)}`;
    return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
  };
  assert.equal(await statusWith(other, signed(claims)), 200);
  assert.equal(await statusWith(other, signed({ ...claims, iss: 'https://else.example' })), 401);
  assert.equal(await statusWith(other, signed({ ...claims, aud: 'https://else.example' })), 401);
  assert.equal(await statusWith(other, signed({ ...claims, exp: Date.now() / 1_000 - 600 })), 401);
  assert.equal(await statusWith(other, signed(claims, 'k2')), 401);
  assert.equal(await statusWith(other, `${signed(claims).slice(0, -6)}AAAAAA`), 401);
  assert.equal(await statusWith(other, 'nonsense'), 401);
});

test('Entra tokens read and write data; definitions are 403/5300', async (context) => {
  const other = await started(context, { nosql: { entra: structureOnly } });
  const create = await fetch(`http://127.0.0.1:${other.port}/dbs`, {
    method: 'POST',
    body: '{"id":"d"}',
    headers: entraHeaders(`${encoded({ alg: 'RS256' })}.${encoded(claims)}.c2ln`),
  });
  assert.equal(create.status, 403);
  assert.equal(create.headers.get('x-ms-substatus'), '5300');
});

test('an Entra token reads what clients must know of containers; throughput, scripts and users are 403/5300', async () => {
  const container = await server.container();
  const token = `${encoded({ alg: 'RS256' })}.${encoded(claims)}.${Buffer.from(server.ringfold.keys.primary).toString('base64url')}`;
  const statusOf = async (method: string, path: string, more: object = {}): Promise<string> => {
    const answer = await fetch(`${server.endpoint}/${path}`, {
      method,
      headers: { ...entraHeaders(token), ...more },
      ...(method === 'POST' ? { body: '{"query":"SELECT * FROM root"}' } : {}),
    });
    await answer.text();
    return `${answer.status}/${answer.headers.get('x-ms-substatus') ?? ''}`;
  };
  const database = `dbs/${container.database.id}`;
  const link = `${database}/colls/${container.id}`;
  for (const path of [
    '',
    'dbs',
    database,
    `${database}/colls`,
    link,
    `${link}/pkranges`,
    `${link}/conflicts`,
  ])
    assert.equal(await statusOf('GET', path), '200/', path);
  const hidden = [`${link}/sprocs`, `${link}/triggers`, `${link}/udfs/f`, `${database}/users`, 'offers'];
  for (const path of hidden) assert.equal(await statusOf('GET', path), '403/5300', path);
  const query = { 'x-ms-documentdb-isquery': 'true', 'content-type': 'application/query+json' };
  assert.equal(await statusOf('POST', 'offers', query), '403/5300');
});

test('only where it is asked for is an Entra token on loopback believed by its structure', async (context) => {
  const token = `${encoded({ alg: 'RS256' })}.${encoded(claims)}.c2ln`;
  const other = await started(context, { nosql: { entra: structureOnly } });
  assert.equal(await statusWith(other, token), 200);
  const expired = `${encoded({ alg: 'RS256' })}.${encoded({ ...claims, exp: 1 })}.c2ln`;
  assert.equal(await statusWith(other, expired), 401);
  assert.equal(await statusWith(server.ringfold, token), 401);
});

test('an Entra token that bears the key itself, as the SDKs make them for emulators, is good for data', async () => {
  const container = await server.container();
  const tokenWith = (key: string): string =>
    `${encoded({ typ: 'JWT', alg: 'RS256' })}.${encoded(claims)}.${Buffer.from(key).toString('base64url')}`;
  const credentialClient = new CosmosClient({
    endpoint: server.endpoint,
    tokenProvider: async () => `type=aad&ver=1.0&sig=${tokenWith(server.ringfold.keys.primary)}`,
  });
  const through = credentialClient.database(container.database.id).container(container.id);
  assert.equal((await through.items.create({ id: 'a', pk: 'p' })).statusCode, 201);
  assert.equal((await through.item('a', 'p').read()).statusCode, 200);
  const error = await failure(credentialClient.databases.create({ id: 'mine' }));
  assert.equal(error.code, 403);
  assert.equal(error.substatus, 5300);
  assert.match(
    error.message,
    /The given request \[POST \/dbs\] cannot be authorized by AAD token in data plane/,
  );
  assert.equal(await statusWith(server.ringfold, tokenWith('another key')), 401);
  assert.equal(await statusWith(server.ringfold, tokenWith(server.ringfold.keys.primaryReadonly)), 401);
});

test('a server that others can reach makes keys of its own and keeps them', async (context) => {
  const options = { host: '0.0.0.0', dataDir: temporaryDirectory(context) };
  const first = await startRingfold(options);
  const { keys } = first;
  await first.stop();
  assert.equal(Buffer.from(keys.primary, 'base64').length, 64);
  assert.equal(new Set(Object.values(keys)).size, 4);
  assert.ok(!Object.values(keys).includes(server.ringfold.keys.primary));
  const second = await started(context, {
    ...options,
    nosql: { keys: { secondary: 'Z2l2ZW4gZ2l2ZW4gZ2l2ZW4=' } },
  });
  assert.deepEqual(second.keys, { ...keys, secondary: 'Z2l2ZW4gZ2l2ZW4gZ2l2ZW4=' });
});

const structureOnly = {
  keysFile: undefined,
  issuer: undefined,
  audience: undefined,
  structureOnly: true,
} as const;

function encoded(json: unknown): string {
  return Buffer.from(JSON.stringify(json)).toString('base64url');
}

function entraHeaders(token: string): Record<string, string> {
  return { authorization: `type=aad&ver=1.0&sig=${token}`, 'x-ms-date': new Date().toUTCString() };
}

async function statusWith({ port }: Ringfold, token: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/dbs`, { headers: entraHeaders(token) });
  await answer.text();
  return answer.status;
}

async function started(context: TestContext, options: RingfoldOptions): Promise<Ringfold> {
  const ringfold = await startRingfold(options);
  afterTest(context, () => ringfold.stop());
  return ringfold;
}
