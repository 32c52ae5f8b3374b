import type { CqlCell } from '../../../values/cql-cell.ts';
import type { CqlRow } from '../../../values/cql-row.ts';

/** The second from which on `purgeRow` makes the row smaller; infinity if it never does. */
export function rowDueSecond(row: CqlRow, graceSeconds: number): number {
  let due = Number.POSITIVE_INFINITY;
  const note = (second: number | undefined, waitSeconds: number): void => {
    if (second !== undefined && second + waitSeconds < due) due = second + waitSeconds;
  };
  // What is as old as gc_grace is kept, and what is older goes.
  const afterGrace = graceSeconds + 1;
  const noteCell = (cell: CqlCell): void => {
    if (cell.kind === 'tombstone') note(cell.second, afterGrace);
    else note(cell.expiry?.second, 0);
  };
  note(row.deletion?.second, afterGrace);
  note(row.liveness?.expiry?.second, afterGrace);
  for (const column of row.columns) {
    if (column.kind === 'simple') {
      noteCell(column.cell);
      continue;
    }
    note(column.deletion?.second, afterGrace);
    for (const { cell } of column.cells) noteCell(cell);
  }
  return due;
}
