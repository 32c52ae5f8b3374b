import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type CqlStatement, parseCql } from './cql-parser.ts';
import { CqlSyntaxError } from './cql-syntax-error.ts';
import { wordKinds } from './cql-token-kind.ts';

const oneOfEach: readonly (readonly [CqlStatement['kind'], string])[] = [
  ['select', 'SELECT * FROM t'],
  ['insert', 'INSERT INTO t (a) VALUES (1)'],
  ['insertJson', "INSERT INTO t JSON '{}'"],
  ['update', 'UPDATE t SET a = 1 WHERE p = 1'],
  ['delete', 'DELETE FROM t WHERE p = 1'],
  ['batch', 'BEGIN BATCH APPLY BATCH'],
  ['use', 'USE ks'],
  ['truncate', 'TRUNCATE TABLE t'],
  ['createKeyspace', "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy'}"],
  ['alterKeyspace', 'ALTER KEYSPACE ks WITH durable_writes = false'],
  ['dropKeyspace', 'DROP KEYSPACE ks'],
  ['createTable', 'CREATE TABLE t (a int PRIMARY KEY)'],
  ['alterTable', 'ALTER TABLE t ADD b int'],
  ['dropTable', 'DROP TABLE t'],
  ['createType', 'CREATE TYPE u (a int)'],
  ['alterType', 'ALTER TYPE u ADD b int'],
  ['dropType', 'DROP TYPE u'],
  ['createIndex', 'CREATE INDEX ON t (a)'],
  ['dropIndex', 'DROP INDEX i'],
  ['createMaterializedView', 'CREATE MATERIALIZED VIEW v AS SELECT * FROM t PRIMARY KEY (a)'],
  ['alterMaterializedView', "ALTER MATERIALIZED VIEW v WITH comment = ''"],
  ['dropMaterializedView', 'DROP MATERIALIZED VIEW v'],
  ['createFunction', "CREATE FUNCTION f () CALLED ON NULL INPUT RETURNS int LANGUAGE java AS ''"],
  ['dropFunction', 'DROP FUNCTION f'],
  ['createAggregate', 'CREATE AGGREGATE a (int) SFUNC f STYPE int'],
  ['dropAggregate', 'DROP AGGREGATE a'],
  ['createTrigger', "CREATE TRIGGER tr ON t USING 'x'"],
  ['dropTrigger', 'DROP TRIGGER tr ON t'],
  ['createRole', 'CREATE ROLE r'],
  ['alterRole', 'ALTER ROLE r'],
  ['dropRole', 'DROP ROLE r'],
  ['createRole', 'CREATE USER u'],
  ['alterRole', 'ALTER USER u'],
  ['dropRole', 'DROP USER u'],
  ['listRoles', 'LIST ROLES'],
  ['listUsers', 'LIST USERS'],
  ['listPermissions', 'LIST ALL'],
  ['grantPermissions', 'GRANT SELECT ON t TO r'],
  ['grantRole', 'GRANT a TO b'],
  ['revokePermissions', 'REVOKE SELECT ON t FROM r'],
  ['revokeRole', 'REVOKE a FROM b'],
  ['addIdentity', "ADD IDENTITY 'i' TO ROLE 'r'"],
  ['dropIdentity', "DROP IDENTITY 'i'"],
  ['describe', 'DESCRIBE CLUSTER'],
];

test('every statement of the grammar is read as what it is, in any case, with semicolons or without', () => {
  for (const [kind, text] of oneOfEach) {
    assert.equal(parseCql(text).statement.kind, kind, text);
    assert.equal(parseCql(`  ${text.toLowerCase()} ;; `).statement.kind, kind, text);
  }
});

test('two statements are not one', () => {
  for (const [, text] of oneOfEach) assert.throws(() => parseCql(`${text}; ${text}`), CqlSyntaxError, text);
});

const reserved =
  'ADD ALLOW ALTER AND APPLY ASC AUTHORIZE BATCH BEGIN BY COLUMNFAMILY CREATE DELETE DESC DESCRIBE DROP ENTRIES ' +
  'EXECUTE FROM FULL GRANT IF IN INDEX INFINITY INSERT INTO IS KEYSPACE LIMIT MATERIALIZED MODIFY NAN NORECURSIVE NOT ' +
  'NULL OF ON OR ORDER PRIMARY RENAME REVOKE SCHEMA SELECT SET TABLE TO TOKEN TRUNCATE UNLOGGED UPDATE USE USING VIEW ' +
  'WHERE WITH';

test('the 57 reserved words and the booleans are no column names, and every other word is', () => {
  const refused = new Set(reserved.toLowerCase().split(' '));
  for (const word of wordKinds.keys()) {
    const text = `UPDATE t SET ${word} = 1 WHERE "${word}" = 1`;
    if (refused.has(word) || word === 'true' || word === 'false') {
      assert.throws(() => parseCql(text), CqlSyntaxError, word);
    } else {
      assert.equal(parseCql(text).statement.kind, 'update', word);
    }
  }
  assert.equal([...wordKinds.keys()].filter((word) => refused.has(word)).length, refused.size);
});

