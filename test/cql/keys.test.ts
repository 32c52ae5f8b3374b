// Primary keys: simple, compound, composite; their order and their limits.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useCql } from './support/cql-server.ts';

const cql = useCql();

test('a row is found by its primary key, and a key that was never written gives no row', async () => {
  const t = await cql.table('p int PRIMARY KEY, v text');
  await cql.run(`INSERT INTO ${t} (p, v) VALUES (1, 'one')`);
  await cql.answers(`SELECT * FROM ${t} WHERE p = 1`, [[1, 'one']]);
  await cql.answers(`SELECT * FROM ${t} WHERE p = 2`, []);
});

test('a second INSERT of a key overwrites the columns it names and leaves the others', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int, b int');
  await cql.runAll(`INSERT INTO ${t} (p, a, b) VALUES (1, 2, 3)`, `INSERT INTO ${t} (p, a) VALUES (1, 9)`);
  await cql.answers(`SELECT p, a, b FROM ${t}`, [[1, 9, 3]]);
});

test('an INSERT of the key alone makes a row of nulls', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.run(`INSERT INTO ${t} (p) VALUES (1)`);
  await cql.answers(`SELECT * FROM ${t}`, [[1, null]]);
});

test('an UPDATE makes a row that vanishes with its last value', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.run(`UPDATE ${t} SET a = 1 WHERE p = 1`);
  await cql.answers(`SELECT * FROM ${t}`, [[1, 1]]);
  await cql.run(`UPDATE ${t} SET a = null WHERE p = 1`);
  await cql.answers(`SELECT * FROM ${t}`, []);
});

test('an INSERTed row stays when its last value is deleted', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.runAll(`INSERT INTO ${t} (p, a) VALUES (1, 1)`, `DELETE a FROM ${t} WHERE p = 1`);
  await cql.answers(`SELECT * FROM ${t}`, [[1, null]]);
});

test('SELECT * lists partition key, clustering columns, statics, then the others by name', async () => {
  const t = await cql.table(
    'z int, c2 int, c1 int, p2 int, p1 int, s2 int static, s1 int static, a int, m map<int, int>, PRIMARY KEY ((p2, p1), c2, c1)',
  );
  assert.deepEqual(await cql.columnNames(`SELECT * FROM ${t}`), [
    ...['p2', 'p1', 'c2', 'c1', 's1', 's2', 'a', 'm', 'z'],
  ]);
});

test('rows of a partition are ordered by several clustering columns, first one first', async () => {
  const t = await cql.table('p int, c int, d text, PRIMARY KEY (p, c, d)');
  for (const [c, d] of [
    [2, 'a'],
    [1, 'b'],
    [2, ''],
    [1, 'a'],
    [-1, 'z'],
  ])
    await cql.run(`INSERT INTO ${t} (p, c, d) VALUES (0, ${c}, '${d}')`);
  await cql.answers(`SELECT c, d FROM ${t} WHERE p = 0`, [
    [-1, 'z'],
    [1, 'a'],
    [1, 'b'],
    [2, ''],
    [2, 'a'],
  ]);
});

test('CLUSTERING ORDER BY DESC turns the order of that column alone', async () => {
  const t = await cql.table(
    'p int, c int, d int, PRIMARY KEY (p, c, d)',
    'WITH CLUSTERING ORDER BY (c DESC, d ASC)',
  );
  for (const c of [1, 2])
    for (const d of [1, 2]) await cql.run(`INSERT INTO ${t} (p, c, d) VALUES (0, ${c}, ${d})`);
  const stored = [
    [2, 1],
    [2, 2],
    [1, 1],
    [1, 2],
  ];
  await cql.answers(`SELECT c, d FROM ${t} WHERE p = 0`, stored);
  await cql.answers(`SELECT c, d FROM ${t} WHERE p = 0 ORDER BY c DESC, d ASC`, stored);
  await cql.answers(`SELECT c, d FROM ${t} WHERE p = 0 ORDER BY c ASC, d DESC`, stored.toReversed());
});

test('ranges on a descending clustering column hold what they say', async () => {
  const t = await cql.table('p int, c int, PRIMARY KEY (p, c)', 'WITH CLUSTERING ORDER BY (c DESC)');
  for (const c of [1, 2, 3, 4, 5]) await cql.run(`INSERT INTO ${t} (p, c) VALUES (0, ${c})`);
  assert.deepEqual(await cql.column(`SELECT c FROM ${t} WHERE p = 0 AND c > 3`), [5, 4]);
  assert.deepEqual(await cql.column(`SELECT c FROM ${t} WHERE p = 0 AND c >= 2 AND c < 4`), [3, 2]);
  assert.deepEqual(await cql.column(`SELECT c FROM ${t} WHERE p = 0 AND c <= 2 ORDER BY c ASC`), [1, 2]);
});

