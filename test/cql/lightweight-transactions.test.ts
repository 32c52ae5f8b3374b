// Conditional writes: IF NOT EXISTS, IF EXISTS and conditions on values.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { types } from 'cassandra-driver';
import { useCql } from './support/cql-server.ts';

const cql = useCql();

test('INSERT IF NOT EXISTS writes once, and then shows the row that is there', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int, b text');
  await cql.answers(`INSERT INTO ${t} (p, a, b) VALUES (1, 2, 'x') IF NOT EXISTS`, [[true]]);
  const again = `INSERT INTO ${t} (p, a, b) VALUES (1, 3, 'y') IF NOT EXISTS`;
  await cql.answers(again, [[false, 1, 2, 'x']]);
  assert.deepEqual(await cql.columnNames(again), ['[applied]', 'p', 'a', 'b']);
  await cql.answers(`SELECT * FROM ${t}`, [[1, 2, 'x']]);
});

test('UPDATE IF EXISTS changes only a row that is there', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.answers(`UPDATE ${t} SET a = 1 WHERE p = 1 IF EXISTS`, [[false]]);
  await cql.answers(`SELECT * FROM ${t}`, []);
  await cql.run(`INSERT INTO ${t} (p, a) VALUES (1, 1)`);
  await cql.answers(`UPDATE ${t} SET a = 2 WHERE p = 1 IF EXISTS`, [[true]]);
  await cql.answers(`SELECT a FROM ${t}`, [[2]]);
});

test('DELETE IF EXISTS says whether there was a row', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.answers(`DELETE FROM ${t} WHERE p = 1 IF EXISTS`, [[false]]);
  await cql.run(`INSERT INTO ${t} (p, a) VALUES (1, 1)`);
  await cql.answers(`DELETE FROM ${t} WHERE p = 1 IF EXISTS`, [[true]]);
  await cql.answers(`SELECT * FROM ${t}`, []);
});

test('a conditional delete wins over a write that came before it within the same millisecond', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  for (let p = 0; p < 300; p++) {
    await cql.run(`INSERT INTO ${t} (p, a) VALUES (${p}, 1)`);
    await cql.run(`INSERT INTO ${t} (p, a) VALUES (${p}, 2)`);
    await cql.answers(`DELETE FROM ${t} WHERE p = ${p} IF EXISTS`, [[true]]);
  }
  await cql.answers(`SELECT * FROM ${t}`, []);
});

test('a write that comes after a conditional one wins over it, however soon it comes', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  for (let p = 0; p < 100; p++) {
    await cql.run(`INSERT INTO ${t} (p, a) VALUES (${p}, 2) IF NOT EXISTS`);
    await cql.run(`UPDATE ${t} SET a = 1 WHERE p = ${p}`);
    await cql.run(`BEGIN BATCH UPDATE ${t} SET a = 3 WHERE p = ${p} IF a = 1 APPLY BATCH`);
    await cql.run(`DELETE a FROM ${t} WHERE p = ${p}`);
    await cql.run(`UPDATE ${t} SET a = 4 WHERE p = ${p} IF a = null`);
    await cql.run(`DELETE FROM ${t} WHERE p = ${p}`);
  }
  await cql.answers(`SELECT * FROM ${t}`, []);
});

test('a condition that fails shows the values it asked for', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int, b int');
  await cql.run(`INSERT INTO ${t} (p, a, b) VALUES (1, 1, 2)`);
  const update = `UPDATE ${t} SET a = 9 WHERE p = 1 IF b = 3 AND a = 1`;
  await cql.answers(update, [[false, 2, 1]]);
  assert.deepEqual(await cql.columnNames(update), ['[applied]', 'b', 'a']);
  await cql.answers(`UPDATE ${t} SET a = 9 WHERE p = 1 IF b = 2 AND a = 1`, [[true]]);
  await cql.answers(`SELECT a, b FROM ${t}`, [[9, 2]]);
});

