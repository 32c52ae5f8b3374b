// Java's BigDecimal, as far as CQL computes with it. Failures are RangeErrors with Java's text: whoever called says what failed.

import type { ScaledDecimal } from '../../../../values/java-number-text.ts';

/** Digits that a sum or product keeps (DecimalType.MAX_PRECISION). */
const maxPrecision = 10_000;

// Ours: Java would go on until its memory ends.
const mostZeros = 100_000;

export const zero: ScaledDecimal = { unscaled: 0n, scale: 0 };

export type Rounding = 'half-up' | 'half-even' | 'down';

export function powerOfTen(exponent: number): bigint {
  if (exponent > mostZeros) throw new RangeError('BigInteger would overflow supported range');
  return 10n ** BigInt(exponent);
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

export function precisionOf({ unscaled }: ScaledDecimal): number {
  return String(magnitude(unscaled)).length;
}

function checkedScale(scale: number): number {
  if (scale !== (scale | 0)) throw new RangeError(scale > 0 ? 'Underflow' : 'Overflow');
  return scale;
}

/** The quotient of two integers, rounded. */
function divideRounded(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  const quotient = dividend / divisor;
  const rest = magnitude(dividend % divisor) * 2n;
  if (rounding === 'down') return quotient;
  const limit = magnitude(divisor);
  const isUp = rest > limit || (rest === limit && (rounding === 'half-up' || quotient % 2n !== 0n));
  if (!isUp) return quotient;
  return dividend < 0n === divisor < 0n ? quotient + 1n : quotient - 1n;
}

export function withScale(value: ScaledDecimal, scale: number, rounding: Rounding): ScaledDecimal {
  const zeros = scale - value.scale;
  if (value.unscaled === 0n) return { unscaled: 0n, scale };
  if (zeros >= 0) return { unscaled: value.unscaled * powerOfTen(zeros), scale };
  if (-zeros > precisionOf(value)) return { unscaled: 0n, scale };
  return { unscaled: divideRounded(value.unscaled, powerOfTen(-zeros), rounding), scale };
}

/** To so many digits, if it has more. */
export function withPrecision(value: ScaledDecimal, precision: number, rounding: Rounding): ScaledDecimal {
  const excess = precisionOf(value) - precision;
  if (excess <= 0) return value;
  const rounded = withScale(value, checkedScale(value.scale - excess), rounding);
  return precisionOf(rounded) > precision ? withPrecision(rounded, precision, rounding) : rounded;
}

export function add(left: ScaledDecimal, right: ScaledDecimal): ScaledDecimal {
  const scale = Math.max(left.scale, right.scale);
  const [wider, narrower] = left.scale < right.scale ? [left, right] : [right, left];
  // So far apart that the smaller is beyond the last digit kept.
  const distance = precisionOf(wider) - wider.scale - (precisionOf(narrower) - narrower.scale);
  if (distance > maxPrecision && wider.unscaled !== 0n && narrower.unscaled !== 0n) {
    return withScale(wider, wider.scale + maxPrecision - precisionOf(wider), 'half-up');
  }
  if (wider.unscaled === 0n && narrower.unscaled === 0n) return { unscaled: 0n, scale };
  const [first, second] = [withScale(left, scale, 'down'), withScale(right, scale, 'down')];
  return withPrecision({ unscaled: first.unscaled + second.unscaled, scale }, maxPrecision, 'half-up');
}

export function negate({ unscaled, scale }: ScaledDecimal): ScaledDecimal {
  return { unscaled: -unscaled, scale };
}

export function absolute({ unscaled, scale }: ScaledDecimal): ScaledDecimal {
  return { unscaled: magnitude(unscaled), scale };
}

export function subtract(left: ScaledDecimal, right: ScaledDecimal): ScaledDecimal {
  return add(left, negate(right));
}

export function multiply(left: ScaledDecimal, right: ScaledDecimal): ScaledDecimal {
  const scale = checkedScale(left.scale + right.scale);
  return withPrecision({ unscaled: left.unscaled * right.unscaled, scale }, maxPrecision, 'half-up');
}

export function divideToScale(
  dividend: ScaledDecimal,
  divisor: ScaledDecimal,
  scale: number,
  rounding: Rounding,
): ScaledDecimal {
  if (divisor.unscaled === 0n) throw new RangeError('BigInteger divide by zero');
  const zeros = scale + divisor.scale - dividend.scale;
  const [top, bottom] =
    zeros >= 0
      ? [dividend.unscaled * powerOfTen(zeros), divisor.unscaled]
      : [dividend.unscaled, divisor.unscaled * powerOfTen(-zeros)];
  return { unscaled: divideRounded(top, bottom, rounding), scale };
}

const minScale = 32;
const maxScale = 1000;

/** At least 32 digits that count, at most 1,000 after the point (DecimalType.divide). */
export function divide(dividend: ScaledDecimal, divisor: ScaledDecimal): ScaledDecimal {
  const firstDigit = precisionOf(dividend) - dividend.scale - (precisionOf(divisor) - divisor.scale);
  const wanted = Math.max(minScale - firstDigit, dividend.scale, divisor.scale, minScale);
  return withoutTrailingZeros(divideToScale(dividend, divisor, Math.min(wanted, maxScale), 'half-up'));
}

function withoutTrailingZeros(value: ScaledDecimal, smallestScale: number = -(2 ** 31)): ScaledDecimal {
  if (value.unscaled === 0n) return zero;
  const digits = String(value.unscaled);
  let end = digits.length;
  while (digits[end - 1] === '0' && value.scale - (digits.length - end) > smallestScale) end--;
  return { unscaled: BigInt(digits.slice(0, end)), scale: value.scale - (digits.length - end) };
}

/** What is left of the dividend, whose sign it has; with the scale that Java's way of finding it leads to. */
export function remainder(dividend: ScaledDecimal, divisor: ScaledDecimal): ScaledDecimal {
  if (divisor.unscaled === 0n) {
    throw new RangeError(dividend.unscaled === 0n ? 'Division undefined' : 'Division by zero');
  }
  const quotient = divideToScale(dividend, divisor, 0, 'down');
  const preferred = dividend.scale - divisor.scale;
  let scale = Math.max(preferred, 0);
  if (preferred < 0 && quotient.unscaled !== 0n) scale = withoutTrailingZeros(quotient, preferred).scale;
  const exact = subtract(dividend, multiply(quotient, divisor));
  const wanted = quotient.unscaled === 0n ? dividend.scale : Math.max(dividend.scale, scale + divisor.scale);
  return withScale(exact, wanted, 'down');
}

/** Without what stands after the point. */
export function truncate(value: ScaledDecimal): bigint {
  return withScale(value, 0, 'down').unscaled;
}
