import { decodeCqlValue } from '../../../../values/cql-codec.ts';
import { printCqlText } from '../../../../values/cql-text.ts';
import type { CqlType, NativeKind } from '../../../../values/cql-type.ts';
import { printFloat, readDecimal } from '../../../../values/java-number-text.ts';
import {
  byteOf,
  decimalOfDouble,
  doubleOf,
  intOf,
  type JavaNumber,
  longOf,
  type NumericKind,
  numberIn,
  numericKinds,
  shortOf,
} from './java-numbers.ts';
import { bytesFunction, type ScalarFunction, valueFunction } from './native-function.ts';
import { bytesOf, timeIn } from './times.ts';

type Output = Exclude<NumericKind, 'counter'>;

const outputs: readonly Output[] = [
  'tinyint',
  'smallint',
  'int',
  'bigint',
  'float',
  'double',
  'decimal',
  'varint',
];

function converted(value: JavaNumber, from: NumericKind, to: Output): JavaNumber {
  switch (to) {
    case 'tinyint':
      return byteOf(value);
    case 'smallint':
      return shortOf(value);
    case 'int':
      return intOf(value);
    case 'bigint':
    // A varint too is cut to a long on its way.
    case 'varint':
      return longOf(value);
    case 'float':
      return Math.fround(doubleOf(value));
    case 'double':
      return doubleOf(value);
    case 'decimal':
      return toDecimal(value, from);
  }
}

function toDecimal(value: JavaNumber, from: NumericKind): JavaNumber {
  if (typeof value === 'object') return value;
  if (typeof value === 'bigint') return { unscaled: value, scale: 0 };
  if (from === 'double') return decimalOfDouble(value);
  if (from === 'float') return readDecimal(printFloat(value)) ?? decimalOfDouble(value);
  return { unscaled: BigInt(value), scale: 0 };
}

/** Under its name and under its older one, which has capitals and so must be quoted. */
function bothNames(to: NativeKind, make: (name: string) => ScalarFunction): ScalarFunction[] {
  const capitalized = to.charAt(0).toUpperCase() + to.slice(1);
  return [`cast_as_${to}`, `castAs${capitalized}`].map((name) => ({
    ...make(name),
    columnName: ([inner]) => `cast(${inner} as ${to})`,
  }));
}

function numberCasts(from: NumericKind): ScalarFunction[] {
  return outputs
    .filter((to) => to !== from)
    .flatMap((to) =>
      bothNames(to, (name) =>
        valueFunction(name, [{ kind: from }], { kind: to }, (value) => converted(numberIn(value), from, to)),
      ),
    );
}

/** Empty values are none, where being empty says nothing. */
function textCasts(from: NativeKind): ScalarFunction[] {
  // A counter prints as the number it is.
  const printed: CqlType = { kind: from === 'counter' ? 'bigint' : from };
  return (['ascii', 'text'] as const).flatMap((to) =>
    bothNames(to, (name) =>
      bytesFunction(name, [{ kind: from }], { kind: to }, ([bytes]) =>
        bytes && decodeCqlValue(printed, bytes) !== null ? Buffer.from(printCqlText(printed, bytes)) : null,
      ),
    ),
  );
}

function timeCast(from: 'timestamp' | 'date' | 'timeuuid', to: 'timestamp' | 'date'): ScalarFunction[] {
  return bothNames(to, (name) =>
    bytesFunction(name, [{ kind: from }], { kind: to }, ([bytes]) =>
      bytes && bytes.length > 0 ? bytesOf(to, timeIn(from, bytes)) : null,
    ),
  );
}

const printedKinds: readonly NativeKind[] = [
  'inet',
  'boolean',
  'timeuuid',
  'timestamp',
  'date',
  'time',
  'uuid',
];

export const castFunctions: readonly ScalarFunction[] = [
  ...numericKinds.flatMap((kind) => [...numberCasts(kind), ...textCasts(kind)]),
  ...bothNames('text', (name) =>
    bytesFunction(name, [{ kind: 'ascii' }], { kind: 'text' }, ([bytes]) => bytes ?? null),
  ),
  ...printedKinds.flatMap(textCasts),
  ...timeCast('timeuuid', 'date'),
  ...timeCast('timeuuid', 'timestamp'),
  ...timeCast('timestamp', 'date'),
  ...timeCast('date', 'timestamp'),
];
