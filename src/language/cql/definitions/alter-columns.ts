import { assembleTable } from '../../../catalog/cql/assemble-table.ts';
import { compactValueOf, declaredAndHidden } from '../../../catalog/cql/compact-storage.ts';
import type { CqlSchema } from '../../../catalog/cql/cql-schema.ts';
import type {
  ColumnSchema,
  DroppedColumn,
  IndexSchema,
  TableSchema,
} from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import { type CqlType, fixedLength, isMultiCell, printCqlType } from '../../../values/cql-type.ts';
import { hashOfColumnName, inHashOrder } from '../java-hash-order.ts';
import type { Rename } from '../renames.ts';
import type { ColumnDefinition } from '../statements/create-table.ts';
import { undefinedColumn } from '../undefined-column.ts';
import { hasNestedCells, refuseMask } from './column-checks.ts';
import { configurationError } from './definition-errors.ts';
import { resolveType } from './resolve-type.ts';

export function addColumns(
  table: TableSchema,
  added: readonly ColumnDefinition[],
  ifNotExists: boolean,
  schema: CqlSchema,
): TableSchema {
  if (table.isCompact) refuseToAdd(table, added, ifNotExists);
  const columns = new Map(table.columns);
  let { nextColumnId } = table;
  for (const definition of added) {
    const { name, isStatic, mask } = definition;
    const type = resolveType(definition.type, schema, table.keyspace);
    refuseMask(mask);
    if (columns.has(name)) {
      if (ifNotExists) continue;
      throw invalidRequest(`Column with name '${name}' already exists`);
    }
    const kind = isStatic ? 'static' : 'regular';
    checkAdded(table, name, type, kind);
    const dropped = table.droppedColumns.find((column) => column.name === name);
    const id = dropped?.id ?? nextColumnId++;
    columns.set(name, { name, id, type, kind, position: -1, descending: false });
  }
  checkCounters(table, columns);
  return assembleTable({ ...table, nextColumnId }, columns.values());
}

/** Also of names that only its hidden columns have. */
function refuseToAdd(table: TableSchema, added: readonly ColumnDefinition[], ifNotExists: boolean): never {
  const taken = declaredAndHidden(table).find(({ name }) => name === added[0]?.name);
  if (taken !== undefined && !ifNotExists)
    throw invalidRequest(`Column with name '${taken.name}' already exists`);
  throw invalidRequest('Cannot add new column to a COMPACT STORAGE table');
}

function checkAdded(table: TableSchema, name: string, type: CqlType, kind: 'static' | 'regular'): void {
  if (kind === 'static' && table.clustering.length === 0) {
    throw invalidRequest(
      'Static columns are only useful (and thus allowed) if the table has at least one clustering column',
    );
  }
  if (hasNestedCells(type)) {
    throw invalidRequest(
      `Non-frozen UDTs with nested non-frozen collections are not supported for column ${name}`,
    );
  }
  const dropped = table.droppedColumns.find((column) => column.name === name);
  if (dropped === undefined) return;
  if (!isReadable(type, dropped.type)) {
    throw invalidRequest(
      `Cannot re-add previously dropped column '${name}' of type ${printCqlType(type)}, incompatible with previous type ${printCqlType(dropped.type)}`,
    );
  }
  if (dropped.kind !== kind) {
    throw invalidRequest(
      `Cannot re-add previously dropped column '${name}' of kind ${kind.toUpperCase()}, incompatible with previous kind ${dropped.kind.toUpperCase()}`,
    );
  }
  if (table.isCounter) throw invalidRequest(`Cannot re-add previously dropped counter column ${name}`);
}

function checkCounters(
  { keyspace, name, isCounter }: TableSchema,
  columns: ReadonlyMap<string, ColumnSchema>,
): void {
  for (const column of columns.values()) {
    if (column.position >= 0 || (column.type.kind === 'counter') === isCounter) continue;
    throw configurationError(
      isCounter
        ? `${keyspace}.${name}: Cannot have a non counter column ("${column.name}") in a counter table`
        : `${keyspace}.${name}: Cannot have a counter column ("${column.name}") in a non counter table`,
    );
  }
}

