// Relations on several clustering columns together: (a, b) > (1, 2), (a, b) IN (…).

import type { ColumnSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import { readCollection, readFields } from '../../../values/cql-elements.ts';
import type { CqlType } from '../../../values/cql-type.ts';
import { prepareTerm } from '../expressions/prepare-term.ts';
import type { TermContext } from '../expressions/term-context.ts';
import { printTerm } from '../print-term.ts';
import type { Relation } from '../relations.ts';
import type { Term } from '../terms.ts';
import { columnSpec, existingColumn, specOf } from '../writes/target-table.ts';
import { printRelation } from './print-relation.ts';
import type { Restriction, TupleTerm } from './restriction.ts';

type TupleRelation = Extract<Relation, { kind: 'tupleComparison' | 'tupleIn' }>;

export function tupleRestriction(
  relation: TupleRelation,
  table: TableSchema,
  context: TermContext,
): Restriction {
  const columns = clusteringColumns(relation, table);
  const isTuple = true;
  if (relation.kind === 'tupleIn') return tupleIn(relation, table, columns, context);
  const value = tupleTerm(relation.term, table, columns, context);
  const { operator } = relation;
  const bound = { isInclusive: operator.endsWith('='), value };
  if (operator.startsWith('>')) return { kind: 'slice', columns, isTuple, start: bound, end: undefined };
  if (operator.startsWith('<')) return { kind: 'slice', columns, isTuple, start: undefined, end: bound };
  return { kind: 'equal', columns, isTuple, value };
}

function tupleIn(
  { values }: Extract<TupleRelation, { kind: 'tupleIn' }>,
  table: TableSchema,
  columns: readonly ColumnSchema[],
  context: TermContext,
): Restriction {
  const isTuple = true;
  if ('kind' in values) {
    const names = columns.map(({ name }) => name).join(',');
    const type: CqlType = { kind: 'list', element: tupleOf(columns), frozen: false };
    const list = prepareTerm(values, specOf(table, `in(${names})`, type), context);
    return {
      kind: 'in',
      columns,
      isTuple,
      values: (bindings) => {
        const value = list.evaluate(bindings);
        if (value === undefined) throw invalidRequest(`Invalid unset value for in(${names})`);
        if (value === null) throw invalidRequest('Invalid null value for IN restriction');
        return readCollection(value, 1).map((tuple) => readFields(tuple, columns.length));
      },
    };
  }
  const terms = values.map((term) => tupleTerm(term, table, columns, context));
  const [value] = terms;
  if (terms.length === 1 && value !== undefined) {
    return { kind: 'equal', columns, isTuple, value };
  }
  return { kind: 'in', columns, isTuple, values: (bindings) => terms.map((term) => term(bindings)) };
}

/** All clustering columns, none twice, and none left out between them. */
function clusteringColumns(relation: TupleRelation, table: TableSchema): readonly ColumnSchema[] {
  const columns: ColumnSchema[] = [];
  for (const name of relation.columns) {
    const column = existingColumn(table, name);
    if (column.kind !== 'clustering') {
      throw invalidRequest(
        `Multi-column relations can only be applied to clustering columns but was applied to: ${name}`,
      );
    }
    if (columns.includes(column)) {
      throw invalidRequest(`Column "${name}" appeared twice in a relation: ${printRelation(relation)}`);
    }
    const last = columns.at(-1);
    if (last !== undefined && column.position !== last.position + 1) {
      throw invalidRequest(
        `Clustering columns must appear in the PRIMARY KEY order in multi-column relations: ${printRelation(relation)}`,
      );
    }
    columns.push(column);
  }
  return columns;
}

/** A tuple written out gives each column its own term; any other is one value with a field for each. */
function tupleTerm(
  term: Term,
  table: TableSchema,
  columns: readonly ColumnSchema[],
  context: TermContext,
): TupleTerm {
  if (term.kind !== 'tuple') {
    const names = columns.map(({ name }) => name).join(',');
    const typed = prepareTerm(term, specOf(table, `(${names})`, tupleOf(columns)), context);
    return (bindings) => {
      const value = typed.evaluate(bindings);
      if (value === undefined) throw invalidRequest(`Invalid unset value for tuple (${names})`);
      return value === null ? columns.map(() => null) : readFields(value, columns.length);
    };
  }
  const { elements } = term;
  if (elements.length !== columns.length) {
    throw invalidRequest(
      `Expected ${columns.length} elements in value tuple, but got ${elements.length}: ${printTerm(term)}`,
    );
  }
  const terms = elements.flatMap((element, at) => {
    const column = columns[at];
    return column === undefined ? [] : [prepareTerm(element, columnSpec(table, column), context)];
  });
  return (bindings) =>
    terms.map((typed, at) => {
      const value = typed.evaluate(bindings);
      if (value === undefined) throw invalidRequest(`Invalid unset value for tuple field number ${at}`);
      return value;
    });
}

function tupleOf(columns: readonly ColumnSchema[]): CqlType {
  return { kind: 'tuple', fields: columns.map(({ type }) => type) };
}
