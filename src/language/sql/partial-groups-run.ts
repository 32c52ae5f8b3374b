// Groups of a stretch of items. Clients that were given a plan put together the parts of a group, whichever partition or page they come
// from, so a page gives what the groups have come to within it, and the next one begins behind its last item: every item is read once.

import { assert } from '../../foundation/assert.ts';
import type { CompiledSelect } from './compile-select.ts';
import { textOfValues } from './first-in-order.ts';
import type { Frame } from './frame.ts';
import {
  addToGroup,
  type Group,
  groupKeysOf,
  mostKeptBytes,
  resultOfGroup,
  startGroup,
  tooMuchKept,
} from './group.ts';
import type { RowRun, SortedRow } from './row-run.ts';
import type { SqlValue } from './sql-value.ts';

/** A page is full when it keeps this much; what is kept takes several times the room that it has in an answer. */
const fullBytes = 8 * 1024 * 1024;

export class PartialGroupsRun<Held> implements RowRun<Held> {
  readonly isTrimmed: boolean = false;
  readonly wanted: number = Number.POSITIVE_INFINITY;
  readonly #select: CompiledSelect;
  readonly #frame: Frame;
  readonly #capacity: number;
  readonly #groups = new Map<string, Group>();
  #bytes = 0;
  #isClosed = false;

  /** Only the rows of one item go beyond the capacity. */
  constructor(select: CompiledSelect, frame: Frame, capacity: number) {
    this.#select = select;
    this.#frame = frame;
    this.#capacity = capacity;
  }

  addRows(): boolean {
    if (!this.#hasRoom()) return true;
    this.#select.rows(this.#frame, () => {
      this.#add();
      return false;
    });
    return false;
  }

  finishGroups(_hold: () => Held, onValue: (value: SqlValue) => boolean): boolean {
    const { grouping } = this.#select;
    assert(grouping !== undefined, 'parts are of groups');
    if (this.#groups.size === 0 && grouping.keys.length === 0) this.#groups.set('', startGroup(grouping, []));
    for (const group of this.#groups.values()) {
      const value = resultOfGroup(group, grouping, this.#select, this.#frame);
      if (value !== undefined && onValue(value)) return true;
    }
    return false;
  }

  sorted(): readonly SortedRow<Held>[] {
    return [];
  }

  isSatisfied(): boolean {
    return false;
  }

  closePage(): void {
    this.#isClosed = true;
  }

  /**
   * Some clients (JavaScript, 4.9) take a page without groups for the end of all: so a page ends before an item that begins the
   * next one, and not merely somewhere.
   */
  #hasRoom(): boolean {
    const isClosed = this.#isClosed || this.#bytes >= fullBytes;
    // One that is of no group has a result in every page.
    if (isClosed && this.#select.grouping?.keys.length === 0) return false;
    if (this.#groups.size === 0 || (!isClosed && this.#groups.size < this.#capacity)) return true;
    const hasRowOutside = this.#select.rows(
      this.#frame,
      () => isClosed || !this.#groups.has(this.#textOf(this.#keys())),
    );
    // They are counted when they are made for good.
    this.#frame.rowsOfItem = 0;
    return !hasRowOutside;
  }

  #keys(): readonly SqlValue[] {
    const { grouping } = this.#select;
    assert(grouping !== undefined, 'parts are of groups');
    return grouping.keys.length === 0 ? [] : groupKeysOf(grouping, this.#frame);
  }

  #textOf(keys: readonly SqlValue[]): string {
    return keys.length === 0 ? '' : textOfValues(keys);
  }

  #add(): void {
    const { grouping } = this.#select;
    assert(grouping !== undefined, 'parts are of groups');
    const keys = this.#keys();
    const text = this.#textOf(keys);
    let group = this.#groups.get(text);
    if (group === undefined) {
      group = startGroup(grouping, keys);
      this.#groups.set(text, group);
      this.#bytes += text.length * 4 + 128;
    }
    this.#bytes += addToGroup(group, grouping, this.#frame);
    if (this.#bytes > mostKeptBytes) throw tooMuchKept();
  }
}
