import type { ColumnSchema, DroppedColumn, TableSchema } from '../../../catalog/cql/table-schema.ts';

/** Columns of a stored row by their ids: what a decoder looks up for each column that it meets. */
export interface RowColumns {
  /** One more than the highest id. */
  readonly size: number;
  /** Whether a cell of this id is a column's; those of dropped columns are nobody's. */
  isKnown(columnId: number): boolean;
  /** Of columns that were dropped and added again: what is not later than this nobody sees. Undefined where there are none. */
  readonly droppedAt: ReadonlyMap<number, bigint> | undefined;
}

/** Of the static row or of all others. */
export function rowColumns(
  columns: readonly ColumnSchema[],
  droppedColumns: readonly DroppedColumn[] = [],
): RowColumns {
  const size = columns.reduce((most, { id }) => Math.max(most, id + 1), 1);
  const known = new Uint8Array(size);
  for (const { id } of columns) known[id] = 1;
  const again = droppedColumns.filter(({ id }) => known[id] === 1);
  const droppedAt = new Map(again.map((column) => [column.id, BigInt(column.droppedAt)]));
  return {
    size,
    isKnown: (columnId) => known[columnId] === 1,
    droppedAt: droppedAt.size === 0 ? undefined : droppedAt,
  };
}

export interface TableRowColumns {
  readonly statics: RowColumns;
  readonly regulars: RowColumns;
}

export function tableRowColumns(table: TableSchema): TableRowColumns {
  const { statics, regulars, droppedColumns } = table;
  return { statics: rowColumns(statics, droppedColumns), regulars: rowColumns(regulars, droppedColumns) };
}
