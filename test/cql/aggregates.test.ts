// count, sum, avg, min, max, over all rows and by group.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useCql } from './support/cql-server.ts';

let t: string;
const cql = useCql(async (cql) => {
  t = await cql.table('p int, c int, d int, v int, w text, x double, PRIMARY KEY (p, c, d)');
  const rows = [
    [1, 1, 1, 1, "'a'", 0.5],
    [1, 1, 2, 2, "'b'", 1.5],
    [1, 2, 1, 4, "'c'", 'null'],
    [1, 2, 3, 'null', "'d'", 4],
    [2, 1, 1, 10, 'null', 1],
    [2, 4, 1, 20, "'z'", 2],
  ];
  for (const row of rows) await cql.run(`INSERT INTO ${t} (p, c, d, v, w, x) VALUES (${row.join(', ')})`);
});

const results: readonly (readonly [string, readonly unknown[]])[] = [
  ['SELECT count(*) FROM %', [6n]],
  ['SELECT count(1) FROM %', [6n]],
  ['SELECT COUNT(v), count(w), count(x) FROM %', [5n, 5n, 5n]],
  ['SELECT sum(v), avg(v), min(v), max(v) FROM %', [37, 7, 1, 20]],
  ['SELECT sum(x), avg(x), min(x), max(x) FROM %', [9, 1.8, 0.5, 4]],
  ['SELECT min(w), max(w) FROM %', ['a', 'z']],
  ['SELECT count(*), max(c), min(d) FROM % WHERE p = 1', [4n, 2, 1]],
  ['SELECT count(*) FROM % WHERE p = 1 AND c = 1', [2n]],
  ['SELECT count(*) FROM % WHERE p = 9', [0n]],
  ['SELECT sum(v), avg(v), min(v), max(v), count(v) FROM % WHERE p = 9', [0, 0, null, null, 0n]],
  ['SELECT p, c, count(*) FROM % WHERE p = 1', [1, 1, 4n]],
  ['SELECT count(*) AS n FROM %', [6n]],
  ['SELECT sum(v) + 1, max(abs(v)), abs(min(v)) FROM %', [38, 20, 1]],
  ['SELECT max(v * 2) FROM %', [40]],
  ['SELECT sum(cast(v as double)) FROM % WHERE p = 2', [30]],
  ['SELECT count(*) FROM % WHERE v > 3 ALLOW FILTERING', [3n]],
  ['SELECT count(*) FROM % WHERE p IN (1, 2) AND c = 1', [3n]],
];
for (const [query, row] of results) {
  test(`${query} is ${row.map(String).join(', ')}`, async () => {
    await cql.answers(query.replace('%', t), [[...row]]);
  });
}

test('LIMIT does not cut what an aggregate counts', async () => {
  await cql.answers(`SELECT count(*) FROM ${t} LIMIT 1`, [[6n]]);
});

test('sum and avg of each numeric type keep that type', async () => {
  const types = ['tinyint', 'smallint', 'int', 'bigint', 'varint', 'float', 'double', 'decimal'];
  const other = await cql.table(`p int PRIMARY KEY, ${types.map((type) => `${type}_v ${type}`).join(', ')}`);
  for (const p of [1, 2])
    await cql.run(
      `INSERT INTO ${other} (p, ${types.map((type) => `${type}_v`).join(', ')}) VALUES (${p}, ${types.map(() => p).join(', ')})`,
    );
  const select = (name: string) =>
    `SELECT ${types.map((type) => `${name}(${type}_v)`).join(', ')} FROM ${other}`;
  assert.deepEqual(await cql.columnTypes(select('sum')), types);
  assert.deepEqual(await cql.columnTypes(select('avg')), types);
  await cql.answers(select('sum'), [[3, 3, 3, 3n, 3n, 3, 3, '3']]);
  await cql.answers(select('max'), [[2, 2, 2, 2n, 2n, 2, 2, '2']]);
});

test('a sum that leaves its type wraps around', async () => {
  const other = await cql.table('p int PRIMARY KEY, v tinyint, i int');
  for (const p of [1, 2]) await cql.run(`INSERT INTO ${other} (p, v, i) VALUES (${p}, 100, 2147483647)`);
  await cql.answers(`SELECT sum(v), sum(i) FROM ${other}`, [[-56, -2]]);
});

test('min and max work on every type that has an order', async () => {
  const other = await cql.table(
    'p int PRIMARY KEY, t timestamp, u uuid, b blob, d date, s text, l frozen<list<int>>',
  );
  await cql.run(`INSERT INTO ${other} (p, t, b, d, s, l) VALUES (1, 1000, 0x01, '2024-01-01', 'a', [1])`);
  await cql.run(`INSERT INTO ${other} (p, t, b, d, s, l) VALUES (2, 2000, 0xff, '2023-01-01', 'b', [2])`);
  await cql.answers(`SELECT min(t), max(b), min(d), max(s), max(l) FROM ${other}`, [
    ['1970-01-01T00:00:01.000Z', '0xff', '2023-01-01', 'b', [2]],
  ]);
});

