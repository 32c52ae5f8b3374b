import { assembleTable } from '../../../catalog/cql/assemble-table.ts';
import { keyColumn } from '../../../catalog/cql/build-table.ts';
import type { CqlSchema } from '../../../catalog/cql/cql-schema.ts';
import type { ColumnSchema, TableOptionValues, TableSchema } from '../../../catalog/cql/table-schema.ts';
import { timeUuid } from '../../../catalog/cql/uuid.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { SchemaPlan } from '../../../execution/cql/definitions/change-schema.ts';
import { withTable } from '../../../execution/cql/definitions/edit-keyspaces.ts';
import { assert } from '../../../foundation/assert.ts';
import { type CqlType, isMultiCell } from '../../../values/cql-type.ts';
import type { StatementContext } from '../prepared-statement.ts';
import type { PrimaryKey } from '../primary-key.ts';
import type { ColumnDefinition, CreateTableStatement } from '../statements/create-table.ts';
import type { TableOptions } from '../table-options.ts';
import { checkKeyType, hasNestedCells, refuseMask } from './column-checks.ts';
import { throughputOf } from './cosmos-options.ts';
import { type Definition, keyspaceOf, resources } from './definition.ts';
import { configurationError, tableExists } from './definition-errors.ts';
import { existingKeyspace, isWord, maxNameLength } from './find-definitions.ts';
import { checkTableOptions, readTableId, readTableOptions } from './read-table-options.ts';
import { resolveType } from './resolve-type.ts';

/** The statement with what its text alone says. */
interface NewTable {
  readonly keyspace: string;
  readonly name: string;
  readonly ifNotExists: boolean;
  readonly columns: readonly ColumnDefinition[];
  readonly key: PrimaryKey;
  readonly options: TableOptions;
}

export function defineCreateTable(statement: CreateTableStatement, context: StatementContext): Definition {
  const key = checkText(statement);
  const { table, ifNotExists, columns, options } = statement;
  const keyspace = keyspaceOf(table.keyspace, context);
  const created: NewTable = { keyspace, name: table.name, ifNotExists, columns, key, options };
  return {
    keyspace,
    permission: 'CREATE',
    resource: resources.allTables(keyspace),
    plan: (schema) => planCreate(created, schema, context),
  };
}

/** What Cassandra's parser refuses, in the order of the text. */
function checkText({ table, columns, primaryKeys, options }: CreateTableStatement): PrimaryKey {
  const name = table.keyspace === null ? table.name : `${table.keyspace}.${table.name}`;
  const declared = new Set<string>();
  for (const column of columns) {
    if (declared.has(column.name))
      throw invalidRequest(`Duplicate column '${column.name}' declaration for table '${name}'`);
    declared.add(column.name);
  }
  const [key, second] = primaryKeys;
  if (second !== undefined)
    throw invalidRequest(`Multiple PRIMARY KEY specified for table '${name}' (exactly one required)`);
  const ordered = new Set<string>();
  for (const { column } of options.clusteringOrder) {
    if (ordered.has(column))
      throw invalidRequest(`Duplicate column '${column}' in CLUSTERING ORDER BY clause for table '${name}'`);
    ordered.add(column);
  }
  if (key === undefined)
    throw invalidRequest(`No PRIMARY KEY specifed for table '${name}' (exactly one required)`);
  return key;
}

function planCreate(
  created: NewTable,
  schema: CqlSchema,
  { parts: { throughput, random } }: StatementContext,
): SchemaPlan | undefined {
  const { keyspace, name, ifNotExists, columns, options } = created;
  readTableOptions(options.properties);
  for (const { mask } of columns) refuseMask(mask);
  const { tables } = existingKeyspace(schema, keyspace);
  if (tables.has(name)) {
    if (ifNotExists) return undefined;
    throw tableExists(keyspace, name);
  }
  checkTableOptions(options.properties);
  const values = readTableOptions(options.properties);
  const schemaColumns = columnsOf(created, schema, values);
  const table: TableSchema = assembleTable(
    {
      keyspace,
      name,
      id: writtenId(created, tables) ?? timeUuid(throughput.clock.now(), random),
      container: undefined,
      options: values,
      indexes: [],
      droppedColumns: [],
      nextColumnId: 1 + Math.max(...schemaColumns.map(({ id }) => id)),
      isCompact: options.isCompactStorage,
    },
    schemaColumns,
  );
  checkName(table);
  return {
    keyspaces: withTable(schema.keyspaces, table),
    change: { change: 'CREATED', target: 'TABLE', keyspace, name },
    throughput: throughputOf(options.properties),
  };
}

/** No two tables of a keyspace have the same; Cassandra fails on it with an error of Java's. */
function writtenId(
  { keyspace, name, options }: NewTable,
  tables: ReadonlyMap<string, TableSchema>,
): string | undefined {
  const id = readTableId(options.properties);
  const other = [...tables.values()].find((table) => table.id === id);
  if (other === undefined) return id;
  throw configurationError(
    `Multiple entries with same key: ${id}=${keyspace}.${name} and ${id}=${keyspace}.${other.name}`,
  );
}

