import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ByteString } from '../foundation/byte-string.ts';
import {
  descendingValue,
  firstIndexValue,
  indexRangeOfPrefix,
  indexValueOf,
  isCutValue,
  LARGEST_INDEX_VALUE,
  LONGEST_WHOLE_TEXT,
  writeIndexValue,
} from './index-value.ts';

type Scalar = undefined | null | boolean | number | string;

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.string({
    unit: fc.constantFrom('a', '\0', '\xff', '\u{1f600}', '\ud800', '\udc00', '\uffff'),
    maxLength: 8,
  }),
  fc
    .tuple(fc.nat(4), fc.string({ unit: fc.constantFrom('a', '\0', 'ä'), maxLength: 8 }))
    .map(([more, end]) => 'x'.repeat(250 + more) + end),
);
const scalar: fc.Arbitrary<Scalar> = fc.oneof(
  fc.constantFrom(undefined, null, false, true, -0, 0, Number.MAX_VALUE, -Number.MIN_VALUE),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  text,
);

const rank = (value: Scalar): number =>
  value === undefined
    ? 0
    : value === null
      ? 1
      : typeof value === 'boolean'
        ? 2 + Number(value)
        : typeof value === 'number'
          ? 4
          : 5;

/** Code units, those of halves of letters above all others: the order of code points. */
function compareText(a: string, b: string): number {
  const place = (unit: number): number =>
    unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit;
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const difference = place(a.charCodeAt(at)) - place(b.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function compare(a: Scalar, b: Scalar): number {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return rank(a) - rank(b);
}

test('bytes sort as values do, and equal values have equal bytes', () => {
  fc.assert(
    fc.property(scalar, scalar, (a, b) => {
      const [left, right] = [indexValueOf(a), indexValueOf(b)];
      const order = compare(a, b);
      if (order === 0) assert.equal(left, right);
      else if (left === right) assert(isCutValue(left), 'only what is cut can be mistaken');
      else assert.equal(left < right, order < 0);
    }),
    { numRuns: 3_000 },
  );
});

test('a value is written in place as it is given out, and nothing behind it', () => {
  fc.assert(
    fc.property(fc.oneof(scalar, fc.constantFrom([], {})), fc.nat(5), (value, at) => {
      const bytes = Buffer.alloc(at + LARGEST_INDEX_VALUE, '#');
      const end = writeIndexValue(value, bytes, at);
      assert.equal(bytes.toString('latin1', at, end), indexValueOf(value));
      assert(end <= bytes.length && bytes.subarray(0, at).every((byte) => byte === 0x23));
    }),
    { numRuns: 3_000 },
  );
});

test('a short text is whole, whatever its letters are', () => {
  for (const letter of ['a', '\0', '\u{1f600}', '\ud800', '\udc00', '\uffff']) {
    const text = letter.repeat(LONGEST_WHOLE_TEXT).slice(0, LONGEST_WHOLE_TEXT);
    assert(!isCutValue(indexValueOf(text)), JSON.stringify(letter));
  }
});

test('no value is the beginning of another, so what follows does not matter', () => {
  fc.assert(
    fc.property(scalar, scalar, scalar, scalar, (a, b, behindA, behindB) => {
      const [left, right] = [indexValueOf(a), indexValueOf(b)];
      if (left === right) return;
      assert(!left.startsWith(right) && !right.startsWith(left));
      const [long, other] = [left + indexValueOf(behindA), right + indexValueOf(behindB)];
      assert.equal(long < other, left < right);
      assert.equal(firstIndexValue(long as ByteString), left);
      assert.equal(descendingValue(left) < descendingValue(right), left > right);
    }),
    { numRuns: 2_000 },
  );
});

test('a value has no more than 258 bytes, and what has fewer is whole', () => {
  assert.equal(indexValueOf('x'.repeat(255)).length, 258);
  assert(!isCutValue(indexValueOf('x'.repeat(255))));
  assert.equal(indexValueOf('x'.repeat(100_000)).length, 258);
  assert(isCutValue(indexValueOf('x'.repeat(256))));
  assert(isCutValue(indexValueOf([])) && isCutValue(indexValueOf({})));
  assert(indexValueOf('~') < indexValueOf([]) && indexValueOf([]) < indexValueOf({}));
});

test('every text with a beginning lies in the range of that beginning, and no other short one', () => {
  fc.assert(
    fc.property(text, text, (beginning, other) => {
      const { from, to } = indexRangeOfPrefix(beginning);
      const whole = indexValueOf(beginning + other);
      // Halves that become a letter when they meet are no beginning of it.
      if (/[\ud800-\udbff]$/.test(beginning) && /^[\udc00-\udfff]/.test(other)) return;
      assert(whole >= from && whole < to);
      const value = indexValueOf(other);
      if (!isCutValue(indexValueOf(beginning)) && !isCutValue(value) && !other.startsWith(beginning))
        assert(value < from || value >= to);
    }),
    { numRuns: 2_000 },
  );
});

test('integers beyond 2^53 are the doubles they are compared as', () => {
  assert.equal(indexValueOf(9007199254740993n), indexValueOf(9007199254740992));
});
