import type { ColumnSchema } from '../../../catalog/cql/table-schema.ts';
import type { ReadRow } from '../read-row.ts';
import type { RowSelection } from './read-plan.ts';

/** Columns and nothing else, of each row by itself: what most statements ask for. It has no state, so all runs share it. */
export function plainSelection(columns: readonly ColumnSchema[]): RowSelection {
  return {
    rowOf: (row) => plainRow(row, columns),
    add: notGrouped,
    takeGroup: notGrouped,
  };
}

function plainRow(row: ReadRow, columns: readonly ColumnSchema[]): (Buffer | null)[] {
  const values: (Buffer | null)[] = [];
  for (const column of columns) values.push(row.value(column));
  return values;
}

function notGrouped(): never {
  throw new Error('invariant broken: rows of a plain selection do not come together');
}
