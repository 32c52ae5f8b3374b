import { type CqlValue, decodeCqlValue, encodeCqlValue } from '../../../../values/cql-codec.ts';
import { compareCqlValues } from '../../../../values/cql-order.ts';
import { longBytes } from '../../../../values/cql-text.ts';
import type { CqlType } from '../../../../values/cql-type.ts';
import type { ScaledDecimal } from '../../../../values/java-number-text.ts';
import { add, divideToScale, subtract, zero } from './decimal-arithmetic.ts';
import { floatAverage, floatSum } from './float-aggregates.ts';
import { orFailure } from './function-failure.ts';
import { anyType, factoryOf } from './function-parameter.ts';
import { byteOf, intOf, type NumericKind, numberIn, numericKinds, shortOf } from './java-numbers.ts';
import { type Aggregate, type AggregateFunction, callName, type FunctionFactory } from './native-function.ts';

const bigint: CqlType = { kind: 'bigint' };

function aggregateFunction(
  name: string,
  argumentTypes: readonly CqlType[],
  returnType: CqlType,
  begin: () => Aggregate,
): AggregateFunction {
  return {
    kind: 'aggregate',
    name,
    argumentTypes,
    returnType,
    columnName: (names) => callName(name, names),
    begin() {
      const aggregate = begin();
      return {
        add: (values) => orFailure(name, argumentTypes, () => aggregate.add(values)),
        take: () => orFailure(name, argumentTypes, () => aggregate.take()),
      };
    },
  };
}

/** Counts calls, or values that are not null. */
function counting(counts: (values: readonly (Buffer | null)[]) => boolean): () => Aggregate {
  return () => {
    let count = 0n;
    return {
      add(values) {
        if (counts(values)) count += 1n;
      },
      take() {
        const total = longBytes(count);
        count = 0n;
        return total;
      },
    };
  };
}

function countRows(name: string): AggregateFunction {
  return {
    ...aggregateFunction(
      name,
      [],
      bigint,
      counting(() => true),
    ),
    columnName: () => 'count',
  };
}

/** A state that takes one value after the other; nulls, and what is empty, are passed over. */
function folding<State>(
  type: CqlType,
  start: () => State,
  step: (state: State, value: CqlValue) => State,
  result: (state: State) => CqlValue,
): () => Aggregate {
  return () => {
    let state = start();
    return {
      add([bytes = null]) {
        const value = decodeCqlValue(type, bytes);
        if (value !== null) state = step(state, value);
      },
      take() {
        const bytes = encodeCqlValue(type, result(state));
        state = start();
        return bytes;
      },
    };
  };
}

function decimalIn(value: CqlValue): ScaledDecimal {
  const number = numberIn(value);
  return typeof number === 'object' ? number : { unscaled: BigInt(number), scale: 0 };
}

/** Integers wrap around, as they do in Java. */
function wrapped(kind: NumericKind, sum: bigint): CqlValue {
  switch (kind) {
    case 'tinyint':
      return byteOf(sum);
    case 'smallint':
      return shortOf(sum);
    case 'int':
      return intOf(sum);
    case 'varint':
      return sum;
    default:
      return BigInt.asIntN(64, sum);
  }
}

function sum(kind: NumericKind): () => Aggregate {
  const type: CqlType = { kind };
  if (kind === 'float' || kind === 'double') return folding(type, floatSum, addFloat, resultOfFloats);
  if (kind === 'decimal') {
    return folding(
      type,
      () => zero,
      (total, value) => add(total, decimalIn(value)),
      (total) => total,
    );
  }
  return folding(
    type,
    () => 0n,
    (total, value) => total + BigInt(numberIn(value) as number | bigint),
    (total) => wrapped(kind, total),
  );
}

interface FloatState {
  add(value: number): void;
  result(): number;
}

function addFloat(state: FloatState, value: CqlValue): FloatState {
  state.add(Number(value));
  return state;
}

function resultOfFloats(state: FloatState): CqlValue {
  return state.result();
}

interface Average<Total> {
  readonly count: bigint;
  readonly total: Total;
}

function average(kind: NumericKind): () => Aggregate {
  const type: CqlType = { kind };
  if (kind === 'float' || kind === 'double') return folding(type, floatAverage, addFloat, resultOfFloats);
  if (kind === 'decimal') {
    return folding(
      type,
      () => ({ count: 0n, total: zero }),
      decimalStep,
      ({ total }) => total,
    );
  }
  return folding<Average<bigint>>(
    type,
    () => ({ count: 0n, total: 0n }),
    ({ count, total }, value) => ({
      count: count + 1n,
      total: total + BigInt(numberIn(value) as number | bigint),
    }),
    ({ count, total }) => wrapped(kind, count === 0n ? 0n : total / count),
  );
}

/** The mean so far moves by the difference's share, with as many digits as the difference has. */
function decimalStep({ count, total }: Average<ScaledDecimal>, value: CqlValue): Average<ScaledDecimal> {
  const difference = subtract(decimalIn(value), total);
  const divisor = { unscaled: count + 1n, scale: 0 };
  const share = divideToScale(difference, divisor, difference.scale, 'half-even');
  return { count: count + 1n, total: add(total, share) };
}

/** The smallest (-1) or largest (1) of all that are not null. */
export function extreme(type: CqlType, sign: -1 | 1): () => Aggregate {
  const compare = comparison(type);
  return () => {
    let best: Buffer | null = null;
    return {
      add([bytes = null]) {
        if (bytes === null) return;
        if (best === null || compare(bytes, best) * sign > 0) best = bytes;
      },
      take() {
        const result = best;
        best = null;
        return result;
      },
    };
  };
}

function comparison(type: CqlType): (left: Buffer, right: Buffer) => number {
  if (type.kind === 'duration') return Buffer.compare;
  const compared: CqlType = type.kind === 'counter' ? bigint : type;
  return (left, right) => compareCqlValues(compared, left, right);
}

export function sumOrAverage(name: 'sum' | 'avg', kind: NumericKind): () => Aggregate {
  return name === 'sum' ? sum(kind) : average(kind);
}

export const aggregateFunctions: readonly AggregateFunction[] = [
  countRows('count_rows'),
  countRows('countRows'),
  ...(['sum', 'avg'] as const).flatMap((name) =>
    numericKinds.map((kind) => aggregateFunction(name, [{ kind }], { kind }, sumOrAverage(name, kind))),
  ),
  aggregateFunction(
    'count',
    [{ kind: 'blob' }],
    bigint,
    counting(([bytes]) => bytes !== null),
  ),
];

function extremeFactory(name: 'min' | 'max'): FunctionFactory {
  return factoryOf(name, [anyType({ inferFromReceiver: true })], ([type = bigint]) =>
    aggregateFunction(name, [type], type, extreme(type, name === 'min' ? -1 : 1)),
  );
}

export const aggregateFactories: readonly FunctionFactory[] = [extremeFactory('max'), extremeFactory('min')];