test('ORDER BY DESC gives the rows of a partition backwards, also within a range', async () => {
  const t = await cql.table('p int, c int, PRIMARY KEY (p, c)');
  for (const c of [1, 2, 3, 4, 5]) await cql.run(`INSERT INTO ${t} (p, c) VALUES (0, ${c})`);
  assert.deepEqual(await cql.column(`SELECT c FROM ${t} WHERE p = 0 ORDER BY c DESC`), [5, 4, 3, 2, 1]);
  assert.deepEqual(
    await cql.column(`SELECT c FROM ${t} WHERE p = 0 AND c >= 2 AND c < 5 ORDER BY c DESC LIMIT 2`),
    [4, 3],
  );
});

test('an empty text is a clustering value but not a partition key of its own', async () => {
  const t = await cql.table('p text, c text, v int, PRIMARY KEY (p, c)');
  await cql.run(`INSERT INTO ${t} (p, c, v) VALUES ('a', '', 1)`);
  await cql.answers(`SELECT * FROM ${t} WHERE p = 'a' AND c = ''`, [['a', '', 1]]);
  await cql.refuses(`INSERT INTO ${t} (p, c, v) VALUES ('', 'c', 1)`, 'invalid', 'Key may not be empty');
  await cql.refuses(`SELECT * FROM ${t} WHERE p = ''`, 'invalid', 'Key may not be empty');
});

test('an empty text is allowed as a part of a composite partition key', async () => {
  const t = await cql.table('p text, q text, v int, PRIMARY KEY ((p, q))');
  await cql.run(`INSERT INTO ${t} (p, q, v) VALUES ('', '', 1)`);
  await cql.answers(`SELECT * FROM ${t} WHERE p = '' AND q = ''`, [['', '', 1]]);
});

test('a partition key of more than 65535 bytes is refused', async () => {
  const t = await cql.table('p text PRIMARY KEY, v int');
  await cql.refuses(
    `INSERT INTO ${t} (p, v) VALUES (?, 1)`,
    'invalid',
    'Key length of 65536 is longer than maximum of 65535',
    ['x'.repeat(65_536)],
  );
  await cql.run(`INSERT INTO ${t} (p, v) VALUES (?, 1)`, ['x'.repeat(65_535)]);
  assert.equal((await cql.rows(`SELECT v FROM ${t} WHERE p = ?`, ['x'.repeat(65_535)])).length, 1);
});

test('a table may have key columns alone', async () => {
  const t = await cql.table('p int, c int, PRIMARY KEY (p, c)');
  await cql.run(`INSERT INTO ${t} (p, c) VALUES (1, 2)`);
  await cql.answers(`SELECT * FROM ${t}`, [[1, 2]]);
});

test('quoted names keep their case, and unquoted ones are folded', async () => {
  const name = `"Table${cql.name('')}"`;
  await cql.runAll(
    `CREATE TABLE ${name} ("Key" int PRIMARY KEY, "a ""b""" int, VALUE int)`,
    `INSERT INTO ${name} ("Key", "a ""b""", value) VALUES (1, 2, 3)`,
  );
  assert.deepEqual(await cql.columnNames(`SELECT * FROM ${name}`), ['Key', 'a "b"', 'value']);
  await cql.answers(`SELECT "Key", "a ""b""", Value FROM ${name}`, [[1, 2, 3]]);
  await cql.refuses(`SELECT key FROM ${name}`, 'invalid', 'Undefined column name key in table');
});

test('negative and large numbers order as numbers in a clustering key', async () => {
  const t = await cql.table('p int, c bigint, PRIMARY KEY (p, c)');
  const values = [0n, -1n, 1n, 9223372036854775807n, -9223372036854775808n, 4294967296n, -4294967296n];
  for (const value of values) await cql.run(`INSERT INTO ${t} (p, c) VALUES (0, ?)`, [value]);
  assert.deepEqual(
    await cql.column(`SELECT c FROM ${t} WHERE p = 0`),
    values.toSorted((a, b) => (a < b ? -1 : 1)),
  );
});

