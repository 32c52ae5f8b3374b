// Prepared statements: what the server tells of their markers, and how long they live.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useCql } from './support/cql-server.ts';
import { typeText } from './support/plain-value.ts';

let t: string;
const cql = useCql(async (cql) => {
  const u = await cql.type('a int, b text');
  t = await cql.table(
    `p int, c text, v bigint, l list<int>, s set<text>, m map<text, int>, u ${u}, tu tuple<int, text>, PRIMARY KEY (p, c)`,
  );
});

interface PreparedInfo {
  readonly meta: {
    readonly columns: readonly { readonly name: string; readonly type: { readonly code: number } }[];
    readonly partitionKeys?: readonly number[];
  };
}

/** What the server told the driver of a statement, which it keeps; that values are missing shows only after that. */
async function markersOf(
  statement: string,
): Promise<{ readonly markers: string[]; readonly keys: readonly number[] }> {
  await cql.run(statement, []).catch(() => {});
  const { metadata } = cql.client as unknown as {
    readonly metadata: { getPreparedInfo(keyspace: string, query: string): PreparedInfo };
  };
  const { meta } = metadata.getPreparedInfo(cql.keyspace, statement);
  return {
    markers: meta.columns.map(({ name, type }) => `${name} ${typeText(type)}`),
    keys: meta.partitionKeys ?? [],
  };
}

const statements: readonly (readonly [string, readonly string[], readonly number[]])[] = [
  ['SELECT * FROM % WHERE p = ? AND c = ?', ['p int', 'c varchar'], [0]],
  ['SELECT * FROM % WHERE c = ? AND p = ?', ['c varchar', 'p int'], [1]],
  ['SELECT * FROM % WHERE p = 1 AND c > ? AND c < ?', ['c varchar', 'c varchar'], []],
  ['SELECT * FROM % WHERE p = (int)? AND c = ?', ['p int', 'c varchar'], [0]],
  ['INSERT INTO % (c, p) VALUES (?, (int)?)', ['c varchar', 'p int'], [1]],
  ['SELECT * FROM % WHERE p IN ?', ['in(p) list'], []],
  ['SELECT * FROM % WHERE p IN (?, ?)', ['p int', 'p int'], [1]],
  ['SELECT * FROM % WHERE p = ? AND (c) > (?)', ['p int', 'c varchar'], [0]],
  ['SELECT * FROM % WHERE token(p) > ?', ['partition key token bigint'], []],
  ['SELECT * FROM % WHERE p = ? LIMIT ?', ['p int', '[limit] int'], [0]],
  ['SELECT * FROM % WHERE p = ? PER PARTITION LIMIT ?', ['p int', '[per_partition_limit] int'], [0]],
  ['SELECT * FROM % WHERE l CONTAINS ? ALLOW FILTERING', ['value(l) int'], []],
  ['SELECT * FROM % WHERE m CONTAINS KEY ? ALLOW FILTERING', ['key(m) varchar'], []],
  ['INSERT INTO % (p, c, v) VALUES (?, ?, ?)', ['p int', 'c varchar', 'v bigint'], [0]],
  [
    'INSERT INTO % (p, c, v) VALUES (?, ?, ?) USING TTL ? AND TIMESTAMP ?',
    ['p int', 'c varchar', 'v bigint', '[ttl] int', '[timestamp] bigint'],
    [0],
  ],
  ['INSERT INTO % JSON ?', ['[json] varchar'], []],
  ['UPDATE % SET v = ? WHERE p = ? AND c = ?', ['v bigint', 'p int', 'c varchar'], [1]],
  [
    'UPDATE % SET l = l + ?, s = s - ?, m[?] = ? WHERE p = ? AND c = ?',
    ['l list', 's set', 'key(m) varchar', 'value(m) int', 'p int', 'c varchar'],
    [4],
  ],
  ['UPDATE % SET l[?] = ? WHERE p = ? AND c = ?', ['idx(l) int', 'value(l) int', 'p int', 'c varchar'], [2]],
  ['UPDATE % SET u.a = ? WHERE p = ? AND c = ?', ['u.a int', 'p int', 'c varchar'], [1]],
  ['UPDATE % SET v = ? WHERE p = ? AND c = ? IF v = ?', ['v bigint', 'p int', 'c varchar', 'v bigint'], [1]],
  ['UPDATE % SET v = :x WHERE p = :y AND c = :z', ['x bigint', 'y int', 'z varchar'], [1]],
  ['DELETE m[?] FROM % WHERE p = ? AND c = ?', ['key(m) varchar', 'p int', 'c varchar'], [1]],
  ['DELETE FROM % USING TIMESTAMP ? WHERE p = ?', ['[timestamp] bigint', 'p int'], [1]],
  [
    'BEGIN BATCH INSERT INTO % (p, c) VALUES (?, ?); DELETE FROM % WHERE p = ?; APPLY BATCH',
    ['p int', 'c varchar', 'p int'],
    [2],
  ],
];
for (const [statement, markers, keys] of statements) {
  test(`${statement.replaceAll('%', 't')} has the markers ${markers.join(', ')}`, async () => {
    const told = await markersOf(statement.replaceAll('%', t));
    assert.deepEqual(told.markers, markers);
    assert.deepEqual(told.keys, keys);
  });
}