test('a condition on a row that is not there fails without values, unless it asks for null', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.answers(`UPDATE ${t} SET a = 9 WHERE p = 1 IF a = 1`, [[false]]);
  await cql.answers(`UPDATE ${t} SET a = 9 WHERE p = 1 IF a = null`, [[true]]);
  await cql.answers(`UPDATE ${t} SET a = 10 WHERE p = 1 IF a != null`, [[true]]);
});

const conditions: readonly (readonly [string, boolean])[] = [
  ['a = 5', true],
  ['a = 6', false],
  ['a != 6', true],
  ['a != 5', false],
  ['a < 6', true],
  ['a < 5', false],
  ['a <= 5', true],
  ['a > 4', true],
  ['a > 5', false],
  ['a >= 5', true],
  ['a IN (1, 5)', true],
  ['a IN (1, 2)', false],
  ['a IN ()', false],
  ["b = 'x'", true],
  ["b > 'w'", true],
  ['n = null', true],
  ['n = 1', false],
  ['n != 1', true],
  ['n IN (null, 1)', true],
  ['a != null', true],
  ['a = null', false],
  ['l = [1, 2]', true],
  ['l = [2, 1]', false],
  ['l[0] = 1', true],
  ['l[1] > 2', false],
  ['l[9] = null', true],
  ['s = {1, 2}', true],
  ['s != {1}', true],
  ["m['k'] = 1", true],
  ["m['z'] = null", true],
  ["m['k'] IN (1, 2)", true],
  ["m = {'k': 1}", true],
  ['l CONTAINS 2', true],
  ['l CONTAINS 7', false],
  ['s CONTAINS 1', true],
  ["m CONTAINS KEY 'k'", true],
  ['m CONTAINS 9', false],
];
for (const [condition, holds] of conditions) {
  test(`IF ${condition} ${holds ? 'holds' : 'does not hold'}`, async () => {
    const t = await cql.table(
      'p int PRIMARY KEY, a int, b text, n int, l list<int>, s set<int>, m map<text, int>, w int',
    );
    await cql.run(`INSERT INTO ${t} (p, a, b, l, s, m) VALUES (1, 5, 'x', [1, 2], {1, 2}, {'k': 1})`);
    assert.equal(await cql.value(`UPDATE ${t} SET w = 1 WHERE p = 1 IF ${condition}`), holds);
    assert.equal(await cql.value(`SELECT w FROM ${t}`), holds ? 1 : null);
  });
}

test('conditions on fields of a user type', async () => {
  const u = await cql.type('x int, y text');
  const t = await cql.table(`p int PRIMARY KEY, n ${u}, f frozen<${u}>, v int`);
  await cql.run(`INSERT INTO ${t} (p, n, f) VALUES (1, {x: 1, y: 'a'}, {x: 2})`);
  assert.equal(await cql.value(`UPDATE ${t} SET v = 1 WHERE p = 1 IF n.x = 1`), true);
  assert.equal(await cql.value(`UPDATE ${t} SET v = 1 WHERE p = 1 IF n.y = 'b'`), false);
  assert.equal(await cql.value(`UPDATE ${t} SET v = 1 WHERE p = 1 IF f.x > 1`), true);
  assert.equal(await cql.value(`UPDATE ${t} SET v = 1 WHERE p = 1 IF f = {x: 2}`), true);
  assert.equal(await cql.value(`UPDATE ${t} SET v = 1 WHERE p = 1 IF n = {x: 1, y: 'a'}`), true);
});

test('conditions with bound values are prepared', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.answers(`INSERT INTO ${t} (p, a) VALUES (?, ?) IF NOT EXISTS`, [[true]], [1, 5]);
  await cql.answers(`INSERT INTO ${t} (p, a) VALUES (?, ?) IF NOT EXISTS`, [[false, 1, 5]], [1, 6]);
  await cql.answers(`UPDATE ${t} SET a = ? WHERE p = ? IF a = ?`, [[false, 5]], [7, 1, 4]);
  await cql.answers(`UPDATE ${t} SET a = ? WHERE p = ? IF a IN ?`, [[true]], [7, 1, [4, 5]]);
  await cql.answers(`DELETE FROM ${t} WHERE p = ? IF a = ?`, [[true]], [1, 7]);
});

