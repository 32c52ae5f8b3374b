import { type SqlFunction, type SqlFunctions, strict } from '../sql-function.ts';
import type { SqlValue } from '../sql-value.ts';
import { linearRegex } from './linear-regex.ts';

export const regexFunctions: SqlFunctions = {
  REGEXMATCH: matching((regex, text) => regex.test(text)),
  REGEXEXTRACT: matching((regex, text) => regex.exec(text)?.[0]),
  REGEXEXTRACTALL: matching((regex, text) =>
    [...text.matchAll(new RegExp(regex.source, `${regex.flags}g`))].map(([found]) => found),
  ),
};

/** The pattern is found anywhere in the text. */
function matching(answer: (regex: RegExp, text: string) => SqlValue): SqlFunction {
  return strict(2, 3, ([text, pattern, modifiers = '']) => {
    if (typeof text !== 'string' || typeof pattern !== 'string' || typeof modifiers !== 'string')
      return undefined;
    const regex = linearRegex(pattern, modifiers);
    return regex === undefined ? undefined : answer(regex, text);
  });
}
