import { linearRegexOfOwn } from './linear-regex.ts';

/** A pattern of LIKE as a predicate: `%` any text, `_` one character, `[a-f]` and `[^a-f]` one of a set. */
export function likeMatcher(pattern: string, escapedBy: string | undefined): (text: string) => boolean {
  const simple = escapedBy === undefined ? simpleMatcher(pattern) : undefined;
  if (simple !== undefined) return simple;
  const regex = linearRegexOfOwn(regexOfLike(pattern, escapedBy));
  return (text) => regex.test(text);
}

/** Most patterns are a text with `%` at one end or both. */
function simpleMatcher(pattern: string): ((text: string) => boolean) | undefined {
  const start = pattern.startsWith('%') ? 1 : 0;
  const end = pattern.length > start && pattern.endsWith('%') ? pattern.length - 1 : pattern.length;
  const middle = pattern.slice(start, end);
  if (/[%_[]/.test(middle)) return undefined;
  if (start === 0)
    return end === pattern.length ? (text) => text === middle : (text) => text.startsWith(middle);
  return end === pattern.length ? (text) => text.endsWith(middle) : (text) => text.includes(middle);
}

function regexOfLike(pattern: string, escapedBy: string | undefined): string {
  let regex = '^';
  for (let at = 0; at < pattern.length; at++) {
    const letter = pattern[at] as string;
    const closing = letter === '[' ? pattern.indexOf(']', at + 2) : -1;
    if (letter === escapedBy && at + 1 < pattern.length) regex += quoted(pattern[++at] as string);
    else if (letter === '%') regex += '[^]*';
    else if (letter === '_') regex += '[^]';
    else if (closing > 0) {
      regex += setOf(pattern.slice(at + 1, closing));
      at = closing;
    } else regex += quoted(letter);
  }
  return `${regex}$`;
}

function setOf(inside: string): string {
  const isNegated = inside.startsWith('^');
  return `[${isNegated ? '^' : ''}${inside.slice(isNegated ? 1 : 0).replace(/[\\[\]^]/g, '\\$&')}]`;
}

function quoted(letter: string): string {
  return /[\w\s]/.test(letter) || letter > '\x7f' ? letter : `\\${letter}`;
}