test('a conditional DELETE of a column', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int, b int');
  await cql.run(`INSERT INTO ${t} (p, a, b) VALUES (1, 1, 2)`);
  await cql.answers(`DELETE b FROM ${t} WHERE p = 1 IF a = 2`, [[false, 1]]);
  await cql.answers(`DELETE b FROM ${t} WHERE p = 1 IF a = 1`, [[true]]);
  await cql.answers(`SELECT a, b FROM ${t}`, [[1, null]]);
});

test('a static column is a condition for the partition', async () => {
  const t = await cql.table('p int, c int, s int static, v int, PRIMARY KEY (p, c)');
  await cql.run(`INSERT INTO ${t} (p, s) VALUES (1, 10)`);
  await cql.answers(`INSERT INTO ${t} (p, c, v) VALUES (1, 1, 1) IF NOT EXISTS`, [[true]]);
  await cql.answers(`UPDATE ${t} SET s = 11 WHERE p = 1 IF s = 10`, [[true]]);
  await cql.answers(`UPDATE ${t} SET v = 2 WHERE p = 1 AND c = 1 IF s = 10`, [[false, 11]]);
  await cql.answers(`UPDATE ${t} SET v = 2 WHERE p = 1 AND c = 1 IF s = 11 AND v = 1`, [[true]]);
  await cql.answers(`SELECT s, v FROM ${t}`, [[11, 2]]);
});

test('IF NOT EXISTS on statics asks for the static row', async () => {
  const t = await cql.table('p int, c int, s int static, v int, PRIMARY KEY (p, c)');
  await cql.answers(`INSERT INTO ${t} (p, s) VALUES (1, 1) IF NOT EXISTS`, [[true]]);
  await cql.answers(`INSERT INTO ${t} (p, s) VALUES (1, 2) IF NOT EXISTS`, [[false, 1, null, 1, null]]);
});

test('a batch of conditions shows every row that it asked about', async () => {
  const t = await cql.table('p int, c int, v int, PRIMARY KEY (p, c)');
  await cql.runAll(
    `INSERT INTO ${t} (p, c, v) VALUES (1, 1, 1)`,
    `INSERT INTO ${t} (p, c, v) VALUES (1, 2, 2)`,
  );
  await cql.answers(
    `BEGIN BATCH UPDATE ${t} SET v = 5 WHERE p = 1 AND c = 1 IF v = 1; UPDATE ${t} SET v = 6 WHERE p = 1 AND c = 2 IF v = 9; APPLY BATCH`,
    [
      [false, 1, 1, 1],
      [false, 1, 2, 2],
    ],
  );
  await cql.answers(
    `BEGIN BATCH UPDATE ${t} SET v = 5 WHERE p = 1 AND c = 1 IF v = 1; UPDATE ${t} SET v = 6 WHERE p = 1 AND c = 2 IF v = 2; APPLY BATCH`,
    [[true]],
  );
  await cql.answers(`SELECT c, v FROM ${t}`, [
    [1, 5],
    [2, 6],
  ]);
});

test('of many that insert one key at once, one wins', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, a) =>
      cql.rows(`INSERT INTO ${t} (p, a) VALUES (?, ?) IF NOT EXISTS`, [1, a]),
    ),
  );
  assert.equal(results.filter(([row]) => row?.[0] === true).length, 1);
});

test('a conditional write with a TTL expires', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.answers(`INSERT INTO ${t} (p, a) VALUES (1, 1) IF NOT EXISTS USING TTL 1000`, [[true]]);
  assert.ok(Number(await cql.value(`SELECT ttl(a) FROM ${t}`)) > 900);
});

