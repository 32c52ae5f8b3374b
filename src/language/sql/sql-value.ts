// Values as queries know them: JSON's, and `undefined` for what is not there. Integers of items that a number would round are
// bigints, which are passed on with all their digits and compared as the numbers nearest to them. Two orders of comparison live here. Operators
// compare within a type and answer undefined across types; ORDER BY, MIN and MAX have one order over all values.

export type SqlValue =
  | undefined
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly SqlValue[]
  | SqlObject;

export interface SqlObject {
  readonly [name: string]: SqlValue;
}

/** undefined < null < booleans < numbers < strings < arrays < objects */
const ranks = { undefined: 0, null: 1, boolean: 2, number: 4, string: 5, array: 6, object: 7 } as const;

function rankOf(value: SqlValue): number {
  switch (typeof value) {
    case 'undefined':
      return ranks.undefined;
    case 'boolean':
      return ranks.boolean;
    case 'number':
    case 'bigint':
      return ranks.number;
    case 'string':
      return ranks.string;
    default:
      if (value === null) return ranks.null;
      return Array.isArray(value) ? ranks.array : ranks.object;
  }
}

export function isArray(value: SqlValue): value is readonly SqlValue[] {
  return Array.isArray(value);
}

export function isObject(value: SqlValue): value is SqlObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isPrimitive(value: SqlValue): value is null | boolean | number | bigint | string {
  return value !== undefined && (value === null || typeof value !== 'object');
}

/** The property, if the value is an object and has it itself: what every object of JavaScript inherits is no property. */
export function memberOf(value: SqlValue, name: string): SqlValue {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** In code point order, which is that of UTF-8 bytes; JavaScript's own `<` puts U+FFFF above U+10000. */
function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    let left = a.charCodeAt(at);
    let right = b.charCodeAt(at);
    if (left === right) continue;
    if (left >= 0xd800 && right >= 0xd800) {
      left = left >= 0xe000 ? left - 0x800 : left + 0x2000;
      right = right >= 0xe000 ? right - 0x800 : right + 0x2000;
    }
    return left - right;
  }
  return a.length - b.length;
}

/** The one order over all values. Arrays compare by their elements, objects by their members sorted by name (not verified). */
export function compareValues(a: SqlValue, b: SqlValue): number {
  if (typeof a === 'bigint' || typeof b === 'bigint') return compareValues(asNumber(a), asNumber(b));
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : 0;
  const difference = rankOf(a) - rankOf(b);
  if (difference !== 0) return difference;
  if (typeof a === 'boolean') return Number(a) - Number(b);
  if (isArray(a) && isArray(b)) return compareArrays(a, b);
  if (isObject(a) && isObject(b)) return compareObjects(a, b);
  return 0;
}

function compareArrays(a: readonly SqlValue[], b: readonly SqlValue[]): number {
  for (let at = 0; at < a.length && at < b.length; at++) {
    const difference = compareValues(a[at], b[at]);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function compareObjects(a: SqlObject, b: SqlObject): number {
  const left = Object.keys(a).sort(compareStrings);
  const right = Object.keys(b).sort(compareStrings);
  for (let at = 0; at < left.length && at < right.length; at++) {
    const [leftName, rightName] = [left[at] as string, right[at] as string];
    const difference = compareStrings(leftName, rightName) || compareValues(a[leftName], b[rightName]);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** `=`: undefined where one of the two is, or where they are of different types. */
export function equals(a: SqlValue, b: SqlValue): boolean | undefined {
  if (typeof a === 'bigint' || typeof b === 'bigint') return equals(asNumber(a), asNumber(b));
  if (typeof a === typeof b && a !== null && b !== null && typeof a !== 'object') {
    return a === undefined ? undefined : a === b;
  }
  if (a === undefined || b === undefined || rankOf(a) !== rankOf(b)) return undefined;
  return isSame(a, b);
}

/** Deep equality, in which different types are merely different. */
export function isSame(a: SqlValue, b: SqlValue): boolean {
  if (a === b) return true;
  if (typeof a === 'bigint' || typeof b === 'bigint') return asNumber(a) === asNumber(b);
  if (isArray(a)) {
    return isArray(b) && a.length === b.length && a.every((element, at) => isSame(element, b[at]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]))
  );
}

/** `<` and its kin as a difference: undefined across types and for what has no order. */
export function difference(a: SqlValue, b: SqlValue): number | undefined {
  if (typeof a === 'bigint' || typeof b === 'bigint') return difference(asNumber(a), asNumber(b));
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  return a === null && b === null ? 0 : undefined;
}

/** One text for all values that are the same: members in one order, no negative zero. */
export function canonicalText(value: SqlValue): string {
  if (value === undefined) return 'undefined';
  if (isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (isObject(value)) {
    const members = Object.keys(value)
      .sort()
      .map((name) => `${JSON.stringify(name)}:${canonicalText(value[name])}`);
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(asNumber(value));
}

/** The number nearest to a long integer; whatever else it is stays as it is. */
export function asNumber(value: SqlValue): Exclude<SqlValue, bigint> {
  return typeof value === 'bigint' ? Number(value) : value;
}

/** The same for all that is inside: for keys, which go by what they are compared as. */
export function asNumbers(value: SqlValue): SqlValue {
  if (isArray(value)) return value.map(asNumbers);
  if (!isObject(value)) return asNumber(value);
  return objectOf(Object.keys(value).map((name) => [name, asNumbers(value[name])]));
}

/** How much memory a value takes, near enough to bound what is kept. */
export function roughBytes(value: SqlValue): number {
  if (typeof value === 'string') return 24 + value.length * 2;
  if (isArray(value)) return value.reduce<number>((sum, element) => sum + 8 + roughBytes(element), 32);
  if (!isObject(value)) return 8;
  return Object.keys(value).reduce((sum, name) => sum + 16 + roughBytes(value[name]), 48);
}

/** An object without the members that are undefined; also for the one name that assignment would take for something else. */
export function objectOf(members: Iterable<readonly [string, SqlValue]>): SqlObject {
  const object: Record<string, SqlValue> = {};
  for (const [name, value] of members) setMember(object, name, value);
  return object;
}

export function setMember(object: Record<string, SqlValue>, name: string, value: SqlValue): void {
  if (value === undefined) return;
  if (name === '__proto__') {
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[name] = value;
  }
}
