import type { TableSchema } from '../../../catalog/cql/table-schema.ts';
import { type CqlValue, encodeCqlValue } from '../../../values/cql-codec.ts';
import type { StatementSession } from '../statement-request.ts';
import type { VirtualTable } from '../virtual-table.ts';

/** Values by column; one that is not there is null. */
export type NamedRow = Readonly<Record<string, CqlValue>>;

export type EncodedRow = readonly (Buffer | null)[];

/** With the partition key where only one partition is asked for; it may be ignored. */
export type RowSource = (
  session: StatementSession,
  partitionKey: readonly Buffer[] | undefined,
) => Iterable<NamedRow> | Promise<Iterable<NamedRow>>;

export function tableOfRows(schema: TableSchema, source: RowSource): VirtualTable {
  return {
    schema,
    rows: (session, partitionKey) => {
      const rows = source(session, partitionKey);
      return rows instanceof Promise ? rows.then((all) => encodeRows(schema, all)) : encodeRows(schema, rows);
    },
  };
}

/** For what does not exist here: asking for it is no mistake, and there is none. */
export function emptyTable(schema: TableSchema): VirtualTable {
  return { schema, rows: () => [] };
}

export function encodeRow({ columns }: TableSchema, row: NamedRow): EncodedRow {
  return Array.from(columns.values(), ({ name, type }) => encodeCqlValue(type, row[name] ?? null));
}

function encodeRows(schema: TableSchema, rows: Iterable<NamedRow>): EncodedRow[] {
  return Array.from(rows, (row) => encodeRow(schema, row));
}
