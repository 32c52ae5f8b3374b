// Where Ringfold answers CQL otherwise than Apache Cassandra 5.0, and why. These tests run on Ringfold alone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useCql } from '../cql/support/cql-server.ts';
import { standingTime } from '../support/throughput-client.ts';

const cql = useCql();

/** The request units of an answer: a double in the custom payload, as Cosmos DB sends it. */
async function chargeOf(statement: string, values?: readonly unknown[]): Promise<number> {
  const { info } = await cql.run(statement, values);
  const payload = (info.customPayload as Record<string, Buffer> | undefined)?.['RequestCharge'];
  assert.equal(payload?.length, 8, `the answer carries a charge: ${statement}`);
  return payload?.readDoubleBE(0) ?? 0;
}

test('every answer tells its charge in request units, since that is how load is planned here', async () => {
  const t = await cql.table('p int PRIMARY KEY, v text');
  const small = await chargeOf(`INSERT INTO ${t} (p, v) VALUES (?, ?)`, [1, 'x']);
  const large = await chargeOf(`INSERT INTO ${t} (p, v) VALUES (?, ?)`, [2, 'x'.repeat(20_000)]);
  assert.ok(small > 0 && large > small, `${small} < ${large}`);
  assert.ok((await chargeOf(`SELECT * FROM ${t} WHERE p = ?`, [1])) > 0);
  assert.ok((await chargeOf(`SELECT * FROM ${t}`)) > 0);
});

test('a keyspace needs no replication, since there are always four replicas', async () => {
  await cql.run(`CREATE KEYSPACE ${cql.keyspace}_plain WITH cosmosdb_provisioned_throughput = 400`);
  await cql.run(`CREATE TABLE ${cql.keyspace}_plain.t (p int PRIMARY KEY)`);
});

test('throughput is an option of tables and keyspaces, as in Cosmos DB', async () => {
  const manual = await cql.table('p int PRIMARY KEY', 'WITH cosmosdb_provisioned_throughput = 500');
  const autoscale = await cql.table('p int PRIMARY KEY', 'WITH cosmosdb_autoscale_max_throughput = 4000');
  const throughput = (table: string) =>
    cql.rows(
      `SELECT kind, ru_per_second FROM ringfold.throughput WHERE keyspace_name = '${cql.keyspace}' AND table_name = '${table}'`,
    );
  assert.deepEqual(await throughput(manual), [['manual', 500]]);
  assert.deepEqual(await throughput(autoscale), [['autoscale', 4000]]);
  await cql.run(`ALTER TABLE ${manual} WITH cosmosdb_provisioned_throughput = 1000`);
  assert.deepEqual(await throughput(manual), [['manual', 1000]]);
  await cql.refuses(
    `ALTER TABLE ${manual} WITH cosmosdb_provisioned_throughput = 50`,
    'invalid',
    'Requested throughput 50 is less than required minimum throughput 400',
  );
});

test('a table that has spent its throughput refuses with 0x1001 and says when to come back', async (context) => {
  const t = await cql.table('p int PRIMARY KEY, v text', 'WITH cosmosdb_provisioned_throughput = 400');
  standingTime(context);
  const client = cql.newClient({ keyspace: cql.keyspace, retries: false });
  const value = 'x'.repeat(50_000);
  const insert = (p: number) =>
    client.execute(`INSERT INTO ${t} (p, v) VALUES (?, ?)`, [p, value], { prepare: true }).then(
      () => undefined,
      (error: { readonly code?: number; readonly message: string }) => error,
    );
  // What comes at once may be let in together; who comes next is refused.
  const results = await Promise.all(Array.from({ length: 100 }, (_, p) => insert(p)));
  results.push(await insert(100));
  await client.shutdown();
  const refusals = results.filter((result) => result !== undefined);
  assert.ok(refusals.length > 0);
  for (const { code, message } of refusals) {
    assert.equal(code, 0x1001);
    assert.match(
      message,
      /^Request rate is large: ActivityID=[0-9a-f-]{36}, RetryAfterMs=\d+, Additional details='/,
    );
  }
});

test('the ring is seen in virtual tables of the keyspace ringfold, since a driver sees one host', async () => {
  const t = await cql.table('p int PRIMARY KEY', 'WITH cosmosdb_provisioned_throughput = 20000');
  const [first, ...rest] = await cql.rows(
    `SELECT first_token, last_token, replicas FROM ringfold.partitions WHERE keyspace_name = '${cql.keyspace}' AND table_name = '${t}'`,
  );
  assert.equal(first?.[0], -9223372036854775808n);
  assert.equal(rest.at(-1)?.[1], 9223372036854775807n);
  assert.equal(new Set(first?.[2] as number[]).size, 4);
  assert.equal((await cql.rows('SELECT * FROM ringfold.nodes')).length, 4);
});

