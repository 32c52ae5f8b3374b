import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IndexingPolicy } from '../../catalog/nosql/nosql-definitions.ts';
import { eachElement } from '../../catalog/nosql/property-path.ts';
import type { IndexedOrder } from '../../execution/nosql/indexes/item-index.ts';
import { indexUseOf } from './index-use.ts';
import { parseSql } from './parse-sql.ts';
import { noParameters } from './sql-parameters.ts';

const everything: IndexingPolicy = {
  mode: 'consistent',
  automatic: true,
  includedPaths: ['/*'],
  excludedPaths: ['/secret/*'],
  compositeIndexes: [],
};

function useOf(text: string, orders: readonly IndexedOrder[] = [], policy = everything) {
  return indexUseOf(parseSql(text), noParameters, policy, orders);
}

test('what was read is used, and what the policy leaves out of what a filter and an order look at is wanted', () => {
  const use = useOf('SELECT * FROM c WHERE c.a = 1 AND c.secret.s > 2 ORDER BY c.d', [
    { kind: 'path', path: ['a'] },
    { kind: 'path', path: ['tags', eachElement, 'odd name'] },
  ]);
  assert.deepEqual(use.used, ['/a/?', '/tags/[]/"odd name"/?']);
  assert.deepEqual(use.wanted, ['/secret/s/?']);
  assert.deepEqual(useOf('SELECT c.a FROM c').wanted, []);
});

test('a container without indexes could have all that a filter looks at', () => {
  const none = { ...everything, mode: 'none' as const };
  assert.deepEqual(
    useOf('SELECT VALUE t FROM c JOIN t IN c.tags WHERE t = "x" AND c.a[3] = 2', [], none).wanted,
    ['/tags/[]/?', '/a/[]/?'],
  );
});

test('conditions on several paths, or a condition and an order, are told which composite index would serve them', () => {
  for (const [text, wanted] of [
    ['SELECT * FROM c WHERE c.a > 1 AND c.b = 2', [['/b ASC', '/a ASC']]],
    ['SELECT * FROM c WHERE c.a = 1 AND c.b = 2', [['/a ASC', '/b ASC']]],
    ['SELECT * FROM c WHERE c.a = 1 ORDER BY c.b DESC', [['/a ASC', '/b DESC']]],
    ['SELECT * FROM c WHERE c.a = 1 ORDER BY c.a', []],
    ['SELECT * FROM c WHERE c.a > 1 AND c.b > 2', []],
    ['SELECT * FROM c WHERE c.a = 1 OR c.b = 2', []],
    ['SELECT * FROM c WHERE c.a = 1', []],
    ['SELECT * FROM c ORDER BY c.b', []],
  ] as const) {
    const { wantedComposites } = useOf(text);
    assert.deepEqual(wantedComposites, wanted, text);
  }
});

test('where a composite index was read, no other is wanted', () => {
  const composite: IndexedOrder = {
    kind: 'composite',
    paths: [
      { names: ['a'], order: 'ascending' },
      { names: ['b', 'c'], order: 'descending' },
    ],
  };
  const use = useOf('SELECT * FROM c WHERE c.a = 1 ORDER BY c.b.c DESC', [composite]);
  assert.deepEqual([use.used, use.usedComposites, use.wantedComposites], [[], [['/a ASC', '/b/c DESC']], []]);
});
