import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { printDecimal, readDecimal, type ScaledDecimal } from '../../../../values/java-number-text.ts';
import { add, divide, multiply, remainder, subtract, truncate, withScale } from './decimal-arithmetic.ts';

const decimals = fc
  .tuple(fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }), fc.integer({ min: -20, max: 30 }))
  .map(([unscaled, scale]): ScaledDecimal => ({ unscaled, scale }));
const divisors = decimals.filter(({ unscaled }) => unscaled !== 0n);

function isSame(left: ScaledDecimal, right: ScaledDecimal): boolean {
  return subtract(left, right).unscaled === 0n;
}

test('what was added can be taken away again', () => {
  fc.assert(
    fc.property(decimals, decimals, (left, right) => isSame(subtract(add(left, right), right), left)),
  );
});

test('a product divided by one factor is the other, to 32 digits', () => {
  fc.assert(
    fc.property(divisors, divisors, (left, right) => {
      const difference = subtract(divide(multiply(left, right), right), left);
      assert.equal(withScale(difference, Math.max(left.scale, 30) - 1, 'down').unscaled, 0n);
    }),
  );
});

test('a remainder is smaller than the divisor, has the sign of the dividend, and differs from it by a multiple', () => {
  fc.assert(
    fc.property(decimals, divisors, (dividend, divisor) => {
      const rest = remainder(dividend, divisor);
      assert.ok(rest.unscaled === 0n || rest.unscaled < 0n === dividend.unscaled < 0n);
      const quotient = divide(subtract(dividend, rest), divisor);
      assert.ok(isSame(quotient, { unscaled: truncate(quotient), scale: 0 }));
    }),
  );
});

test('a tie is rounded away from zero, to the even digit, or not at all', () => {
  const cases: readonly (readonly [string, 'half-up' | 'half-even' | 'down', string])[] = [
    ['2.5', 'half-up', '3'],
    ['-2.5', 'half-up', '-3'],
    ['2.5', 'half-even', '2'],
    ['3.5', 'half-even', '4'],
    ['-2.5', 'half-even', '-2'],
    ['2.9', 'down', '2'],
    ['-2.9', 'down', '-2'],
    ['0.0004', 'half-up', '0'],
  ];
  for (const [text, rounding, rounded] of cases) {
    const value = readDecimal(text);
    assert.ok(value !== undefined);
    assert.equal(printDecimal(withScale(value, 0, rounding)), rounded, `${text} ${rounding}`);
  }
});
