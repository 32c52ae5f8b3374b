import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schema } from '../../../../test/support/cassandra-answers.ts';
import type { CqlType } from '../../../values/cql-type.ts';
import { parseCql } from '../cql-parser.ts';
import { prepareTerm } from './prepare-term.ts';
import type { Bindings, TypedTerm } from './typed-term.ts';
import { Variables } from './variables.ts';

const moment: Bindings = { values: [], nowMicros: 1_700_000_000_123_456n };

function termOf(
  kind: 'int' | 'decimal' | 'timestamp' | 'timeuuid' | 'uuid' | CqlType,
  text: string,
): TypedTerm {
  const { statement } = parseCql(`INSERT INTO t (v) VALUES (${text})`);
  assert.ok(statement.kind === 'insert');
  const [value] = statement.values;
  assert.ok(value !== undefined);
  const type = typeof kind === 'string' ? { kind } : kind;
  const receiver = { keyspace: 'b_expr', table: 't', name: 'v', type };
  return prepareTerm(value, receiver, { schema, keyspace: 'b_expr', variables: new Variables() });
}

test('a literal is evaluated once, when it is prepared', () => {
  const list: CqlType = { kind: 'list', element: { kind: 'int' }, frozen: true };
  for (const term of [termOf('int', '5'), termOf('int', 'null'), termOf(list, '[1, 2]')]) {
    assert.ok(term.isConstant);
    assert.equal(term.evaluate(moment), term.evaluate(moment));
  }
});

test('what may be another value another time is no constant', () => {
  for (const term of [
    termOf('int', '?'),
    termOf('timeuuid', 'now()'),
    termOf('uuid', 'uuid()'),
    termOf('timestamp', 'current_timestamp()'),
    termOf('timestamp', "'now'"),
    termOf('timestamp', 'to_timestamp(now())'),
    termOf({ kind: 'list', element: { kind: 'timeuuid' }, frozen: true }, '[now()]'),
  ]) {
    assert.ok(!term.isConstant);
  }
  assert.ok(termOf('int', 'abs(-5) + 1').isConstant);
});

test('the moment is that of the statement', () => {
  for (const text of ["'now'", 'current_timestamp()', 'to_timestamp(now())', 'currentTimestamp()']) {
    const bytes = termOf('timestamp', text).evaluate(moment);
    assert.equal(bytes?.readBigInt64BE(), 1_700_000_000_123n, text);
  }
});

test('every call of uuid() and now() gives another', () => {
  for (const [kind, text, version] of [
    ['uuid', 'uuid()', 4],
    ['timeuuid', 'now()', 1],
  ] as const) {
    const term = termOf(kind, text);
    const made = Array.from({ length: 100 }, () => term.evaluate(moment)?.toString('hex'));
    assert.equal(new Set(made).size, 100);
    for (const uuid of made) assert.equal(Number(uuid?.[12]), version);
  }
});

test('numbers between operators are of the type that is wanted', () => {
  assert.equal(termOf('int', '100 + 100 + 100').evaluate(moment)?.readInt32BE(), 300);
});

test('a long chain of operators is understood in no more than its length asks for', () => {
  const chain = Array.from({ length: 200 }, () => '1').join(' + ');
  assert.equal(termOf('int', chain).evaluate(moment)?.readInt32BE(), 200);
});

test('decimals that no memory holds are refused', () => {
  const huge = 'exp((decimal)2000000000)';
  for (const text of [`${huge} / (decimal)3`, `${huge} % (decimal)7`]) {
    assert.throws(() => termOf('decimal', text).evaluate(moment), { code: 'cql-function-failed' }, text);
  }
  const sum = termOf('decimal', `${huge} + (decimal)1`).evaluate(moment);
  assert.ok(sum && sum.length < 5000);
});
