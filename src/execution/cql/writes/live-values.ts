// The values in a row that holds live cells only (`liveView`), in the form of the protocol.

import type { CqlCell } from '../../../values/cql-cell.ts';
import type { CollectionCell, CqlColumn, CqlRow } from '../../../values/cql-row.ts';
import type { CqlType } from '../../../values/cql-type.ts';
import { valueOfCells } from '../reads/collection-value.ts';

const noBytes = Buffer.alloc(0);

export function columnOf(row: CqlRow, columnId: number): CqlColumn | undefined {
  return row.columns.find((column) => column.columnId === columnId);
}

/** The cells of a column of many, or none. */
export function cellsOf(row: CqlRow, columnId: number): readonly CollectionCell[] {
  const column = columnOf(row, columnId);
  return column?.kind === 'collection' ? column.cells : [];
}

export function cellValue(cell: CqlCell): Buffer {
  return cell.kind === 'live' ? cell.value : noBytes;
}

/** Null where the row has no value: an empty collection of cells is none. */
export function liveValue(row: CqlRow | undefined, columnId: number, type: CqlType): Buffer | null {
  const column = row === undefined ? undefined : columnOf(row, columnId);
  if (column === undefined) return null;
  if (column.kind === 'simple') return cellValue(column.cell);
  return valueOfCells(
    type,
    column.cells.map(({ path, pathAsWritten, cell }) => ({
      path,
      pathAsWritten,
      value: cellValue(cell),
      timestamp: cell.timestamp,
      ttlSeconds: undefined,
    })),
  );
}
