// AND and OR over true, false and undefined, which is what every other value counts as.

import type { SqlValue } from './sql-value.ts';

/** False if one is, else undefined if one is no truth value. */
export function allOf(values: Iterable<SqlValue>): boolean | undefined {
  let result: boolean | undefined = true;
  for (const value of values) {
    if (value === false) return false;
    if (value !== true) result = undefined;
  }
  return result;
}

/** True if one is, else undefined if one is no truth value. */
export function anyOf(values: Iterable<SqlValue>): boolean | undefined {
  let result: boolean | undefined = false;
  for (const value of values) {
    if (value === true) return true;
    if (value !== false) result = undefined;
  }
  return result;
}