test('a composite key is routed by all of its markers, in the order of the key', async () => {
  const other = await cql.table('a int, b int, v int, PRIMARY KEY ((a, b))');
  assert.deepEqual((await markersOf(`UPDATE ${other} SET v = ? WHERE b = ? AND a = ?`)).keys, [2, 1]);
});

test('values are bound by position, and by name in any order', async () => {
  await cql.run(`INSERT INTO ${t} (p, c, v) VALUES (?, ?, ?)`, [1, 'a', 5n]);
  await cql.run(`INSERT INTO ${t} (p, c, v) VALUES (:p, :c, :v)`, { v: 6n, c: 'b', p: 1 });
  await cql.answers(
    `SELECT c, v FROM ${t} WHERE p = ?`,
    [
      ['a', 5n],
      ['b', 6n],
    ],
    [1],
  );
});

test('a name that is used twice is bound once', async () => {
  const other = await cql.table('p int PRIMARY KEY, a int, b int');
  await cql.run(`INSERT INTO ${other} (p, a, b) VALUES (:x, :x, :x)`, { x: 3 });
  await cql.answers(`SELECT p, a, b FROM ${other}`, [[3, 3, 3]]);
});

test('a text with values is not prepared by the server but bound all the same', async () => {
  const other = await cql.table('p int PRIMARY KEY, a text');
  await cql.client.execute(`INSERT INTO ${other} (p, a) VALUES (?, ?)`, [1, 'x'], { hints: ['int', 'text'] });
  const { rows } = await cql.client.execute(`SELECT a FROM ${other} WHERE p = ?`, [1], { hints: ['int'] });
  assert.deepEqual(
    rows.map((row) => row.get('a')),
    ['x'],
  );
});

test('too few or too many values are refused', async () => {
  const other = await cql.table('p int PRIMARY KEY, a text');
  await assert.rejects(
    cql.client.execute(`INSERT INTO ${other} (p, a) VALUES (?, ?)`, [1], { hints: ['int'] }),
    /Invalid amount of bind variables/,
  );
});

test('a statement goes on after its table was dropped and made again', async () => {
  const name = await cql.table('p int PRIMARY KEY, a int');
  const insert = `INSERT INTO ${name} (p, a) VALUES (?, ?)`;
  await cql.run(insert, [1, 1]);
  await cql.runAll(`DROP TABLE ${name}`, `CREATE TABLE ${name} (p int PRIMARY KEY, a int)`);
  await cql.run(insert, [2, 2]);
  await cql.answers(`SELECT * FROM ${name}`, [[2, 2]]);
});

test('two clients prepare the same statement independently', async () => {
  const other = await cql.table('p int PRIMARY KEY, a int');
  const client = cql.newClient({ keyspace: cql.keyspace });
  await client.execute(`INSERT INTO ${other} (p, a) VALUES (?, ?)`, [1, 1], { prepare: true });
  await cql.run(`INSERT INTO ${other} (p, a) VALUES (?, ?)`, [2, 2]);
  await cql.answersInAnyOrder(`SELECT * FROM ${other}`, [
    [1, 1],
    [2, 2],
  ]);
  await client.shutdown();
});

test('a statement without a keyspace is another in another keyspace', async () => {
  const name = await cql.table('p int PRIMARY KEY, a int');
  const other = `${cql.keyspace}_2`;
  await cql.runAll(
    `CREATE KEYSPACE ${other} WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}`,
    `CREATE TABLE ${other}.${name} (p int PRIMARY KEY, a int)`,
  );
  const client = cql.newClient({ keyspace: other });
  await client.execute(`INSERT INTO ${name} (p, a) VALUES (?, ?)`, [1, 1], { prepare: true });
  await cql.run(`INSERT INTO ${name} (p, a) VALUES (?, ?)`, [2, 2]);
  await cql.answers(`SELECT * FROM ${name}`, [[2, 2]]);
  await cql.answers(`SELECT * FROM ${other}.${name}`, [[1, 1]]);
  await client.shutdown();
  await cql.run(`DROP KEYSPACE ${other}`);
});

test('a thousand prepared requests at once are all answered', async () => {
  const other = await cql.table('p int PRIMARY KEY, a int');
  const numbers = Array.from({ length: 1000 }, (_, number) => number);
  await Promise.all(numbers.map((p) => cql.run(`INSERT INTO ${other} (p, a) VALUES (?, ?)`, [p, p])));
  const results = await Promise.all(numbers.map((p) => cql.value(`SELECT a FROM ${other} WHERE p = ?`, [p])));
  assert.deepEqual(results, numbers);
});
