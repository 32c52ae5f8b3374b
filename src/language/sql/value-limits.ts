// A short query can ask for values that no memory holds: texts that double in every step, arrays of arrays of the same array. What is
// larger than any answer may be is refused before it is made.

import { RingfoldError } from '../../errors/ringfold-error.ts';
import { isArray, isObject, type SqlValue } from './sql-value.ts';

const longestText = 8 * 1024 * 1024;
const longestArray = 1_000_000;
const largestResultBytes = 32 * 1024 * 1024;

/** Throws for a text of so many characters. */
export function checkTextLength(length: number): void {
  if (length > longestText) throw tooLarge();
}

export function checkArrayLength(length: number): void {
  if (length > longestArray) throw tooLarge();
}

/** Throws for a result that would be larger than an answer. The look ends as soon as that is known. */
export function checkResult(value: SqlValue): void {
  if (typeof value !== 'object' || value === null) return;
  let left = largestResultBytes;
  const waiting: SqlValue[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    left -= typeof next === 'string' ? next.length + 8 : 8;
    if (left < 0) throw tooLarge();
    if (isArray(next)) {
      left -= next.length;
      if (left < 0) throw tooLarge();
      for (const element of next) waiting.push(element);
    } else if (isObject(next)) {
      for (const name in next) {
        left -= name.length;
        waiting.push(next[name]);
      }
    }
  }
}

function tooLarge(): RingfoldError {
  return new RingfoldError('bad-request', {
    reason: 'The query makes a value that is larger than any answer may be.',
  });
}
