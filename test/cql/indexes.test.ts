// Secondary indexes: what they answer, what they may be on, and the names they get.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../support/start-ringfold.ts';
import { useCql } from './support/cql-server.ts';

const cql = useCql();

test('an indexed column is queried without ALLOW FILTERING', async () => {
  const t = await cql.table('p int PRIMARY KEY, v int, w int');
  await cql.run(`CREATE INDEX ON ${t} (v)`);
  for (const p of [1, 2, 3, 4]) await cql.run(`INSERT INTO ${t} (p, v, w) VALUES (${p}, ${p % 2}, ${p})`);
  await cql.answersInAnyOrder(`SELECT p FROM ${t} WHERE v = 1`, [[1], [3]]);
  await cql.answers(`SELECT p FROM ${t} WHERE v = 7`, []);
  await cql.answers(`SELECT p FROM ${t} WHERE v = 1 AND p = 3`, [[3]]);
  await cql.refuses(`SELECT p FROM ${t} WHERE w = 1`, 'invalid', 'use ALLOW FILTERING');
  await cql.refuses(`SELECT p FROM ${t} WHERE v > 0`, 'invalid', 'use ALLOW FILTERING');
  await cql.refuses(`SELECT p FROM ${t} WHERE v = 1 AND w = 3`, 'invalid', 'use ALLOW FILTERING');
  await cql.answers(`SELECT p FROM ${t} WHERE v = 1 AND w = 3 ALLOW FILTERING`, [[3]]);
});

test('an index covers rows that were there before it', async () => {
  const t = await cql.table('p int PRIMARY KEY, v int');
  await cql.run(`INSERT INTO ${t} (p, v) VALUES (1, 5)`);
  await cql.run(`CREATE INDEX ON ${t} (v)`);
  let rows: unknown[][] = [];
  await eventually('it is built', async () => {
    rows = await cql.rows(`SELECT p FROM ${t} WHERE v = 5`).catch(() => []);
    return rows.length > 0;
  });
  assert.deepEqual(rows, [[1]]);
});

test('an index follows updates and deletes', async () => {
  const t = await cql.table('p int, c int, v text, PRIMARY KEY (p, c)');
  await cql.run(`CREATE INDEX ON ${t} (v)`);
  await cql.runAll(
    `INSERT INTO ${t} (p, c, v) VALUES (1, 1, 'a')`,
    `INSERT INTO ${t} (p, c, v) VALUES (1, 2, 'a')`,
    `INSERT INTO ${t} (p, c, v) VALUES (2, 1, 'a')`,
    `UPDATE ${t} SET v = 'b' WHERE p = 1 AND c = 1`,
    `DELETE FROM ${t} WHERE p = 2`,
  );
  await cql.answers(`SELECT p, c FROM ${t} WHERE v = 'a'`, [[1, 2]]);
  await cql.answers(`SELECT p, c FROM ${t} WHERE v = 'b'`, [[1, 1]]);
  await cql.run(`DELETE v FROM ${t} WHERE p = 1 AND c = 2`);
  await cql.answers(`SELECT p, c FROM ${t} WHERE v = 'a'`, []);
});

