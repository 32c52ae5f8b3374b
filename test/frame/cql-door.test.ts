// The CQL door of a whole server, through the Node driver: what it asks of clients, and what it keeps.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, type ClientOptions } from 'cassandra-driver';
import { startRingfold } from '../../src/index.ts';
import { temporaryDirectory } from '../support/start-ringfold.ts';

const keyspace =
  "CREATE KEYSPACE shop WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 3}";
const superuser = { username: 'cassandra', password: 'cassandra' };

async function withClient<Result>(
  cqlPort: number,
  options: Partial<ClientOptions>,
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({
    contactPoints: [`127.0.0.1:${cqlPort}`],
    localDataCenter: 'datacenter1',
    ...options,
  });
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.shutdown();
  }
}

test('on loopback nobody is asked for a login; with auth everybody is, and roles decide', async () => {
  const open = await startRingfold();
  await withClient(open.cqlPort, {}, (client) => client.execute('SELECT * FROM system.local'));
  await open.stop();

  const server = await startRingfold({ cql: { settings: { alwaysAsksLogin: true } } });
  const login = (credentials?: ClientOptions['credentials']) =>
    withClient(server.cqlPort, credentials === undefined ? {} : { credentials }, async (client) => {
      await client.execute('SELECT * FROM system.local');
    });
  await assert.rejects(login(), /requires authentication/);
  await assert.rejects(
    login({ username: 'theo', password: 'x' }),
    /Provided username theo and\/or password are incorrect/,
  );
  await withClient(server.cqlPort, { credentials: superuser }, async (client) => {
    await client.execute("CREATE ROLE theo WITH PASSWORD = 'x' AND LOGIN = true");
    await client.execute("CREATE ROLE idle WITH PASSWORD = 'x'");
  });
  await login({ username: 'theo', password: 'x' });
  await assert.rejects(login({ username: 'idle', password: 'x' }), /idle is not permitted to log in/);
  await server.stop();
});

test('TLS is spoken on the same port, with a certificate that clients can be told to trust', async () => {
  const server = await startRingfold();
  const certificate = await withClient(
    server.cqlPort,
    { sslOptions: { rejectUnauthorized: false } },
    async (client) => {
      const { rows } = await client.execute('SELECT ssl_enabled FROM system_views.clients');
      assert.ok(rows.some((row) => row['ssl_enabled'] === true));
      return (await server.store.records.readAll('tls-certificate')).get('server') as { certificate: string };
    },
  );
  const sslOptions = { ca: [certificate.certificate], host: 'localhost', rejectUnauthorized: true };
  await withClient(server.cqlPort, { sslOptions }, (client) => client.execute('SELECT * FROM system.local'));
  await server.stop();
});

test('definitions, rows, roles and the rise of timestamps survive a restart; prepared statements are prepared again', async (context) => {
  const dataDir = temporaryDirectory(context);
  const first = await startRingfold({ dataDir });
  const insert = 'INSERT INTO shop.items (id, name) VALUES (?, ?)';
  const written = await withClient(first.cqlPort, {}, async (client) => {
    await client.execute(keyspace);
    await client.execute('CREATE TABLE shop.items (id int PRIMARY KEY, name text)');
    await client.execute("CREATE ROLE theo WITH PASSWORD = 'x' AND LOGIN = true");
    await client.execute(insert, [1, 'before'], { prepare: true });
    const { rows } = await client.execute('SELECT writetime(name) AS t FROM shop.items WHERE id = 1');
    return BigInt(String(rows[0]?.['t']));
  });
  await first.stop();

  const again = await startRingfold({ dataDir });
  await withClient(again.cqlPort, {}, async (client) => {
    await client.execute(insert, [2, 'after'], { prepare: true });
    const { rows } = await client.execute('SELECT id, name, writetime(name) AS t FROM shop.items');
    assert.deepEqual(rows.map((row) => row['name']).toSorted(), ['after', 'before']);
    const later = rows.find((row) => row['id'] === 2)?.['t'];
    assert.ok(BigInt(String(later)) > written);
    const roles = await client.execute('LIST ROLES');
    assert.deepEqual(
      roles.rows.map((row) => row['role']),
      ['cassandra', 'theo'],
    );
  });
  await again.stop();
});

test('a traced query tells which partition it was routed to and what it cost', async () => {
  const server = await startRingfold();
  await withClient(server.cqlPort, {}, async (client) => {
    await client.execute(keyspace);
    await client.execute('CREATE TABLE shop.items (id int PRIMARY KEY, name text)');
    await client.execute("INSERT INTO shop.items (id, name) VALUES (1, 'x')");
    const { info } = await client.execute('SELECT * FROM shop.items WHERE id = 1', [], { traceQuery: true });
    assert.ok(info.traceId !== undefined);
    const trace = await client.metadata.getTrace(info.traceId);
    const told = trace.events.map(({ activity }) => activity).join('\n');
    assert.match(told, /partition \d+/);
    assert.match(told, /request units/);
  });
  await server.stop();
});

test('a port that is taken is refused, and what was started for it is stopped', async () => {
  const server = await startRingfold();
  await assert.rejects(startRingfold({ cqlPort: server.cqlPort }), { code: 'bad-setting' });
  await server.stop();
});

test('operators see tables and hot keys by name, and cannot change a table behind the back of its clients', async () => {
  const server = await startRingfold();
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${server.port}/_ringfold/${path}`, init);
  await withClient(server.cqlPort, {}, async (client) => {
    await client.execute(keyspace);
    await client.execute('CREATE TABLE shop.orders (customer text PRIMARY KEY, total int)');
    for (let total = 0; total < 20; total++)
      await client.execute('INSERT INTO shop.orders (customer, total) VALUES (?, ?)', ['theo', total], {
        prepare: true,
      });
    const { containers } = (await (await ask('containers')).json()) as {
      containers: { container: number; table?: string }[];
    };
    const { container } = containers.find(({ table }) => table === 'shop.orders') ?? {};
    assert.ok(container !== undefined);
    const usage = (await (await ask('usage')).json()) as {
      containers: { container: number; table?: string; partitions: { hotKey?: string }[] }[];
    };
    const used = usage.containers.find((each) => each.container === container);
    assert.deepEqual([used?.table, used?.partitions[0]?.hotKey], ['shop.orders', "'theo'"]);
    const written = await ask(`containers/${container}/rows/theo/1`, { method: 'PUT', body: 'junk' });
    const dropped = await ask(`containers/${container}`, { method: 'DELETE' });
    assert.deepEqual([written.status, dropped.status], [400, 400]);
    assert.match(await dropped.text(), /is the table shop\.orders: use CQL/);
    assert.equal((await client.execute('SELECT total FROM shop.orders')).first()['total'], 19);
  });
  await server.stop();
});
