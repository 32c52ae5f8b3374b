// Lists that a SELECT makes of columns, which may hold nulls.

import { test } from 'node:test';
import { useCql } from './support/cql-server.ts';

const cql = useCql();

test('the collection functions pass over nulls, except that they are counted', async () => {
  const t = await cql.table('p int, c int, v int, PRIMARY KEY (p, c)');
  await cql.run(`INSERT INTO ${t} (p, c) VALUES (1, 1)`);
  await cql.run(`INSERT INTO ${t} (p, c, v) VALUES (1, 2, 5)`);
  await cql.answers(`SELECT collection_sum([v]), collection_avg([v]), collection_count([v]) FROM ${t}`, [
    [0, 0, 1],
    [5, 5, 1],
  ]);
  await cql.answers(`SELECT collection_min([v]), collection_max([v, c]) FROM ${t}`, [
    [null, 1],
    [5, 5],
  ]);
});
