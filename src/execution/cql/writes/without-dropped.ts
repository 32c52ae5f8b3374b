import type { CqlColumn, CqlRow } from '../../../values/cql-row.ts';
import type { ColumnId } from './partition-write.ts';

/** Cells of columns that were dropped are nobody's. */
export function withoutDropped(row: CqlRow, columnIds: readonly ColumnId[] | undefined): CqlRow {
  if (columnIds === undefined) return row;
  const columns = row.columns.flatMap((column) => {
    const known = columnIds.find(({ id }) => id === column.columnId);
    if (known === undefined) return [];
    return known.droppedAt === undefined ? [column] : laterThan(column, known.droppedAt);
  });
  return { ...row, columns };
}

function laterThan(column: CqlColumn, droppedAt: bigint): readonly CqlColumn[] {
  if (column.kind === 'simple') return column.cell.timestamp > droppedAt ? [column] : [];
  const cells = column.cells.filter(({ cell }) => cell.timestamp > droppedAt);
  const { deletion } = column;
  const kept = deletion !== undefined && deletion.timestamp > droppedAt ? deletion : undefined;
  return cells.length === 0 && kept === undefined ? [] : [{ ...column, deletion: kept, cells }];
}