test('texts order by their bytes in a clustering key', async () => {
  const t = await cql.table('p int, c text, PRIMARY KEY (p, c)');
  const values = ['b', 'a', 'B', 'é', '', 'aa', '\u{10000}', '\uffff', 'a\u0000'];
  for (const value of values) await cql.run(`INSERT INTO ${t} (p, c) VALUES (0, ?)`, [value]);
  assert.deepEqual(
    await cql.column(`SELECT c FROM ${t} WHERE p = 0`),
    values.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
  );
});

const ordered: readonly (readonly [string, readonly string[]])[] = [
  ['tinyint', ['-128', '-1', '0', '127']],
  ['smallint', ['-32768', '-1', '0', '32767']],
  ['varint', ['-100000000000000000000', '-256', '-1', '0', '255', '100000000000000000000']],
  ['decimal', ['-1e3', '-1.5', '0', '0.001', '1.1', '1e10']],
  ['float', ['-Infinity', '-1.5', '0.0', '1e-10', '2.5', 'Infinity', 'NaN']],
  ['double', ['-Infinity', '-1e300', '-0.5', '0.5', '1e300', 'NaN']],
  ['boolean', ['false', 'true']],
  ['blob', ['0x', '0x00', '0x0000', '0x01', '0xff', '0xff00']],
  ['date', ["'-0001-01-01'", "'1969-12-31'", "'1970-01-01'", "'2026-02-28'"]],
  ['time', ["'00:00:00'", "'00:00:00.000000001'", "'23:59:59.999999999'"]],
  ['timestamp', ["'1900-01-01'", "'1970-01-01'", "'2026-01-01 00:00:00.001Z'"]],
  ['inet', ["'::1'", "'1.2.3.4'", "'127.0.0.1'", "'fe80::1'"]],
  [
    'timeuuid',
    [
      '00000000-0000-1000-8080-808080808080',
      '00000001-0000-1000-8080-808080808080',
      '00000000-0001-1000-8080-808080808080',
      '00000000-0000-1001-8080-808080808080',
    ],
  ],
  [
    'uuid',
    [
      '00000000-0000-1001-8080-808080808080',
      '00000000-0000-4000-8000-000000000000',
      'ffffffff-ffff-4fff-bfff-ffffffffffff',
    ],
  ],
  ['frozen<list<int>>', ['[]', '[-1]', '[0, 5]', '[1]', '[1, 1]']],
  ['frozen<set<text>>', ['{}', "{'a'}", "{'a', 'b'}", "{'b'}"]],
  ['frozen<map<int, int>>', ['{1: 1}', '{1: 2}', '{1: 2, 2: 0}', '{2: 0}']],
  ['frozen<tuple<int, text>>', ["(1, 'a')", "(1, 'b')", "(2, 'a')"]],
];
for (const [type, literals] of ordered) {
  test(`values of ${type} order in a clustering key, in both directions`, async () => {
    const up = await cql.table(`p int, c ${type}, i int, PRIMARY KEY (p, c)`);
    const down = await cql.table(
      `p int, c ${type}, i int, PRIMARY KEY (p, c)`,
      'WITH CLUSTERING ORDER BY (c DESC)',
    );
    const places = literals.map((_, place) => place);
    for (const t of [up, down])
      for (const place of places.toReversed())
        await cql.run(`INSERT INTO ${t} (p, c, i) VALUES (0, ${literals[place]}, ${place})`);
    assert.deepEqual(await cql.column(`SELECT i FROM ${up} WHERE p = 0`), places);
    assert.deepEqual(await cql.column(`SELECT i FROM ${down} WHERE p = 0`), places.toReversed());
    for (const place of places)
      assert.deepEqual(await cql.column(`SELECT i FROM ${up} WHERE p = 0 AND c = ${literals[place]}`), [
        place,
      ]);
    assert.deepEqual(
      await cql.column(`SELECT i FROM ${down} WHERE p = 0 AND c > ${literals[0]}`),
      places.slice(1).toReversed(),
    );
  });
  test(`a value of ${type} is a partition key`, async () => {
    const t = await cql.table(`p ${type}, i int, PRIMARY KEY (p)`);
    // An empty blob is no key of its own.
    const keys = literals.filter((literal) => literal !== '0x');
    for (const [place, key] of keys.entries())
      await cql.run(`INSERT INTO ${t} (p, i) VALUES (${key}, ${place})`);
    for (const [place, key] of keys.entries())
      assert.deepEqual(await cql.column(`SELECT i FROM ${t} WHERE p = ${key}`), [place]);
    assert.equal((await cql.rows(`SELECT * FROM ${t}`)).length, keys.length);
  });
}
