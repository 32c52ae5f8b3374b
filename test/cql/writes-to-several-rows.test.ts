// One write to several partitions or rows: what it does to each, and that one that cannot be done stops them all.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useCql } from './support/cql-server.ts';

const cql = useCql();

const listed = 'p int, c int, l list<int>, v int, PRIMARY KEY (p, c)';

for (const kind of ['', 'UNLOGGED ']) {
  test(`a ${kind}BATCH over partitions writes nothing if an element of a list is not there`, async () => {
    const t = await cql.table(listed);
    await cql.run(`INSERT INTO ${t} (p, c, l) VALUES (1, 1, [1, 2])`);
    const insert = `INSERT INTO ${t} (p, c, v) VALUES (2, 2, 2)`;
    const batch = (write: string) => `BEGIN ${kind}BATCH ${insert}; ${write}; APPLY BATCH`;
    await cql.refuses(
      batch(`DELETE l[5] FROM ${t} WHERE p = 1 AND c = 1`),
      'invalid',
      'List index 5 out of bound, list has size 2',
    );
    await cql.refuses(
      batch(`UPDATE ${t} SET l[0] = 3 WHERE p = 1 AND c = 9`),
      'invalid',
      'Attempted to set an element on a list which is null',
    );
    await cql.answers(`SELECT * FROM ${t}`, [[1, 1, [1, 2], null]]);
    await cql.run(batch(`UPDATE ${t} SET l[1] = 3 WHERE p = 1 AND c = 1`));
    await cql.answersInAnyOrder(`SELECT * FROM ${t}`, [
      [1, 1, [1, 3], null],
      [2, 2, null, 2],
    ]);
  });
}

test('an UPDATE of several partitions writes to none if an element of a list is not there in one', async () => {
  const t = await cql.table(listed);
  await cql.run(`INSERT INTO ${t} (p, c, l) VALUES (1, 1, [1])`);
  await cql.refuses(
    `UPDATE ${t} SET l[0] = 9 WHERE p IN (1, 2) AND c = 1`,
    'invalid',
    'Attempted to set an element on a list which is null',
  );
  await cql.answers(`SELECT l FROM ${t}`, [[[1]]]);
});

test('a static counter is added to once for each row of an UPDATE', async () => {
  const t = await cql.table('p int, c int, s counter static, v counter, PRIMARY KEY (p, c)');
  await cql.run(`UPDATE ${t} SET s = s + 2, v = v + 1 WHERE p = 0 AND c IN (1, 2, 1)`);
  await cql.answers(`SELECT c, s, v FROM ${t}`, [
    [1, 4n, 1n],
    [2, 4n, 1n],
  ]);
});

test('a static list is set once for each row of an UPDATE, and holds the elements as often', async () => {
  const t = await cql.table('p int, c int, s list<int> static, v int, PRIMARY KEY (p, c)');
  await cql.run(`UPDATE ${t} SET s = [7], v = 1 WHERE p = 0 AND c IN (1, 2)`);
  assert.deepEqual(await cql.value(`SELECT s FROM ${t} LIMIT 1`), [7, 7]);
});

test('counting makes a row whose key is read as it was written', async () => {
  const t = await cql.table('p int, c frozen<list<decimal>>, v counter, PRIMARY KEY (p, c)');
  await cql.run(`UPDATE ${t} SET v = v + 1 WHERE p = 0 AND c = [1.0, 2.50]`);
  await cql.answers(`SELECT c, v FROM ${t}`, [[['1.0', '2.50'], 1n]]);
});
