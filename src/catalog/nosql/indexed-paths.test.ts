import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indexedPathsOf, isIncluded } from './indexed-paths.ts';
import type { IndexingPolicy } from './nosql-definitions.ts';

function policy(includedPaths: readonly string[], excludedPaths: readonly string[]): IndexingPolicy {
  return { mode: 'consistent', automatic: true, includedPaths, excludedPaths, compositeIndexes: [] };
}

function included(rules: IndexingPolicy, ...path: (string | number)[]): boolean {
  return isIncluded(indexedPathsOf(rules), path);
}

test('the deepest rule that speaks of a path decides', () => {
  const rules = policy(['/*', '/a/b/c/?'], ['/a/b/*']);
  assert.equal(included(rules, 'x'), true);
  assert.equal(included(rules, 'a'), true);
  assert.equal(included(rules, 'a', 'b'), false);
  assert.equal(included(rules, 'a', 'b', 'd', 'e'), false);
  assert.equal(included(rules, 'a', 'b', 'c'), true);
  assert.equal(included(rules, 'a', 'b', 'c', 'd'), false);
});

test('a rule for a value is stronger than one for all that begins there, in whichever set they are', () => {
  assert.equal(included(policy(['/a/?'], ['/*', '/a/*']), 'a'), true);
  assert.equal(included(policy(['/*', '/a/*'], ['/a/?']), 'a'), false);
  assert.equal(included(policy(['/*', '/a/*'], ['/a/?']), 'a', 'b'), true);
});

test('names may stand in quotes of both kinds, and elements of arrays are not a member of that name', () => {
  const rules = policy(['/"odd name"/?', "/'it\\'s'/?", '/tags/[]/?'], ['/*']);
  assert.equal(included(rules, 'odd name'), true);
  assert.equal(included(rules, "it's"), true);
  assert.equal(included(rules, 'tags', 3), true);
  assert.equal(included(rules, 'tags', '[]'), false);
});

test('composite indexes have the names of their paths, with or without a mark at their end', () => {
  const compositeIndexes = [
    [
      { path: '/a/b', order: 'ascending' },
      { path: '/"c d"/?', order: 'descending' },
    ],
  ] as const;
  const { composites } = indexedPathsOf({ ...policy(['/*'], []), compositeIndexes });
  assert.deepEqual(composites, [
    [
      { names: ['a', 'b'], order: 'ascending' },
      { names: ['c d'], order: 'descending' },
    ],
  ]);
});
