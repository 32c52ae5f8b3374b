// Pages: every row once, in order, whatever the size of a page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { types } from 'cassandra-driver';
import { useCql } from './support/cql-server.ts';

const cql = useCql();

async function filled(partitions: number, rows: number): Promise<string> {
  const t = await cql.table('p int, c int, s int static, v int, PRIMARY KEY (p, c)');
  const insert = `INSERT INTO ${t} (p, c, s, v) VALUES (?, ?, ?, ?)`;
  for (let p = 0; p < partitions; p += 1)
    await Promise.all(Array.from({ length: rows }, (_, c) => cql.run(insert, [p, c, p, c % 3])));
  return t;
}

for (const size of [1, 2, 3, 7, 10, 100]) {
  test(`pages of ${size} give every row of a partition once, in order`, async () => {
    const t = await filled(1, 20);
    const pages = await cql.pages(`SELECT c FROM ${t} WHERE p = 0`, size);
    assert.deepEqual(
      pages.flat().map(([c]) => c),
      Array.from({ length: 20 }, (_, c) => c),
    );
    assert.ok(pages.every((page) => page.length <= size));
  });
  test(`pages of ${size} give every row of all partitions once`, async () => {
    const t = await filled(4, 5);
    const rows = (await cql.pages(`SELECT p, c FROM ${t}`, size)).flat();
    assert.deepEqual(rows, await cql.rows(`SELECT p, c FROM ${t}`));
    assert.equal(new Set(rows.map(String)).size, 20);
  });
}