const groups: readonly (readonly [string, readonly (readonly unknown[])[]])[] = [
  [
    'SELECT p, count(*), sum(v) FROM % GROUP BY p',
    [
      [1, 4n, 7],
      [2, 2n, 30],
    ],
  ],
  [
    'SELECT p, c, count(*), max(v) FROM % GROUP BY p, c',
    [
      [1, 1, 2n, 2],
      [1, 2, 2n, 4],
      [2, 1, 1n, 10],
      [2, 4, 1n, 20],
    ],
  ],
  [
    'SELECT c, max(d) FROM % WHERE p = 1 GROUP BY c',
    [
      [1, 2],
      [2, 3],
    ],
  ],
  [
    'SELECT c, d, v FROM % WHERE p = 1 GROUP BY c',
    [
      [1, 1, 1],
      [2, 1, 4],
    ],
  ],
  [
    'SELECT p, c, d, v FROM % GROUP BY p, c, d',
    [
      [1, 1, 1, 1],
      [1, 1, 2, 2],
      [1, 2, 1, 4],
      [1, 2, 3, null],
      [2, 1, 1, 10],
      [2, 4, 1, 20],
    ],
  ],
  ['SELECT p, count(*) FROM % GROUP BY p LIMIT 1', [[1, 4n]]],
  [
    'SELECT p, c, count(*) FROM % GROUP BY p, c PER PARTITION LIMIT 1',
    [
      [1, 1, 2n],
      [2, 1, 1n],
    ],
  ],
  [
    'SELECT c, count(*) FROM % WHERE p = 1 GROUP BY p, c ORDER BY c DESC',
    [
      [2, 2n],
      [1, 2n],
    ],
  ],
  [
    'SELECT d, count(*) FROM % WHERE p = 1 AND c = 2 GROUP BY d',
    [
      [1, 1n],
      [3, 1n],
    ],
  ],
  ['SELECT p, count(*) FROM % WHERE p = 9 GROUP BY p', []],
];
for (const [query, rows] of groups) {
  test(query.replace(' FROM %', ''), async () => {
    await cql.answersInAnyOrder(
      query.replace('%', t),
      rows.map((row) => [...row]),
    );
  });
}

const refused: readonly (readonly [string, string])[] = [
  [
    'SELECT p FROM % GROUP BY v',
    'Group by is currently only supported on the columns of the PRIMARY KEY, got v',
  ],
  [
    'SELECT p FROM % GROUP BY c',
    'Group by currently only support groups of columns following their declared order in the PRIMARY KEY',
  ],
  [
    'SELECT p FROM % GROUP BY p, d',
    'Group by currently only support groups of columns following their declared order in the PRIMARY KEY',
  ],
  ['SELECT p FROM % GROUP BY zz', 'Undefined column name zz in table'],
  [
    'SELECT DISTINCT p FROM % GROUP BY p, c',
    'Grouping on clustering columns is not allowed for SELECT DISTINCT queries',
  ],
  [
    'SELECT count(*) FROM % PER PARTITION LIMIT 1',
    'PER PARTITION LIMIT is not allowed with aggregate queries.',
  ],
  ['SELECT sum(max(v)) FROM %', 'aggregate functions cannot be used as arguments of aggregate functions'],
  ['SELECT sum(w) FROM %', 'Invalid call to function sum, none of its type signatures match'],
];
for (const [query, text] of refused) {
  test(`${query.replace(' FROM %', '')} is refused`, async () => {
    await cql.refuses(query.replace('%', t), 'invalid', text);
  });
}

test('GROUP BY takes a floor of the last column', async () => {
  const other = await cql.table('p int, at timestamp, v int, PRIMARY KEY (p, at)');
  for (const [at, v] of [
    ['00:05', 1],
    ['00:55', 2],
    ['01:10', 3],
  ])
    await cql.run(`INSERT INTO ${other} (p, at, v) VALUES (1, '2024-01-01 ${at}Z', ${v})`);
  await cql.answers(`SELECT floor(at, 1h), sum(v) FROM ${other} WHERE p = 1 GROUP BY p, floor(at, 1h)`, [
    ['2024-01-01T00:00:00.000Z', 3],
    ['2024-01-01T01:00:00.000Z', 3],
  ]);
});

test('GROUP BY is not on a part of a composite partition key', async () => {
  const other = await cql.table('a int, b int, c int, PRIMARY KEY ((a, b), c)');
  await cql.refuses(
    `SELECT a, count(*) FROM ${other} GROUP BY a`,
    'invalid',
    'Group by is not supported on only a part of the partition key',
  );
});

test('an aggregate without a partition key warns', async () => {
  assert.deepEqual(await cql.warnings(`SELECT count(*) FROM ${t}`), [
    'Aggregation query used without partition key',
  ]);
  assert.deepEqual(await cql.warnings(`SELECT count(*) FROM ${t} WHERE p = 1`), []);
  assert.deepEqual(await cql.warnings(`SELECT count(*) FROM ${t} WHERE p IN (1, 2)`), [
    'Aggregation query used on multiple partition keys (IN restriction)',
  ]);
});
