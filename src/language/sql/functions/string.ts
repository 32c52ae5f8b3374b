import { exactJsonText } from '../../../values/exact-json.ts';
import { lenient, type SqlFunction, type SqlFunctions, strict } from '../sql-function.ts';
import { isArray, type SqlValue } from '../sql-value.ts';
import { allOf, anyOf } from '../three-valued.ts';
import { checkTextLength } from '../value-limits.ts';

const many = Number.POSITIVE_INFINITY;
const longestReplica = 10_000;

export const stringFunctions: SqlFunctions = {
  CONCAT: strict(2, many, (given) => (given.every(isText) ? joined(given, '') : undefined)),
  CONTAINS: comparison((text, part) => text.includes(part)),
  ENDSWITH: comparison((text, part) => text.endsWith(part)),
  STARTSWITH: comparison((text, part) => text.startsWith(part)),
  STRINGEQUALS: comparison((text, part) => text === part),
  CONTAINS_ALL_CI: containing(allOf, folded),
  CONTAINS_ALL_CS: containing(allOf, (text) => text),
  CONTAINS_ANY_CI: containing(anyOf, folded),
  CONTAINS_ANY_CS: containing(anyOf, (text) => text),
  INDEX_OF: strict(2, 3, ([text, part, from = 0]) =>
    isText(text) && isText(part) && isNumber(from) ? text.indexOf(part, Math.trunc(from)) : undefined,
  ),
  LASTINDEXOF: strict(2, 3, ([text, part, from]) => {
    if (!isText(text) || !isText(part)) return undefined;
    if (from === undefined) return text.lastIndexOf(part);
    // The search goes backwards from that character, which the part may not reach beyond.
    return isNumber(from) ? text.slice(0, Math.max(Math.trunc(from) + 1, 0)).lastIndexOf(part) : undefined;
  }),
  LEFT: strict(2, 2, ([text, count]) =>
    isText(text) && isNumber(count) ? text.slice(0, Math.max(Math.trunc(count), 0)) : undefined,
  ),
  RIGHT: strict(2, 2, ([text, count]) =>
    isText(text) && isNumber(count)
      ? text.slice(Math.max(text.length - Math.max(Math.trunc(count), 0), 0))
      : undefined,
  ),
  LENGTH: ofText((text) => text.length),
  LOWER: ofText((text) => text.toLowerCase()),
  UPPER: ofText((text) => text.toUpperCase()),
  LTRIM: trimming(true, false),
  RTRIM: trimming(false, true),
  TRIM: trimming(true, true),
  REPLACE: strict(3, 3, ([text, part, by]) => {
    if (!isText(text) || !isText(part) || !isText(by)) return undefined;
    return part === '' ? text : joined(text.split(part), by);
  }),
  REPLICATE: strict(2, 2, ([text, times]) => {
    if (!isText(text) || !isNumber(times) || !Number.isFinite(times) || times < 0) return undefined;
    const count = Math.trunc(times);
    return text.length * count > longestReplica ? undefined : text.repeat(count);
  }),
  REVERSE: ofText((text) => [...text].reverse().join('')),
  STRINGJOIN: strict(2, 2, ([parts, separator]) =>
    isArray(parts) && isText(separator) && parts.every(isText) ? joined(parts, separator) : undefined,
  ),
  STRINGSPLIT: strict(2, 2, ([text, separator]) => {
    if (!isText(text) || !isText(separator)) return undefined;
    return separator === '' ? [text] : text.split(separator);
  }),
  SUBSTRING: strict(3, 3, ([text, start, length]) => {
    if (!isText(text) || !isNumber(start) || !isNumber(length)) return undefined;
    const from = Math.max(Math.trunc(start), 0);
    return text.slice(from, from + Math.max(Math.trunc(length), 0));
  }),
  TOSTRING: lenient(1, 1, ([value]) => {
    if (value === undefined) return undefined;
    return isText(value) || isNumber(value) ? String(value) : exactJsonText(value);
  }),
  SUBSTRINGBEFORE: around((text, part) => before(text, text.indexOf(part))),
  SUBSTRINGAFTER: around((text, part) => after(text, text.indexOf(part), part)),
  LASTSUBSTRINGBEFORE: around((text, part) => before(text, text.lastIndexOf(part))),
  LASTSUBSTRINGAFTER: around((text, part) => after(text, text.lastIndexOf(part), part)),
};

function joined(parts: readonly string[], separator: string): string {
  checkTextLength(parts.reduce((sum, part) => sum + part.length + separator.length, 0));
  return parts.join(separator);
}

function isText(value: SqlValue): value is string {
  return typeof value === 'string';
}

function isNumber(value: SqlValue): value is number {
  return typeof value === 'number';
}

function folded(text: string): string {
  return text.toLowerCase();
}

function ofText(compute: (text: string) => SqlValue): SqlFunction {
  return strict(1, 1, ([text]) => (isText(text) ? compute(text) : undefined));
}

/** With a third argument that is true, letters of either case are the same. */
function comparison(holds: (text: string, part: string) => boolean): SqlFunction {
  return strict(2, 3, ([text, part, ignoresCase = false]) => {
    if (!isText(text) || !isText(part) || typeof ignoresCase !== 'boolean') return undefined;
    return ignoresCase ? holds(folded(text), folded(part)) : holds(text, part);
  });
}

function containing(
  combine: (answers: readonly SqlValue[]) => boolean | undefined,
  prepare: (text: string) => string,
): SqlFunction {
  return lenient(2, many, ([text, ...parts]) => {
    if (!isText(text)) return undefined;
    const searched = prepare(text);
    return combine(parts.map((part) => (isText(part) ? searched.includes(prepare(part)) : undefined)));
  });
}

/** White space, or any of the characters of a second argument. */
function trimming(atStart: boolean, atEnd: boolean): SqlFunction {
  return strict(1, 2, ([text, letters]) => {
    if (!isText(text) || (letters !== undefined && !isText(letters))) return undefined;
    const isTrimmed = (letter: string) =>
      letters === undefined ? letter.trim() === '' : letters.includes(letter);
    let start = 0;
    let end = text.length;
    while (atStart && start < end && isTrimmed(text[start] as string)) start++;
    while (atEnd && end > start && isTrimmed(text[end - 1] as string)) end--;
    return text.slice(start, end);
  });
}

function around(compute: (text: string, part: string) => string): SqlFunction {
  return strict(2, 2, ([text, part]) => (isText(text) && isText(part) ? compute(text, part) : undefined));
}

function before(text: string, at: number): string {
  return at < 0 ? '' : text.slice(0, at);
}

function after(text: string, at: number, part: string): string {
  return at < 0 ? '' : text.slice(at + part.length);
}
