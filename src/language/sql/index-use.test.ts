import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IndexingPolicy } from '../../catalog/nosql/nosql-definitions.ts';
import { indexUseOf } from './index-use.ts';
import { parseSql } from './parse-sql.ts';

const everything: IndexingPolicy = {
  mode: 'consistent',
  automatic: true,
  includedPaths: ['/*'],
  excludedPaths: ['/secret/*'],
  compositeIndexes: [],
};

function usedBy(text: string, policy = everything) {
  return indexUseOf(parseSql(text), policy);
}

test('what a filter and an order look at is used where the policy covers it, and wanted where it does not', () => {
  assert.deepEqual(
    usedBy('SELECT * FROM c WHERE c.a = 1 AND STARTSWITH(c.b.c, "x") AND c.secret.s > 2 ORDER BY c.d'),
    { used: ['/a/?', '/b/c/?', '/d/?'], wanted: ['/secret/s/?'], composite: [] },
  );
  assert.deepEqual(usedBy('SELECT c.a FROM c'), { used: [], wanted: [], composite: [] });
});

test('names that policies quote are quoted, and elements of arrays are all one', () => {
  assert.deepEqual(usedBy('SELECT * FROM c WHERE c["odd name"] = 1 AND c.a[3] = 2').used, [
    '/"odd name"/?',
    '/a/[]/?',
  ]);
  assert.deepEqual(usedBy('SELECT VALUE t FROM c JOIN t IN c.tags WHERE t = "x"').used, ['/tags/[]/?']);
});

test('an order over several paths has one index', () => {
  assert.deepEqual(usedBy('SELECT * FROM c ORDER BY c.a, c.b.c DESC'), {
    used: [],
    wanted: [],
    composite: ['/a ASC', '/b/c DESC'],
  });
});

test('a container without indexes uses none', () => {
  const { used, wanted } = usedBy('SELECT * FROM c WHERE c.a = 1', { ...everything, mode: 'none' });
  assert.deepEqual([used, wanted], [[], ['/a/?']]);
});