test('elements, keys and entries of collections are indexed', async () => {
  const t = await cql.table(
    'p int PRIMARY KEY, l list<int>, s set<text>, m map<text, int>, k map<text, int>, e map<text, int>, f frozen<list<int>>',
  );
  await cql.runAll(
    `CREATE INDEX ON ${t} (l)`,
    `CREATE INDEX ON ${t} (values(s))`,
    `CREATE INDEX ON ${t} (m)`,
    `CREATE INDEX ON ${t} (keys(k))`,
    `CREATE INDEX ON ${t} (entries(e))`,
    `CREATE INDEX ON ${t} (full(f))`,
    `INSERT INTO ${t} (p, l, s, m, k, e, f) VALUES (1, [1, 2], {'a'}, {'x': 7}, {'x': 7}, {'x': 7}, [1, 2])`,
    `INSERT INTO ${t} (p, l, s, m, k, e, f) VALUES (2, [2, 3], {'b'}, {'y': 7}, {'y': 7}, {'x': 8}, [2])`,
  );
  await cql.answersInAnyOrder(`SELECT p FROM ${t} WHERE l CONTAINS 2`, [[1], [2]]);
  await cql.answers(`SELECT p FROM ${t} WHERE l CONTAINS 3`, [[2]]);
  await cql.answers(`SELECT p FROM ${t} WHERE s CONTAINS 'a'`, [[1]]);
  await cql.answersInAnyOrder(`SELECT p FROM ${t} WHERE m CONTAINS 7`, [[1], [2]]);
  await cql.answers(`SELECT p FROM ${t} WHERE k CONTAINS KEY 'y'`, [[2]]);
  await cql.answers(`SELECT p FROM ${t} WHERE e['x'] = 8`, [[2]]);
  await cql.answers(`SELECT p FROM ${t} WHERE f = [1, 2]`, [[1]]);
  await cql.refuses(`SELECT p FROM ${t} WHERE k CONTAINS 7`, 'invalid', 'use ALLOW FILTERING');
  await cql.run(`UPDATE ${t} SET l = l - [2] WHERE p = 1`);
  await cql.answers(`SELECT p FROM ${t} WHERE l CONTAINS 2`, [[2]]);
});

test('clustering columns, parts of a partition key and statics are indexed', async () => {
  const t = await cql.table('a int, b int, c int, s int static, v int, PRIMARY KEY ((a, b), c)');
  await cql.runAll(
    `CREATE INDEX ON ${t} (c)`,
    `CREATE INDEX ON ${t} (b)`,
    `CREATE INDEX ON ${t} (s)`,
    `INSERT INTO ${t} (a, b, c, s, v) VALUES (1, 1, 1, 10, 1)`,
    `INSERT INTO ${t} (a, b, c, s, v) VALUES (2, 2, 1, 20, 2)`,
    `INSERT INTO ${t} (a, b, c, v) VALUES (2, 2, 3, 3)`,
  );
  assert.deepEqual((await cql.column(`SELECT v FROM ${t} WHERE c = 1`)).toSorted(), [1, 2]);
  assert.deepEqual((await cql.column(`SELECT v FROM ${t} WHERE b = 2`)).toSorted(), [2, 3]);
  assert.deepEqual((await cql.column(`SELECT v FROM ${t} WHERE s = 20`)).toSorted(), [2, 3]);
});

test('results of an index are paged and limited', async () => {
  const t = await cql.table('p int, c int, v int, PRIMARY KEY (p, c)');
  await cql.run(`CREATE INDEX ON ${t} (v)`);
  for (const p of [1, 2, 3])
    for (const c of [1, 2, 3, 4]) await cql.run(`INSERT INTO ${t} (p, c, v) VALUES (${p}, ${c}, ${c % 2})`);
  assert.equal((await cql.pages(`SELECT p, c FROM ${t} WHERE v = 1`, 2)).flat().length, 6);
  assert.equal((await cql.rows(`SELECT p, c FROM ${t} WHERE v = 1 LIMIT 4`)).length, 4);
});

test('an index is named after its table and column, or as it is told', async () => {
  const t = await cql.table('p int PRIMARY KEY, v int, w int, m map<int, int>');
  await cql.runAll(
    `CREATE INDEX ON ${t} (v)`,
    `CREATE INDEX idx_${t} ON ${t} (w)`,
    `CREATE INDEX ON ${t} (keys(m))`,
  );
  await cql.answersInAnyOrder(
    `SELECT index_name, kind, options FROM system_schema.indexes WHERE keyspace_name = '${cql.keyspace}' AND table_name = '${t}'`,
    [
      [`idx_${t}`, 'COMPOSITES', new Map([['target', 'w']])],
      [`${t}_m_idx`, 'COMPOSITES', new Map([['target', 'keys(m)']])],
      [`${t}_v_idx`, 'COMPOSITES', new Map([['target', 'v']])],
    ],
  );
});

