import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCql } from '../cql-parser.ts';
import type { UpdateStatement } from './update.ts';

function parse(text: string): UpdateStatement {
  const { statement } = parseCql(text);
  assert.equal(statement.kind, 'update');
  return statement;
}

const one = { kind: 'constant', type: 'integer', text: '1' };

test('a column is set, appended to, prepended to, removed from, or set in part', () => {
  const assignments = [
    ['a = 1', { kind: 'set', column: 'a', term: one }],
    ['a = a + 1', { kind: 'append', column: 'a', term: one }],
    ['a += 1', { kind: 'append', column: 'a', term: one }],
    ['a = 1 + a', { kind: 'prepend', column: 'a', term: one }],
    ['a = a - 1', { kind: 'remove', column: 'a', term: one }],
    ['a -= 1', { kind: 'remove', column: 'a', term: one }],
    ['a = a -1', { kind: 'append', column: 'a', term: { ...one, text: '-1' } }],
    ['a[1] = 1', { kind: 'setElement', column: 'a', key: one, term: one }],
    ['a.F = 1', { kind: 'setField', column: 'a', field: 'f', term: one }],
  ] as const;
  for (const [text, assignment] of assignments) {
    assert.deepEqual(parse(`UPDATE t SET ${text} WHERE p = 1`).assignments, [assignment], text);
  }
});

test('a column is not set twice, but may be changed in several parts', () => {
  const message = 'Multiple incompatible setting of column a';
  assert.throws(() => parse('UPDATE t SET a = 1, a = 2 WHERE p = 1'), { message });
  assert.throws(() => parse('UPDATE t SET a.f = 1, a.f = 2 WHERE p = 1'), { message });
  assert.throws(() => parse('UPDATE t SET a[1] = 1, a = 2 WHERE p = 1'), { message });
  assert.equal(parse('UPDATE t SET a.f = 1, a.g = 2, a[1] = 3 WHERE p = 1').assignments.length, 3);
});

test('a column changes itself only', () => {
  const texts = [
    ['a = b + 1', 'Only expressions of the form X = X +<value> are supported.'],
    ['a = b -1', 'Only expressions of the form X = X - <value> are supported.'],
    ['a = 1 + b', 'Only expressions of the form X = <value> + X are supported.'],
  ] as const;
  for (const [text, message] of texts) {
    assert.throws(() => parse(`UPDATE t SET ${text} WHERE p = 1`), { message });
  }
});

test('an UPDATE may have a condition on existence or on columns and their parts', () => {
  assert.equal(parse('UPDATE t SET a = 1 WHERE p = 1').if, null);
  assert.equal(parse('UPDATE t SET a = 1 WHERE p = 1 IF EXISTS').if, 'exists');
  const text = 'UPDATE t SET a = 1 WHERE p = 1 IF exists = 1 AND m[1] IN ? AND u.f > 1 AND l CONTAINS 1';
  assert.deepEqual(parse(text).if, [
    { kind: 'comparison', target: { kind: 'column', column: 'exists' }, operator: '=', term: one },
    {
      kind: 'in',
      target: { kind: 'element', column: 'm', key: one },
      values: { kind: 'marker', index: 0, name: null, place: 'inValues' },
    },
    { kind: 'comparison', target: { kind: 'field', column: 'u', field: 'f' }, operator: '>', term: one },
    { kind: 'comparison', target: { kind: 'column', column: 'l' }, operator: 'CONTAINS', term: one },
  ]);
});

test('USING stands before SET', () => {
  assert.deepEqual(parse('UPDATE t USING TTL 1 SET a = 1 WHERE p = 1').using, { timestamp: null, ttl: one });
});