test('a trace names the physical partition that was read and what it cost', async () => {
  const t = await cql.table('user text, id int, PRIMARY KEY (user, id)');
  await cql.run(`INSERT INTO ${t} (user, id) VALUES ('theo', 1)`);
  const { info } = await cql.run(`SELECT * FROM ${t} WHERE user = 'theo'`, [], { traceQuery: true });
  assert.ok(info.traceId !== undefined);
  const activities = (
    await cql.column(`SELECT activity FROM system_traces.events WHERE session_id = ${info.traceId}`)
  ).join('\n');
  assert.match(activities, /physical partition 0/);
  assert.match(activities, /request units/);
});

test('a time to live of twenty years is taken, where Cassandra by default stops in 2038', async () => {
  const t = await cql.table('p int PRIMARY KEY, v int');
  await cql.run(`INSERT INTO ${t} (p, v) VALUES (1, 1) USING TTL 630720000`);
  assert.ok(Number(await cql.value(`SELECT ttl(v) FROM ${t}`)) > 630_000_000);
});

const switchedOff: readonly (readonly [string, string, string])[] = [
  [
    'materialized views',
    'CREATE MATERIALIZED VIEW v AS SELECT * FROM % WHERE p IS NOT NULL PRIMARY KEY (p)',
    'Materialized views are disabled. Enable in cassandra.yaml to use.',
  ],
  [
    'functions of users',
    "CREATE FUNCTION f (a int) CALLED ON NULL INPUT RETURNS int LANGUAGE java AS 'return 1;'",
    'User-defined functions are disabled in cassandra.yaml - set user_defined_functions_enabled=true to enable',
  ],
  ['triggers', "CREATE TRIGGER tr ON % USING 'x'", "Trigger class 'x' couldn't be loaded"],
  [
    'masking',
    'ALTER TABLE % ALTER v MASKED WITH DEFAULT',
    'Cannot mask columns because dynamic data masking is not enabled',
  ],
];
for (const [what, statement, text] of switchedOff) {
  test(`${what} are answered as by a Cassandra where they are switched off`, async () => {
    const t = await cql.table('p int PRIMARY KEY, v text');
    await cql.refuses(statement.replace('%', t), 'invalid', text);
  });
}

test('a row of more than 2 MB is refused with its size and the limit, which Cosmos DB sets', async () => {
  const t = await cql.table('p int, c int, v blob, s blob static, PRIMARY KEY (p, c)');
  const value = Buffer.alloc(2 ** 21);
  for (const column of ['v', 's']) {
    await cql.refuses(
      `INSERT INTO ${t} (p, c, ${column}) VALUES (1, 1, ?)`,
      'invalid',
      'The row would take 20971',
      [value],
    );
    await cql.refuses(
      `INSERT INTO ${t} (p, c, ${column}) VALUES (1, 1, ?)`,
      'invalid',
      'bytes, which is more than the limit of 2097152 bytes for a row',
      [value],
    );
  }
  await cql.run(`INSERT INTO ${t} (p, c, v) VALUES (1, 1, ?)`, [value.subarray(100)]);
});

test('throughput may come in the custom payload of a definition, as Cosmos DB takes it', async () => {
  const t = cql.name('payload');
  const customPayload = { cosmosdb_provisioned_throughput: Buffer.from('700') };
  await cql.run(`CREATE TABLE ${t} (p int PRIMARY KEY)`, undefined, { customPayload });
  const throughput = () =>
    cql.rows(
      `SELECT kind, ru_per_second FROM ringfold.throughput WHERE keyspace_name = '${cql.keyspace}' AND table_name = '${t}'`,
    );
  assert.deepEqual(await throughput(), [['manual', 700]]);
  await cql.run(`ALTER TABLE ${t} WITH comment = 'more'`, undefined, {
    customPayload: { cosmosdb_provisioned_throughput: Buffer.from('900') },
  });
  assert.deepEqual(await throughput(), [['manual', 900]]);
  await assert.rejects(
    cql.run(`ALTER TABLE ${t} WITH comment = 'none'`, undefined, {
      customPayload: { cosmosdb_provisioned_throughput: Buffer.from('much') },
    }),
    /is a number of request units/,
  );
});
