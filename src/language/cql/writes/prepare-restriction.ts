// One relation of a WHERE clause on key columns.

import type { ColumnSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { BoundValue } from '../../../execution/cql/statement-request.ts';
import { readCollection, readFields } from '../../../values/cql-elements.ts';
import type { CqlType } from '../../../values/cql-type.ts';
import { refuseNullElements } from '../expressions/in-list.ts';
import { prepareTerm } from '../expressions/prepare-term.ts';
import type { TermContext } from '../expressions/term-context.ts';
import type { Bindings, TypedTerm } from '../expressions/typed-term.ts';
import { printTerm } from '../print-term.ts';
import type { ComparisonOperator, InValues } from '../relations.ts';
import type { Term } from '../terms.ts';
import { type KeyRestriction, keyValue, type SliceBound } from './key-restriction.ts';
import { columnSpec, specOf } from './target-table.ts';

/** `tuple` evaluates to a value for each of the columns. */
interface TupleTerm {
  (bindings: Bindings): readonly Buffer[];
  /** Where it is a value for one column. */
  readonly term?: TypedTerm;
}

export function singleRestriction(
  table: TableSchema,
  column: ColumnSchema,
  operator: Exclude<ComparisonOperator, '!='>,
  term: Term,
  context: TermContext,
): KeyRestriction {
  return compared([column], operator, singleTerm(table, column, term, context));
}

export function singleIn(
  table: TableSchema,
  column: ColumnSchema,
  values: InValues,
  context: TermContext,
): KeyRestriction {
  if ('kind' in values) {
    const type: CqlType = { kind: 'list', element: column.type, frozen: false };
    const list = prepareTerm(values, specOf(table, `in(${column.name})`, type), context);
    return {
      kind: 'in',
      columns: [column],
      term: undefined,
      values: (bindings) => {
        refuseNullElements(values, column, bindings);
        const value = list.evaluate(bindings);
        if (value === null) throw invalidRequest(`Invalid null value for column ${column.name}`);
        return readCollection(keyValue(value, column), 1).map((element) => [element]);
      },
    };
  }
  return oneOf(
    [column],
    values.map((term) => singleTerm(table, column, term, context)),
  );
}

export function tupleRestriction(
  table: TableSchema,
  columns: readonly ColumnSchema[],
  operator: Exclude<ComparisonOperator, '!='>,
  term: Term,
  context: TermContext,
): KeyRestriction {
  return compared(columns, operator, tupleTerm(table, columns, term, context));
}

export function tupleIn(
  table: TableSchema,
  columns: readonly ColumnSchema[],
  values: InValues,
  context: TermContext,
): KeyRestriction {
  if ('kind' in values) {
    const type: CqlType = { kind: 'list', element: tupleType(columns), frozen: false };
    const list = prepareTerm(values, specOf(table, `in(${namesOf(columns)})`, type), context);
    return {
      kind: 'in',
      columns,
      term: undefined,
      values: (bindings) => {
        const value = list.evaluate(bindings);
        if (value === undefined) throw invalidRequest(`Invalid unset value for in(${namesOf(columns)})`);
        if (value === null) throw invalidRequest('Invalid null value for IN restriction');
        return readCollection(value, 1).map((tuple) => fieldsOf(tuple, columns));
      },
    };
  }
  return oneOf(
    columns,
    values.map((term) => tupleTerm(table, columns, term, context)),
  );
}

function compared(
  columns: readonly ColumnSchema[],
  operator: Exclude<ComparisonOperator, '!='>,
  values: TupleTerm,
): KeyRestriction {
  if (operator === '=') return oneOf(columns, [values]);
  const bound: SliceBound = { isInclusive: operator.endsWith('='), values };
  const isStart = operator.startsWith('>');
  return { kind: 'slice', columns, start: isStart ? bound : undefined, end: isStart ? undefined : bound };
}

/** IN with one value is an equality. */
function oneOf(columns: readonly ColumnSchema[], terms: readonly TupleTerm[]): KeyRestriction {
  return {
    kind: terms.length === 1 ? 'eq' : 'in',
    columns,
    term: terms.length === 1 ? terms[0]?.term : undefined,
    values: (bindings) => terms.map((term) => term(bindings)),
  };
}

function singleTerm(table: TableSchema, column: ColumnSchema, term: Term, context: TermContext): TupleTerm {
  const prepared = prepareTerm(term, columnSpec(table, column), context);
  const values = (bindings: Bindings): readonly Buffer[] => [keyValue(prepared.evaluate(bindings), column)];
  return Object.assign(values, { term: prepared });
}

function tupleTerm(
  table: TableSchema,
  columns: readonly ColumnSchema[],
  term: Term,
  context: TermContext,
): TupleTerm {
  if (term.kind !== 'tuple') {
    const spec = specOf(table, `(${namesOf(columns)})`, tupleType(columns));
    const prepared = prepareTerm(term, spec, context);
    return (bindings) => {
      const value: BoundValue = prepared.evaluate(bindings);
      if (value === undefined) throw invalidRequest(`Invalid unset value for tuple (${namesOf(columns)})`);
      if (value === null) throw invalidRequest(`Invalid null value for column ${columns[0]?.name}`);
      return fieldsOf(value, columns);
    };
  }
  if (term.elements.length !== columns.length) {
    throw invalidRequest(
      `Expected ${columns.length} elements in value tuple, but got ${term.elements.length}: ${printTerm(term)}`,
    );
  }
  const terms = columns.map((column, at) => {
    const element = term.elements[at];
    if (element === undefined) throw invalidRequest(`Invalid null value for column ${column.name}`);
    return prepareTerm(element, columnSpec(table, column), context);
  });
  return (bindings) =>
    columns.map((column, at) => {
      const value = terms[at]?.evaluate(bindings);
      if (value === undefined) throw invalidRequest(`Invalid unset value for tuple field number ${at}`);
      return keyValue(value, column);
    });
}

function fieldsOf(tuple: Buffer, columns: readonly ColumnSchema[]): Buffer[] {
  const fields = readFields(tuple, columns.length);
  return columns.map((column, at) => keyValue(fields[at] ?? null, column));
}

function tupleType(columns: readonly ColumnSchema[]): CqlType {
  return { kind: 'tuple', fields: columns.map(({ type }) => type) };
}

function namesOf(columns: readonly ColumnSchema[]): string {
  return columns.map(({ name }) => name).join(',');
}
