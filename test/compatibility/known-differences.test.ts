// Where Ringfold answers otherwise than Apache Cassandra 5.0, and why. With RINGFOLD_TEST_CQL the same tests hold Cassandra to its side.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { types } from 'cassandra-driver';
import { isForeignServer, useCql } from '../cql/support/cql-server.ts';

const cql = useCql();

test('the smallest timeuuid is a timeuuid, not a custom type that no driver knows', async () => {
  // Cassandra tells drivers LegacyTimeUUIDType, an inner class of its own, and they hand out bytes.
  const t = await cql.table('p int PRIMARY KEY, v timeuuid');
  const { columns } = await cql.run(`SELECT min(v), max(v) FROM ${t}`);
  const expected = isForeignServer ? types.dataTypes.custom : types.dataTypes.timeuuid;
  assert.deepEqual(
    columns.map(({ type }) => type.code),
    [expected, expected],
  );
});

test('a text in descending order can be cast to text', async () => {
  // Cassandra looks for a cast from the reversed type, and has none.
  const t = await cql.table('p int, c text, PRIMARY KEY (p, c)', 'WITH CLUSTERING ORDER BY (c DESC)');
  await cql.run(`INSERT INTO ${t} (p, c) VALUES (1, 'a')`);
  const query = `SELECT CAST(c AS text) FROM ${t}`;
  if (isForeignServer) await cql.refuses(query, 'invalid', 'Invalid call to function system.cast_as_text');
  else await cql.answers(query, [['a']]);
});

test('of two forms of one decimal key the longer is shown', async () => {
  // Cassandra shows the one that its memory or its files had first; ours must not depend on what came first.
  const t = await cql.table('p int, c decimal, v int, PRIMARY KEY (p, c)');
  await cql.run(`INSERT INTO ${t} (p, c, v) VALUES (1, 1.0, 1)`);
  await cql.run(`INSERT INTO ${t} (p, c, v) VALUES (1, 1.000, 2)`);
  await cql.answers(`SELECT c, v FROM ${t}`, [[isForeignServer ? '1.0' : '1.000', 2]]);
});

test('a selected set may not hold a null, and the client is told so', async () => {
  // Cassandra fails with a null pointer and calls it an error of the server.
  const t = await cql.table('p int PRIMARY KEY, v int');
  await cql.run(`INSERT INTO ${t} (p) VALUES (1)`);
  if (isForeignServer) await assert.rejects(cql.run(`SELECT {v} FROM ${t}`));
  else await cql.refuses(`SELECT {v} FROM ${t}`, 'invalid', 'null is not supported inside collections');
});

test('of a key that a map literal names twice the last value stays', async () => {
  // In Cassandra it is a matter of where the two values lie in memory.
  const t = await cql.table('p int PRIMARY KEY, m map<int, int>');
  await cql.run(`INSERT INTO ${t} (p, m) VALUES (1, {1: 3, 1: 1, 1: 2})`);
  const [value] = await cql.column(`SELECT m FROM ${t}`);
  if (!isForeignServer) assert.deepEqual(value, new Map([[1, 2]]));
});

test('a page can go on after a group of which only some were wanted', async () => {
  // Cassandra refuses the paging state that it gave itself.
  const t = await cql.table('p int PRIMARY KEY, v int');
  for (const p of [1, 2, 3, 4]) await cql.run(`INSERT INTO ${t} (p, v) VALUES (${p}, ${p})`);
  const pages = () => cql.pages(`SELECT p, max(v) FROM ${t} GROUP BY p PER PARTITION LIMIT 3`, 2);
  if (isForeignServer) await assert.rejects(pages());
  else assert.equal((await pages()).flat().length, 4);
});

test('a time that no timeuuid can have is an invalid request', async () => {
  // Cassandra calls it an error of the server, with the same words.
  const t = await cql.table('p int PRIMARY KEY, v timeuuid');
  await cql.refuses(
    `SELECT p FROM ${t} WHERE v > minTimeuuid('9999-12-31') ALLOW FILTERING`,
    isForeignServer ? 'server' : 'invalid',
    'is not a valid value for its declared return type timeuuid',
  );
});

test('a range of rows that ends at null is an invalid request to delete', async () => {
  // In Cassandra the replica fails, or nothing at all is deleted, depending on which end it is.
  const t = await cql.table('p int, c int, PRIMARY KEY (p, c)');
  const statement = `DELETE FROM ${t} WHERE p = 1 AND c > ?`;
  if (isForeignServer) await assert.rejects(cql.run(statement, [null]));
  else await cql.refuses(statement, 'invalid', 'Invalid null value in condition for column c', [null]);
});

test('a set that is sent in another order is the same clustering value, also in descending order', async () => {
  // Cassandra sorts it in ascending order only: a clustering column in descending order is no collection to it.
  const t = await cql.table(
    'p int, c frozen<set<int>>, PRIMARY KEY (p, c)',
    'WITH CLUSTERING ORDER BY (c DESC)',
  );
  await cql.run(`INSERT INTO ${t} (p, c) VALUES (1, {1, 2})`);
  await cql.run(`INSERT INTO ${t} (p, c) VALUES (1, ?)`, [new Set([2, 1])]);
  const rows = await cql.rows(`SELECT c FROM ${t}`);
  assert.equal(rows.length, isForeignServer ? 2 : 1);
});

test('a type that vectors are made of cannot be dropped, nor changed without them', async () => {
  // Cassandra does not look inside vectors for user types: the table is left with a type that nobody can name.
  const u = await cql.type('a int');
  const t = await cql.table(`p int PRIMARY KEY, v vector<frozen<${u}>, 2>`);
  if (isForeignServer) await cql.run(`DROP TYPE ${u}`);
  else await cql.refuses(`DROP TYPE ${u}`, 'invalid', `as it is still used by tables ${t}`);
});

test('an element of a list can be set beside a condition on another row', async () => {
  // Cassandra reads only the rows that have conditions, and takes the list of any other for null.
  const t = await cql.table('p int, c int, l list<int>, PRIMARY KEY (p, c)');
  await cql.run(`INSERT INTO ${t} (p, c, l) VALUES (1, 1, [1, 2])`);
  const batch = `BEGIN BATCH UPDATE ${t} SET l[0] = 7 WHERE p = 1 AND c = 1; INSERT INTO ${t} (p, c) VALUES (1, 2) IF NOT EXISTS APPLY BATCH`;
  if (isForeignServer) {
    await cql.refuses(batch, 'invalid', 'Attempted to set an element on a list which is null');
  } else {
    await cql.run(batch);
    await cql.answers(`SELECT l FROM ${t} WHERE p = 1 AND c = 1`, [[[7, 2]]]);
  }
});
