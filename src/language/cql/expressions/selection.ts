import type { ColumnSchema } from '../../../catalog/cql/table-schema.ts';
import type { ColumnSpec } from '../../../execution/cql/column-spec.ts';
import type { ReadRow } from '../../../execution/cql/read-row.ts';
import type { Bindings } from './typed-term.ts';

/** What SELECT gives of each row, or of each group of rows. */
export interface Selection {
  readonly columns: readonly ColumnSpec[];
  /** Rows come together into one: an aggregate is among the selectors. */
  readonly isAggregate: boolean;
  /** The columns it looks at: no others need be decoded. */
  readonly reads: readonly ColumnSchema[];
  /** One table column for each result column, where the selection is nothing but columns: then rows can be answered without it. */
  readonly plainColumns: readonly ColumnSchema[] | undefined;
  begin(bindings: Bindings): SelectionRun;
}

export interface SelectionRun {
  /** The result of one row, where rows do not come together. */
  rowOf(row: ReadRow): (Buffer | null)[];
  /** Takes a row into the present group. */
  add(row: ReadRow): void;
  /** The result of the present group (aggregates over its rows, the first row's values for all else), and begins the next. */
  takeGroup(): (Buffer | null)[];
}
