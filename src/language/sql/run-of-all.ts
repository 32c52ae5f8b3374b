// A SELECT over all items. A sub-query that FROM begins with may have to see all of them before what is round it has its first row.

import type { CollectedSelect, CompiledSelect } from './compile-select.ts';
import type { Frame } from './frame.ts';
import { tooMuchKept } from './group.ts';
import { isOrderedByKeys, OrderedGroupsRun } from './ordered-groups-run.ts';
import type { RowRun, SortedRow, SortPosition } from './row-run.ts';
import { SelectRun, windowOf } from './select-run.ts';
import type { SqlValue } from './sql-value.ts';

/** Results that have an order of their own come in it, so that it does not matter which way the items came. */
export function runOfAll<Held>(
  select: CompiledSelect,
  frame: Frame,
  capacity: number,
  after?: SortPosition,
): RowRun<Held> {
  const run: RowRun<Held> = isOrderedByKeys(select)
    ? new OrderedGroupsRun(select, frame, capacity, after)
    : new SelectRun(select, frame, capacity, after);
  return select.collected === undefined ? run : new CollectedRun(select.collected, frame, run);
}

/** Of the rows of a sub-query over all items, each in place of an item. */
class CollectedRun<Held> implements RowRun<Held> {
  readonly #inner: RowRun<undefined>;
  readonly #outer: RowRun<Held>;
  readonly #frame: Frame;
  readonly #slot: number;
  readonly #skipped: number;
  readonly #end: number;
  #place = 0;

  constructor({ select, slot }: CollectedSelect, frame: Frame, outer: RowRun<Held>) {
    const { skipped, taken } = windowOf(select, frame);
    this.#skipped = skipped;
    this.#end = skipped + taken;
    // A group may have no result, so nobody knows how many groups are wanted.
    this.#inner = runOfAll(select, frame, isOrderedByKeys(select) ? Number.POSITIVE_INFINITY : this.#end);
    this.#outer = outer;
    this.#frame = frame;
    this.#slot = slot;
  }

  /** Rows that the item makes at once go on, with their places for numbers. */
  addRows(rid: number, hold: () => Held, onValue: (value: SqlValue) => boolean): boolean {
    return this.#giveOn(hold, onValue, (onRow) => this.#inner.addRows(rid, nothing, onRow));
  }

  finishGroups(hold: () => Held, onValue: (value: SqlValue) => boolean): boolean {
    const isEnough = this.#giveOn(hold, onValue, (onRow) => {
      if (this.#inner.finishGroups(nothing, onRow)) return;
      this.#inner.sorted().some(({ value }) => value !== undefined && onRow(value));
      if (this.#inner.isTrimmed) throw tooMuchKept();
    });
    return isEnough || this.#outer.finishGroups(hold, onValue);
  }

  sorted(): readonly SortedRow<Held>[] {
    return this.#outer.sorted();
  }

  get isTrimmed(): boolean {
    return this.#outer.isTrimmed;
  }

  get wanted(): number {
    return this.#outer.wanted;
  }

  isSatisfied(): boolean {
    return false;
  }

  closePage(): void {}

  #giveOn(
    hold: () => Held,
    onValue: (value: SqlValue) => boolean,
    make: (onRow: (value: SqlValue) => boolean) => void,
  ): boolean {
    if (this.#place >= this.#end) return false;
    let isEnough = false;
    make((value) => {
      if (this.#place++ >= this.#skipped) {
        this.#frame.slots[this.#slot] = value;
        isEnough = this.#outer.addRows(this.#place, hold, onValue);
      }
      return isEnough || this.#place >= this.#end;
    });
    return isEnough;
  }
}

function nothing(): undefined {
  return undefined;
}
