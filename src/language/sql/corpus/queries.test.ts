import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { compilePredicate } from '../compile-predicate.ts';
import { queryList } from '../query-list.ts';
import type { SqlProblem } from '../sql-error.ts';
import type { QueryContext } from '../sql-function.ts';
import { noParameters, sqlRequestOf } from '../sql-parameters.ts';
import { families, querySamples } from './query.samples.ts';
import { sampleLines } from './sample-lines.ts';

const context: QueryContext = { now: () => 0, startedAt: 0, random: () => 0.5, isGeography: true };

function answerTo(text: string): string {
  try {
    return JSON.stringify(queryList({ text, parameters: noParameters }, families, context));
  } catch (error) {
    assert(error instanceof RingfoldError, `${text}: ${String(error)}`);
    return `error ${problemIn(error)?.code ?? error.code}`;
  }
}

function problemIn({ details }: RingfoldError): SqlProblem | undefined {
  return (details['errors'] as readonly SqlProblem[] | undefined)?.[0];
}

const lines = sampleLines(querySamples);

test(`queries answer as the language reference says (${lines.length} cases)`, () => {
  const wrong = lines
    .map(({ asked, answer }) => ({ asked, answer, got: answerTo(asked) }))
    .filter(({ answer, got }) => got !== answer);
  assert.deepEqual(wrong, []);
});

test('an error names the place in the text', () => {
  const text = 'SELECT * FROM c WHERE c.id == 1';
  assert.throws(
    () => queryList({ text, parameters: noParameters }, [], context),
    (error: unknown) => {
      assert(error instanceof RingfoldError);
      assert.deepEqual(problemIn(error), {
        severity: 'Error',
        location: { start: 28, end: 29 },
        code: 'SC1001',
        message: "Syntax error, incorrect syntax near '='.",
      });
      return true;
    },
  );
});

test('parameters stand for values of every kind, also in TOP, OFFSET and LIMIT', () => {
  const ask = (query: string, values: Readonly<Record<string, unknown>>) =>
    queryList(
      sqlRequestOf({
        query,
        parameters: Object.entries(values).map(([name, value]) => ({ name: `@${name}`, value })),
      }),
      families,
      context,
    );
  assert.deepEqual(ask('SELECT VALUE c.id FROM c WHERE c.city = @city', { city: 'Rome' }), ['B']);
  assert.deepEqual(ask('SELECT VALUE c.id FROM c WHERE ARRAY_CONTAINS(@ids, c.id)', { ids: ['A', 'E'] }), [
    'A',
    'E',
  ]);
  assert.deepEqual(ask('SELECT VALUE c.id FROM c WHERE c.address = @a', { a: { zip: '10' } }), ['C']);
  assert.deepEqual(ask('SELECT VALUE c[@p] FROM c WHERE c.id = "A"', { p: 'size' }), [3]);
  assert.deepEqual(ask('SELECT TOP @n VALUE c.id FROM c', { n: 2 }), ['A', 'B']);
  assert.deepEqual(ask('SELECT VALUE c.id FROM c OFFSET @o LIMIT @l', { o: 1, l: 1 }), ['B']);
  assert.deepEqual(ask('SELECT VALUE @x', { x: null }), [null]);
  assert.throws(() => ask('SELECT TOP @n VALUE c.id FROM c', { n: -1 }));
  assert.throws(() => ask('SELECT TOP @n VALUE c.id FROM c', { n: '2' }));
  assert.throws(() => ask('SELECT VALUE @y', { x: 1 }));
});

test('the condition of a patch holds or does not hold for an item', () => {
  const holds = compilePredicate('from c where c.size > 2 AND c.city = "Oslo"', context);
  assert.deepEqual(families.map(holds), [true, false, false, false, false]);
  assert.equal(compilePredicate('FROM x', context)({}), true);
  assert.throws(() => compilePredicate('where c.size > 2', context));
  assert.throws(() => compilePredicate('from c where', context));
});

test('joins that make too many rows out of one item are refused', () => {
  const long = { a: Array.from({ length: 400 }, (_, at) => at) };
  const text = 'SELECT VALUE COUNT(1) FROM c JOIN x IN c.a JOIN y IN c.a JOIN z IN c.a';
  assert.throws(
    () => queryList({ text, parameters: noParameters }, [long], context),
    (error: unknown) => error instanceof RingfoldError && error.code === 'bad-request',
  );
});

test('values that grow in every step are refused before they are made', () => {
  const nested = (levels: number, step: string, first: string): string =>
    levels === 0
      ? first
      : `(SELECT VALUE ${step} FROM (SELECT VALUE ${nested(levels - 1, step, first)}) AS x)`;
  for (const text of [
    `SELECT VALUE ${nested(60, 'x || x', '"text"')}`,
    `SELECT VALUE ${nested(60, 'CONCAT(x, x)', '"text"')}`,
    `SELECT VALUE ${nested(60, 'REPLACE(x, "t", x)', '"ttt"')}`,
    `SELECT VALUE ${nested(60, 'ARRAY_CONCAT(x, x)', '[1, 2]')}`,
    `SELECT VALUE ${nested(60, '[x, x]', '1')}`,
    `SELECT VALUE ${nested(60, '{"a": x, "b": x}', '1')}`,
    `SELECT DISTINCT VALUE ${nested(60, '[x, x]', '1')}`,
  ]) {
    assert.throws(
      () => queryList({ text, parameters: noParameters }, [], context),
      (error: unknown) => error instanceof RingfoldError && error.code === 'bad-request',
      text.slice(0, 60),
    );
  }
});
