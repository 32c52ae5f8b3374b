// Time to live: per cell, by statement or by table.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { useCql } from './support/cql-server.ts';

const cql = useCql();

/** A remaining time to live is a second or two less than what was asked for. */
function isAbout(value: unknown, seconds: number): void {
  assert.ok(
    typeof value === 'number' && value <= seconds && value > seconds - 30,
    `${value} is about ${seconds}`,
  );
}

test('ttl() tells the seconds that are left', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int, b int');
  await cql.runAll(
    `INSERT INTO ${t} (p, a) VALUES (1, 1) USING TTL 1000`,
    `INSERT INTO ${t} (p, b) VALUES (1, 1)`,
  );
  const [[a, b]] = (await cql.rows(`SELECT ttl(a), ttl(b) FROM ${t}`)) as [[unknown, unknown]];
  isAbout(a, 1000);
  assert.equal(b, null);
});

// They wait together.
describe('after a time to live', { concurrency: true }, () => {
  test('an expired row is gone, and an expired cell is null', async () => {
    const t = await cql.table('p int PRIMARY KEY, a int, b int');
    await cql.runAll(
      `INSERT INTO ${t} (p, a) VALUES (1, 1) USING TTL 1`,
      `INSERT INTO ${t} (p, a) VALUES (2, 1)`,
      `UPDATE ${t} USING TTL 1 SET b = 2 WHERE p = 2`,
    );
    await wait(2100);
    await cql.answers(`SELECT * FROM ${t} WHERE p = 1`, []);
    await cql.answers(`SELECT * FROM ${t} WHERE p = 2`, [[2, 1, null]]);
  });

  test('an UPDATE with a TTL leaves the row marker as it is', async () => {
    const t = await cql.table('p int PRIMARY KEY, a int');
    await cql.runAll(
      `INSERT INTO ${t} (p, a) VALUES (1, 1)`,
      `UPDATE ${t} USING TTL 1 SET a = 2 WHERE p = 1`,
      `UPDATE ${t} USING TTL 1 SET a = 2 WHERE p = 2`,
    );
    await wait(2100);
    await cql.answers(`SELECT * FROM ${t}`, [[1, null]]);
  });

  test('each element of a collection has its own time to live', async () => {
    const t = await cql.table('p int PRIMARY KEY, m map<text, int>');
    await cql.runAll(
      `UPDATE ${t} SET m['a'] = 1 WHERE p = 1`,
      `UPDATE ${t} USING TTL 1 SET m['b'] = 2 WHERE p = 1`,
    );
    await wait(2100);
    await cql.answers(`SELECT m FROM ${t}`, [[new Map([['a', 1]])]]);
  });

  test('a value written again without TTL stays', async () => {
    const t = await cql.table('p int PRIMARY KEY, a int');
    await cql.runAll(
      `INSERT INTO ${t} (p, a) VALUES (1, 1) USING TTL 1`,
      `INSERT INTO ${t} (p, a) VALUES (1, 2)`,
    );
    await wait(2100);
    await cql.answers(`SELECT a, ttl(a) FROM ${t}`, [[2, null]]);
  });
});

test('the default of the table holds unless the statement gives its own, and TTL 0 means none', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int', 'WITH default_time_to_live = 500');
  await cql.runAll(
    `INSERT INTO ${t} (p, a) VALUES (1, 1)`,
    `INSERT INTO ${t} (p, a) VALUES (2, 1) USING TTL 9000`,
    `INSERT INTO ${t} (p, a) VALUES (3, 1) USING TTL 0`,
  );
  isAbout(await cql.value(`SELECT ttl(a) FROM ${t} WHERE p = 1`), 500);
  isAbout(await cql.value(`SELECT ttl(a) FROM ${t} WHERE p = 2`), 9000);
  assert.equal(await cql.value(`SELECT ttl(a) FROM ${t} WHERE p = 3`), null);
});

test('a bound TTL is taken, an unset one leaves the default, and null is none', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int', 'WITH default_time_to_live = 500');
  const insert = `INSERT INTO ${t} (p, a) VALUES (?, 1) USING TTL ?`;
  await cql.run(insert, [1, 700]);
  await cql.run(insert, [2, undefined]);
  await cql.run(insert, [3, null]);
  isAbout(await cql.value(`SELECT ttl(a) FROM ${t} WHERE p = 1`), 700);
  isAbout(await cql.value(`SELECT ttl(a) FROM ${t} WHERE p = 2`), 500);
  assert.equal(await cql.value(`SELECT ttl(a) FROM ${t} WHERE p = 3`), null);
});

test('TTL and TIMESTAMP are given together in any order', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.run(`INSERT INTO ${t} (p, a) VALUES (1, 1) USING TTL 100 AND TIMESTAMP 1000000000000000`);
  await cql.run(`UPDATE ${t} USING TIMESTAMP 1000000000000001 AND TTL 200 SET a = 2 WHERE p = 1`);
  const [[a, written, left]] = (await cql.rows(`SELECT a, writetime(a), ttl(a) FROM ${t}`)) as [unknown[]];
  assert.deepEqual([a, written], [2, 1000000000000001n]);
  isAbout(left, 200);
});

test('a TTL outside its bounds is refused', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.refuses(
    `INSERT INTO ${t} (p, a) VALUES (1, 1) USING TTL -1`,
    'invalid',
    'A TTL must be greater or equal to 0, but was -1',
  );
  await cql.refuses(
    `INSERT INTO ${t} (p, a) VALUES (1, 1) USING TTL 630720001`,
    'invalid',
    'ttl is too large. requested (630720001) maximum (630720000)',
  );
  await cql.refuses(
    `INSERT INTO ${t} (p, a) VALUES (1, 1) USING TTL ?`,
    'invalid',
    'A TTL must be greater or equal to 0, but was -5',
    [-5],
  );
  await cql.refuses(`DELETE FROM ${t} USING TTL 10 WHERE p = 1`, 'syntax', '');
});

test('ttl() and writetime() are not of key columns', async () => {
  const t = await cql.table('p int, c int, v int, PRIMARY KEY (p, c)');
  await cql.refuses(
    `SELECT ttl(p) FROM ${t}`,
    'invalid',
    'Cannot use selection function ttl on PRIMARY KEY part p',
  );
  await cql.refuses(
    `SELECT writetime(c) FROM ${t}`,
    'invalid',
    'Cannot use selection function writetime on PRIMARY KEY part c',
  );
});

test('ttl() and writetime() of a collection are lists, one entry for each element', async () => {
  const t = await cql.table('p int PRIMARY KEY, m map<text, int>, s set<int>, f frozen<set<int>>');
  await cql.runAll(
    `UPDATE ${t} USING TIMESTAMP 10 SET m['a'] = 1 WHERE p = 1`,
    `UPDATE ${t} USING TIMESTAMP 20 SET m['b'] = 1, s = s + {5}, f = {1, 2} WHERE p = 1`,
  );
  await cql.answers(
    `SELECT writetime(m), writetime(s), writetime(f), maxwritetime(m), writetime(m['b']) FROM ${t}`,
    [[[10n, 20n], [20n], 20n, 20n, 20n]],
  );
});
