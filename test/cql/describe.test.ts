// DESCRIBE, as cqlsh asks for it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useCql } from './support/cql-server.ts';

const cql = useCql();

/** The text that makes the thing again. */
async function createStatement(of: string): Promise<string> {
  const { rows } = await cql.run(`DESCRIBE ${of}`);
  return String(rows[0]?.get('create_statement'));
}

test('DESCRIBE TABLE gives the statement that makes the table', async () => {
  const t = await cql.table(
    'p int, q text, c timestamp, d int, s int static, v frozen<list<int>>, w map<text, int>, a int, PRIMARY KEY ((p, q), c, d)',
    "WITH CLUSTERING ORDER BY (c DESC, d ASC) AND comment = 'it''s mine' AND gc_grace_seconds = 5",
  );
  const text = await createStatement(`TABLE ${t}`);
  assert.ok(
    text.startsWith(`CREATE TABLE ${cql.keyspace}.${t} (
    p int,
    q text,
    c timestamp,
    d int,
    s int static,
    a int,
    v frozen<list<int>>,
    w map<text, int>,
    PRIMARY KEY ((p, q), c, d)
) WITH CLUSTERING ORDER BY (c DESC, d ASC)
    AND additional_write_policy = '99p'`),
    text,
  );
  assert.match(text, /AND comment = 'it''s mine'/);
  assert.match(text, /AND gc_grace_seconds = 5/);
  assert.match(text, /AND speculative_retry = '99p';$/);
});

test('a table with a simple key is described with PRIMARY KEY in its column', async () => {
  const t = await cql.table('"Key" int PRIMARY KEY, v text');
  assert.ok(
    (await createStatement(`TABLE ${t}`)).startsWith(
      `CREATE TABLE ${cql.keyspace}.${t} (\n    "Key" int PRIMARY KEY,\n    v text\n) WITH `,
    ),
  );
});

test('a described table is made again from its description', async () => {
  const t = await cql.table(
    'p int, c text, v set<int>, PRIMARY KEY (p, c)',
    "WITH CLUSTERING ORDER BY (c DESC) AND comment = 'x'",
  );
  const text = await createStatement(`TABLE ${t}`);
  await cql.run(`DROP TABLE ${t}`);
  await cql.run(text);
  assert.equal(await createStatement(`TABLE ${t}`), text);
});

test('indexes follow their table', async () => {
  const t = await cql.table('p int PRIMARY KEY, v int');
  await cql.run(`CREATE INDEX i_${t} ON ${t} (v)`);
  assert.deepEqual(
    (await cql.rows(`DESCRIBE TABLE ${t}`)).map((row) => row.slice(0, 3)),
    [
      [cql.keyspace, 'table', t],
      [cql.keyspace, 'index', `i_${t}`],
    ],
  );
  assert.equal(await createStatement(`INDEX i_${t}`), `CREATE INDEX i_${t} ON ${cql.keyspace}.${t} (v);`);
});

test('DESCRIBE TYPE gives the statement that makes the type', async () => {
  const u = await cql.type('a int, b frozen<list<text>>');
  assert.equal(
    await createStatement(`TYPE ${u}`),
    `CREATE TYPE ${cql.keyspace}.${u} (\n    a int,\n    b frozen<list<text>>\n);`,
  );
});

test('DESCRIBE KEYSPACE gives the keyspace and what is in it, types first', async () => {
  const name = `${cql.keyspace}_d`;
  await cql.runAll(
    `CREATE KEYSPACE ${name} WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}`,
    `CREATE TYPE ${name}.u (a int)`,
    `CREATE TABLE ${name}.t (p int PRIMARY KEY, v frozen<u>)`,
  );
  assert.deepEqual(
    (await cql.rows(`DESCRIBE KEYSPACE ${name}`)).map((row) => row.slice(0, 3)),
    [
      [name, 'keyspace', name],
      [name, 'type', 'u'],
      [name, 'table', 't'],
    ],
  );
  assert.equal(
    await createStatement(`ONLY KEYSPACE ${name}`),
    `CREATE KEYSPACE ${name} WITH replication = {'class': 'SimpleStrategy', 'replication_factor': '1'}  AND durable_writes = true;`,
  );
  await cql.run(`DROP KEYSPACE ${name}`);
});

test('lists of keyspaces, tables and types are given by name', async () => {
  const t = await cql.table('p int PRIMARY KEY');
  const u = await cql.type('a int');
  assert.deepEqual(await cql.columnNames('DESCRIBE TABLES'), ['keyspace_name', 'type', 'name']);
  const has = (rows: unknown[][], row: unknown[]) => rows.some((found) => found.join() === row.join());
  assert.ok(has(await cql.rows('DESCRIBE KEYSPACES'), [cql.keyspace, 'keyspace', cql.keyspace]));
  assert.ok(has(await cql.rows('DESCRIBE TABLES'), [cql.keyspace, 'table', t]));
  assert.ok(has(await cql.rows('DESC TYPES'), [cql.keyspace, 'type', u]));
  assert.deepEqual(await cql.columnNames('DESCRIBE FUNCTIONS'), ['keyspace_name', 'type', 'name']);
  assert.deepEqual(await cql.columnNames('DESCRIBE AGGREGATES'), ['keyspace_name', 'type', 'name']);
});

test('DESCRIBE CLUSTER tells partitioner and snitch', async () => {
  const { columns, rows } = await cql.run('DESCRIBE CLUSTER');
  assert.deepEqual(columns.map(({ name }) => name).slice(0, 3), ['cluster', 'partitioner', 'snitch']);
  assert.equal(rows[0]?.get('partitioner'), 'Murmur3Partitioner');
});

test('DESCRIBE SCHEMA holds what users made', async () => {
  const t = await cql.table('p int PRIMARY KEY');
  const rows = await cql.rows('DESCRIBE SCHEMA');
  assert.ok(rows.some((row) => row[0] === cql.keyspace && row[2] === t));
  assert.ok(!rows.some((row) => row[0] === 'system'));
});

test('DESCRIBE of a name finds what it is', async () => {
  const t = await cql.table('p int PRIMARY KEY');
  assert.equal((await cql.rows(`DESCRIBE ${t}`))[0]?.[1], 'table');
  assert.equal((await cql.rows(`DESCRIBE ${cql.keyspace}.${t}`))[0]?.[2], t);
  assert.equal((await cql.rows(`DESCRIBE ${cql.keyspace}`))[0]?.[1], 'keyspace');
});

test('system tables are described too', async () => {
  assert.match(await createStatement('TABLE system_schema.tables'), /^CREATE TABLE system_schema\.tables \(/);
});

test('what is not there is not described', async () => {
  await cql.refuses('DESCRIBE TABLE nope', 'invalid', `Table 'nope' not found in keyspace '${cql.keyspace}'`);
  await cql.refuses('DESCRIBE KEYSPACE nope', 'invalid', "'nope' not found in keyspaces");
  await cql.refuses(
    'DESCRIBE TYPE nope',
    'invalid',
    `User defined type 'nope' not found in '${cql.keyspace}'`,
  );
  await cql.refuses(
    'DESCRIBE INDEX nope',
    'invalid',
    `Table for existing index 'nope' not found in '${cql.keyspace}'`,
  );
  await cql.refuses('DESCRIBE nope', 'invalid', `'nope' not found in keyspace '${cql.keyspace}'`);
  await cql.refuses('DESCRIBE TABLE nope.nope', 'invalid', "'nope' not found in keyspaces");
});
