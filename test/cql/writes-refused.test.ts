// INSERT and UPDATE that are refused, and syntax errors.

import { test } from 'node:test';
import { type ErrorName, useCql } from './support/cql-server.ts';

let t: string;
const cql = useCql(async (cql) => {
  t = await cql.table(
    'p int, q int, c int, d int, s int static, v int, l list<int>, PRIMARY KEY ((p, q), c, d)',
  );
});

const refused: readonly (readonly [string, ErrorName, string])[] = [
  ['INSERT INTO % (p, c, d, v) VALUES (1, 1, 1, 1)', 'invalid', 'Some partition key parts are missing: q'],
  ['INSERT INTO % (p, q, c, v) VALUES (1, 1, 1, 1)', 'invalid', 'Some clustering keys are missing: d'],
  ['INSERT INTO % (p, q, v) VALUES (1, 1, 1)', 'invalid', 'Some clustering keys are missing: c, d'],
  ['INSERT INTO % (p, q, c, d) VALUES (1, 1, 1)', 'invalid', 'Unmatched column names/values'],
  ['INSERT INTO % (p, q, c, d) VALUES (1, 1, 1, 1, 1)', 'invalid', 'Unmatched column names/values'],
  [
    'INSERT INTO % (p, q, c, d, v, v) VALUES (1, 1, 1, 1, 1, 1)',
    'invalid',
    'The column names contains duplicates',
  ],
  ['INSERT INTO % (p, q, c, d, zz) VALUES (1, 1, 1, 1, 1)', 'invalid', 'Undefined column name zz in table'],
  [
    'INSERT INTO % (p, q, c, d) VALUES (1, null, 1, 1)',
    'invalid',
    'Invalid null value in condition for column q',
  ],
  [
    'INSERT INTO % (p, q, c, d) VALUES (1, 1, null, 1)',
    'invalid',
    'Invalid null value in condition for column c',
  ],
  ['INSERT INTO nope (p) VALUES (1)', 'invalid', 'table nope does not exist'],
  ['UPDATE % SET v = 1 WHERE p = 1 AND q = 1', 'invalid', 'Some clustering keys are missing: c, d'],
  [
    'UPDATE % SET v = 1 WHERE p = 1 AND c = 1 AND d = 1',
    'invalid',
    'Some partition key parts are missing: q',
  ],
  [
    'UPDATE % SET v = 1 WHERE p = 1 AND q = 1 AND c = 1 AND d > 1',
    'invalid',
    'Slice restrictions are not supported on the clustering columns in UPDATE statements',
  ],
  [
    'UPDATE % SET v = 1 WHERE p > 1 AND q = 1 AND c = 1 AND d = 1',
    'invalid',
    'Only EQ and IN relation are supported on the partition key (unless you use the token() function) for UPDATE statements',
  ],
  ['UPDATE % SET c = 1 WHERE p = 1 AND q = 1 AND d = 1', 'invalid', 'PRIMARY KEY part c found in SET part'],
  [
    'UPDATE % SET v = 1 WHERE p = 1 AND q = 1 AND c = 1 AND d = 1 AND v = 1',
    'invalid',
    'Non PRIMARY KEY columns found in where clause: v',
  ],
  [
    'UPDATE % SET v = 1, v = 2 WHERE p = 1 AND q = 1 AND c = 1 AND d = 1',
    'syntax',
    'Multiple incompatible setting of column v',
  ],
  [
    'UPDATE % SET zz = 1 WHERE p = 1 AND q = 1 AND c = 1 AND d = 1',
    'invalid',
    'Undefined column name zz in table',
  ],
  ['UPDATE % SET v = 1', 'syntax', "mismatched input '<EOF>' expecting K_WHERE"],
  [
    "UPDATE % SET v = 'a' WHERE p = 1 AND q = 1 AND c = 1 AND d = 1",
    'invalid',
    'Invalid STRING constant (a) for "v" of type int',
  ],
  [
    'UPDATE % SET v = v + 1 WHERE p = 1 AND q = 1 AND c = 1 AND d = 1',
    'invalid',
    'Invalid operation (v = v + 1) for non counter column v',
  ],
  ['UPDATE % SET l = l WHERE p = 1 AND q = 1 AND c = 1 AND d = 1', 'syntax', ''],
  ['SELEC * FROM %', 'syntax', "line 1:0 no viable alternative at input 'SELEC' ([SELEC]...)"],
  ['', 'syntax', "line 0:-1 no viable alternative at input '<EOF>'"],
  ['SELECT * FROM', 'syntax', "line 0:-1 no viable alternative at input '<EOF>'"],
  ['SELECT * FROM % WHERE', 'syntax', ''],
  ['SELECT FROM %', 'syntax', ''],
  ['SELECT * FROM % LIMIT', 'syntax', ''],
  ["SELECT * FROM % WHERE p = 'unfinished", 'syntax', ''],
  ['SELECT * FROM % WHERE p = 0xABC', 'invalid', 'Invalid HEX constant (0xABC) for "p" of type int'],
  ['INSERT INTO % VALUES (1)', 'syntax', ''],
  ['CREATE TABLE (p int PRIMARY KEY)', 'syntax', ''],
  ['DROP', 'syntax', ''],
  ['SELECT * FROM %; SELECT * FROM %', 'syntax', ''],
  ['SELECT select FROM %', 'syntax', ''],
  ['SELECT * FROM % WHERE p BETWEEN 1 AND 2', 'syntax', ''],
  ['SELECT * FROM % WHERE p NOT IN (1)', 'syntax', ''],
  ['SELECT * FROM % WHERE p = 1 OR p = 2', 'syntax', ''],
];
for (const [statement, error, text] of refused) {
  test(`${statement === '' ? 'an empty statement' : statement.replaceAll('%', 't')} is refused${text === '' ? '' : `: ${text}`}`, async () => {
    await cql.refuses(statement.replaceAll('%', t), error, text);
  });
}

test('comments and a trailing semicolon are passed over', async () => {
  await cql.run(`-- first\nSELECT * /* in the middle */ FROM ${t} // at the end\n ;`);
});

test('keywords are of any case', async () => {
  await cql.run(`select * FROM ${t} wHeRe p = 1 and Q = 1 lImIt 1`);
});

test('words that are not reserved are names', async () => {
  const other = await cql.table(
    'key int PRIMARY KEY, ttl int, count int, json text, type int, contains int, writetime int, timestamp timestamp, distinct int, role int, filtering int, clustering int',
  );
  await cql.run(
    `INSERT INTO ${other} (key, ttl, count, json, type, contains, writetime) VALUES (1, 2, 3, 'j', 4, 5, 6)`,
  );
  await cql.answers(`SELECT ttl, count, json, type, contains, writetime FROM ${other} WHERE key = 1`, [
    [2, 3, 'j', 4, 5, 6],
  ]);
});

test('IN updates several partitions and rows at once', async () => {
  const other = await cql.table('p int, c int, v int, PRIMARY KEY (p, c)');
  await cql.run(`UPDATE ${other} SET v = 1 WHERE p IN (1, 2) AND c IN (3, 4)`);
  await cql.answersInAnyOrder(`SELECT * FROM ${other}`, [
    [1, 3, 1],
    [1, 4, 1],
    [2, 3, 1],
    [2, 4, 1],
  ]);
});
