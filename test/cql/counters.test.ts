// Counters: they are added to, and nothing else.

import { test } from 'node:test';
import { useCql } from './support/cql-server.ts';

const cql = useCql();

test('a counter begins with what is first added', async () => {
  const t = await cql.table('p int PRIMARY KEY, n counter');
  await cql.run(`UPDATE ${t} SET n = n + 5 WHERE p = 1`);
  await cql.answers(`SELECT * FROM ${t}`, [[1, 5n]]);
});

test('a counter is incremented and decremented', async () => {
  const t = await cql.table('p int, c int, n counter, m counter, PRIMARY KEY (p, c)');
  await cql.runAll(
    `UPDATE ${t} SET n = n + 10, m = m - 3 WHERE p = 1 AND c = 1`,
    `UPDATE ${t} SET n = n - 4 WHERE p = 1 AND c = 1`,
    `UPDATE ${t} SET n += 1 WHERE p = 1 AND c = 1`,
    `UPDATE ${t} SET m -= 1 WHERE p = 1 AND c = 1`,
    `UPDATE ${t} SET n = n + -2 WHERE p = 1 AND c = 1`,
  );
  await cql.answers(`SELECT n, m FROM ${t}`, [[5n, -4n]]);
});

test('a bound number is added', async () => {
  const t = await cql.table('p int PRIMARY KEY, n counter');
  await cql.run(`UPDATE ${t} SET n = n + ? WHERE p = ?`, [2n ** 40n, 1]);
  await cql.run(`UPDATE ${t} SET n = n - ? WHERE p = ?`, [1n, 1]);
  await cql.answers(`SELECT n FROM ${t}`, [[2n ** 40n - 1n]]);
});

test('concurrent increments are all counted', async () => {
  const t = await cql.table('p int PRIMARY KEY, n counter');
  await Promise.all(
    Array.from({ length: 100 }, () => cql.run(`UPDATE ${t} SET n = n + ? WHERE p = ?`, [1n, 1])),
  );
  await cql.answers(`SELECT n FROM ${t}`, [[100n]]);
});

test('a counter that was never added to is null beside another', async () => {
  const t = await cql.table('p int PRIMARY KEY, n counter, m counter');
  await cql.run(`UPDATE ${t} SET n = n + 1 WHERE p = 1`);
  await cql.answers(`SELECT n, m FROM ${t}`, [[1n, null]]);
});

test('a row of counters is deleted', async () => {
  const t = await cql.table('p int, c int, n counter, PRIMARY KEY (p, c)');
  await cql.runAll(
    `UPDATE ${t} SET n = n + 1 WHERE p = 1 AND c = 1`,
    `UPDATE ${t} SET n = n + 1 WHERE p = 1 AND c = 2`,
    `DELETE FROM ${t} WHERE p = 1 AND c = 1`,
  );
  await cql.answers(`SELECT c, n FROM ${t}`, [[2, 1n]]);
  await cql.run(`DELETE n FROM ${t} WHERE p = 1 AND c = 2`);
  await cql.answers(`SELECT c, n FROM ${t}`, []);
});

test('static counters belong to the partition', async () => {
  const t = await cql.table('p int, c int, s counter static, n counter, PRIMARY KEY (p, c)');
  await cql.runAll(
    `UPDATE ${t} SET n = n + 1, s = s + 1 WHERE p = 1 AND c = 1`,
    `UPDATE ${t} SET n = n + 1, s = s + 1 WHERE p = 1 AND c = 2`,
  );
  await cql.answers(`SELECT c, s, n FROM ${t}`, [
    [1, 2n, 1n],
    [2, 2n, 1n],
  ]);
});

const refused: readonly (readonly [string, string, string])[] = [
  [
    'INSERT',
    'INSERT INTO % (p, n) VALUES (1, 1)',
    'INSERT statements are not allowed on counter tables, use UPDATE instead',
  ],
  [
    'a counter that is set',
    'UPDATE % SET n = 1 WHERE p = 1',
    'Cannot set the value of counter column n (counters can only be incremented/decremented, not set)',
  ],
  [
    'a timestamp',
    'UPDATE % USING TIMESTAMP 5 SET n = n + 1 WHERE p = 1',
    'Cannot provide custom timestamp for counter updates',
  ],
  [
    'a TTL',
    'UPDATE % USING TTL 5 SET n = n + 1 WHERE p = 1',
    'Cannot provide custom TTL for counter updates',
  ],
  ['a condition', 'UPDATE % SET n = n + 1 WHERE p = 1 IF n = 1', 'Conditions on counters are not supported'],
  [
    'a null that is added',
    'UPDATE % SET n = n + null WHERE p = 1',
    'Invalid null value for counter increment',
  ],
  [
    'another column in the sum',
    'UPDATE % SET n = m + 1 WHERE p = 1',
    'Only expressions of the form X = X +<value> are supported.',
  ],
  [
    'a text that is added',
    "UPDATE % SET n = n + 'a' WHERE p = 1",
    'Invalid STRING constant (a) for "n" of type counter',
  ],
];
for (const [what, statement, text] of refused) {
  test(`${what} is refused on a counter table`, async () => {
    const t = await cql.table('p int PRIMARY KEY, n counter, m counter');
    const error = text.startsWith('Only expressions') ? 'syntax' : 'invalid';
    await cql.refuses(statement.replace('%', t), error, text);
  });
}

test('counters and other columns do not mix, and a counter is no key', async () => {
  await cql.refuses(
    `CREATE TABLE ${cql.name()} (p int PRIMARY KEY, n counter, v int)`,
    'invalid',
    'Cannot mix counter and non counter columns in the same table',
  );
  await cql.refuses(
    `CREATE TABLE ${cql.name()} (p counter PRIMARY KEY)`,
    'invalid',
    "counter type is not supported for PRIMARY KEY column 'p'",
  );
  await cql.refuses(
    `CREATE TABLE ${cql.name()} (p int PRIMARY KEY, n list<counter>)`,
    'invalid',
    'Counters are not allowed inside collections: list<counter>',
  );
  const t = await cql.table('p int PRIMARY KEY, n counter');
  await cql.refuses(
    `ALTER TABLE ${t} ADD v int`,
    'configuration',
    'Cannot have a non counter column ("v") in a counter table',
  );
});

test('a sum on a column that is no counter is refused', async () => {
  const t = await cql.table('p int PRIMARY KEY, v int');
  await cql.refuses(
    `UPDATE ${t} SET v = v + 1 WHERE p = 1`,
    'invalid',
    'Invalid operation (v = v + 1) for non counter column v',
  );
});

test('counters are summed', async () => {
  const t = await cql.table('p int, c int, n counter, PRIMARY KEY (p, c)');
  await cql.runAll(
    `UPDATE ${t} SET n = n + 3 WHERE p = 1 AND c = 1`,
    `UPDATE ${t} SET n = n + 4 WHERE p = 1 AND c = 2`,
  );
  await cql.answers(`SELECT sum(n), max(n), min(n), avg(n), count(n) FROM ${t}`, [[7n, 4n, 3n, 3n, 2n]]);
});
