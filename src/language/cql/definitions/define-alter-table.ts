import type { CqlSchema } from '../../../catalog/cql/cql-schema.ts';
import { findTable } from '../../../catalog/cql/cql-schema.ts';
import type { TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { SchemaPlan } from '../../../execution/cql/definitions/change-schema.ts';
import { withoutTable, withTable } from '../../../execution/cql/definitions/edit-keyspaces.ts';
import type { ThroughputRequest } from '../../../throughput/throughput-request.ts';
import type { StatementContext } from '../prepared-statement.ts';
import type { Properties } from '../properties.ts';
import type { AlterTableStatement, TableChange } from '../statements/alter-table.ts';
import type { DropTableStatement } from '../statements/drop-table.ts';
import { addColumns, dropColumns, renameColumns } from './alter-columns.ts';
import { refuseMask } from './column-checks.ts';
import { throughputOf } from './cosmos-options.ts';
import { type Definition, keyspaceOf, resources } from './definition.ts';
import { configurationError } from './definition-errors.ts';
import { checkTableOptions, readTableId, readTableOptions } from './read-table-options.ts';

export function defineAlterTable(statement: AlterTableStatement, context: StatementContext): Definition {
  const { table, ifExists, change } = statement;
  const keyspace = keyspaceOf(table.keyspace, context);
  const { name } = table;
  return {
    keyspace,
    permission: 'ALTER',
    resource: resources.table(keyspace, name),
    plan: (schema) => {
      checkBefore(change);
      const found = findTable(schema, keyspace, name);
      if (found === undefined) {
        if (ifExists) return undefined;
        throw invalidRequest(`Table '${keyspace}.${name}' doesn't exist`);
      }
      return planAlter(found, change, schema, context);
    },
  };
}

/** What Cassandra looks at before it looks for the table. */
function checkBefore(change: TableChange): void {
  if (change.kind === 'mask') refuseMask(change.mask);
  if (change.kind === 'properties') readTableOptions(change.properties);
}

function planAlter(
  table: TableSchema,
  change: TableChange,
  schema: CqlSchema,
  context: StatementContext,
): SchemaPlan {
  const { keyspace, name } = table;
  const { table: altered, throughput } = alter(table, change, schema, context);
  return {
    keyspaces: withTable(schema.keyspaces, altered),
    change: { change: 'UPDATED', target: 'TABLE', keyspace, name },
    throughput,
  };
}

interface Altered {
  readonly table: TableSchema;
  readonly throughput?: ThroughputRequest | undefined;
}

function alter(
  table: TableSchema,
  change: TableChange,
  schema: CqlSchema,
  { parts: { throughput, timestamps } }: StatementContext,
): Altered {
  switch (change.kind) {
    case 'alterType':
      throw invalidRequest('Altering column types is no longer supported');
    case 'mask':
      return { table: withoutMask(table, change.column, change.ifColumnExists) };
    case 'add':
      return { table: addColumns(table, change.columns, change.ifNotExists, schema) };
    case 'drop': {
      const now = timestamps.next(throughput.clock.microseconds());
      const droppedAt = change.timestamp === null ? now : Number(change.timestamp);
      return { table: dropColumns(table, change.columns, change.ifColumnExists, droppedAt) };
    }
    case 'rename':
      return { table: renameColumns(table, change.renames) };
    case 'dropCompactStorage':
      throw invalidRequest('DROP COMPACT STORAGE is disabled. Enable in cassandra.yaml to use.');
    case 'properties':
      return alterOptions(table, change.properties);
  }
}

/** No column has a mask: to take one off changes nothing. */
function withoutMask(table: TableSchema, column: string, ifExists: boolean): TableSchema {
  if (table.columns.has(column) || ifExists) return table;
  throw invalidRequest(`Column with name '${column}' doesn't exist on table '${table.name}'`);
}

function alterOptions(table: TableSchema, properties: Properties): Altered {
  checkTableOptions(properties);
  if (readTableId(properties) !== undefined) throw configurationError('Cannot alter table id.');
  const options = readTableOptions(properties, table.options);
  if (table.isCounter && options.defaultTimeToLiveSeconds > 0)
    throw invalidRequest('Cannot set default_time_to_live on a table with counters');
  return { table: { ...table, options }, throughput: throughputOf(properties) };
}

export function defineDropTable(
  { table, ifExists }: DropTableStatement,
  context: StatementContext,
): Definition {
  const keyspace = keyspaceOf(table.keyspace, context);
  const { name } = table;
  return {
    keyspace,
    permission: 'DROP',
    resource: resources.table(keyspace, name),
    plan: (schema) => {
      const found = findTable(schema, keyspace, name);
      if (found !== undefined) {
        const change = { change: 'DROPPED', target: 'TABLE', keyspace, name } as const;
        return { keyspaces: withoutTable(schema.keyspaces, found), change };
      }
      if (ifExists) return undefined;
      throw invalidRequest(`Table '${keyspace}.${name}' doesn't exist`);
    },
  };
}
