import type { QueryContext } from './sql-function.ts';
import type { SqlValue } from './sql-value.ts';

/**
 * What a running query's closures read. Every alias of the query and of all its sub-queries has a slot of its own, so that an
 * inner query sees the row that the outer one stands at.
 */
export interface Frame {
  readonly slots: SqlValue[];
  /** In the order in which `QueryLayout` numbered them. */
  readonly parameters: readonly SqlValue[];
  readonly context: QueryContext;
  /** Rows that sources have made since the item at hand was taken up; see `countRow`. */
  rowsOfItem: number;
}

export type Evaluate = (frame: Frame) => SqlValue;

/** A few joins over long arrays of one item make more rows than anybody can wait for. */
const mostRowsOfItem = 2_000_000;

/** Whether one more row may be made out of the item. */
export function countRow(frame: Frame): boolean {
  return ++frame.rowsOfItem <= mostRowsOfItem;
}