/** Whether bytes written as the one type could be read as the other. */
function isReadable(type: CqlType, before: CqlType): boolean {
  if (isMultiCell(type) !== isMultiCell(before) || fixedLength(type) !== fixedLength(before)) return false;
  if (printCqlType(type) === printCqlType(before)) return true;
  switch (type.kind) {
    case 'blob':
      return true;
    case 'text':
      return before.kind === 'ascii';
    case 'uuid':
      return before.kind === 'timeuuid';
    case 'bigint':
      return before.kind === 'timestamp';
    case 'timestamp':
      return before.kind === 'bigint';
    default:
      return false;
  }
}

export function dropColumns(
  table: TableSchema,
  names: readonly string[],
  ifExists: boolean,
  droppedAt: number,
): TableSchema {
  const columns = new Map(table.columns);
  const dropped = new Map(table.droppedColumns.map((column) => [column.name, column]));
  for (const name of inHashOrder(names, hashOfColumnName)) {
    const column = table.columns.get(name);
    if (column === undefined) {
      if (ifExists) continue;
      throw invalidRequest(`Column ${name} was not found in table '${table.keyspace}.${table.name}'`);
    }
    dropped.set(name, checkedDrop(table, column, droppedAt));
    columns.delete(name);
  }
  return assembleTable({ ...table, droppedColumns: [...dropped.values()] }, columns.values());
}

function checkedDrop(table: TableSchema, column: ColumnSchema, droppedAt: number): DroppedColumn {
  const { name, type, kind } = column;
  if (kind === 'partition_key' || kind === 'clustering')
    throw invalidRequest(`Cannot drop PRIMARY KEY column ${name}`);
  if (type.kind === 'udt' && !type.frozen)
    throw invalidRequest(`Cannot drop non-frozen column ${name} of user type ${printCqlType(type)}`);
  // Cassandra fails here with an error of Java's.
  if (column === compactValueOf(table))
    throw invalidRequest(`Cannot drop the value ${name} of a COMPACT STORAGE table`);
  const indexes = indexesOn(table, name);
  if (indexes.length > 0) {
    throw invalidRequest(
      `Cannot drop column ${name} because it has dependent secondary indexes (${namesOf(indexes)})`,
    );
  }
  return { name, id: column.id, type: expandUserTypes(type), kind, droppedAt };
}

function indexesOn({ indexes }: TableSchema, column: string): readonly IndexSchema[] {
  return indexes.filter((index) => index.column === column);
}

function namesOf(indexes: readonly IndexSchema[]): string {
  return indexes.map(({ name }) => name).join(', ');
}

/** A column that is gone must not keep a user type from being dropped: it is remembered as the tuple that it was. */
function expandUserTypes(type: CqlType): CqlType {
  switch (type.kind) {
    case 'udt':
      return { kind: 'tuple', fields: type.fields.map((field) => expandUserTypes(field.type)) };
    case 'tuple':
      return { kind: 'tuple', fields: type.fields.map(expandUserTypes) };
    case 'list':
    case 'set':
    case 'vector':
      return { ...type, element: expandUserTypes(type.element) };
    case 'map':
      return { ...type, key: expandUserTypes(type.key), value: expandUserTypes(type.value) };
    default:
      return type;
  }
}

/** IF EXISTS is of no use here: Cassandra looks for the columns before it looks at that. */
export function renameColumns(table: TableSchema, renames: readonly Rename[]): TableSchema {
  const names = new Map<string, string>();
  for (const { from, to } of renames) {
    const column = table.columns.get(from);
    if (column === undefined) throw undefinedColumn(table, from);
    if (column.kind !== 'partition_key' && column.kind !== 'clustering')
      throw invalidRequest(`Cannot rename non PRIMARY KEY column ${from}`);
    if (table.columns.has(to) || [...names.values()].includes(to)) {
      throw invalidRequest(
        `Cannot rename column ${from} to ${to} in table '${table.keyspace}.${table.name}'; another column with that name already exists`,
      );
    }
    const indexes = indexesOn(table, from);
    if (indexes.length > 0) {
      throw invalidRequest(
        `Can't rename column ${from} because it has dependent secondary indexes (${namesOf(indexes)})`,
      );
    }
    names.set(from, to);
  }
  const renamed = [...table.columns.values()].map((column) => ({
    ...column,
    name: names.get(column.name) ?? column.name,
  }));
  return assembleTable(table, renamed);
}
