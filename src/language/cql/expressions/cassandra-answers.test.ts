import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  answers,
  protocolType,
  rowsOf,
  type SelectedRows,
  type Stored,
  schema,
  tableNamed,
} from '../../../../test/support/cassandra-answers.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import type { ColumnSpec } from '../../../execution/cql/column-spec.ts';
import { parseCql } from '../cql-parser.ts';
import { CqlSyntaxError } from '../cql-syntax-error.ts';
import { prepareSelection } from './prepare-selection.ts';
import { prepareTerm } from './prepare-term.ts';
import type { Bindings } from './typed-term.ts';
import { Variables } from './variables.ts';

const moment: Bindings = { values: [], nowMicros: 1_700_000_000_000_000n };

function contextOf(variables: Variables) {
  return { schema, keyspace: 'b_expr', variables };
}

const codes: Readonly<Record<string, string>> = {
  'bad-request': '2200',
  'cql-function-failed': '1400',
};

/** Signatures are left out: Cassandra lists them in the order of their hashes. */
function orRefusal<Answer>(ask: () => Answer): Answer | string {
  try {
    return ask();
  } catch (error) {
    if (error instanceof CqlSyntaxError) return `2000 ${error.message}`;
    assert.ok(error instanceof RingfoldError, String(error));
    const reason = String(error.details['reason']);
    return `${codes[error.code]} ${reason.replace(/ \((known type signatures|can be matched).*/s, '')}`;
  }
}

function select(tableName: string, clause: string, bindings: Bindings = moment): SelectedRows {
  const { statement } = parseCql(`SELECT ${clause} FROM ${tableName}`);
  assert.ok(statement.kind === 'select');
  const context = contextOf(new Variables());
  const selection = prepareSelection(statement.selectors, tableNamed(tableName), statement, context);
  const run = selection.begin(bindings);
  const rows = rowsOf(tableName);
  if (selection.isAggregate) for (const row of rows) run.add(row);
  const selected = selection.isAggregate ? [run.takeGroup()] : rows.map((row) => run.rowOf(row));
  return {
    columns: selection.columns.map(printSpec),
    rows: selected.map((row) => row.map((value) => value?.toString('hex') ?? null)),
  };
}

function printSpec({ name, type }: ColumnSpec): string {
  return `${name} ${protocolType(type)}`;
}

function store(column: string, text: string, bindings: Bindings = moment): Stored {
  const { statement } = parseCql(`INSERT INTO b_expr.sink (k, ${column}) VALUES (1, ${text})`);
  assert.ok(statement.kind === 'insert');
  const [, value] = statement.values;
  const type = tableNamed('sink').columns.get(column)?.type;
  assert.ok(value !== undefined && type !== undefined);
  const receiver = { keyspace: 'b_expr', table: 'sink', name: column, type };
  const term = prepareTerm(value, receiver, contextOf(new Variables()));
  return { value: term.evaluate(bindings)?.toString('hex') ?? null };
}

function variablesOf(text: string): readonly string[] {
  const { statement } = parseCql(text);
  const variables = new Variables();
  const context = contextOf(variables);
  if (statement.kind === 'select') {
    prepareSelection(statement.selectors, tableNamed(statement.table.name), statement, context);
  } else {
    assert.ok(statement.kind === 'insert');
    const table = tableNamed(statement.table.name);
    for (const [at, name] of statement.columns.entries()) {
      const [type, value] = [table.columns.get(name)?.type, statement.values[at]];
      assert.ok(type !== undefined && value !== undefined);
      prepareTerm(value, { keyspace: 'b_expr', table: table.name, name, type }, context);
    }
  }
  return variables.specs().map(printSpec);
}

for (const [family, questions] of Object.entries(answers.selections)) {
  test(`select clauses give what Cassandra gives: ${family}`, () => {
    assert.ok(questions.length > 0);
    for (const [table, clause, answer] of questions) {
      assert.deepEqual(
        orRefusal(() => select(table, clause)),
        answer,
        clause,
      );
    }
  });
}

test('a term becomes the bytes that Cassandra stores, or is refused in its words', () => {
  assert.ok(answers.terms.length > 250);
  for (const [column, term, answer] of answers.terms) {
    assert.deepEqual(
      orRefusal(() => store(column, term)),
      answer,
      `${column}: ${term}`,
    );
  }
});

test('bytes that are bound are checked as Cassandra checks them, and sets and maps put in order', () => {
  assert.ok(answers.bound.length > 30);
  for (const [column, hex, answer] of answers.bound) {
    const values = [Buffer.from(hex.replaceAll(' ', ''), 'hex')];
    assert.deepEqual(
      orRefusal(() => store(column, '?', { ...moment, values })),
      answer,
      `${column}: ${hex}`,
    );
  }
});

test('markers have the names and types that Cassandra tells drivers', () => {
  assert.ok(answers.variables.length > 60);
  for (const [statement, answer] of answers.variables) {
    assert.deepEqual(
      orRefusal(() => variablesOf(statement)),
      answer,
      statement,
    );
  }
});

test('what Cassandra stumbles over is refused, or works', () => {
  const refusals: readonly (readonly [string, string])[] = [
    ['(set<int>){n}', '2200 null is not supported inside collections'],
    ['(vector<float,3>)[fl, null, 3]', '2200 null is not supported inside collections'],
    ['m[null]', '2200 Invalid null value for element selection on m'],
    ['log(-0.5 * de)', '1400 java.lang.ArithmeticException: Natural log of number zero or less'],
    [
      'similarity_cosine(vec, l)',
      '2200 Function system.similarity_cosine requires a float vector argument, but found argument l of type list<int>',
    ],
  ];
  for (const [clause, answer] of refusals)
    assert.equal(
      orRefusal(() => select('t', clause)),
      answer,
    );
  assert.deepEqual(store('fu', "('a', 1)"), store('fu', "{street: 'a', num: 1}"));
});

test('functions that are made for a timeuuid give one, where Cassandra gives clients a class that they do not know', () => {
  for (const clause of ['max(tu)', 'mask_default(tu)', 'mask_replace(tu, tu)']) {
    assert.match(select('t', clause).columns.join(), / timeuuid$/);
  }
});

test('a value that is not set is refused by what cannot do without it', () => {
  const unset: Bindings = { ...moment, values: [undefined, undefined] };
  const refused: readonly (readonly [() => unknown, string])[] = [
    [() => select('t', 'm[?]', unset), 'Invalid unset value for element selection on m'],
    [() => select('t', 'abs((int)?)', unset), 'Invalid unset value for argument in call to function abs'],
    [() => store('tup', '(?, ?)', unset), 'Invalid unset value for tuple field number 0'],
    [
      () => store('fu', '{street: ?}', unset),
      "Invalid unset value for field 'street' of user defined type addr",
    ],
    [() => store('i', 'abs((int)?)', unset), 'Invalid unset value for argument in call to function abs'],
    [() => store('vec', '[1, ?, 2]', unset), 'null is not supported inside vectors'],
  ];
  for (const [ask, reason] of refused) assert.equal(orRefusal(ask), `2200 ${reason}`);
  assert.deepEqual(select('t', '(int)?', unset).rows, [[''], ['']]);
  assert.deepEqual(select('t', 'm[?..?]', { ...moment, values: [undefined, Buffer.from('x')] }).rows, [
    ['0000000100000001780000000400000001'],
    [null],
  ]);
});
