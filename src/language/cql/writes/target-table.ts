import { findTable } from '../../../catalog/cql/cql-schema.ts';
import type { ColumnSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { ColumnSpec } from '../../../execution/cql/column-spec.ts';
import type { CqlType } from '../../../values/cql-type.ts';
import type { QualifiedName } from '../names.ts';
import type { StatementContext } from '../prepared-statement.ts';
import { undefinedColumn } from '../undefined-column.ts';

/** The table that a statement writes to. */
export function targetTable(name: QualifiedName, { schema, keyspace: used }: StatementContext): TableSchema {
  const keyspace = name.keyspace ?? used;
  if (keyspace === undefined) {
    throw invalidRequest(
      'No keyspace has been specified. USE a keyspace, or explicitly specify keyspace.tablename',
    );
  }
  if (!schema.keyspaces.has(keyspace)) throw invalidRequest(`keyspace ${keyspace} does not exist`);
  const table = findTable(schema, keyspace, name.name);
  if (table === undefined) throw invalidRequest(`table ${name.name} does not exist`);
  return table;
}

export function existingColumn(table: TableSchema, name: string): ColumnSchema {
  const column = table.columns.get(name);
  if (column !== undefined) return column;
  throw undefinedColumn(table, name);
}

export function isKeyColumn({ kind }: ColumnSchema): boolean {
  return kind === 'partition_key' || kind === 'clustering';
}

/** What a term is for. */
export function specOf(table: TableSchema, name: string, type: CqlType): ColumnSpec {
  return { keyspace: table.keyspace, table: table.name, name, type };
}

export function columnSpec(table: TableSchema, { name, type }: ColumnSchema): ColumnSpec {
  return specOf(table, name, type);
}
