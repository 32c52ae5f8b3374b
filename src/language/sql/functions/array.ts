import { finite, lenient, type SqlFunction, type SqlFunctions, strict } from '../sql-function.ts';
import {
  asNumber,
  canonicalText,
  compareValues,
  isArray,
  isObject,
  isPrimitive,
  isSame,
  memberOf,
  objectOf,
  type SqlValue,
} from '../sql-value.ts';
import { allOf, anyOf } from '../three-valued.ts';
import { checkArrayLength } from '../value-limits.ts';

const many = Number.POSITIVE_INFINITY;

export const arrayFunctions: SqlFunctions = {
  ARRAY_AVG: ofNumbers((numbers) => (numbers.length === 0 ? undefined : sum(numbers) / numbers.length)),
  ARRAY_SUM: ofNumbers(sum),
  ARRAY_MEDIAN: ofNumbers(median),
  ARRAY_MAX: extreme((order) => order > 0),
  ARRAY_MIN: extreme((order) => order < 0),
  ARRAY_CONCAT: strict(2, many, (given) => {
    if (!given.every(isArray)) return undefined;
    checkArrayLength(given.reduce((sum, array) => sum + array.length, 0));
    return given.flat();
  }),
  ARRAY_CONTAINS: strict(2, 3, ([array, value, isPartial = false]) => {
    if (!isArray(array) || typeof isPartial !== 'boolean') return undefined;
    return array.some((element) => (isPartial ? covers(element, value) : isSame(element, value)));
  }),
  // As if AND or OR stood between one question for each value, so that one that is undefined need not decide.
  ARRAY_CONTAINS_ALL: lenient(2, many, ([array, ...sought]) =>
    isArray(array) ? allOf(sought.map((value) => contains(array, value))) : undefined,
  ),
  ARRAY_CONTAINS_ANY: lenient(2, many, ([array, ...sought]) =>
    isArray(array) ? anyOf(sought.map((value) => contains(array, value))) : undefined,
  ),
  ARRAY_LENGTH: strict(1, 1, ([array]) => (isArray(array) ? array.length : undefined)),
  ARRAY_SLICE: strict(2, 3, ([array, start, length]) => {
    if (!isArray(array) || typeof start !== 'number') return undefined;
    const from = Math.trunc(start) < 0 ? Math.max(array.length + Math.trunc(start), 0) : Math.trunc(start);
    if (length === undefined) return array.slice(from);
    return typeof length === 'number' ? array.slice(from, from + Math.max(Math.trunc(length), 0)) : undefined;
  }),
  OBJECTTOARRAY: strict(1, 3, ([object, key = 'k', value = 'v']) => {
    if (!isObject(object) || typeof key !== 'string' || typeof value !== 'string') return undefined;
    return Object.keys(object).map((name) =>
      objectOf([
        [key, name],
        [value, object[name]],
      ]),
    );
  }),
  SETDIFFERENCE: ofSets(allBut),
  SETEQUAL: ofSets((a, b) => a.size === b.size && [...a.keys()].every((text) => b.has(text))),
  SETINTERSECT: ofSets((a, b) => [...b].filter(([text]) => a.has(text)).map(([, element]) => element)),
  SETUNION: ofSets((a, b) => [...a.values(), ...allBut(b, a)]),
};

/** By a text that only equal elements share: to compare each with each would take minutes for arrays as long as an item can have. */
type ElementSet = ReadonlyMap<string, SqlValue>;

function ofSets(compute: (a: ElementSet, b: ElementSet) => SqlValue): SqlFunction {
  return strict(2, 2, ([a, b]) => (isArray(a) && isArray(b) ? compute(setOf(a), setOf(b)) : undefined));
}

function allBut(set: ElementSet, others: ElementSet): readonly SqlValue[] {
  return [...set].filter(([text]) => !others.has(text)).map(([, element]) => element);
}

/** In the order in which elements first come. */
function setOf(elements: readonly SqlValue[]): ElementSet {
  const set = new Map<string, SqlValue>();
  for (const element of elements) {
    const text = canonicalText(element);
    if (!set.has(text)) set.set(text, element);
  }
  return set;
}

function ofNumbers(compute: (numbers: readonly number[]) => number | undefined): SqlFunction {
  return strict(1, 1, ([array]) => {
    if (!isArray(array)) return undefined;
    const numbers = array.map(asNumber).filter((element) => typeof element === 'number');
    if (numbers.length !== array.length) return undefined;
    const result = compute(numbers);
    return result === undefined ? undefined : finite(result);
  });
}

function extreme(wins: (order: number) => boolean): SqlFunction {
  return strict(1, 1, ([array]) => {
    if (!isArray(array) || !array.every(isPrimitive)) return undefined;
    let best: SqlValue;
    for (const element of array) {
      if (best === undefined || wins(compareValues(element, best))) best = element;
    }
    return best;
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function median(numbers: readonly number[]): number | undefined {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  const lower = sorted.length % 2 === 1 ? upper : sorted[middle - 1];
  return upper === undefined || lower === undefined ? undefined : (lower + upper) / 2;
}

/** Whether an object has all that is asked for, and perhaps more. */
function covers(element: SqlValue, asked: SqlValue): boolean {
  if (!isObject(asked) || !isObject(element)) return isSame(element, asked);
  return Object.keys(asked).every((name) => covers(memberOf(element, name), asked[name]));
}

function contains(array: readonly SqlValue[], value: SqlValue): boolean | undefined {
  return value === undefined ? undefined : has(array, value);
}

function has(set: readonly SqlValue[], element: SqlValue): boolean {
  return set.some((member) => isSame(member, element));
}
