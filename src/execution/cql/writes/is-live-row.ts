import { isExpiredAt, isLiveCell } from '../../../values/cql-cell.ts';
import type { CqlRow } from '../../../values/cql-row.ts';

/** Whether a reader sees the row; as `liveView`, which makes one, but without making it. */
export function isLiveRow({ liveness, columns }: CqlRow, nowSeconds: number): boolean {
  if (liveness !== undefined && !isExpiredAt(liveness.expiry, nowSeconds)) return true;
  for (const column of columns) {
    if (column.kind === 'simple') {
      if (isLiveCell(column.cell, nowSeconds)) return true;
    } else if (column.cells.some(({ cell }) => isLiveCell(cell, nowSeconds))) {
      return true;
    }
  }
  return false;
}
