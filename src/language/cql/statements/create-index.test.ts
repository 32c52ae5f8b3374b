import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCql } from '../cql-parser.ts';
import type { CreateIndexStatement } from './create-index.ts';

function parse(text: string): CreateIndexStatement {
  const { statement } = parseCql(text);
  assert.equal(statement.kind, 'createIndex');
  return statement;
}

test('an index is on a column or on a part of one', () => {
  assert.deepEqual(parse('CREATE INDEX ON t (a, values(b), keys(c), entries(d), full(e), keys)').targets, [
    { kind: 'simple', column: 'a' },
    { kind: 'values', column: 'b' },
    { kind: 'keys', column: 'c' },
    { kind: 'entries', column: 'd' },
    { kind: 'full', column: 'e' },
    { kind: 'simple', column: 'keys' },
  ]);
});

test('an index may have a name, a class and options', () => {
  const index = parse(
    "CREATE CUSTOM INDEX IF NOT EXISTS I ON ks.t (a) USING 'sai' WITH OPTIONS = {'x': 'y'}",
  );
  assert.deepEqual(
    { ...index, properties: [...index.properties] },
    {
      kind: 'createIndex',
      isCustom: true,
      ifNotExists: true,
      name: 'i',
      table: { keyspace: 'ks', name: 't' },
      targets: [{ kind: 'simple', column: 'a' }],
      using: 'sai',
      properties: [['options', new Map([['x', 'y']])]],
    },
  );
});
