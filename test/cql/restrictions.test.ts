// WHERE: which relations a query may use, alone and with ALLOW FILTERING.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { types } from 'cassandra-driver';
import { useCql } from './support/cql-server.ts';

let t: string;
const cql = useCql(async (cql) => {
  t = await cql.table(
    'p int, c int, d int, v int, x text, l list<int>, s set<text>, m map<text, int>, fl frozen<list<int>>, PRIMARY KEY (p, c, d)',
  );
  for (const p of [0, 1])
    for (const c of [0, 1, 2])
      for (const d of [0, 1])
        await cql.run(
          `INSERT INTO ${t} (p, c, d, v, l, s, m, fl) VALUES (${p}, ${c}, ${d}, ${c * 10 + d}, [${c}, ${d}], {'c${c}', 'd${d}'}, {'c${c}': ${d}}, [${c}, ${d}])`,
        );
});

async function found(where: string, values?: readonly unknown[]): Promise<string[]> {
  return (await cql.rows(`SELECT p, c, d FROM ${t} WHERE ${where}`, values)).map((row) => row.join(''));
}

const allowed: readonly (readonly [string, readonly string[]])[] = [
  ['p = 0 AND c = 1', ['010', '011']],
  ['p = 0 AND c = 1 AND d = 1', ['011']],
  ['p = 0 AND c > 1', ['020', '021']],
  ['p = 0 AND c >= 1 AND c < 2', ['010', '011']],
  ['p = 0 AND c > 2', []],
  ['p = 0 AND c = 1 AND d > 0', ['011']],
  ['p = 0 AND c = 1 AND d >= 0 AND d <= 0', ['010']],
  ['p = 0 AND c IN (2, 0, 2) AND d = 1', ['001', '021']],
  ['p = 0 AND c IN (2, 0) AND d > 0', ['001', '021']],
  ['p = 0 AND c IN (1) AND d IN (1, 0)', ['010', '011']],
  ['p = 0 AND c IN ()', []],
  ['p IN (1, 0) AND c = 2 AND d = 0', ['020', '120']],
  ['p IN (0, 0, 1) AND c = 2 AND d = 0', ['020', '120']],
  ['p IN ()', []],
  ['p = 0 AND (c, d) = (1, 1)', ['011']],
  ['p = 0 AND (c, d) > (1, 0)', ['011', '020', '021']],
  ['p = 0 AND (c, d) >= (1, 1) AND (c, d) < (2, 1)', ['011', '020']],
  ['p = 0 AND (c, d) IN ((2, 1), (0, 0), (9, 9))', ['000', '021']],
  ['p = 0 AND (c) > (1)', ['020', '021']],
  ['p = 0 AND c = 1 AND (d) > (0)', ['011']],
  ['p = 0 AND (c, d) > (0, 1) AND (c) < (2)', ['010', '011']],
];
for (const [where, rows] of allowed) {
  test(`WHERE ${where} is answered`, async () => {
    assert.deepEqual(await found(where), rows);
  });
}

const filtered: readonly (readonly [string, readonly string[]])[] = [
  ['v = 11', ['011', '111']],
  ['v > 10 AND v <= 20', ['011', '020', '111', '120']],
  ['v = 11 AND p = 0', ['011']],
  ['c = 1 AND d = 0', ['010', '110']],
  ['d = 1 AND p = 1', ['101', '111', '121']],
  ['p = 0 AND c > 0 AND d = 1', ['011', '021']],
  ['p > 0 AND c = 0 AND d = 0', ['100']],
  ['l CONTAINS 2 AND p = 0', ['020', '021']],
  ["s CONTAINS 'c1' AND p = 0", ['010', '011']],
  ["m CONTAINS KEY 'c2' AND p = 0", ['020', '021']],
  ['m CONTAINS 1 AND p = 1', ['101', '111', '121']],
  ["m['c1'] = 1 AND p = 0", ['011']],
  ['fl = [1, 1]', ['011', '111']],
  ['fl CONTAINS 2 AND p = 0', ['020', '021']],
  ['fl > [2, 0] AND p = 0', ['021']],
  ["s CONTAINS 'c1' AND s CONTAINS 'd0' AND p = 0", ['010']],
  ['v IN (0, 21)', ['000', '021', '100', '121']],
  ['v >= 20 AND c = 2 AND d = 1', ['021', '121']],
];
for (const [where, rows] of filtered) {
  test(`WHERE ${where} needs ALLOW FILTERING`, async () => {
    const [text, query] = [
      'Cannot execute this query as it might involve data filtering',
      `SELECT * FROM ${t} WHERE ${where}`,
    ];
    if (where !== 'p = 0 AND c > 0 AND d = 1' && where !== 'd = 1 AND p = 1')
      await cql.refuses(query, 'invalid', text);
    assert.deepEqual((await found(`${where} ALLOW FILTERING`)).toSorted(), rows);
  });
}

