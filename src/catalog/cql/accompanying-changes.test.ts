import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withAccompanying } from './accompanying-changes.ts';
import type { CqlSchema, Keyspace, SchemaChange } from './cql-schema.ts';

function schemaOf(tables: Record<string, object>, types: Record<string, object>): CqlSchema {
  const keyspace = {
    name: 'k',
    tables: new Map(Object.entries(tables)),
    types: new Map(Object.entries(types)),
  };
  return { version: '', keyspaces: new Map([['k', keyspace as unknown as Keyspace]]) };
}

const empty: CqlSchema = { version: '', keyspaces: new Map() };
const shown = (changes: readonly SchemaChange[]) =>
  changes.map((each) => `${each.change} ${each.target} ${'name' in each ? each.name : ''}`.trim());

test('who drops a keyspace drops its tables, then its types, and clients are told each by its name', () => {
  const before = schemaOf({ a: {}, b: {} }, { u: {} });
  const told = withAccompanying(before, empty, { change: 'DROPPED', target: 'KEYSPACE', keyspace: 'k' });
  assert.deepEqual(shown(told), ['DROPPED TABLE a', 'DROPPED TABLE b', 'DROPPED TYPE u', 'DROPPED KEYSPACE']);
});

test('a type that is changed changes what it is a part of, and nothing else', () => {
  const other = {};
  const before = schemaOf({ a: {}, b: {}, c: other }, { u: {}, v: {}, w: other });
  const after = schemaOf({ a: {}, b: {}, c: other }, { u: {}, v: {}, w: other });
  const told = withAccompanying(before, after, {
    change: 'UPDATED',
    target: 'TYPE',
    keyspace: 'k',
    name: 'u',
  });
  assert.deepEqual(shown(told), ['UPDATED TYPE u', 'UPDATED TYPE v', 'UPDATED TABLE a', 'UPDATED TABLE b']);
});

test('any other change is told alone', () => {
  const schema = schemaOf({ a: {} }, { u: {} });
  const changes: readonly SchemaChange[] = [
    { change: 'CREATED', target: 'KEYSPACE', keyspace: 'k' },
    { change: 'UPDATED', target: 'TABLE', keyspace: 'k', name: 'a' },
    { change: 'DROPPED', target: 'TYPE', keyspace: 'k', name: 'u' },
  ];
  for (const change of changes) assert.deepEqual(withAccompanying(schema, schema, change), [change]);
});
