import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseWhere, type Relation } from './relations.ts';
import { TokenCursor } from './token-cursor.ts';

function parse(text: string): readonly Relation[] {
  const cursor = new TokenCursor(text);
  const relations = parseWhere(cursor);
  cursor.finish();
  return relations;
}

const one = { kind: 'constant', type: 'integer', text: '1' } as const;
const two = { kind: 'constant', type: 'integer', text: '2' } as const;

test('a column is compared with a term by any of six operators', () => {
  for (const operator of ['=', '<', '<=', '>', '>=', '!='] as const) {
    assert.deepEqual(parse(`A ${operator} 1`), [{ kind: 'comparison', column: 'a', operator, term: one }]);
  }
});

test('a column may be restricted by words', () => {
  assert.deepEqual(parse('a CONTAINS 1 AND b contains key 2 AND c LIKE 1 AND d IS NOT NULL'), [
    { kind: 'comparison', column: 'a', operator: 'CONTAINS', term: one },
    { kind: 'comparison', column: 'b', operator: 'CONTAINS KEY', term: two },
    { kind: 'comparison', column: 'c', operator: 'LIKE', term: one },
    { kind: 'isNotNull', column: 'd' },
  ]);
});

test('IN takes values, none of them, or one marker for all', () => {
  const marker = { kind: 'marker', index: 0, name: null, place: 'inValues' };
  assert.deepEqual(parse('a IN (1, 2)'), [{ kind: 'in', column: 'a', values: [one, two] }]);
  assert.deepEqual(parse('a IN ()'), [{ kind: 'in', column: 'a', values: [] }]);
  assert.deepEqual(parse('a IN ?'), [{ kind: 'in', column: 'a', values: marker }]);
});

test('several columns are compared as a tuple', () => {
  const columns = ['a', 'b'];
  const tuple = { kind: 'tuple', elements: [one, two] };
  assert.deepEqual(parse('(a, b) > (1, 2)'), [
    { kind: 'tupleComparison', columns, operator: '>', term: tuple },
  ]);
  assert.deepEqual(parse('(a, b) IN ((1, 2))'), [{ kind: 'tupleIn', columns, values: [tuple] }]);
  assert.deepEqual(parse('(a, b) IN :x'), [
    { kind: 'tupleIn', columns, values: { kind: 'marker', index: 0, name: 'x', place: 'tupleInValues' } },
  ]);
});

test('token, an element of a map and an index expression stand on the left too', () => {
  assert.deepEqual(parse('token(a, b) >= 1 AND m[1] = 2 AND expr(idx, 1)'), [
    { kind: 'token', columns: ['a', 'b'], operator: '>=', term: one },
    { kind: 'element', column: 'm', key: one, operator: '=', term: two },
    { kind: 'indexExpression', index: 'idx', term: one },
  ]);
});

test('parentheses around a relation mean nothing', () => {
  assert.deepEqual(parse('((a = 1))'), parse('a = 1'));
});