test('a dropped index answers no more', async () => {
  const t = await cql.table('p int PRIMARY KEY, v int');
  await cql.runAll(`CREATE INDEX i_${t} ON ${t} (v)`, `INSERT INTO ${t} (p, v) VALUES (1, 1)`);
  await cql.answers(`SELECT p FROM ${t} WHERE v = 1`, [[1]]);
  await cql.run(`DROP INDEX i_${t}`);
  await cql.refuses(`SELECT p FROM ${t} WHERE v = 1`, 'invalid', 'use ALLOW FILTERING');
  await cql.refuses(`DROP INDEX i_${t}`, 'invalid', `Index '${cql.keyspace}.i_${t}' doesn't exist'`);
  await cql.run(`DROP INDEX IF EXISTS i_${t}`);
});

test('IF NOT EXISTS keeps the index that is there', async () => {
  const t = await cql.table('p int PRIMARY KEY, v int');
  await cql.runAll(`CREATE INDEX i_${t} ON ${t} (v)`, `CREATE INDEX IF NOT EXISTS i_${t} ON ${t} (v)`);
  await cql.refuses(`CREATE INDEX i_${t} ON ${t} (p)`, 'invalid', `Index 'i_${t}' already exists`);
  await cql.refuses(
    `CREATE INDEX other_${t} ON ${t} (v)`,
    'invalid',
    `Index other_${t} is a duplicate of existing index i_${t}`,
  );
});

test('storage-attached indexes answer equality and ranges, several at once', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int, b text, s set<int>');
  await cql.runAll(
    `CREATE INDEX ON ${t} (a) USING 'sai'`,
    `CREATE CUSTOM INDEX ON ${t} (b) USING 'StorageAttachedIndex'`,
    `CREATE INDEX ON ${t} (s) USING 'sai'`,
  );
  for (const p of [1, 2, 3, 4])
    await cql.run(`INSERT INTO ${t} (p, a, b, s) VALUES (${p}, ${p}, 'b${p % 2}', {${p}, 9})`);
  await cql.answersInAnyOrder(`SELECT p FROM ${t} WHERE a > 2`, [[3], [4]]);
  await cql.answersInAnyOrder(`SELECT p FROM ${t} WHERE a >= 2 AND a < 4`, [[2], [3]]);
  await cql.answers(`SELECT p FROM ${t} WHERE a > 1 AND b = 'b1'`, [[3]]);
  await cql.answers(`SELECT p FROM ${t} WHERE s CONTAINS 2`, [[2]]);
});

test('a storage-attached index takes its options', async () => {
  const t = await cql.table('p int PRIMARY KEY, b text');
  await cql.run(`CREATE INDEX ON ${t} (b) USING 'sai' WITH OPTIONS = {'case_sensitive': 'false'}`);
  await cql.run(`INSERT INTO ${t} (p, b) VALUES (1, 'Hello')`);
  await cql.answers(`SELECT p FROM ${t} WHERE b = 'hELLO'`, [[1]]);
});

test('ORDER BY is not answered by an index', async () => {
  const t = await cql.table('p int, c int, v int, PRIMARY KEY (p, c)');
  await cql.run(`CREATE INDEX ON ${t} (v)`);
  await cql.refuses(
    `SELECT * FROM ${t} WHERE v = 1 ORDER BY c`,
    'invalid',
    'ORDER BY with 2ndary indexes is not supported',
  );
});