test('bind markers are numbered in order of appearance, and know their name and place', () => {
  const { markers } = parseCql(
    'SELECT ?, f(:"F") FROM t WHERE a = ? AND b IN :b AND c IN (?, :c) AND (d, e) > ? AND (d, e) IN ? ' +
      'AND (d, e) IN (?, ?) AND m[?] = ? PER PARTITION LIMIT ? LIMIT :most',
  );
  assert.deepEqual(
    markers.map(({ name, place }) => [name, place]),
    [
      [null, 'selection'],
      ['F', 'selection'],
      [null, 'value'],
      ['b', 'inValues'],
      [null, 'value'],
      ['c', 'value'],
      [null, 'tuple'],
      [null, 'tupleInValues'],
      [null, 'tuple'],
      [null, 'tuple'],
      [null, 'value'],
      [null, 'value'],
      [null, 'perPartitionLimit'],
      ['most', 'limit'],
    ],
  );
  assert.deepEqual(
    markers.map(({ index }) => index),
    markers.map((_, index) => index),
  );
});

test('a marker that stood in a reading given up is not counted twice', () => {
  assert.equal(parseCql('SELECT (a), (?, ?), m[?] FROM t').markers.length, 3);
  assert.equal(parseCql('SELECT json (?), f((int) ?) FROM t').markers.length, 2);
});

test('deep nesting and long chains are refused before they can fill the stack', () => {
  const deep = 100_000;
  const statements = [
    `SELECT ${'('.repeat(deep)}a FROM t`,
    `SELECT ${'f('.repeat(deep)}a FROM t`,
    `SELECT ${'[('.repeat(deep)}a FROM t`,
    `SELECT ${'- '.repeat(deep)}a FROM t`,
    `SELECT ${'(int)'.repeat(deep)}a FROM t`,
    `SELECT a${' + a'.repeat(deep)} FROM t`,
    `SELECT a${'.b'.repeat(deep)} FROM t`,
    `SELECT * FROM t WHERE ${'('.repeat(deep)}a = 1`,
    `INSERT INTO t (a) VALUES (${'['.repeat(deep)}1)`,
    `INSERT INTO t (a) VALUES (${'{1: '.repeat(deep)}1)`,
    `INSERT INTO t (a) VALUES (${'(int)'.repeat(deep)}1)`,
    `INSERT INTO t (a) VALUES (1${' * 1'.repeat(deep)})`,
    `INSERT INTO t (a) VALUES (${'cast('.repeat(deep)}1)`,
    `CREATE TABLE t (a ${'list<'.repeat(deep)}int`,
  ];
  for (const text of statements) assert.throws(() => parseCql(text), CqlSyntaxError, text.slice(0, 40));
});

test('nesting that people might write is read', () => {
  const deep = 200;
  parseCql(`INSERT INTO t (a) VALUES (${'['.repeat(deep)}1${']'.repeat(deep)})`);
  parseCql(`SELECT ${'f('.repeat(deep)}a${')'.repeat(deep)} FROM t`);
});

test('a hundred thousand values in one list are read', () => {
  const { statement } = parseCql(`SELECT * FROM t WHERE a IN (${Array(100_000).fill('1').join(', ')})`);
  assert.equal(statement.kind, 'select');
});

const words = fc.constantFrom(
  ...[...wordKinds.keys()],
  ...'( ) [ ] { } , ; : . .. = != < <= > >= + += - -= * / % ? expr('.split(' '),
  ...`1 -1 2.5 'a' "Q" "" a b 0xab 1h P1D nan -nan $$x$$ 123e4567-e89b-12d3-a456-426614174000`.split(' '),
);
const beginnings = fc.constantFrom('', ...oneOfEach.map(([, text]) => text));

test('a random sequence of tokens is read or refused as a syntax error, and nothing else happens', () => {
  fc.assert(
    fc.property(beginnings, fc.nat(), fc.array(words, { maxLength: 30 }), (beginning, cut, rest) => {
      const kept = beginning.slice(0, cut % (beginning.length + 1));
      try {
        parseCql(`${kept} ${rest.join(' ')}`);
      } catch (error) {
        assert.ok(error instanceof CqlSyntaxError, String(error));
      }
    }),
    { numRuns: 3000 },
  );
});

test('random characters are read or refused as a syntax error, and nothing else happens', () => {
  fc.assert(
    fc.property(beginnings, fc.string({ unit: 'binary' }), (beginning, rest) => {
      try {
        parseCql(`${beginning} ${rest}`);
      } catch (error) {
        assert.ok(error instanceof CqlSyntaxError, String(error));
      }
    }),
    { numRuns: 1000 },
  );
});
