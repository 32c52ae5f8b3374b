import { lenient, type SqlFunction, type SqlFunctions } from '../sql-function.ts';
import { asNumber, isArray, isObject, isPrimitive, type SqlValue } from '../sql-value.ts';
import { ticksOf } from './date-text.ts';

const isBoolean = when((value) => typeof value === 'boolean');

/** Questions about a value: what is not there is an answer, not undefined. */
export const typeCheckFunctions: SqlFunctions = {
  IS_ARRAY: when(isArray),
  IS_BOOL: isBoolean,
  // No page has it; Java and .NET go on with a sorted query by it.
  IS_BOOLEAN: isBoolean,
  IS_DATETIME: when((value) => typeof value === 'string' && ticksOf(value) !== undefined),
  IS_DEFINED: when((value) => value !== undefined),
  IS_FINITE_NUMBER: when((value) => Number.isFinite(value)),
  IS_INTEGER: when((value) => Number.isInteger(value) && Math.abs(Number(value)) <= 2 ** 63),
  IS_NULL: when((value) => value === null),
  IS_NUMBER: when((value) => typeof value === 'number'),
  IS_OBJECT: when(isObject),
  IS_PRIMITIVE: when(isPrimitive),
  IS_STRING: when((value) => typeof value === 'string'),
};

function when(holds: (value: SqlValue) => boolean): SqlFunction {
  return lenient(1, 1, ([value]) => holds(asNumber(value)));
}
