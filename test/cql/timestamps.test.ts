// Which of two writes wins: the later timestamp, and rules for equal ones.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useCql } from './support/cql-server.ts';

const cql = useCql();

test('the write with the later timestamp wins, whatever came first', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.runAll(
    `INSERT INTO ${t} (p, a) VALUES (1, 2) USING TIMESTAMP 200`,
    `INSERT INTO ${t} (p, a) VALUES (1, 1) USING TIMESTAMP 100`,
  );
  await cql.answers(`SELECT a, writetime(a) FROM ${t}`, [[2, 200n]]);
});

test('timestamps are compared column by column', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int, b int');
  await cql.runAll(
    `INSERT INTO ${t} (p, a) VALUES (1, 1) USING TIMESTAMP 100`,
    `INSERT INTO ${t} (p, b) VALUES (1, 2) USING TIMESTAMP 200`,
    `INSERT INTO ${t} (p, a, b) VALUES (1, 3, 3) USING TIMESTAMP 150`,
  );
  await cql.answers(`SELECT a, b FROM ${t}`, [[3, 2]]);
});

test('of two values with one timestamp the larger wins', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  for (const [p, first, second] of [
    [1, 1, 2],
    [2, 2, 1],
  ])
    await cql.runAll(
      `INSERT INTO ${t} (p, a) VALUES (${p}, ${first}) USING TIMESTAMP 100`,
      `INSERT INTO ${t} (p, a) VALUES (${p}, ${second}) USING TIMESTAMP 100`,
    );
  assert.deepEqual(await cql.column(`SELECT a FROM ${t}`), [2, 2]);
});

test('a delete wins over a write with its timestamp', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.runAll(
    `DELETE FROM ${t} USING TIMESTAMP 100 WHERE p = 1`,
    `INSERT INTO ${t} (p, a) VALUES (1, 1) USING TIMESTAMP 100`,
  );
  await cql.answers(`SELECT * FROM ${t}`, []);
  await cql.run(`INSERT INTO ${t} (p, a) VALUES (1, 1) USING TIMESTAMP 101`);
  await cql.answers(`SELECT * FROM ${t}`, [[1, 1]]);
});

test('a null written with the timestamp of a value wins', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.runAll(
    `INSERT INTO ${t} (p, a) VALUES (1, 1) USING TIMESTAMP 100`,
    `UPDATE ${t} USING TIMESTAMP 100 SET a = null WHERE p = 1`,
  );
  await cql.answers(`SELECT * FROM ${t}`, [[1, null]]);
});

test('an expiring value wins over a plain one with its timestamp', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.runAll(
    `INSERT INTO ${t} (p, a) VALUES (1, 1) USING TIMESTAMP 100 AND TTL 1000`,
    `INSERT INTO ${t} (p, a) VALUES (1, 2) USING TIMESTAMP 100`,
  );
  await cql.answers(`SELECT a FROM ${t}`, [[1]]);
});

test('a delete takes nothing that is later than itself', async () => {
  const t = await cql.table('p int, c int, a int, PRIMARY KEY (p, c)');
  await cql.runAll(
    `INSERT INTO ${t} (p, c, a) VALUES (1, 1, 1) USING TIMESTAMP 100`,
    `INSERT INTO ${t} (p, c, a) VALUES (1, 2, 2) USING TIMESTAMP 300`,
    `DELETE FROM ${t} USING TIMESTAMP 200 WHERE p = 1`,
  );
  await cql.answers(`SELECT c, a FROM ${t}`, [[2, 2]]);
});

test('a deleted column of an INSERTed row leaves the row', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int, b int');
  await cql.runAll(
    `INSERT INTO ${t} (p, a, b) VALUES (1, 1, 1) USING TIMESTAMP 100`,
    `DELETE a FROM ${t} USING TIMESTAMP 50 WHERE p = 1`,
    `DELETE b FROM ${t} USING TIMESTAMP 150 WHERE p = 1`,
  );
  await cql.answers(`SELECT p, a, b FROM ${t}`, [[1, 1, null]]);
});

test('a row whose marker is older than a delete and whose cell is younger shows that cell alone', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int, b int');
  await cql.runAll(
    `INSERT INTO ${t} (p, a) VALUES (1, 1) USING TIMESTAMP 100`,
    `UPDATE ${t} USING TIMESTAMP 300 SET b = 2 WHERE p = 1`,
    `DELETE FROM ${t} USING TIMESTAMP 200 WHERE p = 1`,
  );
  await cql.answers(`SELECT p, a, b FROM ${t}`, [[1, null, 2]]);
});

test('a write without a timestamp is later than the one before it', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  for (let a = 1; a <= 20; a += 1) await cql.run(`INSERT INTO ${t} (p, a) VALUES (1, ${a})`);
  await cql.answers(`SELECT a FROM ${t}`, [[20]]);
});

test('the default timestamp is the present in microseconds', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.run(`INSERT INTO ${t} (p, a) VALUES (1, 1)`);
  const written = Number(await cql.value(`SELECT writetime(a) FROM ${t}`)) / 1000;
  assert.ok(Math.abs(written - Date.now()) < 60_000);
});

test('the timestamp of the client is taken unless the statement has its own', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.run(`INSERT INTO ${t} (p, a) VALUES (?, ?)`, [1, 1], { timestamp: 1234 });
  await cql.run(`INSERT INTO ${t} (p, a) VALUES (?, ?) USING TIMESTAMP 99`, [2, 1], { timestamp: 1234 });
  await cql.answersInAnyOrder(`SELECT p, writetime(a) FROM ${t}`, [
    [1, 1234n],
    [2, 99n],
  ]);
});

test('timestamps may be negative, but not the smallest number', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.run(`INSERT INTO ${t} (p, a) VALUES (1, 1) USING TIMESTAMP -42`);
  await cql.answers(`SELECT writetime(a) FROM ${t}`, [[-42n]]);
  await cql.refuses(
    `INSERT INTO ${t} (p, a) VALUES (1, 1) USING TIMESTAMP -9223372036854775808`,
    'invalid',
    'Out of bound timestamp, must be in [-9223372036854775807, 9223372036854775807]',
  );
});

test('a bound timestamp is taken, and null is refused', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.run(`INSERT INTO ${t} (p, a) VALUES (1, 1) USING TIMESTAMP ?`, [77n]);
  await cql.answers(`SELECT writetime(a) FROM ${t}`, [[77n]]);
  await cql.refuses(
    `INSERT INTO ${t} (p, a) VALUES (1, 1) USING TIMESTAMP ?`,
    'invalid',
    'Invalid null value of timestamp',
    [null],
  );
});

test('an overwritten collection loses what was older and keeps what is younger', async () => {
  const t = await cql.table('p int PRIMARY KEY, s set<int>');
  await cql.runAll(
    `UPDATE ${t} USING TIMESTAMP 100 SET s = s + {1} WHERE p = 1`,
    `UPDATE ${t} USING TIMESTAMP 300 SET s = s + {3} WHERE p = 1`,
    `UPDATE ${t} USING TIMESTAMP 200 SET s = {2} WHERE p = 1`,
  );
  await cql.answers(`SELECT s FROM ${t}`, [[new Set([2, 3])]]);
});