test('pages go backwards with ORDER BY DESC', async () => {
  const t = await filled(1, 10);
  const pages = await cql.pages(`SELECT c FROM ${t} WHERE p = 0 ORDER BY c DESC`, 3);
  assert.deepEqual(
    pages.flat().map(([c]) => c),
    [9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
  );
});

test('LIMIT counts over all pages', async () => {
  const t = await filled(3, 5);
  assert.equal((await cql.pages(`SELECT * FROM ${t} LIMIT 7`, 2)).flat().length, 7);
  assert.equal((await cql.pages(`SELECT * FROM ${t} LIMIT 1`, 2)).flat().length, 1);
});

test('PER PARTITION LIMIT counts over all pages', async () => {
  const t = await filled(3, 5);
  const rows = (await cql.pages(`SELECT p, c FROM ${t} PER PARTITION LIMIT 3`, 2)).flat();
  assert.deepEqual(
    rows.map(([, c]) => c),
    [0, 1, 2, 0, 1, 2, 0, 1, 2],
  );
});

test('DISTINCT is paged by partition', async () => {
  const t = await filled(5, 3);
  const rows = (await cql.pages(`SELECT DISTINCT p, s FROM ${t}`, 2)).flat();
  assert.equal(new Set(rows.map(String)).size, 5);
  assert.equal(rows.length, 5);
});

test('an IN over partitions is paged', async () => {
  const t = await filled(3, 4);
  const rows = (await cql.pages(`SELECT p, c FROM ${t} WHERE p IN (2, 0)`, 3)).flat();
  assert.deepEqual(
    rows.map(([p, c]) => `${p}${c}`),
    ['00', '01', '02', '03', '20', '21', '22', '23'],
  );
});

test('a filter is applied before rows are counted', async () => {
  const t = await filled(2, 9);
  const pages = await cql.pages(`SELECT v FROM ${t} WHERE v = 1 ALLOW FILTERING`, 2);
  assert.equal(pages.flat().length, 6);
});

test('GROUP BY survives the bounds of pages', async () => {
  const t = await filled(3, 7);
  const rows = (await cql.pages(`SELECT p, count(*) FROM ${t} GROUP BY p`, 2)).flat();
  assert.deepEqual(
    rows.map(([, count]) => count),
    [7n, 7n, 7n],
  );
});

test('groups of which some are left out go on after a partition of static columns alone', async () => {
  const t = await cql.table('p int, c int, s int static, PRIMARY KEY (p, c)');
  await cql.runAll(
    ...[1, 2, 3].map((p) => `INSERT INTO ${t} (p, s) VALUES (${p}, ${p})`),
    `INSERT INTO ${t} (p, c) VALUES (2, 1)`,
    `INSERT INTO ${t} (p, c) VALUES (2, 2)`,
  );
  const query = `SELECT p, c, count(*) FROM ${t} GROUP BY p, c PER PARTITION LIMIT 1`;
  assert.deepEqual((await cql.pages(query, 1)).flat(), [
    [1, null, 1n],
    [2, 1, 1n],
    [3, null, 1n],
  ]);
});

test('an aggregate over many pages is one row', async () => {
  const t = await filled(3, 7);
  assert.deepEqual((await cql.pages(`SELECT count(*), sum(c) FROM ${t}`, 2)).flat(), [[21n, 63]]);
});

test('a clustering range is paged', async () => {
  const t = await filled(1, 20);
  const pages = await cql.pages(`SELECT c FROM ${t} WHERE p = 0 AND c >= ? AND c < ?`, 4, [5, 15]);
  assert.deepEqual(
    pages.flat().map(([c]) => c),
    [5, 6, 7, 8, 9, 10, 11, 12, 13, 14],
  );
});

test('the last page says that there are no more', async () => {
  const t = await filled(1, 4);
  const { pageState } = await cql.run(`SELECT * FROM ${t} WHERE p = 0`, [], { fetchSize: 100 });
  assert.ok(pageState === undefined || pageState === null);
});

test('rows that are written and deleted between pages do not disturb the others', async () => {
  const t = await filled(1, 10);
  const query = `SELECT c FROM ${t} WHERE p = 0`;
  const first = await cql.run(query, [], { fetchSize: 4 });
  await cql.runAll(
    `DELETE FROM ${t} WHERE p = 0 AND c = 3`,
    `DELETE FROM ${t} WHERE p = 0 AND c = 5`,
    `INSERT INTO ${t} (p, c) VALUES (0, 99)`,
  );
  const rest = await cql.run(query, [], { fetchSize: 100, pageState: first.pageState });
  assert.deepEqual(
    rest.rows.map((row) => row.get('c')),
    [4, 6, 7, 8, 9, 99],
  );
});

test('a page state that is none is refused', async () => {
  const t = await filled(1, 3);
  await assert.rejects(
    cql.run(`SELECT * FROM ${t}`, [], { fetchSize: 1, pageState: 'deadbeef' }),
    /Invalid value for the paging state|Error deserializing|paging state/,
  );
});

test('a whole table is read as a stream of pages', async () => {
  const t = await filled(5, 20);
  let count = 0;
  for await (const _row of await cql.run(`SELECT * FROM ${t}`, [], { fetchSize: 7 })) count += 1;
  assert.equal(count, 100);
});

test('a static row alone is one row of a page', async () => {
  const t = await cql.table('p int, c int, s int static, PRIMARY KEY (p, c)');
  for (const p of [1, 2, 3]) await cql.run(`INSERT INTO ${t} (p, s) VALUES (${p}, ${p})`);
  const rows = (await cql.pages(`SELECT s FROM ${t}`, 1)).flat();
  assert.deepEqual(new Set(rows.map(([s]) => s)), new Set([1, 2, 3]));
});

test('ORDER BY with IN is not paged', async () => {
  const t = await filled(2, 4);
  const query = `SELECT p, c FROM ${t} WHERE p IN (0, 1) ORDER BY c DESC`;
  await cql.refuses(
    query,
    'invalid',
    'Cannot page queries with both ORDER BY and a IN restriction on the partition key',
    [],
  );
  const { rows } = await cql.run(query, [], { fetchSize: -1, consistency: types.consistencies.one });
  assert.deepEqual(
    rows.map((row) => row.get('c')),
    [3, 3, 2, 2, 1, 1, 0, 0],
  );
});

test('a page that is full says that more may follow, also after a row by its whole key and after the last group', async () => {
  const t = await filled(2, 2);
  const one = `SELECT c FROM ${t} WHERE p = 1 AND c = 1`;
  assert.deepEqual(await cql.pages(one, 1), [[[1]], []]);
  assert.deepEqual(await cql.pages(one, 2), [[[1]]]);
  assert.deepEqual(await cql.pages(`${one} LIMIT 1`, 1), [[[1]]]);
  const groups = `SELECT c FROM ${t} WHERE p = 1 GROUP BY p, c`;
  assert.deepEqual(await cql.pages(groups, 1), [[[0]], [[1]], []]);
  assert.deepEqual(await cql.pages(groups, 2), [[[0], [1]], []]);
  assert.deepEqual(await cql.pages(groups, 3), [[[0], [1]]]);
  assert.deepEqual(await cql.pages(`${groups} LIMIT 2`, 2), [[[0], [1]]]);
  assert.deepEqual(await cql.pages(`SELECT p FROM ${t} WHERE p IN (0, 1) GROUP BY p`, 2), [[[0], [1]], []]);
});

test('a full page says that nothing follows where a partition can have no more', async () => {
  const t = await cql.table('p int PRIMARY KEY');
  await cql.run(`INSERT INTO ${t} (p) VALUES (1)`);
  assert.deepEqual(await cql.pages(`SELECT p FROM ${t} WHERE p = 1`, 1), [[[1]]]);
  const statics = await cql.table('p int, c int, s int static, PRIMARY KEY (p, c)');
  await cql.run(`INSERT INTO ${statics} (p, s) VALUES (1, 1)`);
  assert.deepEqual(await cql.pages(`SELECT s FROM ${statics} WHERE p = 1 GROUP BY p`, 1), [[[1]]]);
});