test('the text that asks for ALLOW FILTERING is to the letter', async () => {
  await cql.refuses(
    `SELECT * FROM ${t} WHERE v = 1`,
    'invalid',
    'Cannot execute this query as it might involve data filtering and thus may have unpredictable performance. If you want to execute this query despite the performance unpredictability, use ALLOW FILTERING',
  );
});

const refused: readonly (readonly [string, string])[] = [
  [
    'p = 0 AND d = 1',
    'PRIMARY KEY column "d" cannot be restricted as preceding column "c" is not restricted',
  ],
  [
    'p = 0 AND c > 0 AND d = 1',
    'Clustering column "d" cannot be restricted (preceding column "c" is restricted by a non-EQ relation)',
  ],
  ['p = 0 AND p = 1', 'p cannot be restricted by more than one relation if it includes an Equal'],
  ['p = 0 AND c = 1 AND c > 0', 'c cannot be restricted by more than one relation if it includes an Equal'],
  ['p = 0 AND c > 1 AND c > 0', 'More than one restriction was found for the start bound on c'],
  ['p = 0 AND c < 1 AND c <= 0', 'More than one restriction was found for the end bound on c'],
  ['p = 0 AND c != 0', 'Unsupported "!=" relation: c != 0'],
  ['v IS NOT NULL', 'Unsupported restriction: v IS NOT NULL'],
  ['p = null', 'Invalid null value in condition for column p'],
  ['p = 0 AND c = null', 'Invalid null value in condition for column c'],
  ['p = 0 AND c IN (1, null)', 'Invalid null value in condition for column c'],
  ['zz = 1', 'Undefined column name zz in table'],
  ["p = 'a'", 'Invalid STRING constant (a) for "p" of type int'],
  ['p = 0 AND (c, d) = (1, 1, 1)', 'Expected 2 elements in value tuple, but got 3: (1, 1, 1)'],
  [
    'p = 0 AND (d, c) > (1, 1)',
    'Clustering columns must appear in the PRIMARY KEY order in multi-column relations: (d, c) > (1, 1)',
  ],
  [
    'p = 0 AND (c, v) > (1, 1)',
    'Multi-column relations can only be applied to clustering columns but was applied to: v',
  ],
  ['p = 0 AND (c, c) > (1, 1)', 'Column "c" appeared twice in a relation: (c, c) > (1, 1)'],
  ['p = 0 AND (c, d) > (1, null)', 'Invalid null value in condition for column d'],
  ['p CONTAINS 1', 'Cannot use CONTAINS on non-collection column p'],
  ['l CONTAINS KEY 1 ALLOW FILTERING', 'Cannot use CONTAINS KEY on non-map column l'],
  ['l = [1] ALLOW FILTERING', "Collection column 'l' (list<int>) cannot be restricted by a '=' relation"],
  ['l > [1] ALLOW FILTERING', "Collection column 'l' (list<int>) cannot be restricted by a '>' relation"],
  ['v = null ALLOW FILTERING', 'Unsupported null value for column v'],
  ['l CONTAINS null ALLOW FILTERING', 'Unsupported null value for column l'],
  [
    "x LIKE 'a%' ALLOW FILTERING",
    "LIKE restriction is only supported on properly indexed columns. x LIKE 'a%' is not valid.",
  ],
  ['p > 0 AND c = 1', 'use ALLOW FILTERING'],
  ['l[0] = 1 ALLOW FILTERING', 'Indexes on list entries (l[index] = value) are not currently supported.'],
];
for (const [where, text] of refused) {
  test(`WHERE ${where} is refused`, async () => {
    await cql.refuses(`SELECT * FROM ${t} WHERE ${where}`, 'invalid', text);
  });
}

test('bound values restrict as literals do', async () => {
  assert.deepEqual(await found('p = ? AND c = ?', [0, 1]), ['010', '011']);
  assert.deepEqual(await found('p = ? AND c IN ?', [0, [2, 1]]), ['010', '011', '020', '021']);
  assert.deepEqual(await found('p IN ? AND c = ? AND d = ?', [[1, 0], 2, 0]), ['020', '120']);
  assert.deepEqual(await found('p = ? AND (c, d) > (?, ?)', [0, 1, 1]), ['020', '021']);
  assert.deepEqual(await found('p = ? AND c >= ? AND c < ?', [0, 1, 2]), ['010', '011']);
  assert.deepEqual(await found('p IN (?, ?) AND c = 0 AND d = 0', [1, 7]), ['100']);
});

