// The three designs of `uprofile.user`, as a newcomer would type them.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { useCql } from './support/cql-server.ts';

const cql = useCql();

beforeEach(async () => {
  await cql.runAll(
    'DROP KEYSPACE IF EXISTS uprofile',
    "CREATE KEYSPACE uprofile WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
  );
});

test('A7 a table with one primary key column holds one record per partition, found by its key', async () => {
  await cql.run('CREATE TABLE uprofile.user (id UUID PRIMARY KEY, user text, message text)');
  const [first, second] = ['0e2a4a5c-8d3c-4d6b-9f6e-2f6c6b1d0001', '0e2a4a5c-8d3c-4d6b-9f6e-2f6c6b1d0002'];
  await cql.run(`INSERT INTO uprofile.user (id, user, message) VALUES (${first}, 'theo', 'hello')`);
  await cql.run(`INSERT INTO uprofile.user (id, user, message) VALUES (${second}, 'theo', 'hello again')`);
  await cql.answers(`SELECT * FROM uprofile.user WHERE id = ${second}`, [[second, 'hello again', 'theo']]);
  assert.equal((await cql.rows('SELECT DISTINCT id FROM uprofile.user')).length, 2);
  await cql.run(`INSERT INTO uprofile.user (id, message) VALUES (${second}, 'changed')`);
  await cql.answers(`SELECT user, message FROM uprofile.user WHERE id = ${second}`, [['theo', 'changed']]);
  await cql.answers('SELECT count(*) FROM uprofile.user', [[2n]]);
});

test('A8 records of a compound key come back in the order of the clustering key', async () => {
  await cql.run('CREATE TABLE uprofile.user (user text, id int, message text, PRIMARY KEY (user, id))');
  await cql.runAll(
    "INSERT INTO uprofile.user (user, id, message) VALUES ('theo', 2, 'hello again')",
    "INSERT INTO uprofile.user (user, id, message) VALUES ('theo', 1, 'hello')",
    "INSERT INTO uprofile.user (user, id, message) VALUES ('ada', 7, 'good day')",
  );
  await cql.answers("SELECT * FROM uprofile.user WHERE user = 'theo'", [
    ['theo', 1, 'hello'],
    ['theo', 2, 'hello again'],
  ]);
  await cql.answers("SELECT id FROM uprofile.user WHERE user = 'theo' ORDER BY id DESC", [[2], [1]]);
  await cql.answers("SELECT message FROM uprofile.user WHERE user = 'theo' AND id > 1", [['hello again']]);
});

test('A8 all records of a partition share one token, and another user has another', async () => {
  await cql.run('CREATE TABLE uprofile.user (user text, id int, message text, PRIMARY KEY (user, id))');
  await cql.runAll(
    "INSERT INTO uprofile.user (user, id, message) VALUES ('theo', 1, 'hello')",
    "INSERT INTO uprofile.user (user, id, message) VALUES ('theo', 2, 'hello again')",
    "INSERT INTO uprofile.user (user, id, message) VALUES ('ada', 7, 'good day')",
  );
  const tokens = new Map<unknown, Set<unknown>>();
  for (const [user, token] of await cql.rows('SELECT user, token(user) FROM uprofile.user')) {
    tokens.set(user, (tokens.get(user) ?? new Set()).add(token));
  }
  assert.deepEqual(tokens.get('theo'), new Set([-1457224325554927207n]));
  assert.equal(tokens.get('ada')?.size, 1);
  assert.notDeepEqual(tokens.get('ada'), tokens.get('theo'));
});

test('A8 a query by the partition key is routed to one partition, and one without it needs ALLOW FILTERING', async () => {
  await cql.run('CREATE TABLE uprofile.user (user text, id int, message text, PRIMARY KEY (user, id))');
  await cql.run("INSERT INTO uprofile.user (user, id, message) VALUES ('theo', 1, 'hello')");
  await cql.refuses('SELECT * FROM uprofile.user WHERE id = 1', 'invalid', 'use ALLOW FILTERING');
  await cql.answers('SELECT * FROM uprofile.user WHERE id = 1 ALLOW FILTERING', [['theo', 1, 'hello']]);
});

test('A9 a composite partition key is all of its columns together', async () => {
  await cql.run(
    'CREATE TABLE uprofile.user (firstname text, lastname text, id int, message text, PRIMARY KEY ((firstname, lastname), id))',
  );
  await cql.runAll(
    "INSERT INTO uprofile.user (firstname, lastname, id, message) VALUES ('theo', 'smith', 2, 'b')",
    "INSERT INTO uprofile.user (firstname, lastname, id, message) VALUES ('theo', 'smith', 1, 'a')",
    "INSERT INTO uprofile.user (firstname, lastname, id, message) VALUES ('theo', 'jones', 1, 'c')",
  );
  await cql.answers("SELECT id, message FROM uprofile.user WHERE firstname = 'theo' AND lastname = 'smith'", [
    [1, 'a'],
    [2, 'b'],
  ]);
  await cql.answersInAnyOrder('SELECT DISTINCT firstname, lastname FROM uprofile.user', [
    ['theo', 'smith'],
    ['theo', 'jones'],
  ]);
  await cql.refuses("SELECT * FROM uprofile.user WHERE firstname = 'theo'", 'invalid', 'use ALLOW FILTERING');
});