const refused: readonly (readonly [string, string, string])[] = [
  [
    'the only partition key column',
    '(p)',
    'Cannot create secondary index on the only partition key column p',
  ],
  ['a column that is not there', '(zz)', 'Undefined column name zz in table'],
  [
    'values of a frozen collection',
    '(values(fl))',
    "Cannot create values() index on frozen column fl. Frozen collections are immutable and must be fully indexed by using the 'full(fl)' modifier",
  ],
  ['a frozen collection without full', '(fl)', 'Frozen collections are immutable and must be fully indexed'],
  [
    'full of a collection that is not frozen',
    '(full(l))',
    'full() indexes can only be created on frozen collections',
  ],
  ['keys of a list', '(keys(l))', 'Cannot create index on keys of column l with non-map type'],
  ['entries of a set', '(entries(s))', 'Cannot create index on entries of column s with non-map type'],
  [
    'keys of a plain column',
    '(keys(v))',
    'Cannot create keys() index on v. Non-collection columns only support simple indexes',
  ],
  ['a duration', '(du)', 'Secondary indexes are not supported on duration columns'],
];
for (const [what, target, text] of refused) {
  test(`an index on ${what} is refused`, async () => {
    const t = await cql.table(
      'p int PRIMARY KEY, v int, l list<int>, s set<int>, fl frozen<list<int>>, du duration',
    );
    await cql.refuses(`CREATE INDEX ON ${t} ${target}`, 'invalid', text);
  });
}

test('an index on a table that is not there, or of counters, is refused', async () => {
  await cql.refuses('CREATE INDEX ON nope (v)', 'invalid', "Table 'nope' doesn't exist");
  const t = await cql.table('p int PRIMARY KEY, n counter');
  await cql.refuses(
    `CREATE INDEX ON ${t} (n)`,
    'invalid',
    "Secondary indexes on counter tables aren't supported",
  );
});

const longest = 65_534;
const tooLong = 'x'.repeat(longest + 1);
const longValues: readonly (readonly [string, string, string, string])[] = [
  ['a value', 'v', 'v', `v = '${tooLong}'`],
  ['an element that is added to a list', 'l', 'l', `l = l + ['${tooLong}']`],
  ['an element of a set', 's', 's', `s = {'${tooLong}'}`],
  ['a key of a map', 'keys(m)', 'm', `m['${tooLong}'] = 'a'`],
  ['a value in a map', 'values(m)', 'm', `m['a'] = '${tooLong}'`],
];
for (const [what, target, column, assignment] of longValues) {
  test(`${what} that an index cannot hold is refused`, async () => {
    const t = await cql.table('p int PRIMARY KEY, v text, l list<text>, s set<text>, m map<text, text>');
    await cql.run(`UPDATE ${t} SET ${assignment} WHERE p = 1`);
    await cql.runAll(`TRUNCATE ${t}`, `CREATE INDEX ${t}_i ON ${t} (${target})`);
    await cql.refuses(
      `UPDATE ${t} SET ${assignment} WHERE p = 1`,
      'invalid',
      `Cannot index value of size 65535 for index ${t}_i on ${cql.keyspace}.${t}(${column}) (maximum allowed size=65535)`,
    );
    await cql.run(`UPDATE ${t} SET ${assignment.replace(tooLong, 'x'.repeat(longest))} WHERE p = 1`);
  });
}

test('a value that no index holds is not looked for in one', async () => {
  const t = await cql.table('p int PRIMARY KEY, v text, l list<text>');
  await cql.runAll(`CREATE INDEX ON ${t} (v)`, `CREATE INDEX ON ${t} (l)`);
  const text = 'Index expression values may not be larger than 64K';
  const long = 'x'.repeat(65_536);
  await cql.refuses(`SELECT p FROM ${t} WHERE v = '${long}'`, 'invalid', text);
  await cql.refuses(`SELECT p FROM ${t} WHERE l CONTAINS '${long}'`, 'invalid', text);
  await cql.answers(`SELECT p FROM ${t} WHERE v = '${tooLong}'`, []);
});

test('a table is dropped with its indexes', async () => {
  const t = await cql.table('p int PRIMARY KEY, v int');
  await cql.runAll(`CREATE INDEX ON ${t} (v)`, `DROP TABLE ${t}`);
  await cql.answers(
    `SELECT index_name FROM system_schema.indexes WHERE keyspace_name = '${cql.keyspace}' AND table_name = '${t}'`,
    [],
  );
});