test('named values restrict by name', async () => {
  const rows = await cql.rows(`SELECT c, d FROM ${t} WHERE p = :part AND c = :c`, { part: 0, c: 1 });
  assert.deepEqual(rows, [
    [1, 0],
    [1, 1],
  ]);
});

test('a composite partition key is restricted whole, and each part by IN', async () => {
  const other = await cql.table('a int, b int, v int, PRIMARY KEY ((a, b))');
  for (const a of [0, 1])
    for (const b of [0, 1])
      await cql.run(`INSERT INTO ${other} (a, b, v) VALUES (${a}, ${b}, ${a * 10 + b})`);
  assert.deepEqual(await cql.column(`SELECT v FROM ${other} WHERE a = 1 AND b = 0`), [10]);
  assert.deepEqual(await cql.column(`SELECT v FROM ${other} WHERE a IN (1, 0) AND b = 1`), [1, 11]);
  assert.deepEqual(
    await cql.column(`SELECT v FROM ${other} WHERE a IN (0, 1) AND b IN (1, 0)`),
    [0, 1, 10, 11],
  );
  await cql.refuses(`SELECT * FROM ${other} WHERE a = 1`, 'invalid', 'use ALLOW FILTERING');
  assert.deepEqual(
    (await cql.column(`SELECT v FROM ${other} WHERE a = 1 ALLOW FILTERING`)).toSorted(),
    [10, 11],
  );
});

test('a table or keyspace that is not there is named', async () => {
  await cql.refuses('SELECT * FROM nope', 'invalid', 'table nope does not exist');
  await cql.refuses('SELECT * FROM nope.nope', 'invalid', 'keyspace nope does not exist');
});

test('the same column is selected twice, and by alias', async () => {
  const { columns, rows } = await cql.run(`SELECT c, c, c AS k FROM ${t} WHERE p = 0 AND c = 1 AND d = 0`);
  assert.deepEqual(
    columns.map(({ name }) => name),
    ['c', 'c', 'k'],
  );
  assert.deepEqual(rows[0]?.values().at(-1), 1);
  await cql.refuses(`SELECT c AS k FROM ${t} WHERE k = 1`, 'invalid', 'Undefined column name k in table');
});

test('of two forms of one decimal in an IN the first counts, for reads and for deletes', async () => {
  const t = await cql.table('p decimal PRIMARY KEY, v int');
  await cql.run(`INSERT INTO ${t} (p, v) VALUES (1.0, 1)`);
  await cql.run(`INSERT INTO ${t} (p, v) VALUES (1.00, 2)`);
  await cql.answers(`SELECT v FROM ${t} WHERE p IN (1.0, 1.00)`, [[1]]);
  await cql.answers(`SELECT v FROM ${t} WHERE p IN (1.00, 1.0)`, [[2]]);
  await cql.answers(`SELECT v FROM ${t} WHERE p IN (1.000, 1.0)`, []);
  await cql.run(`DELETE FROM ${t} WHERE p IN (1.0, 1.00)`);
  await cql.answers(`SELECT v FROM ${t}`, [[2]]);
});

test('a collection in descending order cannot be asked what it contains', async () => {
  const t = await cql.table(
    'p int, c frozen<map<int, int>>, PRIMARY KEY (p, c)',
    'WITH CLUSTERING ORDER BY (c DESC)',
  );
  const query = (relation: string) => `SELECT p FROM ${t} WHERE p = 1 AND ${relation} ALLOW FILTERING`;
  await cql.refuses(query('c CONTAINS 1'), 'invalid', 'Cannot use CONTAINS on non-collection column c');
  await cql.refuses(query('c CONTAINS KEY 1'), 'invalid', 'Cannot use CONTAINS KEY on non-map column c');
  await cql.refuses(query('c[1] = 1'), 'invalid', 'Column c cannot be used as a map');
});

test('a tuple to compare with may leave out no field of a DELETE', async () => {
  const t = await cql.table('p int, c int, d int, PRIMARY KEY (p, c, d)');
  await cql.refuses(
    `DELETE FROM ${t} WHERE p = 1 AND (c, d) > (?, ?)`,
    'invalid',
    'Invalid unset value for tuple field number 1',
    [1, types.unset],
  );
});
