// Patterns come from anybody, and a backtracking engine can be made to run for years. So they run on V8's engine of linear
// time; a pattern that it cannot run (a back reference, a look-around, a very large count) is refused.

import { setFlagsFromString } from 'node:v8';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { NotRewritten, rewritePerlPattern } from './perl-pattern.ts';

/** Modifiers are `m`, `s`, `i` and `x`. Undefined where one of them is something else. */
export function linearRegex(pattern: string, modifiers: string): RegExp | undefined {
  if (/[^msix]/.test(modifiers)) return undefined;
  return kept(`${modifiers}/${pattern}`, () => {
    try {
      const { source, isMultiline } = rewritePerlPattern(pattern, modifiers);
      return inLinearTime(source, isMultiline ? 'm' : '');
    } catch (error) {
      if (!(error instanceof SyntaxError || error instanceof NotRewritten)) throw error;
      throw new RingfoldError(
        'bad-request',
        { reason: `The regular expression '${pattern}' cannot be evaluated.`, pattern },
        error,
      );
    }
  });
}

/** Of a pattern that this server has written itself, and that is known to be well-formed but for its sets. */
export function linearRegexOfOwn(source: string): RegExp {
  return kept(`own/${source}`, () => {
    try {
      return inLinearTime(source, '');
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw new RingfoldError('bad-request', { reason: 'The pattern of LIKE cannot be evaluated.' }, error);
    }
  });
}

const mostKept = 256;
const compiled = new Map<string, RegExp>();
let isEngineOn = false;

function kept(key: string, compile: () => RegExp): RegExp {
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const regex = compile();
  if (compiled.size >= mostKept) compiled.delete(compiled.keys().next().value ?? '');
  compiled.set(key, regex);
  return regex;
}

function inLinearTime(source: string, flags: string): RegExp {
  if (!isEngineOn) {
    // It changes nothing for patterns without the flag `l`.
    setFlagsFromString('--enable-experimental-regexp-engine');
    isEngineOn = true;
  }
  return new RegExp(source, `l${flags}`);
}
