// Java's conversions between numbers: integers lose their high bits, floats stop at the largest integer, NaN becomes 0.

import { assert } from '../../../../foundation/assert.ts';
import type { CqlValue } from '../../../../values/cql-codec.ts';
import type { CqlType } from '../../../../values/cql-type.ts';
import {
  printDecimal,
  printDouble,
  readDecimal,
  type ScaledDecimal,
} from '../../../../values/java-number-text.ts';
import { truncate } from './decimal-arithmetic.ts';

export const numericKinds = [
  'tinyint',
  'smallint',
  'int',
  'bigint',
  'float',
  'double',
  'decimal',
  'varint',
  'counter',
] as const;

export type NumericKind = (typeof numericKinds)[number];

/** As the codecs decode it: which of the three follows from its type. */
export type JavaNumber = number | bigint | ScaledDecimal;

export function isNumericKind(kind: CqlType['kind']): kind is NumericKind {
  return (numericKinds as readonly string[]).includes(kind);
}

export function numberIn(value: CqlValue): JavaNumber {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  assert(typeof value === 'object' && value !== null && 'unscaled' in value, 'a number is a number');
  return value;
}

export function longOf(value: JavaNumber): bigint {
  if (typeof value === 'bigint') return BigInt.asIntN(64, value);
  if (typeof value === 'object') return BigInt.asIntN(64, truncate(value));
  if (Number.isNaN(value)) return 0n;
  if (value >= 2 ** 63) return 2n ** 63n - 1n;
  if (value <= -(2 ** 63)) return -(2n ** 63n);
  return BigInt(Math.trunc(value));
}

export function intOf(value: JavaNumber): number {
  if (typeof value === 'number') return saturated(value);
  return Number(BigInt.asIntN(32, longOf(value)));
}

function saturated(value: number): number {
  if (Number.isNaN(value)) return 0;
  return Math.trunc(Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, value))) | 0;
}

export function shortOf(value: JavaNumber): number {
  return (intOf(value) << 16) >> 16;
}

export function byteOf(value: JavaNumber): number {
  return (intOf(value) << 24) >> 24;
}

export function doubleOf(value: JavaNumber): number {
  return typeof value === 'object' ? Number(printDecimal(value)) : Number(value);
}

/** BigInteger stays what it is, all else becomes a long first. */
export function bigIntegerOf(value: JavaNumber): bigint {
  return typeof value === 'bigint' ? value : longOf(value);
}

/** BigDecimal.valueOf(double), which keeps the digits that Double.toString shows: 5 becomes 5.0. */
export function decimalOfDouble(value: number): ScaledDecimal {
  if (Number.isNaN(value)) throw new RangeError('A NaN cannot be converted into a decimal');
  const decimal = readDecimal(printDouble(value));
  if (decimal === undefined) throw new RangeError('An infinite number cannot be converted into a decimal');
  return decimal;
}
