// token(): Cassandra's own murmur3, selected and in ranges.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useCql } from './support/cql-server.ts';

const cql = useCql();

const tokens: readonly (readonly [string, string, bigint])[] = [
  ['int', '0', -3485513579396041028n],
  ['int', '1', -4069959284402364209n],
  ['int', '2', -3248873570005575792n],
  ['int', '3', 9010454139840013625n],
  ['int', '4', -2729420104000364805n],
  ['text', "'hello'", -3758069500696749310n],
  ['text', "'é'", 5461403030378599040n],
  ['blob', '0xffffffff', 7297452126230313552n],
];
for (const [type, key, token] of tokens) {
  test(`the token of the ${type} ${key} is ${token}`, async () => {
    const t = await cql.table(`p ${type} PRIMARY KEY`);
    await cql.run(`INSERT INTO ${t} (p) VALUES (${key})`);
    await cql.answers(`SELECT token(p) FROM ${t}`, [[token]]);
    assert.equal((await cql.rows(`SELECT p FROM ${t} WHERE token(p) = ${token}`)).length, 1);
  });
}

async function hundred(): Promise<string> {
  const t = await cql.table('p int PRIMARY KEY, v int');
  await Promise.all(
    Array.from({ length: 100 }, (_, p) => cql.run(`INSERT INTO ${t} (p, v) VALUES (?, ?)`, [p, p])),
  );
  return t;
}

test('a scan gives partitions in the order of their tokens', async () => {
  const t = await hundred();
  const found = (await cql.column(`SELECT token(p) FROM ${t}`)) as bigint[];
  assert.deepEqual(
    found,
    found.toSorted((a, b) => (a < b ? -1 : 1)),
  );
  assert.equal(found.length, 100);
});

test('token ranges that divide the ring give every row once', async () => {
  const t = await hundred();
  const bounds = [
    -9223372036854775808n,
    -4611686018427387904n,
    0n,
    4611686018427387903n,
    9223372036854775807n,
  ];
  const found: unknown[] = [];
  for (const [index, from] of bounds.slice(0, -1).entries())
    found.push(
      ...(await cql.column(`SELECT p FROM ${t} WHERE token(p) > ? AND token(p) <= ?`, [
        from,
        bounds[index + 1],
      ])),
    );
  assert.deepEqual(found, await cql.column(`SELECT p FROM ${t}`));
});

test('a token range is taken with each operator', async () => {
  const t = await cql.table('p int PRIMARY KEY');
  for (const p of [0, 1, 2, 3, 4]) await cql.run(`INSERT INTO ${t} (p) VALUES (${p})`);
  const keys = (where: string) => cql.column(`SELECT p FROM ${t} WHERE ${where}`);
  assert.deepEqual(await keys('token(p) > token(0)'), [2, 4, 3]);
  assert.deepEqual(await keys('token(p) >= token(0)'), [0, 2, 4, 3]);
  assert.deepEqual(await keys('token(p) < token(0)'), [1]);
  assert.deepEqual(await keys('token(p) <= token(0)'), [1, 0]);
  assert.deepEqual(await keys('token(p) > -3485513579396041028 AND token(p) < 0'), [2, 4]);
  assert.deepEqual(await keys('token(p) > token(1) AND p = 3'), [3]);
  assert.deepEqual(await keys('token(p) > token(3) AND p = 1'), []);
  assert.deepEqual(await keys('token(p) > 5 AND token(p) < 4'), []);
});

test('a token range takes a limit and pages', async () => {
  const t = await hundred();
  const all = await cql.column(`SELECT p FROM ${t} WHERE token(p) > 0`);
  assert.deepEqual(await cql.column(`SELECT p FROM ${t} WHERE token(p) > 0 LIMIT 5`), all.slice(0, 5));
  assert.deepEqual(
    (await cql.pages(`SELECT p FROM ${t} WHERE token(p) > 0`, 7)).flat().map(([p]) => p),
    all,
  );
});

test('a range from the smallest token to itself is the whole ring', async () => {
  const t = await hundred();
  assert.equal(
    (
      await cql.rows(
        `SELECT p FROM ${t} WHERE token(p) > -9223372036854775808 AND token(p) <= -9223372036854775808`,
      )
    ).length,
    100,
  );
  assert.equal((await cql.rows(`SELECT p FROM ${t} WHERE token(p) >= -9223372036854775808`)).length, 100);
});

test('the token of a composite key is of all its columns in order', async () => {
  const t = await cql.table('a int, b text, c int, PRIMARY KEY ((a, b), c)');
  await cql.run(`INSERT INTO ${t} (a, b, c) VALUES (1, 'x', 1)`);
  const token = await cql.value(`SELECT token(a, b) FROM ${t}`);
  assert.equal((await cql.rows(`SELECT a FROM ${t} WHERE token(a, b) = ${token}`)).length, 1);
  assert.equal((await cql.rows(`SELECT a FROM ${t} WHERE token(a, b) = token(1, 'x')`)).length, 1);
  await cql.refuses(
    `SELECT a FROM ${t} WHERE token(a) > 0`,
    'invalid',
    'The token() function must be applied to all partition key components or none of them',
  );
  await cql.refuses(
    `SELECT a FROM ${t} WHERE token(b, a) > 0`,
    'invalid',
    'The token function arguments must be in the partition key order: a, b',
  );
});

test('token() of a bound key is computed by the server', async () => {
  const t = await cql.table('p int PRIMARY KEY');
  for (const p of [0, 1, 2]) await cql.run(`INSERT INTO ${t} (p) VALUES (${p})`);
  assert.deepEqual(await cql.column(`SELECT p FROM ${t} WHERE token(p) > token(?)`, [1]), [0, 2]);
});

test('a token range with a clustering column needs ALLOW FILTERING', async () => {
  const t = await cql.table('p int, c int, PRIMARY KEY (p, c)');
  await cql.run(`INSERT INTO ${t} (p, c) VALUES (3, 1)`);
  await cql.refuses(`SELECT * FROM ${t} WHERE token(p) > 0 AND c = 1`, 'invalid', 'use ALLOW FILTERING');
  await cql.answers(`SELECT * FROM ${t} WHERE token(p) > 0 AND c = 1 ALLOW FILTERING`, [[3, 1]]);
});

test('a wrong use of token() is refused', async () => {
  const t = await cql.table('p int, c int, v int, PRIMARY KEY (p, c)');
  await cql.refuses(
    `SELECT * FROM ${t} WHERE token(c) > 0`,
    'invalid',
    'The token() function must be applied to all partition key components or none of them',
  );
  await cql.refuses(
    `SELECT * FROM ${t} WHERE token(p) > 'a'`,
    'invalid',
    'Invalid STRING constant (a) for "partition key token" of type bigint',
  );
  await cql.refuses(
    `SELECT * FROM ${t} WHERE token(p) > 0 AND token(p) > 5`,
    'invalid',
    'More than one restriction was found for the start bound on p',
  );
});
