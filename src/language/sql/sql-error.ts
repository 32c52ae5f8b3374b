import { RingfoldError } from '../../errors/ringfold-error.ts';
import type { Span } from './sql-query.ts';

/** As the service writes it; clients read it out of the message. */
export interface SqlProblem {
  readonly severity: 'Error';
  readonly location?: Span;
  readonly code: string;
  readonly message: string;
}

/** Texts and numbers are the service's where they are known (nosql-api.md §1.5, §3.3); the rest are like them. */
export function sqlError(code: string, message: string, span?: Span): RingfoldError {
  const problem: SqlProblem = {
    severity: 'Error',
    ...(span === undefined ? {} : { location: { start: span.start, end: span.end } }),
    code,
    message,
  };
  return new RingfoldError('sql-syntax', {
    reason: JSON.stringify({ errors: [problem] }),
    errors: [problem],
  });
}

export function syntaxError(near: string, span: Span): RingfoldError {
  return sqlError('SC1001', `Syntax error, incorrect syntax near '${near}'.`, span);
}

export function unresolvedName(name: string, span?: Span): RingfoldError {
  return sqlError('SC2001', `Identifier '${name}' could not be resolved.`, span);
}
