import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCql } from '../cql-parser.ts';
import type { CreateTableStatement } from './create-table.ts';

function parse(text: string): CreateTableStatement {
  const { statement } = parseCql(text);
  assert.equal(statement.kind, 'createTable');
  return statement;
}

const int = { kind: 'native', name: 'int' };

test('a primary key stands beside its column or on its own, simple, compound or composite', () => {
  const keys = [
    ['a int PRIMARY KEY', { partitionKey: ['a'], clustering: [] }],
    ['a int, b int, PRIMARY KEY (a, b)', { partitionKey: ['a'], clustering: ['b'] }],
    ['a int, b int, c int, PRIMARY KEY ((a, b), c)', { partitionKey: ['a', 'b'], clustering: ['c'] }],
  ] as const;
  for (const [text, key] of keys) {
    assert.deepEqual(parse(`CREATE TABLE t (${text})`).primaryKeys, [key]);
  }
});

test('a column has a type, may be static, and may be masked', () => {
  assert.deepEqual(
    parse('CREATE TABLE t (A int STATIC, b int MASKED WITH DEFAULT, c int MASKED WITH f(1),)').columns,
    [
      { name: 'a', type: int, isStatic: true, mask: null },
      {
        name: 'b',
        type: int,
        isStatic: false,
        mask: { function: { keyspace: null, name: 'mask_default' }, arguments: [] },
      },
      {
        name: 'c',
        type: int,
        isStatic: false,
        mask: {
          function: { keyspace: null, name: 'f' },
          arguments: [{ kind: 'constant', type: 'integer', text: '1' }],
        },
      },
    ],
  );
});

test('options are properties, a clustering order, and compact storage', () => {
  const { options } = parse(
    'CREATE TABLE t (a int PRIMARY KEY) WITH CLUSTERING ORDER BY (b DESC, c ASC) AND COMPACT STORAGE AND compact = 1 ' +
      "AND cosmosdb_autoscale_max_throughput = 4000 AND clustering = 'x'",
  );
  assert.deepEqual(options.clusteringOrder, [
    { column: 'b', descending: true },
    { column: 'c', descending: false },
  ]);
  assert.equal(options.isCompactStorage, true);
  assert.deepEqual(
    [...options.properties.keys()],
    ['compact', 'cosmosdb_autoscale_max_throughput', 'clustering'],
  );
});
