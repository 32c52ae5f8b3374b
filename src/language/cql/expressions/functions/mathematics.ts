import type { CqlValue } from '../../../../values/cql-codec.ts';
import type { CqlType } from '../../../../values/cql-type.ts';
import type { ScaledDecimal } from '../../../../values/java-number-text.ts';
import { absolute, truncate, withScale } from './decimal-arithmetic.ts';
import { exponential, logarithm, logarithm10 } from './decimal-functions.ts';
import {
  byteOf,
  intOf,
  type JavaNumber,
  longOf,
  type NumericKind,
  numberIn,
  numericKinds,
  shortOf,
} from './java-numbers.ts';
import { type ScalarFunction, valueFunction } from './native-function.ts';

type Value = Exclude<CqlValue, null>;

/** How a function works on floating point, and on decimals, which varints become on their way. */
interface Mathematics {
  readonly onDouble: (value: number) => number;
  readonly onDecimal: (value: ScaledDecimal) => ScaledDecimal;
}

const viaDouble: Readonly<Record<'exp' | 'log' | 'log10', Mathematics>> = {
  exp: { onDouble: Math.exp, onDecimal: exponential },
  log: { onDouble: Math.log, onDecimal: logarithm },
  log10: { onDouble: Math.log10, onDecimal: logarithm10 },
};

function computed({ onDouble, onDecimal }: Mathematics, kind: NumericKind, value: JavaNumber): Value {
  if (typeof value === 'object') return onDecimal(value);
  if (kind === 'varint') return truncate(onDecimal({ unscaled: BigInt(value), scale: 0 }));
  return narrowed(kind, onDouble(Number(value)));
}

/** A double as the type it came from, by a cast of Java's. */
function narrowed(kind: NumericKind, value: number): Value {
  switch (kind) {
    case 'tinyint':
      return byteOf(value);
    case 'smallint':
      return shortOf(value);
    case 'int':
      return intOf(value);
    case 'bigint':
    case 'counter':
      return longOf(value);
    case 'float':
      return Math.fround(value);
    default:
      return value;
  }
}

/** The smallest integer has no positive twin, and stays as it is. */
function absoluteOf(kind: NumericKind, value: JavaNumber): Value {
  if (typeof value === 'object') return absolute(value);
  if (typeof value === 'bigint') {
    const magnitude = value < 0n ? -value : value;
    return kind === 'varint' ? magnitude : BigInt.asIntN(64, magnitude);
  }
  return kind === 'float' || kind === 'double' ? Math.abs(value) : narrowed(kind, Math.abs(value | 0) | 0);
}

/** Half up; a float becomes an int on its way, a double a long. */
function rounded(kind: NumericKind, value: JavaNumber): Value {
  if (typeof value === 'object') return withScale(value, 0, 'half-up');
  if (kind === 'float') return intOf(Math.floor(Number(value) + 0.5));
  if (kind === 'double') return Number(longOf(Math.floor(Number(value) + 0.5)));
  return value;
}

function mathFunction(
  name: string,
  kind: NumericKind,
  compute: (kind: NumericKind, value: JavaNumber) => Value,
): ScalarFunction {
  const type: CqlType = { kind };
  return valueFunction(name, [type], type, (value) => compute(kind, numberIn(value)));
}

export const mathFunctions: readonly ScalarFunction[] = numericKinds.flatMap((kind) => [
  mathFunction('abs', kind, absoluteOf),
  ...(['exp', 'log', 'log10'] as const).map((name) =>
    mathFunction(name, kind, (each, value) => computed(viaDouble[name], each, value)),
  ),
  mathFunction('round', kind, rounded),
]);
