// What runs a SELECT: rows go in item by item, and results come out at once, at the end, or in an order.

import type { SqlValue } from './sql-value.ts';

/** Where a result stands in the order of the query: its keys, then its item's number, then its place among the item's rows. */
export interface SortPosition {
  readonly keys: readonly SqlValue[];
  readonly rid: number;
  readonly ordinal: number;
}

export interface SortedRow<Held> extends SortPosition {
  /** Undefined beside what is held, and for a place in the order that has no result. */
  readonly value: SqlValue;
  /** What stands for the item, made when the row was kept: the item itself may be gone by the end. */
  readonly held: Held | undefined;
}

export interface RowRun<Held> {
  /**
   * The rows of the item in the frame. What can be said at once goes to `onValue`, which answers true for enough; what must
   * wait for all other rows is kept. Answers whether there was enough, or no room for the item.
   */
  addRows(rid: number, hold: () => Held, onValue: (value: SqlValue) => boolean): boolean;
  /** What waited for the last item, but for what is sorted. */
  finishGroups(hold: () => Held, onValue: (value: SqlValue) => boolean): boolean;
  sorted(): readonly SortedRow<Held>[];
  /** Whether rows were let go that come after all that were kept. */
  readonly isTrimmed: boolean;
  /** How many more have room; at least one, because a better one always has. */
  readonly wanted: number;
  /** Whether no row has room that comes after the last one of the item that was added last. */
  isSatisfied(): boolean;
  /** The next item that has a row has no room any more. */
  closePage(): void;
}
