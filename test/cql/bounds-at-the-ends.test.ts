// Bounds that no row has: null for a clustering column, and the lowest token.

import { test } from 'node:test';
import { useCql } from './support/cql-server.ts';

const cql = useCql();

for (const [order, all, none] of [
  ['ASC', '>', '<'],
  ['DESC', '<', '>'],
] as const) {
  test(`null comes before all rows of clustering order ${order}`, async () => {
    const t = await cql.table('p int, c int, PRIMARY KEY (p, c)', `WITH CLUSTERING ORDER BY (c ${order})`);
    await cql.run(`INSERT INTO ${t} (p, c) VALUES (1, 1)`);
    const cases: readonly (readonly [operator: string, rows: unknown[][]])[] = [
      [all, [[1]]],
      [none, []],
    ];
    for (const [operator, rows] of cases) {
      await cql.answers(`SELECT c FROM ${t} WHERE p = 1 AND c ${operator} null`, rows);
      await cql.answers(`SELECT c FROM ${t} WHERE p = 1 AND c ${operator}= ?`, rows, [null]);
    }
  });
}

test('the lowest token is a token as any to a partition that is named', async () => {
  const t = await cql.table('p int PRIMARY KEY');
  await cql.run(`INSERT INTO ${t} (p) VALUES (1)`);
  const lowest = '-9223372036854775808';
  for (const operator of ['=', '<', '<=']) {
    await cql.answers(`SELECT p FROM ${t} WHERE token(p) ${operator} ${lowest} AND p = 1`, []);
  }
  for (const operator of ['>', '>=']) {
    await cql.answers(`SELECT p FROM ${t} WHERE token(p) ${operator} ${lowest} AND p = 1`, [[1]]);
  }
  await cql.answers(`SELECT p FROM ${t} WHERE token(p) > 5 AND token(p) < 2 AND p = 1`, [[1]]);
});
