import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import { checkOrder } from './check-order.ts';
import { parseSql } from './parse-sql.ts';

const policy = {
  mode: 'consistent' as const,
  automatic: true,
  includedPaths: ['/*', '/closed/open/?', '/list/[]/n/?'],
  excludedPaths: ['/closed/*', '/"odd name"/?', '/list/*', '/"_etag"/?'],
  compositeIndexes: [
    [
      { path: '/a', order: 'ascending' as const },
      { path: '/b/c', order: 'descending' as const },
    ],
  ],
};

function refusalOf(by: string, over: string = 'c'): string | undefined {
  try {
    checkOrder(parseSql(`SELECT * FROM ${over} ORDER BY ${by}`), policy);
    return undefined;
  } catch (error) {
    assert(error instanceof RingfoldError);
    return String(error.details['reason']);
  }
}

test('a path is sorted by if the deepest rule that speaks of it includes it', () => {
  for (const path of ['c.a', 'c.a.b', 'c.closed.open', 'c.list[0].n', 'c.id', 'c._ts', 'c["other name"]']) {
    assert.equal(refusalOf(path), undefined, path);
  }
  for (const path of ['c.closed', 'c.closed.a', 'c["odd name"]', 'c.list[0]', 'c._etag']) {
    assert.match(refusalOf(path) ?? '', /order-by item is excluded/, path);
  }
});

test('several paths are sorted by in the order of a composite index, forwards or backwards', () => {
  assert.equal(refusalOf('c.a, c.b.c DESC'), undefined);
  assert.equal(refusalOf('c.a DESC, c.b.c ASC'), undefined);
  for (const by of ['c.a, c.b.c', 'c.b.c DESC, c.a', 'c.a, c.b.c DESC, c.d', 'c.a, c.d']) {
    assert.match(refusalOf(by) ?? '', /corresponding composite index/, by);
  }
});

test('only paths from the item, and distances, are sorted by', () => {
  assert.equal(refusalOf('VectorDistance(c.v, [1])'), undefined);
  for (const [by, over] of [
    ['1', 'c'],
    ['c', 'c'],
    ['c.a + 1', 'c'],
    ['LOWER(c.a)', 'c'],
    ['t.a', 'c JOIN t IN c.list'],
  ] as const) {
    assert.match(refusalOf(by, over) ?? '', /could not be mapped to a document path/, by);
  }
});

test('a container without indexes sorts by anything', () => {
  checkOrder(parseSql('SELECT * FROM c ORDER BY c.closed'), { ...policy, mode: 'none' });
});
