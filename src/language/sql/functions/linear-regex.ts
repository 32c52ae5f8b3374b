// Patterns come from anybody, and a backtracking engine can be made to run for years. So they run on V8's engine of linear
// time; a pattern that it cannot run (a back reference, a look-around, a very large count) is refused.

import { setFlagsFromString } from 'node:v8';
import { RingfoldError } from '../../../errors/ringfold-error.ts';

/** Modifiers are `m`, `s`, `i` and `x`. Undefined where one of them is something else. */
export function linearRegex(pattern: string, modifiers: string): RegExp | undefined {
  if (/[^msix]/.test(modifiers)) return undefined;
  const key = `${modifiers}/${pattern}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const bare = modifiers.includes('x') ? withoutSpace(pattern) : pattern;
  const cased = modifiers.includes('i') ? inBothCases(bare) : bare;
  const flags = ['m', 's'].filter((flag) => modifiers.includes(flag)).join('');
  const regex = compile(cased, flags);
  if (compiled.size >= mostCompiled) compiled.delete(compiled.keys().next().value ?? '');
  compiled.set(key, regex);
  return regex;
}

const mostCompiled = 256;
const compiled = new Map<string, RegExp>();
let isEngineOn = false;

function compile(pattern: string, flags: string): RegExp {
  if (!isEngineOn) {
    // It changes nothing for patterns without the flag `l`.
    setFlagsFromString('--enable-experimental-regexp-engine');
    isEngineOn = true;
  }
  try {
    return new RegExp(pattern, `l${flags}`);
  } catch (error) {
    throw new RingfoldError(
      'bad-request',
      { reason: `The regular expression '${pattern}' cannot be evaluated.`, pattern },
      error,
    );
  }
}

/** An escaped character, a class, a comment, or white space. */
const freeSpacing = /\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|#[^\n]*|\s+/g;

function withoutSpace(pattern: string): string {
  return pattern.replace(freeSpacing, (piece) => (/^[\s#]/.test(piece) ? '' : piece));
}

/** The engine does not know the flag `i`: each letter becomes a class of its two forms. */
function inBothCases(pattern: string): string {
  return pattern.replace(
    /\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|\p{L}/gu,
    (piece) => {
      if (piece.startsWith('\\')) return piece;
      if (piece.startsWith('[')) return classInBothCases(piece);
      return isCased(piece) ? `[${piece.toLowerCase()}${piece.toUpperCase()}]` : piece;
    },
  );
}

function classInBothCases(written: string): string {
  const isNegated = written.startsWith('[^');
  const inside = written.slice(isNegated ? 2 : 1, -1);
  const other = inside.replace(
    /\\[\s\S]|(\p{L})-(\p{L})|\p{L}/gu,
    (piece: string, from?: string, to?: string) => {
      if (piece.startsWith('\\')) return piece;
      if (from === undefined || to === undefined) return isCased(piece) ? swapped(piece) + piece : piece;
      const [low, high] = [swapped(from), swapped(to)];
      return isCased(from) && isCased(to) && low <= high ? `${piece}${low}-${high}` : piece;
    },
  );
  return `[${isNegated ? '^' : ''}${other}]`;
}

/** Whether it has exactly one other form, so that a class can hold both. */
function isCased(letter: string): boolean {
  const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()];
  return lower !== upper && lower.length === 1 && upper.length === 1;
}

function swapped(letter: string): string {
  return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
}
