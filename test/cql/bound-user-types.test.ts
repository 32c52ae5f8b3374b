// Values of user-defined types that a driver binds: fields that it leaves out are null, wherever the value stands.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useCql } from './support/cql-server.ts';

const cql = useCql();

test('a key with a field left out is the key that a literal with a null is', async () => {
  const u = await cql.type('a int, b int');
  const t = await cql.table(`p frozen<${u}>, c frozen<${u}>, v int, PRIMARY KEY (p, c)`);
  await cql.run(`INSERT INTO ${t} (p, c, v) VALUES ({a: 1}, {a: 2, b: null}, 1)`);
  await cql.run(`INSERT INTO ${t} (p, c, v) VALUES (?, ?, ?)`, [{ a: 1 }, { a: 2 }, 2]);
  await cql.answers(`SELECT v FROM ${t}`, [[2]]);
  await cql.answers(`SELECT v FROM ${t} WHERE p = ? AND c = ?`, [[2]], [{ a: 1 }, { a: 2 }]);
  await cql.answers(`SELECT v FROM ${t} WHERE token(p) = token(?)`, [[2]], [{ a: 1 }]);
});

test('a value with a field left out equals a literal with a null', async () => {
  const u = await cql.type('a int, b int');
  const t = await cql.table(`p int PRIMARY KEY, v frozen<${u}>`);
  await cql.run(`INSERT INTO ${t} (p, v) VALUES (1, ?)`, [{ a: 1 }]);
  await cql.answers(`SELECT p FROM ${t} WHERE v = {a: 1, b: null} ALLOW FILTERING`, [[1]]);
});

test('the largest of tuples that hold durations is told', async () => {
  const t = await cql.table('p int PRIMARY KEY, v tuple<int, duration>');
  await cql.run(`INSERT INTO ${t} (p, v) VALUES (1, (1, 2h))`);
  await cql.run(`INSERT INTO ${t} (p, v) VALUES (2, (1, 1mo))`);
  const value = await cql.value(`SELECT max(v) FROM ${t}`);
  assert.deepEqual(value, [1, '1mo']);
});
