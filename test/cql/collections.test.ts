// Lists, sets and maps that are changed element by element, and frozen ones that are one value.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useCql } from './support/cql-server.ts';

const cql = useCql();

const set = (...elements: unknown[]) => new Set(elements);
const map = (...entries: [unknown, unknown][]) => new Map(entries);

test('a list keeps its order and its duplicates', async () => {
  const t = await cql.table('p int PRIMARY KEY, l list<text>');
  await cql.run(`INSERT INTO ${t} (p, l) VALUES (1, ['b', 'a', 'b'])`);
  await cql.answers(`SELECT l FROM ${t}`, [[['b', 'a', 'b']]]);
});

test('a set is sorted and holds each element once', async () => {
  const t = await cql.table('p int PRIMARY KEY, s set<int>');
  await cql.run(`INSERT INTO ${t} (p, s) VALUES (1, {3, 1, 3, -2})`);
  const [[elements]] = (await cql.rows(`SELECT s FROM ${t}`)) as [[Set<number>]];
  assert.deepEqual([...elements], [-2, 1, 3]);
});

test('a map is sorted by its keys, and the last of two equal keys wins', async () => {
  const t = await cql.table('p int PRIMARY KEY, m map<text, int>');
  await cql.run(`INSERT INTO ${t} (p, m) VALUES (1, {'b': 2, 'a': 1, 'B': 3})`);
  const [[held]] = (await cql.rows(`SELECT m FROM ${t}`)) as [[Map<string, number>]];
  assert.deepEqual(
    [...held],
    [
      ['B', 3],
      ['a', 1],
      ['b', 2],
    ],
  );
});

test('bound collections are read back', async () => {
  const t = await cql.table('p int PRIMARY KEY, l list<int>, s set<text>, m map<uuid, bigint>');
  const key = '7db1a490-5878-4562-9a54-b79c7e7bf6bc';
  await cql.run(`INSERT INTO ${t} (p, l, s, m) VALUES (?, ?, ?, ?)`, [
    1,
    [3, 1],
    ['x', 'a'],
    new Map([[key, 5n]]),
  ]);
  await cql.answers(`SELECT l, s, m FROM ${t}`, [[[3, 1], set('a', 'x'), map([key, 5n])]]);
});

test('an empty collection is null, and a frozen one is not', async () => {
  const t = await cql.table(
    'p int PRIMARY KEY, l list<int>, s set<int>, m map<int, int>, f frozen<list<int>>, g frozen<map<int, int>>',
  );
  await cql.run(`INSERT INTO ${t} (p, l, s, m, f, g) VALUES (1, [], {}, {}, [], {})`);
  await cql.answers(`SELECT l, s, m, f, g FROM ${t}`, [[null, null, null, [], map()]]);
});

test('elements are appended to and prepended to a list', async () => {
  const t = await cql.table('p int PRIMARY KEY, l list<int>');
  await cql.runAll(
    `UPDATE ${t} SET l = l + [3, 4] WHERE p = 1`,
    `UPDATE ${t} SET l = [1, 2] + l WHERE p = 1`,
    `UPDATE ${t} SET l += [5] WHERE p = 1`,
  );
  await cql.answers(`SELECT l FROM ${t}`, [[[1, 2, 3, 4, 5]]]);
});

test('bound elements are appended and prepended', async () => {
  const t = await cql.table('p int PRIMARY KEY, l list<int>');
  await cql.run(`UPDATE ${t} SET l = l + ? WHERE p = ?`, [[2, 3], 1]);
  await cql.run(`UPDATE ${t} SET l = ? + l WHERE p = ?`, [[0, 1], 1]);
  await cql.answers(`SELECT l FROM ${t}`, [[[0, 1, 2, 3]]]);
});

test('a list element is set and deleted by its index', async () => {
  const t = await cql.table('p int PRIMARY KEY, l list<int>');
  await cql.runAll(
    `INSERT INTO ${t} (p, l) VALUES (1, [10, 20, 30])`,
    `UPDATE ${t} SET l[1] = 21 WHERE p = 1`,
    `DELETE l[0] FROM ${t} WHERE p = 1`,
  );
  await cql.answers(`SELECT l FROM ${t}`, [[[21, 30]]]);
  await cql.run(`UPDATE ${t} SET l[?] = ? WHERE p = ?`, [1, 31, 1]);
  await cql.answers(`SELECT l FROM ${t}`, [[[21, 31]]]);
  await cql.run(`UPDATE ${t} SET l[0] = null WHERE p = 1`);
  await cql.answers(`SELECT l FROM ${t}`, [[[31]]]);
});

