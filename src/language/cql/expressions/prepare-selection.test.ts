import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowsOf, schema, tableNamed } from '../../../../test/support/cassandra-answers.ts';
import type { ReadRow } from '../../../execution/cql/read-row.ts';
import { parseCql } from '../cql-parser.ts';
import { prepareSelection } from './prepare-selection.ts';
import type { Selection } from './selection.ts';
import { Variables } from './variables.ts';

const moment = { values: [], nowMicros: 0n };

function selectionOf(clause: string): Selection {
  const { statement } = parseCql(`SELECT ${clause} FROM t`);
  assert.ok(statement.kind === 'select');
  const context = { schema, keyspace: 'b_expr', variables: new Variables() };
  return prepareSelection(statement.selectors, tableNamed('t'), statement, context);
}

function names(columns: readonly { readonly name: string }[] | undefined): readonly string[] | undefined {
  return columns?.map(({ name }) => name);
}

test('a selection of nothing but columns says which they are, under whatever names', () => {
  assert.deepEqual(names(selectionOf('c, i AS x, c').plainColumns), ['c', 'i', 'c']);
  assert.deepEqual(names(selectionOf('c, i AS x, c').columns), ['c', 'x', 'c']);
  const all = Array.from(tableNamed('t').columns.keys());
  assert.deepEqual(names(selectionOf('*').plainColumns), all);
});

test('a selection that must compute has no plain columns', () => {
  for (const clause of [
    'i + 1',
    'c, abs(i)',
    '(int)i',
    'JSON *',
    'writetime(i)',
    "m['x']",
    'u.street',
    'count(*)',
  ]) {
    assert.equal(selectionOf(clause).plainColumns, undefined, clause);
  }
});

test('only the columns that it looks at are read, each once', () => {
  assert.deepEqual(names(selectionOf("i + bi, abs(i), m['x'], writetime(te), (int)5").reads), [
    'i',
    'bi',
    'm',
    'te',
  ]);
  assert.deepEqual(selectionOf('count(*)').reads, []);
});

test('rows come together only where there is an aggregate, however deep', () => {
  for (const clause of ['count(*)', 'i, sum(i) + 1', '[max(i)]', 'to_json(min(i))', '-max(c)']) {
    assert.ok(selectionOf(clause).isAggregate, clause);
  }
  for (const clause of ['i', 'abs(i)', 'collection_max(l)', '[i]']) {
    assert.ok(!selectionOf(clause).isAggregate, clause);
  }
});

function inHex(row: readonly (Buffer | null)[]): readonly (string | null)[] {
  return row.map((value) => value?.toString('hex') ?? null);
}

test('a group has its own aggregates, and the values of its first row for all else', () => {
  const [first, second] = rowsOf('t');
  assert.ok(first !== undefined && second !== undefined);
  const run = selectionOf('c, abs(c), count(*), sum(c), writetime(i), max(c) - c').begin(moment);
  const take = (...rows: readonly ReadRow[]) => {
    for (const row of rows) run.add(row);
    return inHex(run.takeGroup());
  };
  const [one, two, three] = ['00000001', '00000002', '00000003'];
  const [at1000, at2000] = ['00000000000003e8', '00000000000007d0'];
  assert.deepEqual(take(first, second), [one, one, '0000000000000002', three, at1000, one]);
  assert.deepEqual(take(second), [two, two, '0000000000000001', two, at2000, '00000000']);
  assert.deepEqual(take(), [null, null, '0000000000000000', '00000000', null, null]);
  assert.deepEqual(take(first), [one, one, '0000000000000001', one, at1000, '00000000']);
});

test('two runs of one selection do not see one another', () => {
  const [first, second] = rowsOf('t');
  assert.ok(first !== undefined && second !== undefined);
  const selection = selectionOf('c, sum(c)');
  const [one, other] = [selection.begin(moment), selection.begin(moment)];
  one.add(first);
  other.add(second);
  assert.deepEqual(inHex(one.takeGroup()), ['00000001', '00000001']);
  assert.deepEqual(inHex(other.takeGroup()), ['00000002', '00000002']);
});
