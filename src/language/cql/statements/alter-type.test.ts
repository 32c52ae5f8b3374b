import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCql } from '../cql-parser.ts';

const int = { kind: 'native', name: 'int' };

test('a type is made of fields, and a comma may stand at their end', () => {
  assert.deepEqual(parseCql('CREATE TYPE IF NOT EXISTS ks.U (A int, "B" int,)').statement, {
    kind: 'createType',
    ifNotExists: true,
    name: { keyspace: 'ks', name: 'u' },
    fields: [
      { name: 'a', type: int },
      { name: 'B', type: int },
    ],
  });
});

test('a type gains, renames and retypes fields', () => {
  const changes = [
    ['ADD IF NOT EXISTS c int', { kind: 'addField', ifNotExists: true, field: 'c', type: int }],
    ['RENAME a TO b', { kind: 'renameFields', ifFieldExists: false, renames: [{ from: 'a', to: 'b' }] }],
    ['ALTER a TYPE int', { kind: 'alterField', field: 'a', type: int }],
  ] as const;
  for (const [text, change] of changes) {
    const { statement } = parseCql(`ALTER TYPE u ${text}`);
    assert.deepEqual(statement.kind === 'alterType' && statement.change, change);
  }
});