test('values are removed from a list wherever they stand', async () => {
  const t = await cql.table('p int PRIMARY KEY, l list<int>');
  await cql.runAll(
    `INSERT INTO ${t} (p, l) VALUES (1, [1, 2, 1, 3, 2])`,
    `UPDATE ${t} SET l = l - [1, 3] WHERE p = 1`,
  );
  await cql.answers(`SELECT l FROM ${t}`, [[[2, 2]]]);
  await cql.run(`UPDATE ${t} SET l -= [2] WHERE p = 1`);
  await cql.answers(`SELECT l FROM ${t}`, [[null]]);
});

test('a list index outside the list is refused', async () => {
  const t = await cql.table('p int PRIMARY KEY, l list<int>');
  await cql.run(`INSERT INTO ${t} (p, l) VALUES (1, [1, 2, 3, 4, 5])`);
  await cql.refuses(
    `UPDATE ${t} SET l[10] = 1 WHERE p = 1`,
    'invalid',
    'List index 10 out of bound, list has size 5',
  );
  await cql.refuses(
    `DELETE l[5] FROM ${t} WHERE p = 1`,
    'invalid',
    'List index 5 out of bound, list has size 5',
  );
  await cql.refuses(
    `UPDATE ${t} SET l[-1] = 1 WHERE p = 1`,
    'invalid',
    'List index -1 out of bound, list has size 5',
  );
  await cql.refuses(
    `UPDATE ${t} SET l[0] = 1 WHERE p = 2`,
    'invalid',
    'Attempted to set an element on a list which is null',
  );
  await cql.refuses(
    `DELETE l[0] FROM ${t} WHERE p = 2`,
    'invalid',
    'Attempted to delete an element from a list which is null',
  );
});

test('elements are added to and removed from a set', async () => {
  const t = await cql.table('p int PRIMARY KEY, s set<text>');
  await cql.runAll(
    `UPDATE ${t} SET s = s + {'b', 'a'} WHERE p = 1`,
    `UPDATE ${t} SET s += {'c'} WHERE p = 1`,
    `UPDATE ${t} SET s = s - {'a', 'nothing'} WHERE p = 1`,
  );
  await cql.answers(`SELECT s FROM ${t}`, [[set('b', 'c')]]);
  await cql.run(`DELETE s['b'] FROM ${t} WHERE p = 1`);
  await cql.answers(`SELECT s FROM ${t}`, [[set('c')]]);
  await cql.run(`UPDATE ${t} SET s -= ? WHERE p = 1`, [['c']]);
  await cql.answers(`SELECT s FROM ${t}`, []);
});

test('entries are put into and removed from a map', async () => {
  const t = await cql.table('p int PRIMARY KEY, m map<text, int>');
  await cql.runAll(
    `UPDATE ${t} SET m['a'] = 1 WHERE p = 1`,
    `UPDATE ${t} SET m = m + {'b': 2, 'c': 3} WHERE p = 1`,
    `UPDATE ${t} SET m += {'a': 9} WHERE p = 1`,
  );
  await cql.answers(`SELECT m FROM ${t}`, [[map(['a', 9], ['b', 2], ['c', 3])]]);
  await cql.runAll(`UPDATE ${t} SET m = m - {'a'} WHERE p = 1`, `DELETE m['b'] FROM ${t} WHERE p = 1`);
  await cql.answers(`SELECT m FROM ${t}`, [[map(['c', 3])]]);
  await cql.run(`UPDATE ${t} SET m[?] = ? WHERE p = ?`, ['d', 4, 1]);
  await cql.run(`UPDATE ${t} SET m['c'] = null WHERE p = 1`);
  await cql.answers(`SELECT m FROM ${t}`, [[map(['d', 4])]]);
});

test('assigning a collection replaces all of it', async () => {
  const t = await cql.table('p int PRIMARY KEY, l list<int>, s set<int>, m map<int, int>');
  await cql.runAll(
    `INSERT INTO ${t} (p, l, s, m) VALUES (1, [1, 2], {1, 2}, {1: 1, 2: 2})`,
    `UPDATE ${t} SET l = [3], s = {3}, m = {3: 3} WHERE p = 1`,
  );
  await cql.answers(`SELECT l, s, m FROM ${t}`, [[[3], set(3), map([3, 3])]]);
  await cql.run(`DELETE l, s, m FROM ${t} WHERE p = 1`);
  await cql.answers(`SELECT l, s, m FROM ${t}`, [[null, null, null]]);
});

