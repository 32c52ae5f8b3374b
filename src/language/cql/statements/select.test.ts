import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCql } from '../cql-parser.ts';
import type { SelectStatement } from './select.ts';

function parse(text: string): SelectStatement {
  const { statement } = parseCql(text);
  assert.equal(statement.kind, 'select');
  return statement;
}

const column = (name: string) => ({ selectable: { kind: 'column', name }, alias: null });

test('a SELECT that says nothing more selects all of a table', () => {
  assert.deepEqual(parse('SELECT * FROM Ks."T"'), {
    kind: 'select',
    isJson: false,
    isDistinct: false,
    selectors: [],
    table: { keyspace: 'ks', name: 'T' },
    where: [],
    groupBy: [],
    orderBy: [],
    perPartitionLimit: null,
    limit: null,
    allowFiltering: false,
  });
});

test('every clause has its place', () => {
  const select = parse(
    'SELECT a FROM t WHERE p = 1 GROUP BY p, f(c) ORDER BY c DESC, d PER PARTITION LIMIT 2 LIMIT 3 ALLOW FILTERING',
  );
  assert.equal(select.where.length, 1);
  assert.deepEqual(select.groupBy[0], { kind: 'column', name: 'p' });
  assert.equal(select.groupBy[1]?.kind, 'function');
  assert.deepEqual(select.orderBy, [
    { column: 'c', descending: true, nearestTo: null },
    { column: 'd', descending: false, nearestTo: null },
  ]);
  assert.deepEqual(select.perPartitionLimit, { kind: 'constant', type: 'integer', text: '2' });
  assert.deepEqual(select.limit, { kind: 'constant', type: 'integer', text: '3' });
  assert.equal(select.allowFiltering, true);
});

test('json and distinct are keywords where selectors follow, and columns elsewhere', () => {
  const cases = [
    ['SELECT JSON a FROM t', true, false, ['a']],
    ['SELECT DISTINCT a FROM t', false, true, ['a']],
    ['SELECT JSON DISTINCT a FROM t', true, true, ['a']],
    ['SELECT json FROM t', false, false, ['json']],
    ['SELECT json, distinct FROM t', false, false, ['json', 'distinct']],
    ['SELECT DISTINCT distinct FROM t', false, true, ['distinct']],
    ['SELECT JSON json, a FROM t', true, false, ['json', 'a']],
  ] as const;
  for (const [text, isJson, isDistinct, names] of cases) {
    const select = parse(text);
    assert.deepEqual([select.isJson, select.isDistinct], [isJson, isDistinct], text);
    assert.deepEqual(select.selectors, names.map(column), text);
  }
});

test('an ordering may be by nearness to a vector', () => {
  const [ordering] = parse('SELECT * FROM t ORDER BY v ANN OF [1] LIMIT 3').orderBy;
  assert.equal(ordering?.column, 'v');
  assert.equal(ordering?.nearestTo?.kind, 'list');
});
