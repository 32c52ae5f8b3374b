import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCql } from '../cql-parser.ts';

test('a view selects from a table and has a primary key and options of its own', () => {
  const { statement } = parseCql(
    'CREATE MATERIALIZED VIEW IF NOT EXISTS v AS SELECT a, b FROM ks.t WHERE a IS NOT NULL ' +
      "PRIMARY KEY ((b), a) WITH CLUSTERING ORDER BY (a DESC) AND comment = 'x'",
  );
  assert.ok(statement.kind === 'createMaterializedView');
  assert.equal(statement.selectors.length, 2);
  assert.deepEqual(statement.table, { keyspace: 'ks', name: 't' });
  assert.deepEqual(statement.where, [{ kind: 'isNotNull', column: 'a' }]);
  assert.deepEqual(statement.primaryKey, { partitionKey: ['b'], clustering: ['a'] });
  assert.deepEqual(statement.options.clusteringOrder, [{ column: 'a', descending: true }]);
});

test('a view has no compact storage', () => {
  const message = 'COMPACT STORAGE tables are not allowed starting with version 4.0';
  const text = 'CREATE MATERIALIZED VIEW v AS SELECT * FROM t PRIMARY KEY (a) WITH COMPACT STORAGE';
  assert.throws(() => parseCql(text), { message });
});
