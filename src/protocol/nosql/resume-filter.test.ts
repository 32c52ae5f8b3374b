import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ridInContainer } from '../../values/resource-id.ts';
import { resumedAfter } from './resume-filter.ts';

const container = 'cZMeioAAAAI=';
const rid = ridInContainer(container, 'document', 7);

function positionOf(resumeFilter: unknown, hasHighRidsFirst = false) {
  return resumedAfter(
    { body: Buffer.from(JSON.stringify({ query: 'SELECT 1', resumeFilter })) },
    container,
    hasHighRidsFirst,
  );
}

test('a body without a resume filter resumes nothing', () => {
  assert.equal(resumedAfter({ body: Buffer.from('{"query":"SELECT 1"}') }, container, false), undefined);
  assert.equal(positionOf(null), undefined);
});

test('a filter without a rid leaves out all results with its values, or none of them', () => {
  const all = Number.MAX_SAFE_INTEGER;
  assert.deepEqual(positionOf({ value: [1, 'a'], exclude: true }), {
    keys: [1, 'a'],
    rid: all,
    ordinal: all,
  });
  assert.deepEqual(positionOf({ value: [1, 'a'] }), { keys: [1, 'a'], rid: -1, ordinal: all });
  // Where the highest rid comes first, the lowest is behind all.
  assert.equal(positionOf({ value: [1], exclude: true }, true)?.rid, -1);
  assert.equal(positionOf({ value: [1] }, true)?.rid, all);
});

test('a filter with a rid begins at that item, or after it', () => {
  assert.deepEqual(positionOf({ value: [1], rid, exclude: false }), { keys: [1], rid: 7, ordinal: -1 });
  assert.equal(positionOf({ value: [1], rid, exclude: true })?.ordinal, Number.MAX_SAFE_INTEGER);
});

test('an empty array stands for undefined', () => {
  assert.deepEqual(positionOf({ value: [[], null] })?.keys, [undefined, null]);
});

test('what is no resume filter is refused', () => {
  for (const filter of [
    5,
    [],
    {},
    { value: 1 },
    { value: [1], rid: 5 },
    { value: [1], rid: 'x' },
    { value: [1], exclude: 'yes' },
    { value: [{ type: 'array', low: 1, high: 2 }] },
  ]) {
    assert.throws(() => positionOf(filter), { code: 'bad-request' }, JSON.stringify(filter));
  }
});
