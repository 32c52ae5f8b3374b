import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arraySamples } from './array.samples.ts';
import { dateTimeSamples } from './date-time.samples.ts';
import { answerTo } from './expression-answer.samples.ts';
import { mathSamples } from './math.samples.ts';
import { operatorSamples } from './operator.samples.ts';
import { sampleLines } from './sample-lines.ts';
import { spatialSamples } from './spatial.samples.ts';
import { stringSamples } from './string.samples.ts';
import { typeCheckSamples } from './type-check.samples.ts';

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