test('adding nothing changes nothing', async () => {
  const t = await cql.table('p int PRIMARY KEY, l list<int>, s set<int>, m map<int, int>');
  await cql.runAll(
    `INSERT INTO ${t} (p, l, s, m) VALUES (1, [1], {1}, {1: 1})`,
    `UPDATE ${t} SET l = l + [], s = s + {}, m = m + {} WHERE p = 1`,
  );
  await cql.answers(`SELECT l, s, m FROM ${t}`, [[[1], set(1), map([1, 1])]]);
});

test('an element of a map or a set is selected by its key', async () => {
  const t = await cql.table('p int PRIMARY KEY, m map<text, int>, s set<int>, f frozen<map<int, text>>');
  await cql.run(`INSERT INTO ${t} (p, m, s, f) VALUES (1, {'a': 1, 'b': 2}, {5, 7}, {1: 'x'})`);
  await cql.answers(`SELECT m['a'], m['z'], s[5], s[6], f[1] FROM ${t}`, [[1, null, 5, null, 'x']]);
  assert.deepEqual(await cql.columnNames(`SELECT m['a'], s[5] FROM ${t}`), ["m['a']", 's[5]']);
});

test('a slice of a map or a set is selected by its bounds', async () => {
  const t = await cql.table('p int PRIMARY KEY, m map<int, int>, s set<text>');
  await cql.run(`INSERT INTO ${t} (p, m, s) VALUES (1, {1: 1, 2: 2, 3: 3, 4: 4}, {'a', 'b', 'c'})`);
  await cql.answers(`SELECT m[2..3], m[3..], m[..1], s['b'..] FROM ${t}`, [
    [map([2, 2], [3, 3]), map([3, 3], [4, 4]), map([1, 1]), set('b', 'c')],
  ]);
});

test('elements of a list are not selected', async () => {
  const t = await cql.table('p int PRIMARY KEY, l list<int>');
  await cql.refuses(
    `SELECT l[0] FROM ${t}`,
    'invalid',
    'Element selection is only allowed on sets and maps, but l is a list',
  );
  await cql.refuses(
    `SELECT l[0..1] FROM ${t}`,
    'invalid',
    'Slice selection is only allowed on sets and maps, but l is a list',
  );
});

test('a frozen collection is replaced whole and not changed by element', async () => {
  const t = await cql.table(
    'p int PRIMARY KEY, fl frozen<list<int>>, fs frozen<set<int>>, fm frozen<map<int, int>>',
  );
  await cql.runAll(
    `INSERT INTO ${t} (p, fl, fs, fm) VALUES (1, [2, 1], {2, 1}, {2: 1, 1: 2})`,
    `UPDATE ${t} SET fl = [7] WHERE p = 1`,
  );
  await cql.answers(`SELECT fl, fs, fm FROM ${t}`, [[[7], set(1, 2), map([1, 2], [2, 1])]]);
  await cql.refuses(
    `UPDATE ${t} SET fl = fl + [3] WHERE p = 1`,
    'invalid',
    'Invalid operation (fl = fl + [3]) for frozen collection column fl',
  );
  await cql.refuses(
    `UPDATE ${t} SET fs = fs - {1} WHERE p = 1`,
    'invalid',
    'Invalid operation (fs = fs - {1}) for frozen collection column fs',
  );
  await cql.refuses(
    `UPDATE ${t} SET fm[1] = 1 WHERE p = 1`,
    'invalid',
    'Invalid operation (fm[1] = 1) for frozen collection column fm',
  );
  await cql.refuses(
    `UPDATE ${t} SET fl[0] = 1 WHERE p = 1`,
    'invalid',
    'Invalid operation (fl[0] = 1) for frozen collection column fl',
  );
  await cql.refuses(
    `DELETE fm[1] FROM ${t} WHERE p = 1`,
    'invalid',
    'Invalid deletion operation for frozen collection column fm',
  );
});

test('collections are nested when the inner ones are frozen', async () => {
  const t = await cql.table(
    'p int PRIMARY KEY, m map<text, frozen<list<int>>>, l list<frozen<map<int, frozen<set<text>>>>>',
  );
  await cql.run(`INSERT INTO ${t} (p, m, l) VALUES (1, {'a': [1, 2], 'b': []}, [{1: {'x', 'y'}}])`);
  await cql.answers(`SELECT m, l FROM ${t}`, [[map(['a', [1, 2]], ['b', []]), [map([1, set('x', 'y')])]]]);
  await cql.run(`UPDATE ${t} SET m['a'] = [3] WHERE p = 1`);
  await cql.answers(`SELECT m['a'] FROM ${t}`, [[[3]]]);
});

