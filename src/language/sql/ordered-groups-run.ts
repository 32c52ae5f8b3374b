// A SELECT whose results are groups, or different values: rows go in, and the results come out in the order of what they go by. Any
// order would do; this one is the same whichever way the rows came, so a result has a position that outlasts the run.

import { assert } from '../../foundation/assert.ts';
import type { CompiledSelect } from './compile-select.ts';
import { FirstInOrder, placeOfValues, textOfValues } from './first-in-order.ts';
import type { Frame } from './frame.ts';
import { addToGroup, type Group, groupKeysOf, resultOfGroup, startGroup, tooMuchKept } from './group.ts';
import type { RowRun, SortedRow, SortPosition } from './row-run.ts';
import { asNumbers, canonicalText, roughBytes, type SqlValue } from './sql-value.ts';
import { checkResult } from './value-limits.ts';

/** Whether results of the select are groups or different values, which have an order of their own. */
export function isOrderedByKeys({ grouping, isDistinct }: CompiledSelect): boolean {
  return grouping !== undefined || isDistinct;
}

/** Whether what is distinct may be met at several places of the order, of which the first one counts. */
export function isByFirstPlace({ isDistinct, sort, isOrderSelected }: CompiledSelect): boolean {
  return isDistinct && sort.length > 0 && !isOrderSelected;
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
    // What groups come to is known of all or of none, so for different results among them all are kept.
    this.#groups = select.isDistinct
      ? new FirstInOrder([], Number.POSITIVE_INFINITY, undefined)
      : new FirstInOrder([], capacity, after?.keys);
    // A value that was met behind the position may yet turn out to stand before it: with few kept, pages would be empty.
    const kept = isByFirstPlace(select) && after !== undefined ? Number.POSITIVE_INFINITY : capacity;
    this.#values = new FirstInOrder(isDescending, kept, after?.keys);
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
    const { grouping, isDistinct } = this.#select;
    if (grouping === undefined) return this.#sortedValues();
    // Aggregates without groups have a result even where nothing is left to be looked at.
    if (grouping.keys.length === 0) {
      this.#groups.find(
        '',
        () => [],
        () => startGroup(grouping, []),
      );
    }
    const groups = this.#groups.inOrder();
    const resultOf = (group: Group | undefined): SqlValue =>
      group === undefined ? undefined : resultOfGroup(group, grouping, this.#select, this.#frame);
    if (!isDistinct) return groups.map(({ keys, content }) => rowOf(keys, resultOf(content)));
    if (this.#groups.isTrimmed) throw tooMuchKept();
    for (const { content } of groups) this.#placeValue(resultOf(content));
    return this.#sortedValues();
  }

  #sortedValues(): readonly SortedRow<Held>[] {
    return this.#values.inOrder().map(({ keys, content }) => rowOf(keys, content?.value));
  }

  get isTrimmed(): boolean {
    return this.#values.isTrimmed || (!this.#select.isDistinct && this.#groups.isTrimmed);
  }

  isSatisfied(): boolean {
    return false;
  }

  closePage(): void {}

  #addValue(): void {
    const value = this.#select.project(this.#frame);
    checkResult(value);
    this.#placeValue(value);
  }

  #placeValue(value: SqlValue): void {
    if (value === undefined) return;
    const { sort } = this.#select;
    const text = canonicalText(value);
    const keysOf = (): readonly SqlValue[] => [
      ...sort.map((key) => asNumbers(key.value(this.#frame))),
      ...placeOfValues([value], text),
    ];
    if (isByFirstPlace(this.#select)) {
      this.#values.place(text, keysOf(), { value }, roughBytes(value));
      return;
    }
    let isNew = false;
    this.#values.find(text, keysOf, () => {
      isNew = true;
      return { value };
    });
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
