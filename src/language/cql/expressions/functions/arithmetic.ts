// What an operator comes to, by the type of its result: the same as in Java, overflow included. Failures are RangeErrors.

import type { CqlValue } from '../../../../values/cql-codec.ts';
import type { ScaledDecimal } from '../../../../values/java-number-text.ts';
import type { ArithmeticOperator } from '../../terms.ts';
import { add, divide, multiply, negate, remainder, subtract } from './decimal-arithmetic.ts';
import {
  bigIntegerOf,
  byteOf,
  decimalOfDouble,
  doubleOf,
  intOf,
  type JavaNumber,
  longOf,
  type NumericKind,
  shortOf,
} from './java-numbers.ts';

const sizes: Readonly<Record<NumericKind, number>> = {
  tinyint: 1,
  smallint: 2,
  int: 4,
  float: 4,
  bigint: 8,
  double: 8,
  counter: 8,
  varint: Number.POSITIVE_INFINITY,
  decimal: Number.POSITIVE_INFINITY,
};

const floating: ReadonlySet<NumericKind> = new Set<NumericKind>(['float', 'double', 'decimal']);

/** As large as the larger of the two, and floating if one of them is. */
export function resultKind(left: NumericKind, right: NumericKind): NumericKind {
  const size = Math.max(sizes[left], sizes[right]);
  if (floating.has(left) || floating.has(right)) {
    if (size <= 4) return 'float';
    return size === 8 ? 'double' : 'decimal';
  }
  if (size === 1) return 'tinyint';
  if (size === 2) return 'smallint';
  if (size === 4) return 'int';
  return size === 8 ? 'bigint' : 'varint';
}

function compute(
  operator: ArithmeticOperator,
  kind: NumericKind,
  left: JavaNumber,
  right: JavaNumber,
): Exclude<CqlValue, null> {
  switch (kind) {
    case 'tinyint':
      return byteOf(onIntegers(operator, byteOf(left), byteOf(right)));
    case 'smallint':
      return shortOf(onIntegers(operator, shortOf(left), shortOf(right)));
    case 'int':
      return onIntegers(operator, intOf(left), intOf(right)) | 0;
    case 'bigint':
    case 'counter':
      return BigInt.asIntN(64, onBigInts(operator, longOf(left), longOf(right), '/ by zero'));
    case 'varint':
      return onBigInts(operator, bigIntegerOf(left), bigIntegerOf(right), 'BigInteger divide by zero');
    case 'float':
      return Math.fround(onFloats(operator, Math.fround(doubleOf(left)), Math.fround(doubleOf(right))));
    case 'double':
      return onFloats(operator, doubleOf(left), doubleOf(right));
    case 'decimal':
      return onDecimals(operator, asDecimal(kind, left), asDecimal(kind, right));
  }
}

function onIntegers(operator: ArithmeticOperator, left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return Math.imul(left, right);
    case '/':
      if (right === 0) throw new RangeError('/ by zero');
      return Math.trunc(left / right);
    case '%':
      if (right === 0) throw new RangeError('/ by zero');
      return left % right;
  }
}

function onBigInts(operator: ArithmeticOperator, left: bigint, right: bigint, byZero: string): bigint {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      if (right === 0n) throw new RangeError(byZero);
      return left / right;
    case '%':
      if (right === 0n) throw new RangeError(byZero);
      return left % right;
  }
}

function onFloats(operator: ArithmeticOperator, left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    case '%':
      return left % right;
  }
}

const decimalOperations: Readonly<
  Record<ArithmeticOperator, (left: ScaledDecimal, right: ScaledDecimal) => ScaledDecimal>
> = { '+': add, '-': subtract, '*': multiply, '/': divide, '%': remainder };

function onDecimals(operator: ArithmeticOperator, left: ScaledDecimal, right: ScaledDecimal): ScaledDecimal {
  return decimalOperations[operator](left, right);
}

/** Longs go through double here, and lose what that cannot hold; only varints are taken as they are. */
function asDecimal(kind: NumericKind, value: JavaNumber): ScaledDecimal {
  if (typeof value === 'object') return value;
  return kind === 'varint' ? { unscaled: BigInt(value), scale: 0 } : decimalOfDouble(Number(value));
}

/** The values are of these types; the result is of `resultKind`. */
export function calculate(
  operator: ArithmeticOperator,
  [leftKind, rightKind]: readonly [NumericKind, NumericKind],
  left: JavaNumber,
  right: JavaNumber,
): Exclude<CqlValue, null> {
  const kind = resultKind(leftKind, rightKind);
  if (kind !== 'decimal') return compute(operator, kind, left, right);
  return onDecimals(operator, asDecimal(leftKind, left), asDecimal(rightKind, right));
}

export function negated(kind: NumericKind, value: JavaNumber): Exclude<CqlValue, null> {
  if (typeof value === 'object') return negate(value);
  // Minus zero for floats, so that the negation of 0 is -0.
  return compute('-', kind, typeof value === 'bigint' ? 0n : -0, value);
}
