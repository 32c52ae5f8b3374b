import assert from 'node:assert/strict';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { queryList } from '../query-list.ts';
import type { QueryContext } from '../sql-function.ts';
import { noParameters } from '../sql-parameters.ts';

const context: QueryContext = {
  now: () => 1_728_915_630_666_888,
  startedAt: 1_728_915_630_666_888,
  random: () => 0.25,
  isGeography: true,
};

/** What an expression is, as a case writes it: JSON, `undefined`, or `error` with its code. */
export function answerTo(expression: string): string {
  try {
    const results = queryList({ text: `SELECT VALUE ${expression}`, parameters: noParameters }, [], context);
    assert(results.length <= 1);
    return results.length === 0 ? 'undefined' : JSON.stringify(results[0]);
  } catch (error) {
    assert(error instanceof RingfoldError, `${expression}: ${String(error)}`);
    const errors = error.details['errors'] as readonly { readonly code: string }[] | undefined;
    return `error ${errors?.[0]?.code ?? error.code}`;
  }
}
