import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import { operatorSamples } from './corpus/operator.samples.ts';
import { querySamples } from './corpus/query.samples.ts';
import { sampleLines } from './corpus/sample-lines.ts';
import { parseSql } from './parse-sql.ts';
import { prepareQuery } from './prepare-query.ts';
import { printQuery } from './print-sql.ts';
import type { SqlQuery } from './sql-query.ts';

const good: readonly string[] = [
  ...sampleLines(querySamples),
  ...sampleLines(operatorSamples).map(({ asked, answer }) => ({ asked: `SELECT VALUE ${asked}`, answer })),
]
  .filter(({ answer }) => !answer.startsWith('error'))
  .map(({ asked }) => asked);

/** Undefined for what is refused in the way that clients are told of; anything else is a bug. */
function parsed(text: string): SqlQuery | undefined {
  try {
    const query = parseSql(text);
    prepareQuery(query, text);
    return query;
  } catch (error) {
    assert(error instanceof RingfoldError && error.code !== 'internal-error', `${text}: ${String(error)}`);
    return undefined;
  }
}

/** Without the places in the text. */
function shapeOf(query: SqlQuery): unknown {
  return JSON.parse(JSON.stringify(query, (name, value: unknown) => (name === 'span' ? undefined : value)));
}

test('what is printed reads as the same query', () => {
  for (const text of good) {
    const query = parseSql(text);
    assert.deepEqual(shapeOf(parseSql(printQuery(query))), shapeOf(query), text);
  }
});

test('a query that is cut, doubled or shuffled is read or refused, and never breaks the parser', () => {
  const piece = fc.tuple(fc.constantFrom(...good), fc.nat(), fc.nat()).map(([text, from, length]) => {
    const start = from % (text.length + 1);
    return text.slice(start, start + (length % 40));
  });
  const text = fc.oneof(
    fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('')),
    fc.array(piece, { maxLength: 6 }).map((pieces) => `SELECT VALUE ${pieces.join(' ')}`),
    fc.string({ unit: 'binary', maxLength: 40 }),
  );
  fc.assert(
    fc.property(text, (written) => {
      const query = parsed(written);
      if (query === undefined) return;
      assert.deepEqual(shapeOf(parseSql(printQuery(query))), shapeOf(query));
    }),
    { numRuns: 500 },
  );
});

test('nesting and chains of any length are read or refused, and never exhaust the stack', () => {
  const deep = (count: number, open: string, inner: string, close: string) =>
    `SELECT VALUE ${open.repeat(count)}${inner}${close.repeat(count)}`;
  for (const count of [10, 500, 20_000]) {
    for (const text of [
      deep(count, '(', '1', ')'),
      deep(count, '[', '', ']'),
      deep(count, '{"a":', '1', '}'),
      deep(count, '-', '1', ''),
      deep(count, 'NOT ', 'true', ''),
      deep(count, 'ABS(', '1', ')'),
      deep(count, '(SELECT VALUE ', '1', ')'),
      deep(count, '1 + ', '1', ''),
      deep(count, 'true ? ', '1', ' : 2'),
      deep(count, 'false ? 1 : ', '1', ''),
      deep(count, '1 ?? ', '1', ''),
      deep(count, '', 'c', '.a'),
      deep(count, '', '1', ' OR true'),
      deep(count, '(', '1', ' AND true)'),
    ]) {
      parsed(text);
    }
  }
});

test('a list of thousands of conditions is one node', () => {
  const text = Array.from({ length: 4_000 }, (_, at) => `(c.id = "${at}" AND c.pk = ${at})`).join(' OR ');
  const query = parseSql(`SELECT * FROM c WHERE ${text}`);
  assert(query.where?.kind === 'logical' && query.where.operands.length === 4_000);
});

test('a text longer than the limit is refused', () => {
  assert.throws(
    () => parseSql(`SELECT "${'x'.repeat(512 * 1024)}"`),
    (error: unknown) => error instanceof RingfoldError && error.code === 'sql-syntax',
  );
});
