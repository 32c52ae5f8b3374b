import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { queryList } from '../query-list.ts';
import type { QueryContext } from '../sql-function.ts';
import { noParameters } from '../sql-parameters.ts';
import { arraySamples } from './array.samples.ts';
import { dateTimeSamples } from './date-time.samples.ts';
import { mathSamples } from './math.samples.ts';
import { operatorSamples } from './operator.samples.ts';
import { sampleLines } from './sample-lines.ts';
import { spatialSamples } from './spatial.samples.ts';
import { stringSamples } from './string.samples.ts';
import { typeCheckSamples } from './type-check.samples.ts';

const context: QueryContext = {
  now: () => 1_728_915_630_666_888,
  startedAt: 1_728_915_630_666_888,
  random: () => 0.25,
  isGeography: true,
};

function answerTo(expression: string): string {
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

const families = {
  operators: operatorSamples,
  'string functions': stringSamples,
  'math functions': mathSamples,
  'array, set, conditional, vector and full-text functions': arraySamples,
  'type checks': typeCheckSamples,
  'spatial functions': spatialSamples,
  'date and time functions': dateTimeSamples,
};

for (const [family, samples] of Object.entries(families)) {
  const lines = sampleLines(samples);
  test(`${family} answer as the language reference says (${lines.length} cases)`, () => {
    const wrong = lines
      .map(({ asked, answer }) => ({ asked, answer, got: answerTo(asked) }))
      .filter(({ answer, got }) => got !== answer);
    assert.deepEqual(wrong, []);
  });
}
