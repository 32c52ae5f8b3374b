import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSql } from '../parse-sql.ts';
import { printQuery } from '../print-sql.ts';
import { distinctByPage, isDistinctByPage, isPartOfPlan } from './part-of-plan.ts';
import { rewriteAggregates } from './rewrite-aggregates.ts';

const aggregated = [
  'SELECT VALUE COUNT(1) FROM c',
  'SELECT VALUE AVG(c.a) FROM c WHERE c.b',
  'SELECT VALUE MIN(c.a) FROM c',
  'SELECT COUNT(1) AS n, MAX(c.a) AS m FROM c',
  'SELECT COUNT(1) AS n, "x" AS k FROM c',
  'SELECT c.a FROM c GROUP BY c.a',
  'SELECT c.a, SUM(c.b) FROM c GROUP BY c.a, LOWER(c.d)',
  'SELECT VALUE c.a FROM c GROUP BY c.a',
  'SELECT VALUE COUNT(1) FROM c JOIN t IN c.tags GROUP BY t',
];

for (const text of aggregated) {
  test(`what ${text} is rewritten to is known as part of a plan, and it is not`, () => {
    const rewritten = printQuery(rewriteAggregates(parseSql(text)).query);
    assert.equal(isPartOfPlan(parseSql(rewritten)), true, rewritten);
    assert.equal(isPartOfPlan(parseSql(text)), false);
  });
}

const others = [
  'SELECT VALUE [{"item": c.a}] FROM c',
  'SELECT VALUE [{"item": 1}]',
  'SELECT {"a": {"item": c.a}} AS payload FROM c',
  'SELECT [{"item": c.b}] AS groupByItems, c.a AS payload FROM c GROUP BY c.a, [{"item": c.b}]',
  'SELECT TOP 1 [{"item": c.a}] AS groupByItems, c.a AS payload FROM c GROUP BY c.a',
  'SELECT DISTINCT [{"item": c.a}] AS groupByItems, c.a AS payload FROM c GROUP BY c.a',
  'SELECT VALUE [{"item": COUNT(1)}] FROM (SELECT TOP 5 * FROM c) x',
  'SELECT VALUE [COUNT(1)] FROM c',
];

for (const text of others) {
  test(`${text} is no part of a plan`, () => assert.equal(isPartOfPlan(parseSql(text)), false));
}

test('a DISTINCT is made distinct by page only where its text says so', () => {
  const text = 'SELECT DISTINCT VALUE c.a\nFROM c';
  const marked = distinctByPage(text);
  assert.equal(isDistinctByPage(parseSql(marked), marked), true);
  assert.equal(isDistinctByPage(parseSql(text), text), false);
  const plain = distinctByPage('SELECT VALUE c.a FROM c');
  assert.equal(isDistinctByPage(parseSql(plain), plain), false);
});