function checkName({ keyspace, name }: TableSchema): void {
  if (isWord(name)) return;
  throw configurationError(
    `${keyspace}.${name}: Table name must not be empty, more than ${maxNameLength} characters long, or contain non-alphanumeric-underscore characters (got "${name}")`,
  );
}

function columnsOf(created: NewTable, schema: CqlSchema, values: TableOptionValues): ColumnSchema[] {
  const { keyspace, columns, key, options } = created;
  const types = new Map(
    columns.map(({ name, type }): [string, CqlType] => [name, resolveType(type, schema, keyspace)]),
  );
  for (const type of types.values()) {
    if (hasNestedCells(type))
      throw invalidRequest('Non-frozen UDTs with nested non-frozen collections are not supported');
  }
  checkKey(created, types);
  checkClusteringOrder(created);
  const isKey = new Set([...key.partitionKey, ...key.clustering]);
  const others = columns.filter(({ name }) => !isKey.has(name));
  checkShape(created, others, types);
  checkCounters(others, types, values);
  const typeOf = (name: string): CqlType => {
    const type = types.get(name);
    assert(type !== undefined, 'the column was found before');
    return type;
  };
  const descending = new Set(
    options.clusteringOrder.flatMap((order) => (order.descending ? [order.column] : [])),
  );
  return [
    ...key.partitionKey.map((name, position) =>
      keyColumn(name, typeOf(name), 'partition_key', position, false),
    ),
    ...key.clustering.map((name, position) =>
      keyColumn(name, typeOf(name), 'clustering', position, descending.has(name)),
    ),
    ...others.map(({ name, isStatic }, index): ColumnSchema => {
      const kind = isStatic ? 'static' : 'regular';
      return { name, id: index + 1, type: typeOf(name), kind, position: -1, descending: false };
    }),
  ];
}

function checkKey({ name, columns, key }: NewTable, types: ReadonlyMap<string, CqlType>): void {
  const statics = new Set(columns.flatMap((column) => (column.isStatic ? [column.name] : [])));
  const seen = new Set<string>();
  for (const column of [...key.partitionKey, ...key.clustering]) {
    const type = types.get(column);
    if (type === undefined)
      throw invalidRequest(`Unknown column '${column}' referenced in PRIMARY KEY for table '${name}'`);
    if (seen.has(column))
      throw invalidRequest(`Duplicate column '${column}' in PRIMARY KEY clause for table '${name}'`);
    seen.add(column);
    checkKeyType(column, type);
    if (statics.has(column))
      throw invalidRequest(`Static column '${column}' cannot be part of the PRIMARY KEY`);
  }
}

function checkClusteringOrder({ key, options }: NewTable): void {
  const ordered = options.clusteringOrder.map(({ column }) => column);
  const others = ordered.filter((column) => !key.clustering.includes(column));
  if (others.length > 0) {
    throw invalidRequest(
      `Only clustering key columns can be defined in CLUSTERING ORDER directive: [${others.join(', ')}] are not clustering columns`,
    );
  }
  for (const [index, column] of ordered.entries()) {
    const expected = key.clustering[index];
    if (column === expected || expected === undefined) continue;
    if (ordered.includes(expected)) {
      throw invalidRequest(
        `The order of columns in the CLUSTERING ORDER directive must match that of the clustering columns (${expected} must appear before ${column})`,
      );
    }
    throw invalidRequest(`Missing CLUSTERING ORDER for column ${expected}`);
  }
}

function checkShape(
  { key, options }: NewTable,
  others: readonly ColumnDefinition[],
  types: ReadonlyMap<string, CqlType>,
): void {
  const hasStatics = others.some(({ isStatic }) => isStatic);
  if (!options.isCompactStorage) {
    if (key.clustering.length === 0 && hasStatics) {
      throw invalidRequest(
        'Static columns are only useful (and thus allowed) if the table has at least one clustering column',
      );
    }
    return;
  }
  if (others.some(({ name }) => isMultiCell(types.get(name) ?? { kind: 'empty' })))
    throw invalidRequest('Non-frozen collections and UDTs are not supported with COMPACT STORAGE');
  if (hasStatics) throw invalidRequest('Static columns are not supported in COMPACT STORAGE tables');
  if (key.clustering.length === 0 && others.length === 0)
    throw invalidRequest('No definition found that is not part of the PRIMARY KEY');
  if (key.clustering.length > 0 && others.length > 1) {
    const names = others
      .map(({ name }) => name)
      .sort()
      .join(', ');
    throw invalidRequest(
      `COMPACT STORAGE with composite PRIMARY KEY allows no more than one column not part of the PRIMARY KEY (got: ${names})`,
    );
  }
}

function checkCounters(
  others: readonly ColumnDefinition[],
  types: ReadonlyMap<string, CqlType>,
  { defaultTimeToLiveSeconds }: TableOptionValues,
): void {
  const isCounter = ({ name }: ColumnDefinition): boolean => types.get(name)?.kind === 'counter';
  if (!others.some(isCounter)) return;
  if (!others.every(isCounter))
    throw invalidRequest('Cannot mix counter and non counter columns in the same table');
  if (defaultTimeToLiveSeconds > 0)
    throw invalidRequest('Cannot set default_time_to_live on a table with counters');
}
