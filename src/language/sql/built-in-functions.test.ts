import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import { findFunction, functionNames } from './built-in-functions.ts';
import type { QueryContext } from './sql-function.ts';
import { canonicalText, compareValues, equals, isSame, type SqlValue } from './sql-value.ts';

const context: QueryContext = { now: () => 0, startedAt: 0, random: () => 0.5, isGeography: true };

/** Numbers, texts and lists that functions take for what they want, and everything else. */
const value: fc.Arbitrary<SqlValue> = fc.oneof(
  { depthSize: 'small' },
  fc.constantFrom<SqlValue>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e308,
    Number.NaN,
    '',
    'a',
    'abc',
    'dd',
    '2020-02-30',
    '2020-01-31',
  ),
  fc.constantFrom<SqlValue>([], {}, [1, 2], ['a'], { type: 'Point', coordinates: [1, 2] }, [[1]], { a: 1 }),
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<SqlValue>,
);

test('every function answers every value with a value, or refuses it as a request, and never breaks', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...functionNames),
      fc.array(value, { minLength: 8, maxLength: 8 }),
      (name, values) => {
        const found = findFunction(name);
        assert(found !== undefined);
        for (let count = found.least; count <= Math.min(found.most, found.least + 3); count++) {
          try {
            const answer = found.run(values.slice(0, count), context, []);
            assert.notEqual(canonicalText(answer), undefined);
          } catch (error) {
            assert(
              error instanceof RingfoldError && error.code === 'bad-request',
              `${name}: ${String(error)}`,
            );
          }
        }
      },
    ),
    { numRuns: 3_000 },
  );
});

test('a function that is not asked about undefined itself answers a value of no use with undefined', () => {
  const tellers = new Set(['RAND', 'PI', 'NOW', 'TOSTRING', 'ST_ISVALID', 'ST_ISVALIDDETAILED']);
  for (const name of functionNames) {
    const found = findFunction(name);
    if (found === undefined || found.takesUndefined || found.least === 0 || tellers.has(name)) continue;
    const useless = Array.from({ length: found.least }, () => ({ no: 'use' }));
    const isSetLike = name.startsWith('ARRAY_') || name === 'OBJECTTOARRAY';
    assert.equal(found.run(isSetLike ? useless.map(() => true) : useless, context, []), undefined, name);
  }
});

test('the order of all values is total, and equal values are the same', () => {
  const json = fc.oneof(fc.constant(undefined), fc.jsonValue({ maxDepth: 2 })) as fc.Arbitrary<SqlValue>;
  fc.assert(
    fc.property(json, json, json, (a, b, c) => {
      assert.equal(Math.sign(compareValues(a, b)), -Math.sign(compareValues(b, a)) + 0);
      assert.equal(compareValues(a, a), 0);
      if (compareValues(a, b) <= 0 && compareValues(b, c) <= 0) assert.ok(compareValues(a, c) <= 0);
      assert.equal(compareValues(a, b) === 0, isSame(a, b));
      assert.equal(canonicalText(a) === canonicalText(b), isSame(a, b));
      if (equals(a, b) !== undefined) assert.equal(equals(a, b), isSame(a, b));
    }),
    { numRuns: 2_000 },
  );
});

test('strings are in the order of their UTF-8 bytes', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 4 });
  fc.assert(
    fc.property(text, text, (a, b) => {
      assert.equal(Math.sign(compareValues(a, b)), Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});
