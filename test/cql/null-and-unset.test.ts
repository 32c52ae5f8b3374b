// null deletes; a value that is not set leaves things as they are.

import { test } from 'node:test';
import { useCql } from './support/cql-server.ts';

const cql = useCql();

test('a bound null deletes the value', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int, b int');
  await cql.run(`INSERT INTO ${t} (p, a, b) VALUES (1, 1, 1)`);
  await cql.run(`INSERT INTO ${t} (p, a, b) VALUES (?, ?, ?)`, [1, null, 2]);
  await cql.answers(`SELECT a, b FROM ${t}`, [[null, 2]]);
});

test('a value that is not set leaves the column as it is', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int, b int');
  await cql.run(`INSERT INTO ${t} (p, a, b) VALUES (1, 1, 1)`);
  await cql.run(`INSERT INTO ${t} (p, a, b) VALUES (?, ?, ?)`, [1, undefined, 2]);
  await cql.run(`UPDATE ${t} SET a = ?, b = ? WHERE p = ?`, [undefined, 3, 1]);
  await cql.answers(`SELECT a, b FROM ${t}`, [[1, 3]]);
});

test('a null key is refused, and so is one that is not set', async () => {
  const t = await cql.table('p int, c int, v int, PRIMARY KEY (p, c)');
  const insert = `INSERT INTO ${t} (p, c, v) VALUES (?, ?, ?)`;
  await cql.refuses(insert, 'invalid', 'Invalid null value in condition for column p', [null, 1, 1]);
  await cql.refuses(insert, 'invalid', 'Invalid null value in condition for column c', [1, null, 1]);
  await cql.refuses(insert, 'invalid', 'Invalid unset value for column p', [undefined, 1, 1]);
  await cql.refuses(insert, 'invalid', 'Invalid unset value for column c', [1, undefined, 1]);
  await cql.refuses(
    `SELECT * FROM ${t} WHERE p = ?`,
    'invalid',
    'Invalid null value in condition for column p',
    [null],
  );
  await cql.refuses(`SELECT * FROM ${t} WHERE p = ?`, 'invalid', 'Invalid unset value for column p', [
    undefined,
  ]);
  await cql.refuses(
    `SELECT * FROM ${t} WHERE p = 1 AND c > ?`,
    'invalid',
    'Invalid unset value for column c',
    [undefined],
  );
  await cql.refuses(`DELETE FROM ${t} WHERE p = ?`, 'invalid', 'Invalid unset value for column p', [
    undefined,
  ]);
});

test('a whole collection of null is deleted, and one not set stays', async () => {
  const t = await cql.table('p int PRIMARY KEY, l list<int>, m map<text, int>');
  await cql.run(`INSERT INTO ${t} (p, l, m) VALUES (1, [1], {'a': 1})`);
  await cql.run(`UPDATE ${t} SET l = ?, m = ? WHERE p = 1`, [null, undefined]);
  await cql.answers(`SELECT l, m FROM ${t}`, [[null, new Map([['a', 1]])]]);
});

test('an element that is not set is not written, and a null one is removed', async () => {
  const t = await cql.table('p int PRIMARY KEY, l list<int>, s set<int>, m map<text, int>');
  await cql.run(`INSERT INTO ${t} (p, l, s, m) VALUES (1, [1], {1}, {'a': 1, 'b': 2})`);
  await cql.run(`UPDATE ${t} SET s = s + ?, m['a'] = ? WHERE p = 1`, [undefined, undefined]);
  await cql.answers(`SELECT l, s, m FROM ${t}`, [
    [
      [1],
      new Set([1]),
      new Map([
        ['a', 1],
        ['b', 2],
      ]),
    ],
  ]);
  await cql.run(`UPDATE ${t} SET m['a'] = ? WHERE p = 1`, [null]);
  await cql.answers(`SELECT m FROM ${t}`, [[new Map([['b', 2]])]]);
  await cql.refuses(`UPDATE ${t} SET m[?] = 1 WHERE p = 1`, 'invalid', 'Invalid null map key', [null]);
  await cql.refuses(`UPDATE ${t} SET m[?] = 1 WHERE p = 1`, 'invalid', 'Invalid unset map key', [undefined]);
  await cql.refuses(`UPDATE ${t} SET l[?] = 1 WHERE p = 1`, 'invalid', 'Invalid null value for list index', [
    null,
  ]);
});

