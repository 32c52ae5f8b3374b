// User-defined types: frozen as one value, not frozen field by field.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useCql } from './support/cql-server.ts';

const cql = useCql();

test('a value of a user type is read back with its fields', async () => {
  const u = await cql.type('street text, number int');
  const t = await cql.table(`p int PRIMARY KEY, f frozen<${u}>, n ${u}`);
  await cql.run(
    `INSERT INTO ${t} (p, f, n) VALUES (1, {street: 'High', number: 7}, {number: 8, street: 'Low'})`,
  );
  await cql.answers(`SELECT f, n FROM ${t}`, [
    [
      { street: 'High', number: 7 },
      { street: 'Low', number: 8 },
    ],
  ]);
});

test('a bound value of a user type is read back', async () => {
  const u = await cql.type('a int, b text, c frozen<list<int>>');
  const t = await cql.table(`p int PRIMARY KEY, f frozen<${u}>, n ${u}`);
  const value = { a: 1, b: 'x', c: [1, 2] };
  await cql.run(`INSERT INTO ${t} (p, f, n) VALUES (?, ?, ?)`, [1, value, value]);
  await cql.answers(`SELECT f, n FROM ${t}`, [[value, value]]);
});

test('a field that is left out is null', async () => {
  const u = await cql.type('a int, b text');
  const t = await cql.table(`p int PRIMARY KEY, f frozen<${u}>, n ${u}`);
  await cql.run(`INSERT INTO ${t} (p, f, n) VALUES (1, {a: 1}, {b: 'x'})`);
  await cql.answers(`SELECT f, n FROM ${t}`, [
    [
      { a: 1, b: null },
      { a: null, b: 'x' },
    ],
  ]);
});

test('one field is selected', async () => {
  const u = await cql.type('a int, b text');
  const t = await cql.table(`p int PRIMARY KEY, f frozen<${u}>, n ${u}`);
  await cql.run(`INSERT INTO ${t} (p, f, n) VALUES (1, {a: 1, b: 'x'}, {a: 2, b: 'y'})`);
  await cql.answers(`SELECT f.a, f.b, n.a, n.b FROM ${t}`, [[1, 'x', 2, 'y']]);
  assert.deepEqual(await cql.columnNames(`SELECT f.a, n.b AS other FROM ${t}`), ['f.a', 'other']);
});

test('one field of a value that is not frozen is set and deleted', async () => {
  const u = await cql.type('a int, b text');
  const t = await cql.table(`p int PRIMARY KEY, n ${u}`);
  await cql.runAll(
    `INSERT INTO ${t} (p, n) VALUES (1, {a: 1, b: 'x'})`,
    `UPDATE ${t} SET n.a = 2 WHERE p = 1`,
  );
  await cql.answers(`SELECT n FROM ${t}`, [[{ a: 2, b: 'x' }]]);
  await cql.run(`DELETE n.b FROM ${t} WHERE p = 1`);
  await cql.answers(`SELECT n FROM ${t}`, [[{ a: 2, b: null }]]);
  await cql.run(`UPDATE ${t} SET n.a = ? WHERE p = ?`, [3, 1]);
  await cql.answers(`SELECT n.a FROM ${t}`, [[3]]);
});

test('a value whose fields are all null is null when it is not frozen', async () => {
  const u = await cql.type('a int, b text');
  const t = await cql.table(`p int PRIMARY KEY, f frozen<${u}>, n ${u}`);
  await cql.run(`INSERT INTO ${t} (p, f, n) VALUES (1, {a: null}, {a: null, b: null})`);
  await cql.answers(`SELECT f, n FROM ${t}`, [[{ a: null, b: null }, null]]);
});

test('a field of a frozen value is not set by itself', async () => {
  const u = await cql.type('a int');
  const t = await cql.table(`p int PRIMARY KEY, fu frozen<${u}>, v int`);
  await cql.refuses(
    `UPDATE ${t} SET fu.a = 5 WHERE p = 1`,
    'invalid',
    'Invalid operation (fu.a = 5) for frozen UDT column fu',
  );
  await cql.refuses(
    `DELETE fu.a FROM ${t} WHERE p = 1`,
    'invalid',
    'Frozen UDT column fu does not support field deletion',
  );
  await cql.refuses(
    `UPDATE ${t} SET v.a = 5 WHERE p = 1`,
    'invalid',
    'Invalid operation (v.a = 5) for non-UDT column v',
  );
});

