// The account, and what every answer has.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { ConsistencyLevel, CosmosClient } from '@azure/cosmos';
import { startRingfold } from '../../src/ringfold.ts';
import { failure } from './support/failure.ts';
import { nosqlServer, wellKnownKey } from './support/nosql-server.ts';

const server = nosqlServer();

interface Account {
  readonly id: string;
  readonly writableLocations: readonly { readonly name: string; readonly databaseAccountEndpoint: string }[];
  readonly readableLocations: readonly unknown[];
  readonly userConsistencyPolicy: { readonly defaultConsistencyLevel: string };
  readonly queryEngineConfiguration: string;
}

const account = { type: '', link: '' };

test('the account is there, with one region and the consistency it was given', async () => {
  const { resource } = await server.client.getDatabaseAccount();
  assert.equal(resource?.consistencyPolicy, 'Session');
  const shown = (await (await server.send('GET', '/', account)).json()) as Account;
  assert.equal(shown.writableLocations.length, 1);
  assert.deepEqual(shown.readableLocations, shown.writableLocations);
  assert.equal(typeof JSON.parse(shown.queryEngineConfiguration), 'object');
  assert.ok(!('_etag' in shown));
});

test('the account says that there is no room for attachments, which older Java SDKs read as a number', async () => {
  const { headers } = await server.send('GET', '/', account);
  assert.equal(headers.get('x-ms-max-media-storage-usage-mb'), '0');
  assert.equal(headers.get('x-ms-media-storage-usage-mb'), '0');
});

test('clients are told the endpoint that they dialled', async () => {
  for (const host of [`127.0.0.1:${server.ringfold.port}`, 'database.example:4711', 'database.example']) {
    const shown = await accountAt(server.ringfold.port, host);
    assert.equal(shown.writableLocations[0]?.databaseAccountEndpoint, `http://${host}/`);
  }
});

test('the account is named after its host, and never so that clients read it again before each request', async () => {
  for (const [host, id] of [
    ['database.example', 'database'],
    ['127.0.0.1', 'ringfold'],
    ['[::1]', 'ringfold'],
    ['localhost:8081', 'ringfold'],
  ] as const) {
    assert.equal((await accountAt(server.ringfold.port, host)).id, id);
  }
  const database = await server.database();
  await database.read();
  const { diagnostics } = await database.read();
  assert.deepEqual(diagnostics.clientSideRequestStatistics.metadataDiagnostics.metadataLookups, []);
});

test('a Host that is none is refused', async () => {
  for (const host of ['a b', '[', 'a:b:c']) {
    const shown = (await accountAt(server.ringfold.port, host)) as unknown as { code: string };
    assert.equal(shown.code, 'BadRequest', host);
  }
});

test('clients are told the broadcast address where one is set, with the port they dialled', async () => {
  const other = await startRingfold({ nosql: { settings: { broadcastAddress: '10.1.2.3' } } });
  try {
    const shown = await accountAt(other.port, `127.0.0.1:${other.port}`);
    assert.equal(shown.writableLocations[0]?.databaseAccountEndpoint, `http://10.1.2.3:${other.port}/`);
    assert.equal(shown.id, 'ringfold');
  } finally {
    await other.stop();
  }
});

test('GET / without a signature is a welcome for people', async () => {
  const shown = (await (await fetch(`${server.endpoint}/`)).json()) as { name: string };
  assert.equal(shown.name, 'Ringfold');
});

test('clients in direct mode are told to use gateway mode', async () => {
  const answer = await server.send('GET', '/addresses/', { type: 'addresses', link: '' });
  assert.equal(answer.status, 404);
  assert.match(((await answer.json()) as { message: string }).message, /mode of the client to Gateway/);
});

test('a path that is of no resource is 404, a verb that a resource does not take 405, both with JSON', async () => {
  for (const [method, path, status, code] of [
    ['GET', '/nowhere', 404, 'NotFound'],
    ['GET', '/docs', 404, 'NotFound'],
    ['GET', '/dbs/a/docs/b', 404, 'NotFound'],
    ['PUT', '/dbs', 405, 'MethodNotAllowed'],
    ['PUT', '/dbs/a', 405, 'MethodNotAllowed'],
    ['DELETE', '/', 405, 'MethodNotAllowed'],
  ] as const) {
    const parts = path.split('/').filter(Boolean);
    const isFeed = parts.length % 2 === 1;
    const signed = {
      type: (isFeed ? parts.at(-1) : parts.at(-2)) ?? '',
      link: (isFeed ? parts.slice(0, -1) : parts).join('/'),
    };
    const answer = await server.send(method, path, signed);
    assert.equal(answer.status, status, path);
    const body = (await answer.json()) as { code: string; message: string };
    assert.equal(body.code, code);
    assert.match(body.message, /ActivityId: /);
  }
});

