// DELETE of partitions, rows, ranges of rows and columns.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useCql } from './support/cql-server.ts';

const cql = useCql();

async function grid(): Promise<string> {
  const t = await cql.table('p int, c int, d int, v int, PRIMARY KEY (p, c, d)');
  for (const p of [0, 1])
    for (const c of [0, 1, 2])
      for (const d of [0, 1])
        await cql.run(`INSERT INTO ${t} (p, c, d, v) VALUES (${p}, ${c}, ${d}, ${p + c + d})`);
  return t;
}

test('a row is deleted by its key, and deleting it again is no error', async () => {
  const t = await cql.table('p int PRIMARY KEY, v int');
  await cql.runAll(
    `INSERT INTO ${t} (p, v) VALUES (1, 1)`,
    `DELETE FROM ${t} WHERE p = 1`,
    `DELETE FROM ${t} WHERE p = 1`,
  );
  await cql.answers(`SELECT * FROM ${t}`, []);
});

test('a deleted row is written anew', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int, b int');
  await cql.runAll(
    `INSERT INTO ${t} (p, a, b) VALUES (1, 1, 1)`,
    `DELETE FROM ${t} WHERE p = 1`,
    `INSERT INTO ${t} (p, a) VALUES (1, 2)`,
  );
  await cql.answers(`SELECT p, a, b FROM ${t}`, [[1, 2, null]]);
});

test('a partition is deleted with all of its rows', async () => {
  const t = await grid();
  await cql.run(`DELETE FROM ${t} WHERE p = 0`);
  await cql.answers(`SELECT * FROM ${t} WHERE p = 0`, []);
  assert.equal((await cql.rows(`SELECT * FROM ${t}`)).length, 6);
});

test('columns are deleted from a row', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int, b int, c int');
  await cql.runAll(`INSERT INTO ${t} (p, a, b, c) VALUES (1, 1, 2, 3)`, `DELETE a, c FROM ${t} WHERE p = 1`);
  await cql.answers(`SELECT p, a, b, c FROM ${t}`, [[1, null, 2, null]]);
});

const ranges: readonly (readonly [string, string, readonly string[]])[] = [
  ['a prefix of the clustering key', 'c = 1', ['00', '01', '20', '21']],
  ['one row', 'c = 1 AND d = 1', ['00', '01', '10', '20', '21']],
  ['all after a bound', 'c > 0', ['00', '01']],
  ['all from a bound', 'c >= 1', ['00', '01']],
  ['all before a bound', 'c < 2', ['20', '21']],
  ['all up to a bound', 'c <= 1', ['20', '21']],
  ['between two bounds', 'c > 0 AND c < 2', ['00', '01', '20', '21']],
  ['an empty range', 'c > 1 AND c < 1', ['00', '01', '10', '11', '20', '21']],
  ['a range of the second column', 'c = 1 AND d > 0', ['00', '01', '10', '20', '21']],
  ['a list of values', 'c IN (0, 2)', ['10', '11']],
  ['a list of values of the second column', 'c = 0 AND d IN (0, 5)', ['01', '10', '11', '20', '21']],
  ['a multi-column bound', '(c, d) > (0, 0)', ['00']],
  ['a multi-column range', '(c, d) >= (0, 1) AND (c, d) < (2, 0)', ['00', '20', '21']],
  ['a multi-column list', '(c, d) IN ((0, 0), (2, 1))', ['01', '10', '11', '20']],
];
for (const [what, restriction, left] of ranges) {
  test(`rows are deleted by ${what}: ${restriction}`, async () => {
    const t = await grid();
    await cql.run(`DELETE FROM ${t} WHERE p = 0 AND ${restriction}`);
    const rows = await cql.rows(`SELECT c, d FROM ${t} WHERE p = 0`);
    assert.deepEqual(
      rows.map(([c, d]) => `${c}${d}`),
      left,
    );
    assert.equal((await cql.rows(`SELECT * FROM ${t} WHERE p = 1`)).length, 6);
  });
}

test('ranges are deleted in a descending table', async () => {
  const t = await cql.table('p int, c int, PRIMARY KEY (p, c)', 'WITH CLUSTERING ORDER BY (c DESC)');
  for (const c of [1, 2, 3, 4]) await cql.run(`INSERT INTO ${t} (p, c) VALUES (0, ${c})`);
  await cql.run(`DELETE FROM ${t} WHERE p = 0 AND c > 1 AND c <= 3`);
  assert.deepEqual(await cql.column(`SELECT c FROM ${t} WHERE p = 0`), [4, 1]);
});

test('several partitions are deleted with IN', async () => {
  const t = await grid();
  await cql.run(`DELETE FROM ${t} WHERE p IN (0, 1, 7)`);
  await cql.answers(`SELECT * FROM ${t}`, []);
});

test('a row written into a deleted range is there', async () => {
  const t = await grid();
  await cql.run(`DELETE FROM ${t} WHERE p = 0 AND c >= 1`);
  await cql.run(`INSERT INTO ${t} (p, c, d, v) VALUES (0, 1, 7, 9)`);
  await cql.answers(`SELECT c, d, v FROM ${t} WHERE p = 0 AND c >= 1`, [[1, 7, 9]]);
});

