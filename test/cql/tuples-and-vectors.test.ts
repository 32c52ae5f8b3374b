// Tuples, which are always frozen, and vectors of a fixed number of elements.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { types } from 'cassandra-driver';
import { useCql } from './support/cql-server.ts';

const cql = useCql();

test('a tuple is read back, with nulls for what was left out', async () => {
  const t = await cql.table('p int PRIMARY KEY, v tuple<int, text, double>');
  await cql.runAll(
    `INSERT INTO ${t} (p, v) VALUES (1, (3, 'foo', 3.4))`,
    `INSERT INTO ${t} (p, v) VALUES (2, (4, null, 1.5))`,
  );
  await cql.answers(`SELECT v FROM ${t} WHERE p = 1`, [[[3, 'foo', 3.4]]]);
  await cql.answers(`SELECT v FROM ${t} WHERE p = 2`, [[[4, null, 1.5]]]);
});

test('a bound tuple is read back', async () => {
  const t = await cql.table('p int PRIMARY KEY, v frozen<tuple<int, text>>');
  await cql.run(`INSERT INTO ${t} (p, v) VALUES (1, ?)`, [types.Tuple.fromArray([1, 'a'])]);
  await cql.answers(`SELECT v FROM ${t}`, [[[1, 'a']]]);
});

test('a tuple with markers inside is bound', async () => {
  const t = await cql.table('p int PRIMARY KEY, v tuple<int, text>');
  await cql.run(`INSERT INTO ${t} (p, v) VALUES (?, (?, ?))`, [1, 5, 'x']);
  await cql.answers(`SELECT v FROM ${t}`, [[[5, 'x']]]);
});

test('tuples hold collections and tuples', async () => {
  const t = await cql.table(
    'p int PRIMARY KEY, v tuple<list<int>, tuple<text, set<int>>>, m map<text, frozen<tuple<int, int>>>',
  );
  await cql.run(`INSERT INTO ${t} (p, v, m) VALUES (1, ([1, 2], ('a', {1})), {'k': (1, 2)})`);
  await cql.answers(`SELECT v, m FROM ${t}`, [
    [
      [
        [1, 2],
        ['a', new Set([1])],
      ],
      new Map([['k', [1, 2]]]),
    ],
  ]);
});

test('a tuple is a key and is compared element by element', async () => {
  const t = await cql.table('p int, c tuple<int, text>, v int, PRIMARY KEY (p, c)');
  await cql.runAll(
    `INSERT INTO ${t} (p, c, v) VALUES (1, (2, 'a'), 1)`,
    `INSERT INTO ${t} (p, c, v) VALUES (1, (1, 'b'), 2)`,
    `INSERT INTO ${t} (p, c, v) VALUES (1, (1, 'a'), 3)`,
  );
  assert.deepEqual(await cql.column(`SELECT v FROM ${t} WHERE p = 1`), [3, 2, 1]);
  assert.deepEqual(await cql.column(`SELECT v FROM ${t} WHERE p = 1 AND c = (1, 'b')`), [2]);
  assert.deepEqual(await cql.column(`SELECT v FROM ${t} WHERE p = 1 AND c >= (1, 'b')`), [2, 1]);
});

test('a tuple with too many or wrong elements is refused', async () => {
  const t = await cql.table('p int PRIMARY KEY, tu tuple<int, text>');
  await cql.refuses(
    `INSERT INTO ${t} (p, tu) VALUES (1, (1, 'a', 2))`,
    'invalid',
    'Invalid tuple literal for tu: too many elements. Type frozen<tuple<int, text>> expects 2 but got 3',
  );
  await cql.refuses(
    `INSERT INTO ${t} (p, tu) VALUES (1, ('a', 'b'))`,
    'invalid',
    'Invalid tuple literal for tu: component 0 is not of type int',
  );
});

test('a tuple with fewer elements has nulls at its end', async () => {
  const t = await cql.table('p int PRIMARY KEY, tu tuple<int, text>');
  await cql.run(`INSERT INTO ${t} (p, tu) VALUES (1, (7))`);
  const [[value]] = (await cql.rows(`SELECT tu FROM ${t}`)) as [[unknown[]]];
  assert.equal(value[0], 7);
  assert.equal(value[1] ?? null, null);
});

test('a vector is read back', async () => {
  const t = await cql.table('p int PRIMARY KEY, v vector<float, 3>');
  await cql.run(`INSERT INTO ${t} (p, v) VALUES (1, [1.5, -2, 0.25])`);
  await cql.answers(`SELECT v FROM ${t}`, [[[1.5, -2, 0.25]]]);
});

test('vectors of other elements are read back', async () => {
  const t = await cql.table(
    'p int PRIMARY KEY, i vector<int, 2>, s vector<text, 2>, l vector<frozen<list<int>>, 1>',
  );
  await cql.run(`INSERT INTO ${t} (p, i, s, l) VALUES (1, [1, 2], ['a', 'longer'], [[1, 2]])`);
  await cql.answers(`SELECT i, s, l FROM ${t}`, [[[1, 2], ['a', 'longer'], [[1, 2]]]]);
});

test('a bound vector is read back', async () => {
  const t = await cql.table('p int PRIMARY KEY, v vector<float, 2>');
  await cql.run(`INSERT INTO ${t} (p, v) VALUES (1, ?)`, [new types.Vector([0.5, 4], 'float')]);
  await cql.answers(`SELECT v FROM ${t}`, [[[0.5, 4]]]);
});

test('a vector of another length is refused', async () => {
  const t = await cql.table('p int PRIMARY KEY, v vector<float, 3>');
  await cql.refuses(
    `INSERT INTO ${t} (p, v) VALUES (1, [1, 2])`,
    'invalid',
    'Invalid vector literal for v of type vector<float, 3>; expected 3 elements, but given 2',
  );
  await cql.refuses(
    `INSERT INTO ${t} (p, v) VALUES (1, [1, 2, null])`,
    'invalid',
    'null is not supported inside vectors',
  );
});

test('a vector has at least one dimension', async () => {
  await cql.refuses(
    `CREATE TABLE ${cql.name()} (p int PRIMARY KEY, v vector<float, 0>)`,
    'invalid',
    'vectors may only have positive dimensions; given 0',
  );
});

test('vectors are compared by similarity functions', async () => {
  const t = await cql.table('p int PRIMARY KEY, v vector<float, 2>');
  await cql.run(`INSERT INTO ${t} (p, v) VALUES (1, [1, 0])`);
  await cql.answers(
    `SELECT similarity_cosine(v, [0, 1]), similarity_euclidean(v, [1, 0]), similarity_dot_product(v, [1, 0]) FROM ${t}`,
    [[0.5, 1, 1]],
  );
});
