// ALTER TABLE and ALTER KEYSPACE.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useCql } from './support/cql-server.ts';

const cql = useCql();

test('an added column is null in the rows that are there, and is then written', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.runAll(
    `INSERT INTO ${t} (p, a) VALUES (1, 1)`,
    `ALTER TABLE ${t} ADD b text`,
    `INSERT INTO ${t} (p, b) VALUES (2, 'x')`,
  );
  await cql.answersInAnyOrder(`SELECT p, a, b FROM ${t}`, [
    [1, 1, null],
    [2, null, 'x'],
  ]);
});

test('several columns are added at once, and static ones', async () => {
  const t = await cql.table('p int, c int, PRIMARY KEY (p, c)');
  await cql.runAll(
    `ALTER TABLE ${t} ADD (a int, b list<text>, s int static)`,
    `INSERT INTO ${t} (p, c, a, b, s) VALUES (1, 1, 2, ['x'], 3)`,
  );
  await cql.answers(`SELECT a, b, s FROM ${t}`, [[2, ['x'], 3]]);
});

test('a dropped column is gone, with its values', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int, b int');
  await cql.runAll(`INSERT INTO ${t} (p, a, b) VALUES (1, 1, 2)`, `ALTER TABLE ${t} DROP a`);
  await cql.answers(`SELECT * FROM ${t}`, [[1, 2]]);
  await cql.refuses(`SELECT a FROM ${t}`, 'invalid', 'Undefined column name a in table');
  await cql.run(`ALTER TABLE ${t} ADD a int`);
  await cql.answers(`SELECT p, a, b FROM ${t}`, [[1, null, 2]]);
  await cql.run(`INSERT INTO ${t} (p, a) VALUES (1, 7)`);
  await cql.answers(`SELECT a FROM ${t}`, [[7]]);
});

test('several columns are dropped at once', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int, b int, c int');
  await cql.run(`ALTER TABLE ${t} DROP (a, c)`);
  assert.deepEqual(await cql.columnNames(`SELECT * FROM ${t}`), ['p', 'b']);
});

test('a key column is renamed', async () => {
  const t = await cql.table('p int, c int, v int, PRIMARY KEY (p, c)');
  await cql.runAll(
    `INSERT INTO ${t} (p, c, v) VALUES (1, 2, 3)`,
    `ALTER TABLE ${t} RENAME p TO part AND c TO clus`,
  );
  assert.deepEqual(await cql.columnNames(`SELECT * FROM ${t}`), ['part', 'clus', 'v']);
  await cql.answers(`SELECT * FROM ${t} WHERE part = 1 AND clus = 2`, [[1, 2, 3]]);
});

test('options are changed', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.run(
    `ALTER TABLE ${t} WITH comment = 'said' AND default_time_to_live = 100 AND gc_grace_seconds = 60`,
  );
  await cql.answers(
    `SELECT comment, default_time_to_live, gc_grace_seconds FROM system_schema.tables WHERE keyspace_name = '${cql.keyspace}' AND table_name = '${t}'`,
    [['said', 100, 60]],
  );
  await cql.run(`INSERT INTO ${t} (p, a) VALUES (1, 1)`);
  assert.ok(Number(await cql.value(`SELECT ttl(a) FROM ${t}`)) > 50);
});

test('IF EXISTS and IF NOT EXISTS make alterations that do nothing', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.runAll(
    'ALTER TABLE IF EXISTS nope ADD b int',
    `ALTER TABLE ${t} ADD IF NOT EXISTS a int`,
    `ALTER TABLE ${t} DROP IF EXISTS zz`,
  );
  assert.deepEqual(await cql.columnNames(`SELECT * FROM ${t}`), ['p', 'a']);
});