test('null is not an element', async () => {
  const t = await cql.table('p int PRIMARY KEY, l list<int>, s set<int>, m map<int, int>');
  await cql.refuses(
    `INSERT INTO ${t} (p, l) VALUES (1, [1, null])`,
    'invalid',
    'null is not supported inside collections',
  );
  await cql.refuses(
    `INSERT INTO ${t} (p, s) VALUES (1, {null})`,
    'invalid',
    'null is not supported inside collections',
  );
  await cql.refuses(
    `INSERT INTO ${t} (p, m) VALUES (1, {1: null})`,
    'invalid',
    'null is not supported inside collections',
  );
  await cql.refuses(
    `INSERT INTO ${t} (p, m) VALUES (1, {null: 1})`,
    'invalid',
    'null is not supported inside collections',
  );
  await cql.refuses(`UPDATE ${t} SET m[null] = 1 WHERE p = 1`, 'invalid', 'Invalid null map key');
});

const wrong: readonly (readonly [string, string, string])[] = [
  ['a set literal for a list', 'l = {1}', 'Invalid set literal for l of type list<int>'],
  ['a map literal for a list', 'l = {1: 1}', 'Invalid map literal for l of type list<int>'],
  ['a list literal for a set', 's = [1]', 'Unexpected receiver type'],
  ['a map literal for a set', 's = {1: 1}', 'Invalid map literal for s of type set<int>'],
  ['a set literal for a map', 'm = {1}', 'Invalid set literal for m of type map<int, int>'],
  ['a wrong element in a list', "l = ['a']", "Invalid list literal for l: value 'a' is not of type int"],
  ['a wrong element in a set', "s = {'a'}", "Invalid set literal for s: value 'a' is not of type int"],
  ['a wrong key in a map', "m = {'a': 1}", "Invalid map literal for m: key 'a' is not of type int"],
  ['a wrong value in a map', "m = {1: 'a'}", "Invalid map literal for m: value 'a' is not of type int"],
  ['a constant for a list', 'l = 1', 'Invalid INTEGER constant (1) for "l" of type list<int>'],
  ['an element of a set set by key', 's[1] = 1', 'Invalid operation (s[1] = 1) for set column s'],
  ['a number added to a list', 'l = l + 1', 'Invalid INTEGER constant (1) for "l" of type list<int>'],
  ['a list taken from a set', 's = s - [1]', 'Unexpected receiver type'],
  [
    'a map taken from a map',
    'm = m - {1: 1}',
    "Value for a map substraction has to be a set, but was: '{1: 1}'",
  ],
];
for (const [what, assignment, text] of wrong) {
  test(`${what} is refused`, async () => {
    const t = await cql.table('p int PRIMARY KEY, l list<int>, s set<int>, m map<int, int>');
    await cql.refuses(`UPDATE ${t} SET ${assignment} WHERE p = 1`, 'invalid', text);
  });
}

test('an element operation on a column that is no collection is refused', async () => {
  const t = await cql.table('p int PRIMARY KEY, v int');
  await cql.refuses(
    `UPDATE ${t} SET v[0] = 1 WHERE p = 1`,
    'invalid',
    'Invalid operation (v[0] = 1) for non collection column v',
  );
  await cql.refuses(
    `DELETE v[0] FROM ${t} WHERE p = 1`,
    'invalid',
    'Invalid deletion operation for non collection column v',
  );
});

test('a non-frozen collection is not an element of another', async () => {
  await cql.refuses(
    `CREATE TABLE ${cql.name()} (p int PRIMARY KEY, l list<list<int>>)`,
    'invalid',
    'Non-frozen collections are not allowed inside collections: list<list<int>>',
  );
});

test('collections of a clustered row belong to that row alone', async () => {
  const t = await cql.table('p int, c int, l list<int>, PRIMARY KEY (p, c)');
  await cql.runAll(
    `INSERT INTO ${t} (p, c, l) VALUES (1, 1, [1])`,
    `INSERT INTO ${t} (p, c, l) VALUES (1, 2, [2])`,
    `UPDATE ${t} SET l = l + [9] WHERE p = 1 AND c = 2`,
  );
  await cql.answers(`SELECT c, l FROM ${t}`, [
    [1, [1]],
    [2, [2, 9]],
  ]);
});

test('a collection of a thousand elements is read back', async () => {
  const t = await cql.table('p int PRIMARY KEY, l list<int>, m map<int, text>');
  const numbers = Array.from({ length: 1000 }, (_, number) => number);
  await cql.run(`INSERT INTO ${t} (p, l, m) VALUES (1, ?, ?)`, [
    numbers,
    new Map(numbers.map((n) => [n, `${n}`])),
  ]);
  await cql.answers(`SELECT l, m FROM ${t}`, [[numbers, new Map(numbers.map((n) => [n, `${n}`]))]]);
});
