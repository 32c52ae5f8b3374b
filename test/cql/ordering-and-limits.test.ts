// ORDER BY, LIMIT, PER PARTITION LIMIT and DISTINCT.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useCql } from './support/cql-server.ts';

let t: string;
const cql = useCql(async (cql) => {
  t = await cql.table('p int, c int, d int, s int static, v int, PRIMARY KEY (p, c, d)');
  for (const p of [0, 1, 2])
    for (const c of [0, 1])
      for (const d of [0, 1])
        await cql.run(`INSERT INTO ${t} (p, c, d, s, v) VALUES (${p}, ${c}, ${d}, ${p}, ${c})`);
});

const rows = (query: string, values?: readonly unknown[]) =>
  cql.rows(query.replace('%', t), values).then((found) => found.map((row) => row.join('')));

test('ORDER BY names a prefix of the clustering columns, all in one direction', async () => {
  assert.deepEqual(await rows('SELECT c, d FROM % WHERE p = 0 ORDER BY c'), ['00', '01', '10', '11']);
  assert.deepEqual(await rows('SELECT c, d FROM % WHERE p = 0 ORDER BY c DESC'), ['11', '10', '01', '00']);
  assert.deepEqual(await rows('SELECT c, d FROM % WHERE p = 0 ORDER BY c DESC, d DESC'), [
    '11',
    '10',
    '01',
    '00',
  ]);
  assert.deepEqual(await rows('SELECT d FROM % WHERE p = 0 AND c = 1 ORDER BY d DESC'), ['1', '0']);
});

test('LIMIT cuts, and a bound LIMIT too', async () => {
  assert.equal((await rows('SELECT * FROM % LIMIT 5')).length, 5);
  assert.equal((await rows('SELECT * FROM % LIMIT 100')).length, 12);
  assert.deepEqual(await rows('SELECT c, d FROM % WHERE p = 0 LIMIT ?', [3]), ['00', '01', '10']);
  assert.deepEqual(await rows('SELECT c, d FROM % WHERE p = 0 ORDER BY c DESC LIMIT 1'), ['11']);
});

test('an unset LIMIT is none', async () => {
  assert.equal((await rows('SELECT * FROM % LIMIT ?', [undefined])).length, 12);
});

test('PER PARTITION LIMIT cuts each partition, and LIMIT the whole', async () => {
  assert.deepEqual((await rows('SELECT p, c, d FROM % PER PARTITION LIMIT 1')).toSorted(), [
    '000',
    '100',
    '200',
  ]);
  assert.equal((await rows('SELECT * FROM % PER PARTITION LIMIT 3')).length, 9);
  assert.equal((await rows('SELECT * FROM % PER PARTITION LIMIT 3 LIMIT 4')).length, 4);
  assert.deepEqual(await rows('SELECT p, c, d FROM % WHERE p IN (0, 1) PER PARTITION LIMIT ?', [2]), [
    '000',
    '001',
    '100',
    '101',
  ]);
  assert.deepEqual(await rows('SELECT c, d FROM % WHERE p = 0 ORDER BY c DESC PER PARTITION LIMIT 2'), [
    '11',
    '10',
  ]);
});

test('DISTINCT gives each partition once', async () => {
  assert.deepEqual((await rows('SELECT DISTINCT p FROM %')).toSorted(), ['0', '1', '2']);
  assert.deepEqual((await rows('SELECT DISTINCT p, s FROM %')).toSorted(), ['00', '11', '22']);
  assert.equal((await rows('SELECT DISTINCT p FROM % LIMIT 2')).length, 2);
  assert.deepEqual(await rows('SELECT DISTINCT p FROM % WHERE p IN (2, 0)'), ['0', '2']);
});

test('ORDER BY over several partitions merges them when nothing is paged', async () => {
  const { rows: found } = await cql.run(`SELECT p, c FROM ${t} WHERE p IN (0, 1) ORDER BY c ASC`, [], {
    fetchSize: -1,
  });
  assert.deepEqual(
    found.map((row) => row.get('c')),
    [0, 0, 0, 0, 1, 1, 1, 1],
  );
});

const refused: readonly (readonly [string, string])[] = [
  [
    'SELECT * FROM % WHERE p = 0 ORDER BY v',
    'Order by is currently only supported on the clustered columns of the PRIMARY KEY, got v',
  ],
  [
    'SELECT * FROM % WHERE p = 0 ORDER BY p',
    'Order by is currently only supported on the clustered columns of the PRIMARY KEY, got p',
  ],
  [
    'SELECT * FROM % WHERE p = 0 ORDER BY d',
    'Order by currently only supports the ordering of columns following their declared order in the PRIMARY KEY',
  ],
  ['SELECT * FROM % WHERE p = 0 ORDER BY c ASC, d DESC', 'Unsupported order by relation'],
  [
    'SELECT * FROM % ORDER BY c',
    'ORDER BY is only supported when the partition key is restricted by an EQ or an IN.',
  ],
  ['SELECT * FROM % WHERE p = 0 ORDER BY zz', 'Undefined column name zz in table'],
  ['SELECT * FROM % LIMIT 0', 'LIMIT must be strictly positive'],
  ['SELECT * FROM % LIMIT -1', 'LIMIT must be strictly positive'],
  ['SELECT * FROM % PER PARTITION LIMIT 0', 'LIMIT must be strictly positive'],
  [
    'SELECT DISTINCT v FROM %',
    'SELECT DISTINCT queries must only request partition key columns and/or static columns (not v)',
  ],
  [
    'SELECT DISTINCT p FROM % PER PARTITION LIMIT 1',
    'PER PARTITION LIMIT is not allowed with SELECT DISTINCT queries',
  ],
  [
    'SELECT DISTINCT p FROM % WHERE p = 0 AND c = 0',
    'SELECT DISTINCT with WHERE clause only supports restriction by partition key and/or static columns.',
  ],
  [
    'SELECT DISTINCT p FROM % WHERE v = 0 ALLOW FILTERING',
    'SELECT DISTINCT with WHERE clause only supports restriction by partition key and/or static columns.',
  ],
];
for (const [query, text] of refused) {
  test(`${query.replace(' FROM %', '')} is refused`, async () => {
    await cql.refuses(query.replace('%', t), 'invalid', text);
  });
}

test('a bound LIMIT of null or zero is refused', async () => {
  await cql.refuses(`SELECT * FROM ${t} LIMIT ?`, 'invalid', 'Invalid null value of limit', [null]);
  await cql.refuses(`SELECT * FROM ${t} LIMIT ?`, 'invalid', 'LIMIT must be strictly positive', [0]);
  await cql.refuses(`SELECT * FROM ${t} LIMIT null`, 'syntax', '');
});

test('DISTINCT of a composite key takes all of it', async () => {
  const other = await cql.table('a int, b int, c int, PRIMARY KEY ((a, b), c)');
  await cql.refuses(
    `SELECT DISTINCT a FROM ${other}`,
    'invalid',
    'SELECT DISTINCT queries must request all the partition key columns (missing b)',
  );
});
