import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCql } from '../cql-parser.ts';

const one = { kind: 'constant', type: 'integer', text: '1' };

test('a DELETE names columns, elements and fields, or nothing for whole rows', () => {
  assert.deepEqual(parseCql('DELETE a, b[1], c.f FROM t USING TIMESTAMP 1 WHERE p = 1 IF EXISTS').statement, {
    kind: 'delete',
    deletions: [
      { kind: 'column', column: 'a' },
      { kind: 'element', column: 'b', key: one },
      { kind: 'field', column: 'c', field: 'f' },
    ],
    table: { keyspace: null, name: 't' },
    timestamp: one,
    where: [{ kind: 'comparison', column: 'p', operator: '=', term: one }],
    if: 'exists',
  });
  const { statement } = parseCql('DELETE FROM t WHERE p = 1 IF a = 1');
  assert.ok(statement.kind === 'delete');
  assert.deepEqual(statement.deletions, []);
  assert.equal(statement.if?.length, 1);
});
