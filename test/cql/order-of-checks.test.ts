// Of two mistakes in one statement, the one that is complained of.

import { test } from 'node:test';
import { useCql } from './support/cql-server.ts';

const cql = useCql();

test('of two wrong selectors the first is complained of', async () => {
  const t = await cql.table('p int, c text, v int, PRIMARY KEY (p, c)');
  await cql.refuses(
    `SELECT (double) 'a', -c FROM ${t}`,
    'invalid',
    "Cannot assign value (double)'a' to (double)'a' of type double",
  );
  await cql.refuses(
    `SELECT writetime(p), v + c FROM ${t}`,
    'invalid',
    'Cannot use selection function writetime on PRIMARY KEY part p',
  );
  await cql.refuses(`SELECT zz, nope(v) FROM ${t}`, 'invalid', 'Undefined column name zz in table');
});

test('WHERE is looked at before selectors, except that static columns are looked for', async () => {
  const t = await cql.table('p int, c text, v int, PRIMARY KEY (p, c)');
  await cql.refuses(`SELECT -c FROM ${t} WHERE zz = 1`, 'invalid', 'Undefined column name zz in table');
  const s = await cql.table('p int, c text, s int static, v int, PRIMARY KEY (p, c)');
  await cql.refuses(`SELECT nope(v) FROM ${s} WHERE zz = 1`, 'invalid', "Unknown function 'nope'");
  await cql.refuses(
    `SELECT s, (boolean) s FROM ${s} WHERE p = 1 AND c = 'a'`,
    'invalid',
    'Cannot restrict clustering columns when selecting only static columns',
  );
});

test('all statements of a batch are prepared before any of them is checked as a whole', async () => {
  const t = await cql.table('p int PRIMARY KEY, v counter');
  const wrong = `UPDATE ${t} SET v = v + 'a' WHERE p = 1`;
  const timed = `UPDATE ${t} USING TIMESTAMP 7 SET v = v + 1 WHERE p = 1`;
  await cql.refuses(
    `BEGIN COUNTER BATCH ${timed}; ${wrong}; APPLY BATCH`,
    'invalid',
    'Invalid STRING constant (a) for "v" of type counter',
  );
  await cql.refuses(
    `BEGIN COUNTER BATCH USING TIMESTAMP 7 ${timed}; APPLY BATCH`,
    'invalid',
    'Cannot provide custom timestamp for counter BATCH',
  );
  await cql.refuses(
    `BEGIN COUNTER BATCH ${timed}; APPLY BATCH`,
    'invalid',
    'Cannot provide custom timestamp for counter updates',
  );
});

test('a timestamp is refused in a conditional DELETE before its WHERE', async () => {
  const t = await cql.table('p int, c int, PRIMARY KEY (p, c)');
  await cql.refuses(
    `DELETE FROM ${t} USING TIMESTAMP 2 WHERE p = 1 AND c > 1 IF EXISTS`,
    'invalid',
    'Cannot provide custom timestamp for conditional updates',
  );
});

test('a text in parentheses before the next clause is no type', async () => {
  const t = await cql.table('p int, c text, PRIMARY KEY (p, c)');
  await cql.run(`INSERT INTO ${t} (p, c) VALUES (1, 'a')`);
  await cql.answers(`SELECT p FROM ${t} WHERE p = 1 AND c = ('a') GROUP BY p`, [[1]]);
  await cql.answers(`SELECT p FROM ${t} WHERE p = 1 AND c = ('a') PER PARTITION LIMIT 1`, [[1]]);
});

test('token() keeps its name in messages', async () => {
  const t = await cql.table('p int PRIMARY KEY');
  await cql.refuses(
    `SELECT p FROM ${t} WHERE token(p) != token(1)`,
    'invalid',
    'Unsupported "!=" relation: token(p) != token(1)',
  );
});
