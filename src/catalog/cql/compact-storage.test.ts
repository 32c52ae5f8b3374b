import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTable, type TableParts } from './build-table.ts';
import {
  compactValueOf,
  declaredAndHidden,
  hiddenClusteringName,
  marksRows,
  tableFlags,
} from './compact-storage.ts';
import type { TableSchema } from './table-schema.ts';

const int = { kind: 'int' } as const;

function compact(parts: Partial<TableParts>): TableSchema {
  const table = buildTable({ keyspace: 'ks', name: 't', partitionKey: [['p', int]], ...parts });
  return { ...table, isCompact: true };
}

function shown(table: TableSchema): string[] {
  return declaredAndHidden(table).map(({ name, kind, type }) => `${name} ${kind} ${type.kind}`);
}

test('an ordinary table marks its rows and hides nothing', () => {
  const table = buildTable({ keyspace: 'ks', name: 't', partitionKey: [['p', int]], regulars: [['v', int]] });
  assert.deepEqual(tableFlags(table), ['compound']);
  assert.deepEqual(shown(table), ['p partition_key int', 'v regular int']);
  assert.equal(marksRows(table), true);
  assert.equal(compactValueOf(table), undefined);
});

test('a dense table has rows by its value', () => {
  const table = compact({ clustering: [['c', int]], regulars: [['v', int]] });
  assert.deepEqual(tableFlags(table), ['dense']);
  assert.deepEqual(shown(table), ['p partition_key int', 'c clustering int', 'v regular int']);
  assert.equal(marksRows(table), false);
  assert.equal(compactValueOf(table)?.name, 'v');
});

test('a dense table without a value has one of no bytes, and marks', () => {
  const table = compact({
    clustering: [
      ['value', int],
      ['d', int],
    ],
  });
  assert.deepEqual(tableFlags(table), ['compound', 'dense']);
  assert.deepEqual(shown(table).at(-1), 'value1 regular empty');
  assert.equal(marksRows(table), true);
});

test('a static table is said to have columns that nobody declared', () => {
  const table = compact({
    regulars: [
      ['column1', int],
      ['v', int],
    ],
  });
  assert.deepEqual(tableFlags(table), []);
  assert.equal(hiddenClusteringName(table), 'column2');
  assert.deepEqual(shown(table), [
    'p partition_key int',
    'column2 clustering text',
    'column1 static int',
    'v static int',
    'value regular blob',
  ]);
  assert.equal(marksRows(table), false);
});