test('a field that the type does not have is refused', async () => {
  const u = await cql.type('a int');
  const t = await cql.table(`p int PRIMARY KEY, f frozen<${u}>, n ${u}`);
  await cql.refuses(
    `INSERT INTO ${t} (p, f) VALUES (1, {zz: 1})`,
    'invalid',
    `Unknown field 'zz' in value of user defined type ${u}`,
  );
  await cql.refuses(
    `UPDATE ${t} SET n.zz = 1 WHERE p = 1`,
    'invalid',
    `UDT column n does not have a field named zz`,
  );
  await cql.refuses(
    `DELETE n.zz FROM ${t} WHERE p = 1`,
    'invalid',
    `UDT column n does not have a field named zz`,
  );
  await cql.refuses(`SELECT f.zz FROM ${t}`, 'invalid', `has no field zz`);
});

test('a field of the wrong type is refused', async () => {
  const u = await cql.type('a int');
  const t = await cql.table(`p int PRIMARY KEY, f frozen<${u}>`);
  await cql.refuses(`INSERT INTO ${t} (p, f) VALUES (1, {a: 'x'})`, 'invalid', 'field a is not of type int');
});

test('user types are nested, also in collections', async () => {
  const inner = await cql.type('x int, y int');
  const outer = await cql.type(`name text, at frozen<${inner}>, more frozen<list<frozen<${inner}>>>`);
  const t = await cql.table(
    `p int PRIMARY KEY, o ${outer}, l list<frozen<${inner}>>, m map<frozen<${inner}>, int>`,
  );
  await cql.run(
    `INSERT INTO ${t} (p, o, l, m) VALUES (1, {name: 'n', at: {x: 1, y: 2}, more: [{x: 3}]}, [{x: 5, y: 6}], {{x: 7, y: 8}: 9})`,
  );
  await cql.answers(`SELECT o, l FROM ${t}`, [
    [{ name: 'n', at: { x: 1, y: 2 }, more: [{ x: 3, y: null }] }, [{ x: 5, y: 6 }]],
  ]);
  await cql.answers(`SELECT o.at.x FROM ${t}`, [[1]]);
});

test('a frozen user type is a key', async () => {
  const u = await cql.type('a int, b text');
  const t = await cql.table(`p frozen<${u}>, c frozen<${u}>, v int, PRIMARY KEY (p, c)`);
  await cql.runAll(
    `INSERT INTO ${t} (p, c, v) VALUES ({a: 1, b: 'x'}, {a: 2, b: 'b'}, 1)`,
    `INSERT INTO ${t} (p, c, v) VALUES ({a: 1, b: 'x'}, {a: 2, b: 'a'}, 2)`,
    `INSERT INTO ${t} (p, c, v) VALUES ({a: 1, b: 'x'}, {a: 1, b: 'z'}, 3)`,
  );
  assert.deepEqual(await cql.column(`SELECT v FROM ${t} WHERE p = {a: 1, b: 'x'}`), [3, 2, 1]);
  assert.deepEqual(
    await cql.column(`SELECT v FROM ${t} WHERE p = {a: 1, b: 'x'} AND c > {a: 1, b: 'z'}`),
    [2, 1],
  );
});

test('a field that is added to a type is null in values written before', async () => {
  const u = await cql.type('a int');
  const t = await cql.table(`p int PRIMARY KEY, f frozen<${u}>, n ${u}`);
  await cql.runAll(
    `INSERT INTO ${t} (p, f, n) VALUES (1, {a: 1}, {a: 2})`,
    `ALTER TYPE ${u} ADD b text`,
    `INSERT INTO ${t} (p, f, n) VALUES (2, {a: 3, b: 'x'}, {a: 4, b: 'y'})`,
  );
  await cql.answersInAnyOrder(`SELECT p, f, n FROM ${t}`, [
    [1, { a: 1 }, { a: 2, b: null }],
    [2, { a: 3, b: 'x' }, { a: 4, b: 'y' }],
  ]);
});

