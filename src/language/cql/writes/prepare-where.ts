// The WHERE clause of UPDATE and DELETE, and what INSERT's key columns amount to. The checks come in Cassandra's order
// (StatementRestrictions), because a suite sees the first that fails.

import { isDense } from '../../../catalog/cql/compact-storage.ts';
import type { ColumnSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import { hasDuration, isMultiCell, printCqlType, quoteIfNeeded } from '../../../values/cql-type.ts';
import { prepareTerm } from '../expressions/prepare-term.ts';
import type { TermContext } from '../expressions/term-context.ts';
import { printTerm } from '../print-term.ts';
import type { Relation } from '../relations.ts';
import type { KeyRestriction } from './key-restriction.ts';
import { singleIn, singleRestriction, tupleIn, tupleRestriction } from './prepare-restriction.ts';
import { RestrictionList } from './restriction-list.ts';
import { existingColumn, specOf } from './target-table.ts';

export type WriteKind = 'INSERT' | 'UPDATE' | 'DELETE';

export interface WriteWhere {
  readonly partition: RestrictionList;
  readonly clustering: RestrictionList;
}

/** `onlyStatics`: nothing that the statement writes or looks at belongs to a row. */
export function prepareWhere(
  kind: WriteKind,
  table: TableSchema,
  relations: readonly Relation[],
  onlyStatics: boolean,
  context: TermContext,
): WriteWhere {
  const where = { partition: new RestrictionList(), clustering: new RestrictionList() };
  const others: ColumnSchema[] = [];
  let hasToken = false;
  for (const relation of relations) {
    if (relation.kind === 'indexExpression') {
      throw invalidRequest(
        'Custom index expressions cannot be used in WHERE clauses for UPDATE or DELETE statements',
      );
    }
    if (relation.kind === 'token') {
      hasToken = true;
      for (const name of relation.columns) existingColumn(table, name);
      prepareTerm(relation.term, specOf(table, 'partition key token', { kind: 'bigint' }), context);
      continue;
    }
    addRelation(kind, table, relation, where, others, context);
  }
  checkPartitionKey(kind, table, where.partition, hasToken);
  if (onlyStatics && where.clustering.all.length > 0) {
    throw invalidRequest(
      `Invalid restrictions on clustering columns since the ${kind} statement modifies only static columns`,
    );
  }
  checkClustering(kind, table, where.clustering, onlyStatics);
  if (others.length > 0) {
    const names = others.map(({ name }) => name).sort();
    throw invalidRequest(`Non PRIMARY KEY columns found in where clause: ${names.join(', ')} `);
  }
  return where;
}

type PlainRelation = Exclude<Relation, { kind: 'indexExpression' | 'token' }>;

function addRelation(
  kind: WriteKind,
  table: TableSchema,
  relation: PlainRelation,
  where: WriteWhere,
  others: ColumnSchema[],
  context: TermContext,
): void {
  refuseOperator(kind, table, relation);
  const restriction = restrictionOf(table, relation, context);
  const [column] = restriction.columns;
  if (column === undefined) return;
  if (column.kind === 'partition_key') where.partition.add(restriction);
  else if (column.kind === 'clustering') where.clustering.addInOrder(restriction);
  else if (!others.includes(column)) others.push(column);
}

function refuseOperator(kind: WriteKind, table: TableSchema, relation: PlainRelation): void {
  if (relation.kind === 'isNotNull') {
    throw invalidRequest(`Unsupported restriction: ${quoteIfNeeded(relation.column)} IS NOT NULL`);
  }
  if (relation.kind === 'in' || relation.kind === 'tupleIn') return;
  const { operator } = relation;
  if (operator === 'CONTAINS' || operator === 'CONTAINS KEY') {
    throw invalidRequest(`Cannot use ${kind} with ${operator}`);
  }
  if (operator === 'LIKE' && relation.kind === 'comparison') {
    existingColumn(table, relation.column);
    throw invalidRequest(
      `LIKE restriction is only supported on properly indexed columns. ${quoteIfNeeded(relation.column)} LIKE ${printTerm(relation.term)} is not valid.`,
    );
  }
  if (operator === '!=') throw invalidRequest(`Unsupported "!=" relation: ${printRelation(relation)}`);
}

type Compared = Extract<Relation, { kind: 'comparison' | 'element' | 'tupleComparison' }>;

function printRelation(relation: Compared): string {
  const right = `${relation.operator} ${printTerm(relation.term)}`;
  if (relation.kind === 'tupleComparison')
    return `(${relation.columns.map(quoteIfNeeded).join(', ')}) ${right}`;
  if (relation.kind === 'comparison') return `${quoteIfNeeded(relation.column)} ${right}`;
  return `${quoteIfNeeded(relation.column)}[${printTerm(relation.key)}] ${right}`;
}

function restrictionOf(table: TableSchema, relation: Relation, context: TermContext): KeyRestriction {
  switch (relation.kind) {
    case 'comparison': {
      const column = existingColumn(table, relation.column);
      const { operator } = relation;
      checkComparable(column, operator);
      if (
        operator === 'LIKE' ||
        operator === 'CONTAINS' ||
        operator === 'CONTAINS KEY' ||
        operator === '!='
      ) {
        throw invalidRequest(`Unsupported "${operator}" relation: ${printRelation(relation)}`);
      }
      if (operator !== '=') refuseDuration(column);
      return singleRestriction(table, column, operator, relation.term, context);
    }
    case 'in': {
      const column = existingColumn(table, relation.column);
      checkComparable(column, 'IN');
      return singleIn(table, column, relation.values, context);
    }
    case 'element':
      return elementRestriction(table, relation, context);
    case 'tupleComparison': {
      const columns = tupleColumns(table, relation, printRelation(relation));
      const { operator } = relation;
      if (operator === '!=') throw invalidRequest(`Unsupported "!=" relation: ${printRelation(relation)}`);
      return tupleRestriction(table, columns, operator, relation.term, context);
    }
    case 'tupleIn': {
      const shown = 'kind' in relation.values ? '?' : `(${relation.values.map(printTerm).join(', ')})`;
      const columns = tupleColumns(
        table,
        relation,
        `(${relation.columns.map(quoteIfNeeded).join(', ')}) IN ${shown}`,
      );
      return tupleIn(table, columns, relation.values, context);
    }
    case 'isNotNull':
    case 'token':
    case 'indexExpression':
      throw new Error(`invariant broken: ${relation.kind} is dealt with before`);
  }
}

/** No key column is a map of cells, so this always ends in a refusal; which one depends on the column. */
function elementRestriction(
  table: TableSchema,
  relation: Extract<Relation, { kind: 'element' }>,
  context: TermContext,
): KeyRestriction {
  const column = existingColumn(table, relation.column);
  const { name, type, descending } = column;
  if (type.kind === 'list' && !descending) {
    throw invalidRequest(`Indexes on list entries (${name}[index] = value) are not currently supported.`);
  }
  if (type.kind !== 'map' || descending) throw invalidRequest(`Column ${name} cannot be used as a map`);
  if (!isMultiCell(type)) {
    throw invalidRequest(`Map-entry equality predicates on frozen map column ${name} are not supported`);
  }
  if (relation.operator !== '=') throw invalidRequest('Only EQ relations are supported on map entries');
  prepareTerm(relation.key, specOf(table, `key(${name})`, type.key), context);
  prepareTerm(relation.term, specOf(table, `value(${name})`, type.value), context);
  return { kind: 'eq', columns: [column], term: undefined, values: () => [] };
}

function checkComparable({ name, type }: ColumnSchema, operator: string): void {
  if (!isMultiCell(type)) return;
  if (type.kind === 'udt') {
    throw invalidRequest(
      `Non-frozen UDT column '${name}' (${printCqlType(type)}) cannot be restricted by any relation`,
    );
  }
  throw invalidRequest(
    `Collection column '${name}' (${printCqlType(type)}) cannot be restricted by a '${operator}' relation`,
  );
}

function refuseDuration({ type }: ColumnSchema): void {
  if (!hasDuration(type)) return;
  const whats = { list: 'collections', set: 'collections', map: 'collections', tuple: 'tuples', udt: 'UDTs' };
  const what = type.kind in whats ? whats[type.kind as keyof typeof whats] : undefined;
  const where = what === undefined ? 'duration columns' : `${what} containing durations`;
  throw invalidRequest(`Slice restrictions are not supported on ${where}`);
}

function tupleColumns(
  table: TableSchema,
  { columns: names }: { readonly columns: readonly string[] },
  shown: string,
): ColumnSchema[] {
  const columns: ColumnSchema[] = [];
  for (const name of names) {
    const column = existingColumn(table, name);
    if (column.kind !== 'clustering') {
      throw invalidRequest(
        `Multi-column relations can only be applied to clustering columns but was applied to: ${column.name}`,
      );
    }
    if (columns.includes(column)) {
      throw invalidRequest(`Column "${column.name}" appeared twice in a relation: ${shown}`);
    }
    const previous = columns.at(-1);
    if (previous !== undefined && column.position !== previous.position + 1) {
      throw invalidRequest(
        `Clustering columns must appear in the PRIMARY KEY order in multi-column relations: ${shown}`,
      );
    }
    columns.push(column);
  }
  return columns;
}

function checkPartitionKey(
  kind: WriteKind,
  table: TableSchema,
  restrictions: RestrictionList,
  hasToken: boolean,
): void {
  if (hasToken)
    throw invalidRequest(`The token function cannot be used in WHERE clauses for ${kind} statements`);
  const missing = missingFrom(table.partitionKey, restrictions);
  if (missing !== '') throw invalidRequest(`Some partition key parts are missing: ${missing}`);
  if (restrictions.hasSlice) {
    throw invalidRequest(
      `Only EQ and IN relation are supported on the partition key (unless you use the token() function) for ${kind} statements`,
    );
  }
}

function checkClustering(
  kind: WriteKind,
  table: TableSchema,
  restrictions: RestrictionList,
  onlyStatics: boolean,
): void {
  if (kind !== 'DELETE') {
    if (restrictions.hasSlice) {
      throw invalidRequest(
        `Slice restrictions are not supported on the clustering columns in ${kind} statements`,
      );
    }
    // A row of a dense table may have the first of its clustering values alone.
    if (!isDense(table) || restrictions.columns.length === 0) {
      const missing = missingFrom(table.clustering, restrictions);
      if (!onlyStatics && missing !== '')
        throw invalidRequest(`Some clustering keys are missing: ${missing}`);
      return;
    }
  }
  for (const [at, column] of restrictions.columns.entries()) {
    const expected = table.clustering[at];
    if (expected !== undefined && expected !== column) {
      throw invalidRequest(
        `PRIMARY KEY column "${column.name}" cannot be restricted as preceding column "${expected.name}" is not restricted`,
      );
    }
  }
}

function missingFrom(columns: readonly ColumnSchema[], restrictions: RestrictionList): string {
  const restricted = restrictions.columns;
  return columns
    .filter((column) => !restricted.includes(column))
    .map(({ name }) => name)
    .join(', ');
}
