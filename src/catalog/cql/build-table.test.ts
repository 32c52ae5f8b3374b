import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTable } from './build-table.ts';

const int = { kind: 'int' } as const;

test('a table has its columns in the order of SELECT *, names by their bytes with those first that are not ASCII, and an id of its own for every column outside the key', () => {
  const table = buildTable({
    keyspace: 'ks',
    name: 't',
    partitionKey: [
      ['z', int],
      ['y', int],
    ],
    clustering: [['x', int, true]],
    statics: [
      ['s2', int],
      ['S1', int],
    ],
    regulars: [
      ['b', int],
      ['\u{1f600}', int],
      ['\uffee', int],
      ['a', int],
    ],
  });
  const names = ['z', 'y', 'x', 'S1', 's2', '\uffee', '\u{1f600}', 'a', 'b'];
  assert.deepEqual([...table.columns.keys()], names);
  const ids = [...table.statics, ...table.regulars].map(({ id }) => id);
  assert.equal(new Set(ids).size, 6);
  assert.ok(ids.every((id) => id > 0 && id < table.nextColumnId));
  assert.deepEqual(
    [...table.partitionKey, ...table.clustering].map(({ id, position, descending }) => [
      id,
      position,
      descending,
    ]),
    [
      [0, 0, false],
      [0, 1, false],
      [0, 0, true],
    ],
  );
  assert.equal(table.container, undefined);
});

test('the id of a table that nobody created is made of its names, and the same at every start', () => {
  const idOf = (keyspace: string, name: string): string =>
    buildTable({ keyspace, name, partitionKey: [['k', int]] }).id;
  // That of Cassandra's own table of this name.
  assert.equal(idOf('system_schema', 'keyspaces'), 'abac5682-dea6-31c5-b535-b3d6cffd0fb6');
  assert.notEqual(idOf('a', 'b'), idOf('a', 'c'));
});
