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

test('what a policy refuses to sort by', () => {
  const open = { ...policy, excludedPaths: [], compositeIndexes: [] };
  const closed = { ...open, includedPaths: ['/a/?'], excludedPaths: ['/*'] };
  const composed = (...paths: string[]) => ({
    ...open,
    compositeIndexes: [paths.map((path) => ({ path, order: 'ascending' as const }))],
  });
  const [excluded, missing] = [/order-by item is excluded/, /corresponding composite index/];
  const rows = [
    ['c.a', open, undefined],
    ['c.a', closed, undefined],
    ['c.a DESC', closed, undefined],
    ['c.b', closed, excluded],
    ['c.a.b', closed, excluded],
    ['c.id', closed, undefined],
    ['c._ts DESC', closed, undefined],
    ['c.a, c.b', open, missing],
    ['c.a, c.b', { ...open, mode: 'none' as const }, missing],
    ['c.a, c.b', composed('/a', '/b'), undefined],
    ['c.a DESC, c.b DESC', composed('/a', '/b'), undefined],
    ['c.a DESC, c.b', composed('/a', '/b'), missing],
    ['c.b, c.a', composed('/a', '/b'), missing],
    ['c.a, c.b', composed('/a', '/b', '/c'), missing],
    ['c.a, c.b, c.c', composed('/a', '/b'), missing],
    ['c.a, c.b', { ...composed('/a', '/b'), includedPaths: ['/z/?'], excludedPaths: ['/*'] }, undefined],
  ] as const;
  for (const [by, of, refusal] of rows) {
    const check = (): void => checkOrder(parseSql(`SELECT * FROM c ORDER BY ${by}`), of);
    if (refusal === undefined) check();
    else
      assert.throws(
        check,
        (error) => error instanceof RingfoldError && refusal.test(String(error.details['reason'])),
        by,
      );
  }
});
