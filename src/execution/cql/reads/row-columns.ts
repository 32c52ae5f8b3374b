import type { ColumnSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';

/** Columns of a stored row by their ids: what a decoder looks up for each column that it meets. */
export interface RowColumns {
  /** One more than the highest id. */
  readonly size: number;
  /** Whether a cell of this id is a column's; those of dropped columns are nobody's. */
  isKnown(columnId: number): boolean;
}

/** Of the static row or of all others. */
export function rowColumns(columns: readonly ColumnSchema[]): RowColumns {
  const size = columns.reduce((most, { id }) => Math.max(most, id + 1), 1);
  const known = new Uint8Array(size);
  for (const { id } of columns) known[id] = 1;
  return { size, isKnown: (columnId) => known[columnId] === 1 };
}

export interface TableRowColumns {
  readonly statics: RowColumns;
  readonly regulars: RowColumns;
}

export function tableRowColumns(table: TableSchema): TableRowColumns {
  return { statics: rowColumns(table.statics), regulars: rowColumns(table.regulars) };
}
