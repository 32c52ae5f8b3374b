// One relation of WHERE as a restriction: its columns are looked up, its operator is held against their types, its terms are typed.

import type { ColumnSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { BoundValue } from '../../../execution/cql/statement-request.ts';
import { readCollection } from '../../../values/cql-elements.ts';
import {
  type CqlType,
  hasDuration,
  isMultiCell,
  printCqlType,
  quoteIfNeeded,
} from '../../../values/cql-type.ts';
import { refuseNullElements } from '../expressions/in-list.ts';
import { prepareTerm } from '../expressions/prepare-term.ts';
import type { TermContext } from '../expressions/term-context.ts';
import type { Relation } from '../relations.ts';
import type { Term } from '../terms.ts';
import { columnSpec, existingColumn, specOf } from '../writes/target-table.ts';
import { printRelation } from './print-relation.ts';
import type { Restriction, TupleTerm } from './restriction.ts';
import { tupleRestriction } from './tuple-restriction.ts';

type ColumnRelation = Extract<Relation, { kind: 'comparison' | 'in' | 'element' }>;

export function relationRestriction(
  relation: Exclude<Relation, { kind: 'token' | 'indexExpression' | 'isNotNull' }>,
  table: TableSchema,
  context: TermContext,
): Restriction {
  if ('operator' in relation && relation.operator === '!=') {
    throw invalidRequest(`Unsupported "!=" relation: ${printRelation(relation)}`);
  }
  if (relation.kind === 'tupleComparison' || relation.kind === 'tupleIn') {
    return tupleRestriction(relation, table, context);
  }
  const column = existingColumn(table, relation.column);
  if (isSlice(relation)) refuseDurationSlice(column.type);
  refuseColumn(relation, column);
  if (relation.kind === 'in') return inRestriction(relation, table, column, context);
  if (relation.kind === 'element') return elementRestriction(relation, table, column, context);
  return comparison(relation, table, column, context);
}

function comparison(
  { operator, term }: Extract<Relation, { kind: 'comparison' }>,
  table: TableSchema,
  column: ColumnSchema,
  context: TermContext,
): Restriction {
  const isTuple = false;
  const columns = [column];
  if (operator === 'CONTAINS' || operator === 'CONTAINS KEY') {
    const isKey = operator === 'CONTAINS KEY';
    const receiver = collectionReceiver(table, column, isKey);
    const typed = prepareTerm(term, receiver, context);
    const [values, keys] = isKey ? [[], [typed]] : [[typed], []];
    return { kind: 'contains', columns, isTuple, values, keys, entries: [] };
  }
  const value = singleValue(table, column, term, context);
  const bound = { isInclusive: operator.endsWith('='), value };
  if (operator.startsWith('>')) return { kind: 'slice', columns, isTuple, start: bound, end: undefined };
  if (operator.startsWith('<')) return { kind: 'slice', columns, isTuple, start: undefined, end: bound };
  return { kind: 'equal', columns, isTuple, value };
}

function inRestriction(
  { values }: Extract<Relation, { kind: 'in' }>,
  table: TableSchema,
  column: ColumnSchema,
  context: TermContext,
): Restriction {
  const columns = [column];
  const isTuple = false;
  if ('kind' in values) {
    const type: CqlType = { kind: 'list', element: column.type, frozen: false };
    const list = prepareTerm(values, specOf(table, `in(${column.name})`, type), context);
    return {
      kind: 'in',
      columns,
      isTuple,
      values: (bindings) => {
        refuseNullElements(values, column, bindings);
        return elementsOf(list.evaluate(bindings), column);
      },
    };
  }
  const terms = values.map((term) => singleValue(table, column, term, context));
  const [value] = terms;
  if (terms.length === 1 && value !== undefined) {
    return { kind: 'equal', columns, isTuple, value };
  }
  return { kind: 'in', columns, isTuple, values: (bindings) => terms.map((term) => term(bindings)) };
}

/** The list that one marker carries. */
function elementsOf(list: BoundValue, { name }: ColumnSchema): readonly (readonly BoundValue[])[] {
  if (list === null) throw invalidRequest(`Invalid null value for column ${name}`);
  if (list === undefined) throw invalidRequest(`Invalid unset value for column ${name}`);
  return readCollection(list, 1).map((element) => [element]);
}

function elementRestriction(
  { key, term }: Extract<Relation, { kind: 'element' }>,
  table: TableSchema,
  column: ColumnSchema,
  context: TermContext,
): Restriction {
  const entry = {
    key: prepareTerm(key, collectionReceiver(table, column, true), context),
    value: prepareTerm(term, collectionReceiver(table, column, false), context),
  };
  return { kind: 'contains', columns: [column], isTuple: false, values: [], keys: [], entries: [entry] };
}

function singleValue(table: TableSchema, column: ColumnSchema, term: Term, context: TermContext): TupleTerm {
  const typed = prepareTerm(term, columnSpec(table, column), context);
  return (bindings) => [typed.evaluate(bindings)];
}

function isSlice(relation: ColumnRelation): boolean {
  return 'operator' in relation && /^[<>]/.test(relation.operator);
}

function refuseDurationSlice(type: CqlType): void {
  if (!hasDuration(type)) return;
  const owner =
    type.kind === 'list' || type.kind === 'set' || type.kind === 'map'
      ? 'collections containing durations'
      : type.kind === 'tuple'
        ? 'tuples containing durations'
        : type.kind === 'udt'
          ? 'UDTs containing durations'
          : 'duration columns';
  throw invalidRequest(`Slice restrictions are not supported on ${owner}`);
}

function refuseColumn(relation: ColumnRelation, column: ColumnSchema): void {
  const { name, type, descending } = column;
  const operator = relation.kind === 'in' ? 'IN' : relation.operator;
  const isCollection = type.kind === 'list' || type.kind === 'set' || type.kind === 'map';
  // To Cassandra a collection in descending order is none.
  if (operator === 'CONTAINS KEY' && (type.kind !== 'map' || descending)) {
    throw invalidRequest(`Cannot use CONTAINS KEY on non-map column ${name}`);
  }
  if (operator === 'CONTAINS' && (!isCollection || descending)) {
    throw invalidRequest(`Cannot use CONTAINS on non-collection column ${name}`);
  }
  if (relation.kind === 'element') refuseElement(relation, column);
  if (type.kind === 'udt' && isMultiCell(type)) {
    throw invalidRequest(
      `Non-frozen UDT column '${name}' (${quoteIfNeeded(type.name)}) cannot be restricted by any relation`,
    );
  }
  const isLegal = operator === 'CONTAINS' || operator === 'CONTAINS KEY' || relation.kind === 'element';
  if (isCollection && isMultiCell(type) && !isLegal) {
    throw invalidRequest(
      `Collection column '${name}' (${printCqlType(type)}) cannot be restricted by a '${operator}' relation`,
    );
  }
}

function refuseElement(
  { operator }: Extract<Relation, { kind: 'element' }>,
  { name, type, descending }: ColumnSchema,
): void {
  if (type.kind === 'list' && !descending) {
    throw invalidRequest(`Indexes on list entries (${name}[index] = value) are not currently supported.`);
  }
  if (type.kind !== 'map' || descending) throw invalidRequest(`Column ${name} cannot be used as a map`);
  if (!isMultiCell(type)) {
    throw invalidRequest(`Map-entry equality predicates on frozen map column ${name} are not supported`);
  }
  if (operator !== '=') throw invalidRequest('Only EQ relations are supported on map entries');
}

function collectionReceiver(
  table: TableSchema,
  { name, type }: ColumnSchema,
  isKey: boolean,
): ReturnType<typeof specOf> {
  if (type.kind === 'map') {
    return isKey ? specOf(table, `key(${name})`, type.key) : specOf(table, `value(${name})`, type.value);
  }
  if (type.kind === 'list' || type.kind === 'set') return specOf(table, `value(${name})`, type.element);
  throw new Error(`invariant broken: ${printCqlType(type)} is a collection`);
}
