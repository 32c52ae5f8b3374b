// Static columns: one value for the whole partition.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useCql } from './support/cql-server.ts';

const cql = useCql();

const columns = 'p int, c int, s int static, v int, PRIMARY KEY (p, c)';

test('a static value is shown with every row of its partition', async () => {
  const t = await cql.table(columns);
  await cql.runAll(
    `INSERT INTO ${t} (p, c, s, v) VALUES (1, 1, 10, 1)`,
    `INSERT INTO ${t} (p, c, v) VALUES (1, 2, 2)`,
    `INSERT INTO ${t} (p, c, v) VALUES (2, 1, 3)`,
  );
  await cql.answersInAnyOrder(`SELECT p, c, s, v FROM ${t}`, [
    [1, 1, 10, 1],
    [1, 2, 10, 2],
    [2, 1, null, 3],
  ]);
  await cql.run(`UPDATE ${t} SET s = 11 WHERE p = 1`);
  assert.deepEqual(await cql.column(`SELECT s FROM ${t} WHERE p = 1`), [11, 11]);
});

test('a partition with nothing but statics is one row', async () => {
  const t = await cql.table(columns);
  await cql.run(`INSERT INTO ${t} (p, s) VALUES (1, 10)`);
  await cql.answers(`SELECT * FROM ${t}`, [[1, null, 10, null]]);
  await cql.answers(`SELECT * FROM ${t} WHERE p = 1`, [[1, null, 10, null]]);
  await cql.answers(`SELECT count(*) FROM ${t}`, [[1n]]);
  await cql.answers(`SELECT * FROM ${t} WHERE p = 1 AND c = 1`, []);
  await cql.answers(`SELECT * FROM ${t} WHERE p = 1 AND c > 0`, []);
  await cql.run(`INSERT INTO ${t} (p, c, v) VALUES (1, 1, 1)`);
  await cql.answers(`SELECT * FROM ${t}`, [[1, 1, 10, 1]]);
});

test('DISTINCT reads the statics of each partition once', async () => {
  const t = await cql.table(columns);
  await cql.runAll(
    `INSERT INTO ${t} (p, c, s) VALUES (1, 1, 10)`,
    `INSERT INTO ${t} (p, c) VALUES (1, 2)`,
    `INSERT INTO ${t} (p, s) VALUES (2, 20)`,
  );
  await cql.answersInAnyOrder(`SELECT DISTINCT p, s FROM ${t}`, [
    [1, 10],
    [2, 20],
  ]);
  await cql.answers(`SELECT DISTINCT s FROM ${t} WHERE p = 1`, [[10]]);
});

test('deleting all rows leaves the static', async () => {
  const t = await cql.table(columns);
  await cql.runAll(
    `INSERT INTO ${t} (p, c, s, v) VALUES (1, 1, 10, 1)`,
    `DELETE FROM ${t} WHERE p = 1 AND c = 1`,
  );
  await cql.answers(`SELECT * FROM ${t}`, [[1, null, 10, null]]);
  await cql.run(`DELETE s FROM ${t} WHERE p = 1`);
  await cql.answers(`SELECT * FROM ${t}`, []);
});

test('a range delete leaves the static, and a partition delete takes it', async () => {
  const t = await cql.table(columns);
  await cql.runAll(
    `INSERT INTO ${t} (p, c, s, v) VALUES (1, 1, 10, 1)`,
    `DELETE FROM ${t} WHERE p = 1 AND c > 0`,
  );
  await cql.answers(`SELECT * FROM ${t}`, [[1, null, 10, null]]);
  await cql.run(`DELETE FROM ${t} WHERE p = 1`);
  await cql.answers(`SELECT * FROM ${t}`, []);
});

test('a static is set together with a row or without one', async () => {
  const t = await cql.table(columns);
  await cql.run(`UPDATE ${t} SET s = 1, v = 2 WHERE p = 1 AND c = 3`);
  await cql.answers(`SELECT * FROM ${t}`, [[1, 3, 1, 2]]);
  await cql.refuses(
    `UPDATE ${t} SET s = 1 WHERE p = 1 AND c = 3`,
    'invalid',
    'Invalid restrictions on clustering columns since the UPDATE statement modifies only static columns',
  );
  await cql.refuses(
    `DELETE s FROM ${t} WHERE p = 1 AND c = 3`,
    'invalid',
    'Invalid restrictions on clustering columns since the DELETE statement modifies only static columns',
  );
});

test('static collections are changed by element', async () => {
  const t = await cql.table('p int, c int, l list<int> static, m map<text, int> static, PRIMARY KEY (p, c)');
  await cql.runAll(
    `INSERT INTO ${t} (p, c, l) VALUES (1, 1, [1])`,
    `UPDATE ${t} SET l = l + [2], m['a'] = 1 WHERE p = 1`,
  );
  await cql.answers(`SELECT l, m FROM ${t}`, [[[1, 2], new Map([['a', 1]])]]);
});

test('a static shows in descending order and under LIMIT', async () => {
  const t = await cql.table(columns);
  for (const c of [1, 2, 3]) await cql.run(`INSERT INTO ${t} (p, c, s, v) VALUES (1, ${c}, 10, ${c})`);
  await cql.answers(`SELECT c, s FROM ${t} WHERE p = 1 ORDER BY c DESC LIMIT 2`, [
    [3, 10],
    [2, 10],
  ]);
});

test('a static is filtered', async () => {
  const t = await cql.table(columns);
  await cql.runAll(
    `INSERT INTO ${t} (p, c, s, v) VALUES (1, 1, 10, 1)`,
    `INSERT INTO ${t} (p, c, s, v) VALUES (2, 1, 20, 2)`,
  );
  await cql.answers(`SELECT p FROM ${t} WHERE s = 20 ALLOW FILTERING`, [[2]]);
});

test('statics need a clustering column and are no part of a key', async () => {
  const text =
    'Static columns are only useful (and thus allowed) if the table has at least one clustering column';
  await cql.refuses(`CREATE TABLE ${cql.name()} (p int PRIMARY KEY, s int static)`, 'invalid', text);
  await cql.refuses(
    `CREATE TABLE ${cql.name()} (p int, c int static, PRIMARY KEY (p, c))`,
    'invalid',
    "Static column 'c' cannot be part of the PRIMARY KEY",
  );
});

test('writetime and ttl of a static are its own', async () => {
  const t = await cql.table(columns);
  await cql.runAll(
    `INSERT INTO ${t} (p, s) VALUES (1, 10) USING TIMESTAMP 5`,
    `INSERT INTO ${t} (p, c, v) VALUES (1, 1, 1) USING TIMESTAMP 7`,
  );
  await cql.answers(`SELECT writetime(s), writetime(v), ttl(s) FROM ${t}`, [[5n, 7n, null]]);
});

test('a condition on static columns alone sees rows that an INSERT made, and no others', async () => {
  const t = await cql.table('p int, c int, s int static, v int, PRIMARY KEY (p, c)');
  await cql.run(`UPDATE ${t} SET v = 1 WHERE p = 1 AND c = 1`);
  await cql.answers(`UPDATE ${t} SET s = 1 WHERE p = 1 IF s = 5`, [[false]]);
  await cql.answers(`UPDATE ${t} SET v = 2 WHERE p = 1 AND c = 1 IF s = 5`, [[false, null]]);
  await cql.run(`INSERT INTO ${t} (p, c) VALUES (1, 2)`);
  await cql.answers(`UPDATE ${t} SET s = 1 WHERE p = 1 IF s = 5`, [[false, null]]);
});
