import { type SqlFunction, type SqlFunctions, strict } from '../sql-function.ts';
import { isArray, isObject, type SqlValue } from '../sql-value.ts';

/** Text read as JSON, and as nothing else; what is not JSON of that kind is undefined. */
export const stringToValueFunctions: SqlFunctions = {
  STRINGTOARRAY: reading(isArray),
  STRINGTOBOOLEAN: reading((value) => typeof value === 'boolean'),
  STRINGTONULL: reading((value) => value === null),
  STRINGTONUMBER: reading((value) => typeof value === 'number' && Number.isFinite(value)),
  STRINGTOOBJECT: reading(isObject),
};

function reading(isOfKind: (value: SqlValue) => boolean): SqlFunction {
  return strict(1, 1, ([text]) => {
    if (typeof text !== 'string') return undefined;
    const value = jsonOf(text);
    return isOfKind(value) ? value : undefined;
  });
}

function jsonOf(text: string): SqlValue {
  try {
    return JSON.parse(text) as SqlValue;
  } catch {
    // Not JSON: the function's answer is undefined.
    return undefined;
  }
}
