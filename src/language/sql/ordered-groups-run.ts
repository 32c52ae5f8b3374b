// A SELECT whose results are groups, or different values: rows go in, and the results come out in the order of what they go by. Any
// order would do; this one is the same whichever way the rows came, so a result has a position that outlasts the run.

import { assert } from '../../foundation/assert.ts';
import type { CompiledSelect } from './compile-select.ts';
import { FirstInOrder, placeOfValues, textOfValues } from './first-in-order.ts';
import type { Frame } from './frame.ts';
import { addToGroup, type Group, groupKeysOf, resultOfGroup, startGroup } from './group.ts';
import type { RowRun, SortedRow, SortPosition } from './row-run.ts';
import { asNumbers, canonicalText, roughBytes, type SqlValue } from './sql-value.ts';
import { checkResult } from './value-limits.ts';

/** Whether results of the select have an order of their own: not where what is distinct says nothing of what is sorted by. */
export function isOrderedByKeys(select: CompiledSelect): boolean {
  const { grouping, isDistinct, isOrderSelected } = select;
  if (grouping !== undefined) return !isDistinct || grouping.keys.length === 0;
  return isDistinct && isOrderSelected;
}

export class OrderedGroupsRun<Held> implements RowRun<Held> {
  readonly wanted: number = Number.POSITIVE_INFINITY;
  readonly #select: CompiledSelect;
  readonly #frame: Frame;
  readonly #groups: FirstInOrder<Group>;
  readonly #values: FirstInOrder<{ readonly value: SqlValue }>;

  /** At most `capacity` results are kept: those that come first behind `after`. */
  constructor(select: CompiledSelect, frame: Frame, capacity: number, after?: SortPosition) {
    this.#select = select;
    this.#frame = frame;
    const isDescending = select.sort.map((key) => key.isDescending(frame));
    this.#groups = new FirstInOrder([], capacity, after?.keys);
    this.#values = new FirstInOrder(isDescending, capacity, after?.keys);
  }

  addRows(): boolean {
    const { rows, grouping } = this.#select;
    const add = grouping === undefined ? () => this.#addValue() : () => this.#addToGroup();
    return rows(this.#frame, () => {
      add();
      return false;
    });
  }

  finishGroups(): boolean {
    return false;
  }

  sorted(): readonly SortedRow<Held>[] {
    const { grouping } = this.#select;
    if (grouping === undefined) {
      return this.#values.inOrder().map(({ keys, content }) => rowOf(keys, content.value));
    }
    // Aggregates without groups have a result even where nothing is left to be looked at.
    if (grouping.keys.length === 0) {
      this.#groups.find(
        '',
        () => [],
        () => startGroup(grouping, []),
      );
    }
    return this.#groups
      .inOrder()
      .map(({ keys, content }) => rowOf(keys, resultOfGroup(content, grouping, this.#select, this.#frame)));
  }

  get isTrimmed(): boolean {
    return this.#groups.isTrimmed || this.#values.isTrimmed;
  }

  isSatisfied(): boolean {
    return false;
  }

  closePage(): void {}

  #addValue(): void {
    const { project, sort } = this.#select;
    const frame = this.#frame;
    const value = project(frame);
    checkResult(value);
    if (value === undefined) return;
    const text = canonicalText(value);
    let isNew = false;
    this.#values.find(
      text,
      () => [...sort.map((key) => asNumbers(key.value(frame))), ...placeOfValues([value], text)],
      () => {
        isNew = true;
        return { value };
      },
    );
    if (isNew) this.#values.grow(text, roughBytes(value));
  }

  #addToGroup(): void {
    const { grouping } = this.#select;
    assert(grouping !== undefined, 'rows are grouped');
    const keys = grouping.keys.length === 0 ? [] : groupKeysOf(grouping, this.#frame);
    const text = keys.length === 0 ? '' : textOfValues(keys);
    const group = this.#groups.find(
      text,
      () => (keys.length === 0 ? [] : placeOfValues(keys, text)),
      () => startGroup(grouping, keys),
    );
    if (group === undefined) return;
    const grown = addToGroup(group, grouping, this.#frame);
    if (grown !== 0) this.#groups.grow(text, grown);
  }
}

/** One result has one place: no item, and no other row, stands there. */
function rowOf<Held>(keys: readonly SqlValue[], value: SqlValue): SortedRow<Held> {
  return { keys, rid: 0, ordinal: 0, value, held: undefined };
}