test('every answer says what it cost, how long it took, which version it speaks, and by which id it is known', async () => {
  const activityId = '6f4ff6d1-6a0a-4d4f-9a69-0e2c02a51c0d';
  for (const path of ['/dbs', '/dbs/none']) {
    const signed = { type: 'dbs', link: path === '/dbs' ? '' : 'dbs/none' };
    const { headers } = await server.send('GET', path, {
      ...signed,
      headers: { 'x-ms-activity-id': activityId },
    });
    assert.equal(headers.get('x-ms-activity-id'), activityId);
    assert.match(headers.get('x-ms-request-charge') ?? '', /^\d+(\.\d+)?$/);
    assert.match(headers.get('x-ms-request-duration-ms') ?? '', /^\d+\.\d+$/);
    assert.equal(headers.get('x-ms-version'), '2020-07-15');
    assert.match(headers.get('x-ms-gatewayversion') ?? '', /^version=/);
    assert.match(headers.get('x-ms-serviceversion') ?? '', /^version=/);
    assert.ok(Date.parse(headers.get('date') ?? '') > 0);
  }
  const { headers } = await server.send('GET', '/dbs', { type: 'dbs', link: '' });
  assert.match(headers.get('x-ms-activity-id') ?? '', /^[\da-f-]{36}$/);
});

test('a request may ask for a weaker consistency than the account has, and is refused a stronger one', async () => {
  const container = await server.container();
  await container.items.create({ id: 'a', pk: 'p' });
  const read = (consistencyLevel: ConsistencyLevel) => container.item('a', 'p').read({ consistencyLevel });
  assert.equal((await read(ConsistencyLevel.Eventual)).statusCode, 200);
  assert.equal((await read(ConsistencyLevel.Session)).statusCode, 200);
  for (const level of [ConsistencyLevel.BoundedStaleness, ConsistencyLevel.Strong]) {
    const error = await failure(read(level));
    assert.equal(error.code, 400);
    assert.match(error.message, /not stronger than the service consistency level/);
  }
});

test('a read by the strategy of the latest commit asks a quorum in an account of any level, and is charged for it', async () => {
  const container = await server.container();
  await container.items.create({ id: 'a', pk: 'p' });
  const link = `${container.url}/docs/a`;
  const read = async (strategy: string): Promise<string> => {
    const answer = await server.send('GET', `/${link}`, {
      type: 'docs',
      link,
      headers: {
        'x-ms-documentdb-partitionkey': '["p"]',
        'x-ms-cosmos-read-consistency-strategy': strategy,
      },
    });
    await answer.text();
    return `${answer.status} ${answer.headers.get('x-ms-request-charge')}`;
  };
  for (const strategy of ['Default', 'Eventual', 'Session']) assert.equal(await read(strategy), '200 1');
  assert.equal(await read('LatestCommitted'), '200 2');
  assert.match(await read('GlobalStrong'), /^400/);
});

test('an account of strong consistency reads strongly, at twice the charge', async () => {
  const strong = await startRingfold({ nosql: { settings: { consistency: 'Strong' } } });
  const client = new CosmosClient({ endpoint: `http://127.0.0.1:${strong.port}`, key: wellKnownKey });
  try {
    const { database } = await client.databases.create({ id: 'd' });
    const { container } = await database.containers.create({ id: 'c', partitionKey: '/pk' });
    await container.items.create({ id: 'a', pk: 'p' });
    const { requestCharge } = await container.item('a', 'p').read();
    const weak = await container.item('a', 'p').read({ consistencyLevel: ConsistencyLevel.Eventual });
    assert.equal(requestCharge, weak.requestCharge * 2);
  } finally {
    client.dispose();
    await strong.stop();
  }
});

test('a session token of a state that the partition has not reached is refused with 404/1002', async () => {
  const container = await server.container();
  const { headers } = await container.items.create({ id: 'a', pk: 'p' });
  const token = String(headers['x-ms-session-token']);
  const link = container.url;
  const read = (sessionToken: string) =>
    server.send('GET', `/${link}/docs/a`, {
      type: 'docs',
      link: `${link}/docs/a`,
      headers: { 'x-ms-documentdb-partitionkey': '["p"]', 'x-ms-session-token': sessionToken },
    });
  assert.equal((await read(token)).status, 200);
  const ahead = await read(token.replace(/#(\d+)$/, (_, lsn) => `#${Number(lsn) + 1}`));
  assert.equal(ahead.status, 404);
  assert.equal(ahead.headers.get('x-ms-substatus'), '1002');
  assert.equal((await read('nonsense')).status, 400);
});

async function accountAt(port: number, host: string): Promise<Account> {
  const { headers } = signedHeaders();
  const text = await new Promise<string>((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', path: '/', headers: { ...headers, host } }, (answer) => {
      let body = '';
      answer.setEncoding('utf8').on('data', (part) => {
        body += part;
      });
      answer.on('end', () => resolve(body));
    });
    asked.on('error', reject).end();
  });
  return JSON.parse(text) as Account;
}

function signedHeaders(): { readonly headers: Record<string, string> } {
  return { headers: server.signedHeaders('GET', account.type, account.link) };
}
