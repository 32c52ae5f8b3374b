import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { priceInRu } from './price.ts';
import { priceOfSize, steppedCurve, straightCurve } from './size-curve.ts';

const straight = straightCurve([1, 1], [2, 3], [4, 4]);
const stepped = steppedCurve([1, 1], [2, 2], [4, 4]);

function prices(curve: typeof straight, kilobytes: readonly number[]): number[] {
  return kilobytes.map((kb) => priceOfSize(curve, kb * 1024) / priceInRu(1));
}

test('a straight curve passes through its knots, is level before the first and goes on after the last', () => {
  assert.deepEqual(prices(straight, [0, 0.5, 1, 1.5, 2, 3, 4, 6]), [1, 1, 1, 2, 3, 3.5, 4, 5]);
});

test('a stepped curve takes the next knot up to its size, and the last one after it', () => {
  assert.deepEqual(prices(stepped, [0, 1, 1.001, 2, 2.001, 4, 9]), [1, 1, 2, 2, 4, 4, 4]);
});

test('on a rising curve more bytes never cost less', () => {
  const size = fc.integer({ min: 0, max: 8 * 1024 });
  fc.assert(
    fc.property(size, size, (one, other) => {
      const [less, more] = [Math.min(one, other), Math.max(one, other)];
      for (const curve of [straight, stepped])
        assert.ok(priceOfSize(curve, less) <= priceOfSize(curve, more));
    }),
  );
});

test('a size that is no number has no price', () => {
  assert.throws(() => priceOfSize(straight, Number.NaN), /covers every size/);
});
