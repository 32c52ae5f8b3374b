import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { exactJsonText } from '../../../values/exact-json.ts';
import { compilePredicate } from '../compile-predicate.ts';
import { queryList } from '../query-list.ts';
import type { SqlProblem } from '../sql-error.ts';
import type { QueryContext } from '../sql-function.ts';
import { noParameters, sqlRequestOf } from '../sql-parameters.ts';
import type { SqlValue } from '../sql-value.ts';
import { errorPlaceSamples } from './error-place.samples.ts';
import { families, longIntegerSamples, longIntegers, querySamples } from './query.samples.ts';
import { sampleLines } from './sample-lines.ts';

const context: QueryContext = { now: () => 0, startedAt: 0, random: () => 0.5, isGeography: true };

function answerTo(text: string, list: readonly SqlValue[]): string {
  try {
    return exactJsonText(queryList({ text, parameters: noParameters }, list, context));
  } catch (error) {
    assert(error instanceof RingfoldError, `${text}: ${String(error)}`);
    return `error ${problemIn(error)?.code ?? error.code}`;
  }
}

function problemIn({ details }: RingfoldError): SqlProblem | undefined {
  return (details['errors'] as readonly SqlProblem[] | undefined)?.[0];
}

const asked = {
  queries: { lines: sampleLines(querySamples), list: families },
  'queries for long integers': { lines: sampleLines(longIntegerSamples), list: longIntegers },
};

for (const [family, { lines, list }] of Object.entries(asked)) {
  test(`${family} answer as the language reference says (${lines.length} cases)`, () => {
    const wrong = lines
      .map(({ asked, answer }) => ({ asked, answer, got: answerTo(asked, list) }))
      .filter(({ answer, got }) => got !== answer);
    assert.deepEqual(wrong, []);
  });
}

for (const { query, code, hint, start, end } of placedErrors()) {
  test(`${JSON.stringify(query)} is refused with ${code} at ${start}`, () => {
    assert.throws(
      () => queryList({ text: query, parameters: noParameters }, [], context),
      (error: unknown) => {
        assert(error instanceof RingfoldError);
        const problem = problemIn(error);
        const { severity, location } = problem ?? {};
        assert.deepEqual(
          { severity, code: problem?.code, location },
          { severity: 'Error', code, location: { start, end } },
        );
        assert(problem?.message.includes(hint), problem?.message);
        assert.deepEqual(JSON.parse(String(error.details['reason'])), { errors: [problem] });
        return true;
      },
    );
  });
}

function placedErrors(): readonly {
  readonly query: string;
  readonly code: string;
  readonly hint: string;
  readonly start: number;
  readonly end: number;
}[] {
  return errorPlaceSamples
    .trim()
    .split(/(?<= → .*)\n/)
    .map((line) => {
      const at = line.lastIndexOf(' → ');
      const marked = line.slice(0, at);
      const [code = '', ...hint] = line.slice(at + 3).split(' ');
      const start = marked.indexOf('⟦');
      const query = marked.replace('⟦', '').replace('⟧', '');
      return { query, code, hint: hint.join(' '), start, end: marked.indexOf('⟧') - 1 };
    });
}

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
  assert.throws(
    () =>
      sqlRequestOf({
        query: 'SELECT VALUE @x',
        parameters: [
          { name: '@x', value: 1 },
          { name: '@x', value: 1 },
        ],
      }),
    (error: unknown) =>
      error instanceof RingfoldError && String(error.details['reason']).includes("parameter name '@x'"),
  );
});

test('the condition of a patch holds or does not hold for an item', () => {
  const holds = compilePredicate('from c where c.size > 2 AND c.city = "Oslo"', context);
  assert.deepEqual(families.map(holds), [true, false, false, false, false]);
  assert.equal(compilePredicate('FROM x', context)({}), true);
  assert.throws(() => compilePredicate('where c.size > 2', context));
  assert.throws(() => compilePredicate('from c where', context));
  assert.throws(
    () => compilePredicate('from (select top 1 * from c) x where x.size = 3', context),
    RingfoldError,
  );
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

const inner = [
  'SELECT * FROM c',
  'SELECT c.id, c.size AS n FROM c WHERE IS_DEFINED(c.city)',
  'SELECT TOP 3 c.id, c.size AS n FROM c',
  'SELECT c.id, c.size AS n FROM c ORDER BY c.size DESC',
  'SELECT c.id, c.size AS n FROM c ORDER BY c.id DESC OFFSET 1 LIMIT 3',
  'SELECT c.id, c.size AS n FROM c OFFSET 4 LIMIT 9',
  'SELECT c.city AS id, COUNT(1) AS n FROM c GROUP BY c.city',
  'SELECT DISTINCT c.city AS id FROM c',
  'SELECT DISTINCT c.city AS id FROM c ORDER BY c.city',
  'SELECT COUNT(1) AS n, MIN(c.id) AS id FROM c',
  'SELECT COUNT(1) AS n FROM c WHERE false',
  'SELECT k.name AS id, k.age AS n FROM c JOIN k IN c.kids ORDER BY k.age',
];

const outer = [
  'SELECT * FROM',
  'SELECT VALUE x.n FROM',
  'SELECT TOP 2 VALUE x.id FROM',
  'SELECT VALUE COUNT(1) FROM',
  'SELECT DISTINCT VALUE IS_NUMBER(x.n) FROM',
  'SELECT x.n, COUNT(1) AS times, MAX(x.id) AS last FROM',
];
const endings: Readonly<Record<string, string>> = {
  'SELECT * FROM': 'WHERE x.id > "A" ORDER BY x.id DESC',
  'SELECT VALUE x.n FROM': 'OFFSET 1 LIMIT 2',
  'SELECT x.n, COUNT(1) AS times, MAX(x.id) AS last FROM': 'GROUP BY x.n',
};

test('a query over a sub-query answers as it does over the results of that by itself', () => {
  for (const sub of inner) {
    const rows = queryList({ text: sub, parameters: noParameters }, families, context);
    for (const start of outer) {
      const end = endings[start] ?? '';
      assert.equal(
        answerTo(`${start} (${sub}) AS x ${end}`, families),
        answerTo(`${start} x ${end}`, rows),
        `${start} (${sub}) AS x ${end}`,
      );
    }
  }
});
