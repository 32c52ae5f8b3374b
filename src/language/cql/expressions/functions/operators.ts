import type { CqlValue } from '../../../../values/cql-codec.ts';
import { type CqlDuration, printDuration } from '../../../../values/cql-duration.ts';
import { type CqlType, printCqlType } from '../../../../values/cql-type.ts';
import { invalidValue, reasonOf } from '../../../../values/invalid-value.ts';
import type { ArithmeticOperator } from '../../terms.ts';
import { calculate, negated, resultKind } from './arithmetic.ts';
import { dayOf, plusDuration, startOfDay } from './durations.ts';
import { functionFailure } from './function-failure.ts';
import { longOf, type NumericKind, numberIn, numericKinds } from './java-numbers.ts';
import { type ScalarFunction, valueFunction } from './native-function.ts';
import { operatorNames } from './operator-names.ts';

const operators: readonly ArithmeticOperator[] = ['+', '-', '*', '/', '%'];

type Value = Exclude<CqlValue, null>;

function operation(
  operator: ArithmeticOperator,
  types: readonly [CqlType, CqlType],
  returnType: CqlType,
  execute: (left: Value, right: Value) => CqlValue,
): ScalarFunction {
  const name = operatorNames[operator];
  const [leftType, rightType] = types.map(printCqlType);
  return {
    ...valueFunction(name, types, returnType, (left, right) => {
      try {
        return execute(left, right);
      } catch (error) {
        const reason = error instanceof RangeError ? error.message : reasonOf(error);
        const what = `the operation '${leftType} ${operator} ${rightType}' failed: ${reason}`;
        throw functionFailure(name, types, what);
      }
    }),
    columnName: ([left, right]) => `${left} ${operator} ${right}`,
  };
}

function numericOperations(left: NumericKind, right: NumericKind): ScalarFunction[] {
  const kinds = [left, right] as const;
  return operators.map((operator) =>
    operation(operator, [{ kind: left }, { kind: right }], { kind: resultKind(left, right) }, (one, other) =>
      calculate(operator, kinds, numberIn(one), numberIn(other)),
    ),
  );
}

function negation(kind: NumericKind): ScalarFunction {
  return {
    ...valueFunction('_negate', [{ kind }], { kind }, (value) => negated(kind, numberIn(value))),
    columnName: ([name]) => `-${name}`,
  };
}

function durationIn(value: Value): CqlDuration {
  if (typeof value === 'object' && 'months' in value) return value;
  throw new Error('invariant broken: a duration has months');
}

function onTimestamps(operator: '+' | '-', sign: 1 | -1): ScalarFunction {
  const type: CqlType = { kind: 'timestamp' };
  return operation(operator, [type, { kind: 'duration' }], type, (left, right) => {
    const duration = durationIn(right);
    if (duration.nanoseconds % 1_000_000n !== 0n) {
      throw invalidValue(`The duration must have a millisecond precision. Was: ${printDuration(duration)}`);
    }
    return BigInt.asIntN(64, plusDuration(longOf(numberIn(left)), duration, sign));
  });
}

function onDates(operator: '+' | '-', sign: 1 | -1): ScalarFunction {
  const type: CqlType = { kind: 'date' };
  return operation(operator, [type, { kind: 'duration' }], type, (left, right) => {
    const duration = durationIn(right);
    if (duration.nanoseconds !== 0n) {
      throw invalidValue(`The duration must have a day precision. Was: ${printDuration(duration)}`);
    }
    return dayOf(plusDuration(startOfDay(Number(left)), duration, sign));
  });
}

function concatenation(left: 'text' | 'ascii', right: 'text' | 'ascii'): ScalarFunction {
  const kind = left === 'ascii' && right === 'ascii' ? 'ascii' : 'text';
  return operation('+', [{ kind: left }, { kind: right }], { kind }, (one, other) => `${one}${other}`);
}

export const operatorFunctions: readonly ScalarFunction[] = [
  ...numericKinds.flatMap((left) => [
    ...numericKinds.flatMap((right) => numericOperations(left, right)),
    negation(left),
  ]),
  onTimestamps('+', 1),
  onDates('+', 1),
  onTimestamps('-', -1),
  onDates('-', -1),
  concatenation('text', 'text'),
  concatenation('ascii', 'ascii'),
  concatenation('ascii', 'text'),
  concatenation('text', 'ascii'),
];