const refused: readonly (readonly [string, string, string])[] = [
  [
    'with a timestamp',
    'INSERT INTO % (p, c, v) VALUES (1, 1, 1) IF NOT EXISTS USING TIMESTAMP 5',
    'Cannot provide custom timestamp for conditional updates',
  ],
  [
    'with several partitions',
    'UPDATE % SET v = 1 WHERE p IN (1, 2) AND c = 1 IF v = 1',
    'IN on the partition key is not supported with conditional updates',
  ],
  [
    'with several rows',
    'UPDATE % SET v = 1 WHERE p = 1 AND c IN (1, 2) IF v = 1',
    'IN on the clustering key columns is not supported with conditional updates',
  ],
  [
    'that deletes several partitions',
    'DELETE FROM % WHERE p IN (1, 2) AND c = 1 IF v = 1',
    'IN on the partition key is not supported with conditional deletions',
  ],
  [
    'that deletes a range',
    'DELETE FROM % WHERE p = 1 AND c > 1 IF v = 1',
    'DELETE statements must restrict all PRIMARY KEY columns with equality relations in order to delete non static columns',
  ],
  [
    'that deletes a partition',
    'DELETE FROM % WHERE p = 1 IF EXISTS',
    'DELETE statements must restrict all PRIMARY KEY columns with equality relations in order to delete non static columns',
  ],
  [
    'on a key column',
    'UPDATE % SET v = 1 WHERE p = 1 AND c = 1 IF c = 1',
    "PRIMARY KEY column 'c' cannot have IF conditions",
  ],
  [
    'on a column that is not there',
    'UPDATE % SET v = 1 WHERE p = 1 AND c = 1 IF zz = 1',
    'Undefined column name zz in table',
  ],
  [
    'that compares with null',
    'UPDATE % SET v = 1 WHERE p = 1 AND c = 1 IF v < null',
    'Invalid comparison with null for operator "<"',
  ],
  [
    'with a wrong type',
    "UPDATE % SET v = 1 WHERE p = 1 AND c = 1 IF v = 'a'",
    'Invalid STRING constant (a) for "v" of type int',
  ],
];
for (const [what, statement, text] of refused) {
  test(`a conditional write ${what} is refused`, async () => {
    const t = await cql.table('p int, c int, v int, PRIMARY KEY (p, c)');
    await cql.refuses(statement.replace('%', t), 'invalid', text);
  });
}

test('IF NOT EXISTS is for INSERT alone, and IF EXISTS for the others', async () => {
  const t = await cql.table('p int PRIMARY KEY, v int');
  await cql.refuses(`UPDATE ${t} SET v = 1 WHERE p = 1 IF NOT EXISTS`, 'syntax', '');
  await cql.refuses(`INSERT INTO ${t} (p, v) VALUES (1, 1) IF EXISTS`, 'syntax', '');
});

const unwritable: readonly (readonly [string, unknown[], string])[] = [
  ['UPDATE % SET v = ? WHERE p = 1', [Buffer.from([1])], 'Expected 4 or 0 byte int (1)'],
  ['UPDATE % SET m[?] = 1 WHERE p = 1', [null], 'Invalid null map key'],
  ['UPDATE % SET l[?] = 1 WHERE p = 1', [null], 'Invalid null value for list index'],
  ['UPDATE % SET s = s + ? WHERE p = 1', [Buffer.from([1])], 'Not enough bytes to read a set'],
  ['UPDATE % USING TTL ? SET v = 1 WHERE p = 1', [-1], 'A TTL must be greater or equal to 0, but was -1'],
  ['DELETE m[?] FROM % WHERE p = 1', [null], 'Invalid null map key'],
];
test('what cannot be written is refused only if the conditions hold', async () => {
  const t = await cql.table('p int PRIMARY KEY, v int, w int, l list<int>, s set<int>, m map<int, int>');
  await cql.run(`INSERT INTO ${t} (p, v, w, l) VALUES (1, 1, 1, [1])`);
  for (const [statement, values, text] of unwritable) {
    const write = statement.replace('%', t);
    await cql.answers(`${write} IF w = 2`, [[false, 1]], values);
    await cql.refuses(`${write} IF w = 1`, 'invalid', text, values);
  }
  const insert = `INSERT INTO ${t} (p, v) VALUES (?, ?) IF NOT EXISTS`;
  const wrong = Buffer.from([1]);
  assert.equal((await cql.rows(insert, [1, wrong]))[0]?.[0], false);
  await cql.refuses(insert, 'invalid', 'Expected 4 or 0 byte int (1)', [2, wrong]);
  await cql.refuses(insert, 'invalid', 'Expected 4 or 0 byte int (1)', [wrong, 1]);
});