test('a counter that is not set is not changed', async () => {
  const t = await cql.table('p int PRIMARY KEY, n counter, m counter');
  await cql.run(`UPDATE ${t} SET n = n + ?, m = m + ? WHERE p = 1`, [1n, undefined]);
  await cql.answers(`SELECT n, m FROM ${t}`, [[1n, null]]);
  await cql.refuses(
    `UPDATE ${t} SET n = n + ? WHERE p = 1`,
    'invalid',
    'Invalid null value for counter increment',
    [null],
  );
});

test('a condition on a value that is not set is refused', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.refuses(
    `UPDATE ${t} SET a = 1 WHERE p = 1 IF a = ?`,
    'invalid',
    "Invalid 'unset' value in condition",
    [undefined],
  );
});

test('a condition on a bound null asks for no value', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.run(`INSERT INTO ${t} (p) VALUES (1)`);
  await cql.answers(`UPDATE ${t} SET a = 1 WHERE p = 1 IF a = ?`, [[true]], [null]);
});

test('filtering by null is refused, and one not set too', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.refuses(
    `SELECT * FROM ${t} WHERE a = ? ALLOW FILTERING`,
    'invalid',
    'Unsupported null value for column a',
    [null],
  );
  await cql.refuses(
    `SELECT * FROM ${t} WHERE a = ? ALLOW FILTERING`,
    'invalid',
    'Unsupported unset value for column a',
    [undefined],
  );
});

test('null in an IN of keys is refused', async () => {
  const t = await cql.table('p int, c int, PRIMARY KEY (p, c)');
  await cql.refuses(`SELECT * FROM ${t} WHERE p IN ?`, 'invalid', 'Invalid null value for column p', [null]);
  await cql.refuses(
    `SELECT * FROM ${t} WHERE p IN (?)`,
    'invalid',
    'Invalid null value in condition for column p',
    [null],
  );
  await cql.refuses(
    `SELECT * FROM ${t} WHERE p = 1 AND c IN ?`,
    'invalid',
    'Invalid null value for column c',
    [null],
  );
});

test('rows with nulls are filtered out by a comparison', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.runAll(`INSERT INTO ${t} (p) VALUES (1)`, `INSERT INTO ${t} (p, a) VALUES (2, 0)`);
  await cql.answers(`SELECT p FROM ${t} WHERE a < 5 ALLOW FILTERING`, [[2]]);
});

test('a null in the list of IN ? is refused in the name of the key column', async () => {
  const t = await cql.table('p int, c int, v int, PRIMARY KEY (p, c)');
  const text = (column: string) => `Invalid null value in condition for column ${column}`;
  const none: readonly unknown[] = [Buffer.from('00000001ffffffff', 'hex')];
  await cql.refuses(`SELECT * FROM ${t} WHERE p IN ?`, 'invalid', text('p'), none);
  await cql.refuses(`SELECT * FROM ${t} WHERE p = 1 AND c IN ?`, 'invalid', text('c'), none);
  await cql.refuses(`UPDATE ${t} SET v = 1 WHERE p IN ? AND c = 1`, 'invalid', text('p'), none);
  await cql.refuses(`DELETE FROM ${t} WHERE p = 1 AND c IN ?`, 'invalid', text('c'), none);
  const empty: readonly unknown[] = [Buffer.from('0000000100000000', 'hex')];
  await cql.refuses(`SELECT * FROM ${t} WHERE p = 1 AND c IN ?`, 'invalid', text('c'), empty);
});

test('tuples and lists of them that are not set are refused by the columns they are for', async () => {
  const t = await cql.table('p int, c int, d int, PRIMARY KEY (p, c, d)');
  const unset = [undefined];
  for (const start of ['SELECT *', 'DELETE']) {
    const where = `${start} FROM ${t} WHERE p = 1 AND (c, d)`;
    await cql.refuses(`${where} > ?`, 'invalid', 'Invalid unset value for tuple (c,d)', unset);
    await cql.refuses(`${where} IN ?`, 'invalid', 'Invalid unset value for in(c,d)', unset);
  }
});

test('an element that is not set is not deleted from a set, and refused of a map', async () => {
  const t = await cql.table('p int PRIMARY KEY, s set<int>, m map<int, int>');
  await cql.run(`INSERT INTO ${t} (p, s, m) VALUES (1, {1}, {1: 1})`);
  await cql.run(`DELETE s[?] FROM ${t} WHERE p = 1`, [undefined]);
  await cql.answers(`SELECT s FROM ${t}`, [[new Set([1])]]);
  await cql.refuses(`DELETE m[?] FROM ${t} WHERE p = 1`, 'invalid', 'Invalid unset map key', [undefined]);
});
