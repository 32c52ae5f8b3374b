// A column that was dropped and added again: what was written before the drop is gone, by its timestamp.

import { test } from 'node:test';
import { useCql } from './support/cql-server.ts';

const cql = useCql();

test('of a column dropped with a timestamp, later values are there when it is added again', async () => {
  const t = await cql.table('p int, c int, v int, d int, PRIMARY KEY (p, c)');
  for (const [c, timestamp] of [
    [1, 10_000],
    [2, 20_000],
    [3, 30_000],
  ]) {
    await cql.run(`INSERT INTO ${t} (p, c, v, d) VALUES (1, ${c}, ${c}, ${c}) USING TIMESTAMP ${timestamp}`);
  }
  await cql.runAll(`ALTER TABLE ${t} DROP d USING TIMESTAMP 20000`, `ALTER TABLE ${t} ADD d int`);
  await cql.answers(`SELECT c, d FROM ${t}`, [
    [1, null],
    [2, null],
    [3, 3],
  ]);
  await cql.answers(`SELECT c FROM ${t} WHERE d = 3 ALLOW FILTERING`, [[3]]);
  await cql.run(`UPDATE ${t} SET v = 9 WHERE p = 1 AND c = 3 IF d = 3`);
  await cql.run(`UPDATE ${t} SET v = 9 WHERE p = 1 AND c = 1 IF d = null`);
  await cql.answers(`SELECT v, d FROM ${t}`, [
    [9, null],
    [2, null],
    [9, 3],
  ]);
});

test('what is written with a timestamp from before the drop is not seen', async () => {
  const t = await cql.table('p int PRIMARY KEY, v int, d int');
  await cql.runAll(`ALTER TABLE ${t} DROP d`, `ALTER TABLE ${t} ADD d int`);
  await cql.run(`UPDATE ${t} USING TIMESTAMP 5 SET v = 1, d = 1 WHERE p = 1`);
  await cql.run(`UPDATE ${t} USING TIMESTAMP 5 SET d = 1 WHERE p = 2`);
  await cql.run(`UPDATE ${t} SET d = 1 WHERE p = 3`);
  await cql.answersInAnyOrder(`SELECT p, v, d FROM ${t}`, [
    [1, 1, null],
    [3, null, 1],
  ]);
});

test('of a list dropped with a timestamp, later elements are there when it is added again', async () => {
  const t = await cql.table('p int PRIMARY KEY, v int, l list<int>');
  await cql.run(`INSERT INTO ${t} (p, l) VALUES (1, [1]) USING TIMESTAMP 10`);
  await cql.run(`UPDATE ${t} USING TIMESTAMP 30 SET l = l + [2] WHERE p = 1`);
  await cql.runAll(`ALTER TABLE ${t} DROP l USING TIMESTAMP 20`, `ALTER TABLE ${t} ADD l list<int>`);
  await cql.answers(`SELECT l FROM ${t}`, [[[2]]]);
  await cql.run(`UPDATE ${t} SET v = 5 WHERE p = 1`);
  await cql.answers(`SELECT l, v FROM ${t}`, [[[2], 5]]);
});

test('in a conditional batch the time of the whole counts, whatever its statements say', async () => {
  const t = await cql.table('p int PRIMARY KEY, v int');
  await cql.run(`BEGIN BATCH
    INSERT INTO ${t} (p, v) VALUES (1, 1) IF NOT EXISTS;
    UPDATE ${t} USING TIMESTAMP 5 SET v = 3 WHERE p = 1;
    APPLY BATCH`);
  await cql.answers(`SELECT v FROM ${t}`, [[3]]);
});
