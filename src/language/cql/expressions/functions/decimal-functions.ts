// exp and log of decimals, to as many digits as they have, 32 at least. Computed in integers scaled by a power of ten, with digits to
// spare, and rounded at the end.

import { printDecimal, type ScaledDecimal } from '../../../../values/java-number-text.ts';
import { powerOfTen, precisionOf, withPrecision, withScale } from './decimal-arithmetic.ts';

const fewestDigits = 32;
const spareDigits = 12;
// Ours, where Cassandra goes to 10,000: a logarithm of 400 digits takes some 10 ms, and ten times as many digits take seconds.
const mostDigits = 400;

// What a scale of 32 bits can say, less the digits.
const largestExponent = 2 ** 31 - 2 * mostDigits;

function digitsFor(value: ScaledDecimal): number {
  return Math.min(Math.max(fewestDigits, precisionOf(value)), mostDigits);
}

/** Close to one, the logarithm is as small as the digits after the one say. */
function placesFor(value: ScaledDecimal, digits: number): number {
  return digits + spareDigits + Math.min(precisionOf(value), 2 * mostDigits);
}

export function exponential(value: ScaledDecimal): ScaledDecimal {
  if (value.unscaled === 0n) return { unscaled: 1n, scale: 0 };
  const digits = digitsFor(value);
  // e^x = 10^k · e^r, so that the series is of a small number.
  const tens = Math.round(Number(printDecimal(value)) / Math.LN10);
  if (!(Math.abs(tens) < largestExponent)) throw new RangeError('Overflow');
  const places = digits + spareDigits + String(Math.abs(tens)).length;
  const one = powerOfTen(places);
  const rest = withScale(value, places, 'half-even').unscaled - BigInt(tens) * lnTen(places);
  let term = one;
  let sum = one;
  for (let at = 1n; term !== 0n; at++) {
    term = (term * rest) / (one * at);
    sum += term;
  }
  return withPrecision({ unscaled: sum, scale: places - tens }, digits, 'half-even');
}

export function logarithm(value: ScaledDecimal): ScaledDecimal {
  if (value.unscaled <= 0n) throw new RangeError('Natural log of number zero or less');
  if (isOne(value)) return { unscaled: 0n, scale: 0 };
  const digits = digitsFor(value);
  const places = placesFor(value, digits);
  return withPrecision({ unscaled: scaledLog(value, places), scale: places }, digits, 'half-even');
}

export function logarithm10(value: ScaledDecimal): ScaledDecimal {
  if (value.unscaled <= 0n) throw new RangeError('Log10 of number zero or less');
  if (/^10*$/.test(String(value.unscaled))) {
    return { unscaled: BigInt(precisionOf(value) - 1 - value.scale), scale: 0 };
  }
  const digits = digitsFor(value);
  const places = placesFor(value, digits);
  const unscaled = (scaledLog(value, places) * powerOfTen(places)) / lnTen(places);
  return withPrecision({ unscaled, scale: places }, digits, 'half-even');
}

function isOne({ unscaled, scale }: ScaledDecimal): boolean {
  return scale >= 0 && scale < mostDigits && unscaled === powerOfTen(scale);
}

/** ln(m · 10^k) = ln m + k · ln 10, m from 0.1 to 1. */
function scaledLog(value: ScaledDecimal, places: number): bigint {
  const precision = precisionOf(value);
  const mantissa = withScale({ unscaled: value.unscaled, scale: precision }, places, 'half-even').unscaled;
  return lnOf(mantissa, places) + BigInt(precision - value.scale) * lnTen(places);
}

/** ln x = 2 · artanh((x - 1) / (x + 1)); roots are taken first, so that the series is short. */
function lnOf(scaled: bigint, places: number): bigint {
  const one = powerOfTen(places);
  let root = scaled;
  const roots = 8;
  for (let at = 0; at < roots; at++) root = squareRoot(root * one);
  const quotient = ((root - one) * one) / (root + one);
  const square = (quotient * quotient) / one;
  let power = quotient;
  let sum = 0n;
  for (let at = 1n; power !== 0n; at += 2n) {
    sum += power / at;
    power = (power * square) / one;
  }
  return sum * 2n * 2n ** BigInt(roots);
}

function lnTen(places: number): bigint {
  const wider = places + 8;
  return lnOf(powerOfTen(wider) * 10n, wider) / powerOfTen(8);
}

function squareRoot(value: bigint): bigint {
  if (value === 0n) return 0n;
  let guess = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (guess + value / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}
