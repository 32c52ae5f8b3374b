import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCql } from '../cql-parser.ts';
import type { TableChange } from './alter-table.ts';

function parse(change: string): TableChange {
  const { statement } = parseCql(`ALTER TABLE IF EXISTS ks.t ${change}`);
  assert.ok(statement.kind === 'alterTable' && statement.ifExists);
  return statement.change;
}

test('columns are added and dropped one by one or in parentheses', () => {
  const add = parse('ADD IF NOT EXISTS (a int, b text static)');
  assert.ok(add.kind === 'add' && add.ifNotExists);
  assert.deepEqual(
    add.columns.map(({ name, isStatic }) => [name, isStatic]),
    [
      ['a', false],
      ['b', true],
    ],
  );
  assert.deepEqual(parse('DROP a'), { kind: 'drop', ifColumnExists: false, columns: ['a'], timestamp: null });
  assert.deepEqual(parse('DROP IF EXISTS (a, b) USING TIMESTAMP -5'), {
    kind: 'drop',
    ifColumnExists: true,
    columns: ['a', 'b'],
    timestamp: -5n,
  });
});

test('a column may be named compact, and compact storage may be dropped', () => {
  assert.deepEqual(parse('DROP compact'), {
    kind: 'drop',
    ifColumnExists: false,
    columns: ['compact'],
    timestamp: null,
  });
  assert.deepEqual(parse('DROP COMPACT STORAGE'), { kind: 'dropCompactStorage' });
});

test('columns are renamed, masked, unmasked, and given a type', () => {
  assert.deepEqual(parse('RENAME a TO b AND c TO "D"'), {
    kind: 'rename',
    ifColumnExists: false,
    renames: [
      { from: 'a', to: 'b' },
      { from: 'c', to: 'D' },
    ],
  });
  assert.equal(parse('ALTER a MASKED WITH DEFAULT').kind, 'mask');
  assert.deepEqual(parse('ALTER IF EXISTS a DROP MASKED'), {
    kind: 'mask',
    ifColumnExists: true,
    column: 'a',
    mask: null,
  });
  assert.equal(parse('ALTER type TYPE int').kind, 'alterType');
});

test('options are changed by WITH', () => {
  const change = parse('WITH cosmosdb_provisioned_throughput = 400');
  assert.ok(change.kind === 'properties');
  assert.equal(change.properties.get('cosmosdb_provisioned_throughput'), '400');
});
