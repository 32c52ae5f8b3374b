// What a driver does around statements: metadata, events, tracing, streams, consistency.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { types } from 'cassandra-driver';
import { eventually } from '../support/start-ringfold.ts';
import { useCql } from './support/cql-server.ts';

const cql = useCql();

test('the driver finds one host that is up, in datacenter1', async () => {
  const [host, ...others] = cql.client.hosts.values();
  assert.ok(host !== undefined);
  assert.deepEqual(others, []);
  assert.equal(host.datacenter, 'datacenter1');
  assert.equal(host.rack, 'rack1');
  assert.ok(host.isUp());
  assert.match(host.cassandraVersion, /^5\.0\./);
});

test('the driver reads the definition of a table', async () => {
  const t = await cql.table(
    'p int, q text, c timestamp, s int static, v list<text>, PRIMARY KEY ((p, q), c)',
    "WITH CLUSTERING ORDER BY (c DESC) AND comment = 'seen'",
  );
  const client = cql.newClient({ withMetadata: true });
  await client.connect();
  const table = await client.metadata.getTable(cql.keyspace, t);
  assert.deepEqual(
    table.partitionKeys.map(({ name }) => name),
    ['p', 'q'],
  );
  assert.deepEqual(
    table.clusteringKeys.map(({ name }) => name),
    ['c'],
  );
  assert.deepEqual(table.clusteringOrder, ['DESC']);
  assert.equal(table.comment, 'seen');
  assert.deepEqual(table.columns.map(({ name }) => name).toSorted(), ['c', 'p', 'q', 's', 'v']);
  await client.shutdown();
});

test('the driver reads the definition of a type and of indexes', async () => {
  const u = await cql.type('a int, b frozen<set<text>>');
  const t = await cql.table(`p int PRIMARY KEY, v int, u frozen<${u}>`);
  await cql.run(`CREATE INDEX ON ${t} (v)`);
  const client = cql.newClient({ withMetadata: true });
  await client.connect();
  const type = await client.metadata.getUdt(cql.keyspace, u);
  assert.deepEqual(
    type.fields.map(({ name }: { name: string }) => name),
    ['a', 'b'],
  );
  const table = await client.metadata.getTable(cql.keyspace, t);
  assert.deepEqual(
    table.indexes.map(({ name, target }) => [name, target]),
    [[`${t}_v_idx`, 'v']],
  );
  await client.shutdown();
});

test('the driver sees a table that another client makes, by an event', async () => {
  const client = cql.newClient({ withMetadata: true });
  await client.connect();
  const t = cql.name('t');
  assert.equal(await client.metadata.getTable(cql.keyspace, t), null);
  await cql.run(`CREATE TABLE ${t} (p int PRIMARY KEY)`);
  await eventually('it is seen', async () => {
    return (await client.metadata.getTable(cql.keyspace, t))?.name === t;
  });
  await client.shutdown();
});

test('tokens of the ring are known to the driver, and a key has a replica', async () => {
  const client = cql.newClient({ withMetadata: true });
  await client.connect();
  assert.equal(client.metadata.getReplicas(cql.keyspace, Buffer.from([0, 0, 0, 1]))?.length, 1);
  assert.ok(client.metadata.getTokenRanges().size > 0);
  await client.shutdown();
});

test('a traced query has a session and events that the driver reads', async () => {
  const t = await cql.table('p int PRIMARY KEY, v int');
  await cql.run(`INSERT INTO ${t} (p, v) VALUES (1, 1)`);
  const { info } = await cql.run(`SELECT * FROM ${t} WHERE p = 1`, [], { traceQuery: true });
  assert.ok(info.traceId !== undefined);
  const trace = await cql.client.metadata.getTrace(info.traceId, types.consistencies.one);
  assert.equal(trace.requestType, 'Execute CQL3 prepared query');
  assert.ok(trace.events.length > 0);
  assert.ok(typeof trace.duration === 'number');
});

for (const level of ['one', 'quorum', 'all', 'localQuorum', 'localOne'] as const) {
  test(`a write and a read at ${level} are answered by a healthy server`, async () => {
    const t = await cql.table('p int PRIMARY KEY');
    const consistency = types.consistencies[level];
    await cql.run(`INSERT INTO ${t} (p) VALUES (?)`, [1], { consistency });
    assert.equal((await cql.run(`SELECT * FROM ${t} WHERE p = ?`, [1], { consistency })).rowLength, 1);
  });
}

test('SERIAL reads are answered, and SERIAL writes without a condition are refused', async () => {
  const t = await cql.table('p int PRIMARY KEY');
  const { serial } = types.consistencies;
  await cql.run(`SELECT * FROM ${t} WHERE p = ?`, [1], { consistency: serial });
  await assert.rejects(
    cql.run(`INSERT INTO ${t} (p) VALUES (?)`, [1], { consistency: serial }),
    /You must use conditional updates for serializable writes/,
  );
});

test('rows are streamed', async () => {
  const t = await cql.table('p int, c int, PRIMARY KEY (p, c)');
  for (let c = 0; c < 25; c += 1) await cql.run(`INSERT INTO ${t} (p, c) VALUES (1, ${c})`);
  const seen: number[] = [];
  const options = { prepare: true, fetchSize: 10, autoPage: true };
  const stream = cql.client.stream(`SELECT c FROM ${t} WHERE p = 1`, [], options);
  // It is a stream of Node's, which the driver's types do not say.
  for await (const row of stream as unknown as AsyncIterable<types.Row>) seen.push(row.get('c'));
  assert.deepEqual(
    seen,
    Array.from({ length: 25 }, (_, c) => c),
  );
});

test('an error leaves the connection usable', async () => {
  const t = await cql.table('p int PRIMARY KEY');
  for (let turn = 0; turn < 10; turn += 1) {
    await cql.refuses('SELECT * FROM nope', 'invalid', 'table nope does not exist');
    await cql.run(`INSERT INTO ${t} (p) VALUES (${turn})`);
  }
  await cql.answers(`SELECT count(*) FROM ${t}`, [[10n]]);
});

test('a statement of half a megabyte is read', async () => {
  const t = await cql.table('p int PRIMARY KEY, v text');
  const text = 'x'.repeat(500_000);
  await cql.run(`INSERT INTO ${t} (p, v) VALUES (1, '${text}')`);
  assert.equal(await cql.value(`SELECT v FROM ${t}`), text);
});