test('a range delete takes what is older than its timestamp and no more', async () => {
  const t = await cql.table('p int, c int, v int, PRIMARY KEY (p, c)');
  await cql.runAll(
    `INSERT INTO ${t} (p, c, v) VALUES (1, 1, 1) USING TIMESTAMP 100`,
    `INSERT INTO ${t} (p, c, v) VALUES (1, 2, 2) USING TIMESTAMP 200`,
    `INSERT INTO ${t} (p, c, v) VALUES (1, 3, 3) USING TIMESTAMP 300`,
    `DELETE FROM ${t} USING TIMESTAMP 200 WHERE p = 1 AND c >= 1 AND c <= 3`,
    `INSERT INTO ${t} (p, c, v) VALUES (1, 1, 9) USING TIMESTAMP 199`,
    `INSERT INTO ${t} (p, c, v) VALUES (1, 2, 9) USING TIMESTAMP 201`,
  );
  await cql.answers(`SELECT c, v FROM ${t}`, [
    [2, 9],
    [3, 3],
  ]);
});

test('overlapping range deletes each keep their own timestamp', async () => {
  const t = await cql.table('p int, c int, PRIMARY KEY (p, c)');
  await cql.runAll(
    `DELETE FROM ${t} USING TIMESTAMP 100 WHERE p = 1 AND c >= 0 AND c < 10`,
    `DELETE FROM ${t} USING TIMESTAMP 200 WHERE p = 1 AND c >= 5 AND c < 15`,
  );
  for (const c of [1, 5, 9, 12, 16])
    await cql.run(`INSERT INTO ${t} (p, c) VALUES (1, ${c}) USING TIMESTAMP 150`);
  assert.deepEqual(await cql.column(`SELECT c FROM ${t}`), [1, 16]);
});

test('deletes with bound values are prepared', async () => {
  const t = await grid();
  await cql.run(`DELETE FROM ${t} WHERE p = ? AND c = ? AND d = ?`, [0, 0, 0]);
  await cql.run(`DELETE FROM ${t} WHERE p = ? AND c > ? AND c < ?`, [0, 0, 2]);
  await cql.run(`DELETE FROM ${t} WHERE p = ? AND c IN ?`, [0, [2, 7]]);
  await cql.answers(`SELECT c, d FROM ${t} WHERE p = 0`, [[0, 1]]);
});

const refused: readonly (readonly [string, string, string])[] = [
  ['without a partition key', 'DELETE FROM % WHERE c = 1', 'Some partition key parts are missing: p'],
  [
    'with a range of partitions',
    'DELETE FROM % WHERE p > 1',
    'Only EQ and IN relation are supported on the partition key (unless you use the token() function) for DELETE statements',
  ],
  [
    'by a token',
    'DELETE FROM % WHERE token(p) > 1',
    'The token function cannot be used in WHERE clauses for DELETE statements',
  ],
  [
    'of a row by a gap in the clustering key',
    'DELETE FROM % WHERE p = 1 AND d = 1',
    'PRIMARY KEY column "d" cannot be restricted as preceding column "c" is not restricted',
  ],
  [
    'by a regular column',
    'DELETE FROM % WHERE p = 1 AND v = 1',
    'Non PRIMARY KEY columns found in where clause: v',
  ],
  [
    'of columns in a range',
    'DELETE v FROM % WHERE p = 1 AND c = 1 AND d > 1',
    'Range deletions are not supported for specific columns',
  ],
  [
    'of columns in a whole partition',
    'DELETE v FROM % WHERE p = 1',
    'Range deletions are not supported for specific columns',
  ],
  [
    'of a key column',
    'DELETE c FROM % WHERE p = 1 AND c = 1 AND d = 1',
    'Invalid identifier c for deletion (should not be a PRIMARY KEY part)',
  ],
  [
    'of a column that is not there',
    'DELETE zz FROM % WHERE p = 1 AND c = 1 AND d = 1',
    'Undefined column name zz in table',
  ],
  ['by a column that is not there', 'DELETE FROM % WHERE zz = 1', 'Undefined column name zz in table'],
  ['with a null key', 'DELETE FROM % WHERE p = null', 'Invalid null value in condition for column p'],
];
for (const [what, statement, text] of refused) {
  test(`a DELETE ${what} is refused`, async () => {
    const t = await cql.table('p int, c int, d int, v int, PRIMARY KEY (p, c, d)');
    await cql.refuses(statement.replace('%', t), 'invalid', text);
  });
}

test('a DELETE without WHERE is a syntax error', async () => {
  const t = await cql.table('p int PRIMARY KEY');
  await cql.refuses(`DELETE FROM ${t}`, 'syntax', "mismatched input '<EOF>' expecting K_WHERE");
});

test('TRUNCATE empties a table, which goes on working', async () => {
  const t = await grid();
  await cql.run(`TRUNCATE ${t}`);
  await cql.answers(`SELECT * FROM ${t}`, []);
  await cql.run(`INSERT INTO ${t} (p, c, d, v) VALUES (1, 1, 1, 1)`);
  await cql.answers(`SELECT * FROM ${t}`, [[1, 1, 1, 1]]);
  await cql.run(`TRUNCATE TABLE ${cql.keyspace}.${t}`);
  await cql.answers(`SELECT * FROM ${t}`, []);
  await cql.refuses('TRUNCATE nope', 'invalid', 'table nope does not exist');
});