test('a field is renamed', async () => {
  const u = await cql.type('a int, b int');
  const t = await cql.table(`p int PRIMARY KEY, f frozen<${u}>`);
  await cql.runAll(
    `INSERT INTO ${t} (p, f) VALUES (1, {a: 1, b: 2})`,
    `ALTER TYPE ${u} RENAME a TO first AND b TO second`,
  );
  await cql.answers(`SELECT f FROM ${t}`, [[{ first: 1, second: 2 }]]);
});

test('definitions of types are checked', async () => {
  const u = await cql.type('a int');
  const { keyspace } = cql;
  await cql.refuses(`CREATE TYPE ${u} (a int)`, 'invalid', `A user type with name '${u}' already exists`);
  await cql.run(`CREATE TYPE IF NOT EXISTS ${u} (a int)`);
  await cql.refuses(
    `CREATE TYPE ${cql.name()} (a int, a text)`,
    'invalid',
    "Duplicate field name 'a' in type",
  );
  await cql.refuses(
    `CREATE TYPE ${cql.name()} (a counter)`,
    'invalid',
    'A user type cannot contain counters',
  );
  await cql.refuses(
    `CREATE TYPE ${cql.name()} (a ${u})`,
    'invalid',
    'A user type cannot contain non-frozen UDTs',
  );
  await cql.refuses(
    `CREATE TYPE ${cql.name()} (a frozen<nosuch>)`,
    'invalid',
    `Unknown type ${keyspace}.nosuch`,
  );
  await cql.refuses(
    `ALTER TYPE ${u} ADD a int`,
    'invalid',
    `Cannot add field a to type ${keyspace}.${u}: a field with name a already exists`,
  );
  await cql.refuses(
    `ALTER TYPE ${u} RENAME zz TO b`,
    'invalid',
    `Unkown field zz in user type ${keyspace}.${u}`,
  );
  await cql.refuses(
    `ALTER TYPE ${u} ALTER a TYPE text`,
    'invalid',
    'Altering field types is no longer supported',
  );
  await cql.refuses('ALTER TYPE nope ADD a int', 'invalid', `Type ${keyspace}.nope doesn't exist`);
  await cql.refuses('DROP TYPE nope', 'invalid', `Type '${keyspace}.nope' doesn't exist`);
  await cql.run('DROP TYPE IF EXISTS nope');
});

test('a type that is used is not dropped', async () => {
  const u = await cql.type('a int');
  const other = await cql.type(`b frozen<${u}>`);
  await cql.refuses(
    `DROP TYPE ${u}`,
    'invalid',
    `Cannot drop user type '${cql.keyspace}.${u}' as it is still used by user types ${other}`,
  );
  await cql.run(`DROP TYPE ${other}`);
  const t = await cql.table(`p int PRIMARY KEY, l list<frozen<${u}>>`);
  await cql.refuses(
    `DROP TYPE ${u}`,
    'invalid',
    `Cannot drop user type '${cql.keyspace}.${u}' as it is still used by tables ${t}`,
  );
  await cql.runAll(`DROP TABLE ${t}`, `DROP TYPE ${u}`);
});

test('a type of another keyspace is not used', async () => {
  const u = await cql.type('a int');
  const other = `${cql.keyspace}_2`;
  await cql.run(
    `CREATE KEYSPACE ${other} WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}`,
  );
  await cql.refuses(
    `CREATE TABLE ${other}.t (p int PRIMARY KEY, v frozen<${cql.keyspace}.${u}>)`,
    'invalid',
    'Statement on keyspace',
  );
  await cql.run(`DROP KEYSPACE ${other}`);
});

test('the whole of a value that is not frozen is not filtered', async () => {
  const u = await cql.type('a int');
  const t = await cql.table(`p int PRIMARY KEY, n ${u}, f frozen<${u}>`);
  await cql.run(`INSERT INTO ${t} (p, n, f) VALUES (1, {a: 1}, {a: 1})`);
  await cql.refuses(
    `SELECT * FROM ${t} WHERE n = {a: 1} ALLOW FILTERING`,
    'invalid',
    `Non-frozen UDT column 'n' (${u}) cannot be restricted by any relation`,
  );
  assert.deepEqual(await cql.column(`SELECT p FROM ${t} WHERE f = {a: 1} ALLOW FILTERING`), [1]);
});