const refused: readonly (readonly [string, string, string])[] = [
  ['ADD of a column that is there', 'ADD v int', "Column with name 'v' already exists"],
  ['DROP of a column that is not there', 'DROP zz', 'Column zz was not found in table'],
  ['DROP of a key column', 'DROP p', 'Cannot drop PRIMARY KEY column p'],
  ['RENAME of a regular column', 'RENAME v TO w', 'Cannot rename non PRIMARY KEY column v'],
  ['RENAME to a column that is there', 'RENAME p TO v', 'Cannot rename column p to v in table'],
  ['RENAME of a column that is not there', 'RENAME zz TO w', 'Undefined column name zz in table'],
  ['a change of type', 'ALTER v TYPE text', 'Altering column types is no longer supported'],
  ['ADD of an unknown type', 'ADD w nosuch', 'Unknown type'],
  ['ADD of a counter', 'ADD w counter', 'Cannot have a counter column ("w") in a non counter table'],
];
for (const [what, change, text] of refused) {
  test(`${what} is refused`, async () => {
    const t = await cql.table('p int, c int, v int, PRIMARY KEY (p, c)');
    await cql.refuses(
      `ALTER TABLE ${t} ${change}`,
      text.startsWith('Cannot have') ? 'configuration' : 'invalid',
      text,
    );
  });
}

test('a dropped column comes back with a compatible type only', async () => {
  const t = await cql.table('p int PRIMARY KEY, w text, x int');
  await cql.run(`ALTER TABLE ${t} DROP w`);
  await cql.refuses(`ALTER TABLE ${t} ADD w int`, 'invalid', 'incompatible with previous');
  await cql.run(`ALTER TABLE ${t} ADD w text`);
  await cql.run(`ALTER TABLE ${t} DROP x`);
  await cql.refuses(`ALTER TABLE ${t} ADD x varint`, 'invalid', 'incompatible with previous');
});

test('statics are not added to a table without clustering columns', async () => {
  const t = await cql.table('p int PRIMARY KEY');
  await cql.refuses(
    `ALTER TABLE ${t} ADD s int static`,
    'invalid',
    'Static columns are only useful (and thus allowed) if the table has at least one clustering column',
  );
});

test('a table that is not there is not altered', async () => {
  await cql.refuses('ALTER TABLE nope ADD v int', 'invalid', `Table '${cql.keyspace}.nope' doesn't exist`);
});

test('statements that were prepared before see the columns that were added', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.run(`INSERT INTO ${t} (p, a) VALUES (?, ?)`, [1, 1]);
  await cql.answers(`SELECT * FROM ${t} WHERE p = ?`, [[1, 1]], [1]);
  await cql.run(`ALTER TABLE ${t} ADD b int`);
  await cql.run(`INSERT INTO ${t} (p, a, b) VALUES (?, ?, ?)`, [1, 1, 2]);
  await cql.answers(`SELECT p, a, b FROM ${t} WHERE p = ?`, [[1, 1, 2]], [1]);
});

test('a statement that names a dropped column is refused after the drop', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.run(`INSERT INTO ${t} (p, a) VALUES (?, ?)`, [1, 1]);
  await cql.run(`ALTER TABLE ${t} DROP a`);
  // The driver prepares again on its own, and gives up when that is refused.
  await assert.rejects(cql.run(`INSERT INTO ${t} (p, a) VALUES (?, ?)`, [1, 1]));
  await cql.refuses(`INSERT INTO ${t} (p, a) VALUES (1, 1)`, 'invalid', 'Undefined column name a in table');
});

test('a keyspace is altered', async () => {
  await cql.run(`ALTER KEYSPACE ${cql.keyspace} WITH durable_writes = false`);
  await cql.answers(
    `SELECT durable_writes FROM system_schema.keyspaces WHERE keyspace_name = '${cql.keyspace}'`,
    [[false]],
  );
  await cql.refuses(
    'ALTER KEYSPACE nope WITH durable_writes = true',
    'invalid',
    "Keyspace 'nope' doesn't exist",
  );
  await cql.run('ALTER KEYSPACE IF EXISTS nope WITH durable_writes = true');
});