test('in a batch too what cannot be written is refused only if the conditions hold', async () => {
  const t = await cql.table('p int, c int, v int, PRIMARY KEY (p, c)');
  await cql.run(`INSERT INTO ${t} (p, c, v) VALUES (1, 1, 1)`);
  const batch = `BEGIN BATCH UPDATE ${t} SET v = ? WHERE p = 1 AND c = 2; UPDATE ${t} SET v = 2 WHERE p = 1 AND c = 1 IF v = ? APPLY BATCH`;
  const wrong = Buffer.from([1]);
  await cql.answers(batch, [[false, 1, 1, 1]], [wrong, 5]);
  await cql.refuses(batch, 'invalid', 'Expected 4 or 0 byte int (1)', [wrong, 1]);
  await cql.answers(`SELECT c, v FROM ${t}`, [[1, 1]]);
});

test('which of several conditions is looked at first is a matter of their columns, whatever their order', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int, b int, t text, l list<int>, m map<int, int>');
  await cql.run(`INSERT INTO ${t} (p, a, b, t, l, m) VALUES (1, 1, 1, 'x', [1], {1: 1})`);
  const update = `UPDATE ${t} SET a = 2 WHERE p = 1 IF`;
  const text = 'Invalid comparison with null for operator "<"';
  for (const first of ['a', 't', 'l[0]', 'm[1]']) {
    assert.equal((await cql.rows(`${update} ${first} < ? AND b = 9`, [null]))[0]?.[0], false);
    assert.equal((await cql.rows(`${update} b = 9 AND ${first} < ?`, [null]))[0]?.[0], false);
  }
  for (const last of ["t = 'y'", 'l[0] = 9', 'm[1] = 9']) {
    await cql.refuses(`${update} ${last} AND b < ?`, 'invalid', text, [null]);
    await cql.refuses(`${update} b < ? AND ${last}`, 'invalid', text, [null]);
  }
});

test('what is not set is in no collection, is no key of a map, and hides behind what does not hold', async () => {
  const t = await cql.table(
    'p int PRIMARY KEY, a int, b int, s set<int>, f frozen<set<int>>, m map<int, int>',
  );
  await cql.run(`INSERT INTO ${t} (p, a, b, s, f, m) VALUES (1, 1, 1, {1}, {1}, {1: 1})`);
  const update = `UPDATE ${t} SET a = 2 WHERE p = 1 IF`;
  const isApplied = async (condition: string) =>
    (await cql.rows(`${update} ${condition}`, [undefined]))[0]?.[0];
  assert.equal(await isApplied('s CONTAINS ?'), false);
  assert.equal(await isApplied('m CONTAINS KEY ?'), false);
  assert.equal(await isApplied('m[?] = 1'), false);
  assert.equal(await isApplied('b = 9 AND a = ?'), false);
  assert.equal(await isApplied('m[?] != 1'), true);
  for (const condition of ['f CONTAINS ?', 'a = ?', 'm[1] = ?'])
    await cql.refuses(`${update} ${condition}`, 'invalid', "Invalid 'unset' value in condition", [undefined]);
});

test('EACH_QUORUM of a conditional write is for keyspaces with data centres', async () => {
  const t = await cql.table('p int PRIMARY KEY, v int');
  const { eachQuorum: consistency } = types.consistencies;
  await cql.run(`INSERT INTO ${t} (p, v) VALUES (1, 1)`, [], { consistency });
  await assert.rejects(
    cql.run(`INSERT INTO ${t} (p, v) VALUES (2, 1) IF NOT EXISTS`, [], { consistency }),
    /EACH_QUORUM not compatible with replication strategy \(org.apache.cassandra.locator.SimpleStrategy\)/,
  );
  const other = `${cql.keyspace}_dc`;
  await cql.runAll(
    `CREATE KEYSPACE ${other} WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}`,
    `CREATE TABLE ${other}.t (p int PRIMARY KEY)`,
  );
  await cql.run(`INSERT INTO ${other}.t (p) VALUES (1) IF NOT EXISTS`, [], { consistency });
  await cql.run(`DROP KEYSPACE ${other}`);
});
