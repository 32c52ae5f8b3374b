// One SELECT at work: rows go in, and come out filtered, grouped, made distinct, sorted and cut, in that order.

import { assert } from '../../foundation/assert.ts';
import type { CompiledSelect } from './compile-select.ts';
import { textOfValues } from './first-in-order.ts';
import type { Evaluate, Frame } from './frame.ts';
import {
  addToGroup,
  type Group,
  groupKeysOf,
  mostKeptBytes,
  resultOfGroup,
  startGroup,
  tooMuchKept,
} from './group.ts';
import { isByFirstPlace, OrderedGroupsRun } from './ordered-groups-run.ts';
import type { RowRun, SortedRow, SortPosition } from './row-run.ts';
import type { RunRows } from './scope.ts';
import { sqlError } from './sql-error.ts';
import { asNumbers, canonicalText, compareValues, roughBytes, type SqlValue } from './sql-value.ts';
import { checkResult } from './value-limits.ts';

/** What sorting may keep; what comes later in the order is for later pages. */
const mostSortedBytes = 32 * 1024 * 1024;

/** Where rows come in their order, so much is read ahead; two answers of the largest size. */
const mostOrderedBytes = 8 * 1024 * 1024;

/** A sub-query over the row at hand: all of it at once. */
export function runnerOf(select: CompiledSelect): RunRows {
  const isPlain =
    select.grouping === undefined &&
    select.sort.length === 0 &&
    !select.isDistinct &&
    select.top === undefined &&
    select.limit === undefined;
  if (isPlain) {
    const { rows, project } = select;
    return (frame, onRow) =>
      rows(frame, () => {
        const value = project(frame);
        return value === undefined ? false : onRow(value);
      });
  }
  return (frame, onRow) => {
    const { skipped, taken } = windowOf(select, frame);
    if (taken === 0) return false;
    let place = 0;
    let isStopped = false;
    /** Answers true for enough, whether because of the window or because of who asked. */
    const onValue = (value: SqlValue): boolean => {
      place++;
      if (place <= skipped) return false;
      isStopped = onRow(value);
      return isStopped || place >= skipped + taken;
    };
    const run = isByFirstPlace(select)
      ? new OrderedGroupsRun<undefined>(select, frame, skipped + taken)
      : new SelectRun(select, frame, skipped + taken);
    if (!run.addRows(0, nothing, onValue) && !run.finishGroups(nothing, onValue))
      run.sorted().some(({ value }) => onValue(value));
    return isStopped;
  };
}

/** How many results OFFSET leaves out, and how many TOP and LIMIT allow after them. */
export function windowOf(
  { top, offset, limit }: CompiledSelect,
  frame: Frame,
): { readonly skipped: number; readonly taken: number } {
  const most = Number.POSITIVE_INFINITY;
  return {
    skipped: countOf(offset, frame, 'OFFSET', 'SC2062') ?? 0,
    taken: Math.min(
      countOf(top, frame, 'TOP', 'SC2060') ?? most,
      countOf(limit, frame, 'LIMIT', 'SC2061') ?? most,
    ),
  };
}

function countOf(
  count: Evaluate | undefined,
  frame: Frame,
  clause: string,
  code: string,
): number | undefined {
  if (count === undefined) return undefined;
  const value = count(frame);
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 2 ** 32 - 1)
    return value;
  throw sqlError(code, `The ${clause} value must be an integer between 0 and ${2 ** 32 - 1}.`);
}

/** Rows of any number of items, one after another. */
export class SelectRun<Held = undefined> implements RowRun<Held> {
  readonly #select: CompiledSelect;
  readonly #isDescending: readonly boolean[];
  readonly #frame: Frame;
  readonly #groups = new Map<string, Group>();
  readonly #seen = new Set<string>();
  readonly #capacity: number;
  readonly #after: SortPosition | undefined;
  #sorted: SortedRow<Held>[] = [];
  /** The items of those rows. One that is changed while an index is walked may be met again, further on. */
  #kept = new Set<number>();
  #sortedBytes = 0;
  /** The last row that was kept when rows were let go: what comes after it is not wanted. */
  #end: SortPosition | undefined;
  /** Of the item's last row that comes behind `after`, kept or not. */
  #last: SortPosition | undefined;
  #isTrimmed = false;
  #keptBytes = 0;

  /** At most `capacity` sorted rows are kept: those that come first behind `after`. */
  constructor(select: CompiledSelect, frame: Frame, capacity: number, after?: SortPosition) {
    this.#select = select;
    this.#isDescending = select.sort.map(({ isDescending }) => isDescending(frame));
    this.#frame = frame;
    this.#capacity = capacity;
    this.#after = after;
  }

  addRows(rid: number, hold: () => Held, onValue: (value: SqlValue) => boolean): boolean {
    this.#last = undefined;
    if (rid > 0 && this.#kept.has(rid)) return false;
    const { grouping, project, sort, rows, isDistinct, givesWholeItems } = this.#select;
    const frame = this.#frame;
    let ordinal = 0;
    return rows(frame, () => {
      if (grouping !== undefined) {
        this.#group();
        return false;
      }
      const value = project(frame);
      if (!givesWholeItems) checkResult(value);
      if (value === undefined || (isDistinct && !this.#isNew(value))) return false;
      if (sort.length === 0) return onValue(value);
      this.#keep(
        { keys: sort.map((key) => asNumbers(key.value(frame))), rid, ordinal: ordinal++ },
        value,
        hold,
      );
      return false;
    });
  }

  /** What waited for the last item, but for what is sorted: groups, in the order in which they were met. */
  finishGroups(_hold: () => Held, onValue: (value: SqlValue) => boolean): boolean {
    const { grouping, isDistinct } = this.#select;
    if (grouping === undefined) return false;
    if (this.#groups.size === 0 && grouping.keys.length === 0) this.#groups.set('', startGroup(grouping, []));
    for (const group of this.#groups.values()) {
      const value = resultOfGroup(group, grouping, this.#select, this.#frame);
      if (value === undefined || (isDistinct && !this.#isNew(value))) continue;
      if (onValue(value)) return true;
    }
    return false;
  }

  sorted(): readonly SortedRow<Held>[] {
    this.#cutBack(mostSortedBytes);
    return this.#sorted;
  }

  /** Whether rows were let go that would have had room by their number. They come after all that were kept. */
  get isTrimmed(): boolean {
    return this.#isTrimmed;
  }

  /** How many more have room; at least one, because a better one always has. */
  get wanted(): number {
    return Math.max(this.#capacity - this.#sorted.length, 1);
  }

  /** Whether no row has room that comes after the last one of the item that was added last. */
  isSatisfied(): boolean {
    if (this.#last === undefined) return false;
    if (this.#sorted.length >= this.#capacity || this.#sortedBytes >= mostOrderedBytes)
      this.#cutBack(mostOrderedBytes);
    return this.#end !== undefined && this.#compare(this.#last, this.#end) >= 0;
  }

  closePage(): void {}

  #keep(position: SortPosition, value: SqlValue, hold: () => Held): void {
    if (this.#after !== undefined && this.#compare(position, this.#after) <= 0) return;
    this.#last = position;
    if (this.#end !== undefined && this.#compare(position, this.#end) >= 0) return;
    const held = hold();
    const row = { value: held === undefined ? value : undefined, held, ...position };
    this.#sorted.push(row);
    this.#kept.add(position.rid);
    this.#sortedBytes += sizeOfRow(row);
    // Cut back now and then: sorting costs little when it is done once in as many rows as are kept.
    if (this.#sorted.length >= 2 * this.#capacity + 64 || this.#sortedBytes > 2 * mostSortedBytes) {
      this.#cutBack(mostSortedBytes);
    }
  }

  /** To as many as are asked for, and to as many bytes as one query may hold; from then on nothing counts that comes later. */
  #cutBack(mostBytes: number): void {
    this.#sorted.sort((a, b) => this.#compare(a, b));
    let [kept, bytes] = [0, 0];
    for (const row of this.#sorted) {
      bytes += sizeOfRow(row);
      if (kept === this.#capacity || (bytes > mostBytes && kept > 0)) break;
      kept++;
    }
    if (kept < this.#sorted.length) {
      if (kept < this.#capacity) this.#isTrimmed = true;
      this.#sorted.length = kept;
      this.#kept = new Set(this.#sorted.map(({ rid }) => rid));
      this.#sortedBytes = this.#sorted.reduce((sum, row) => sum + sizeOfRow(row), 0);
    } else if (kept < this.#capacity) {
      return;
    }
    this.#end = this.#sorted.at(-1);
  }

  #compare(a: SortPosition, b: SortPosition): number {
    for (let at = 0; at < this.#isDescending.length; at++) {
      const order = compareValues(a.keys[at], b.keys[at]);
      if (order !== 0) return this.#isDescending[at] === true ? -order : order;
    }
    const order = this.#isDescending[0] === true ? b.rid - a.rid : a.rid - b.rid;
    return order || a.ordinal - b.ordinal;
  }

  #isNew(value: SqlValue): boolean {
    const text = canonicalText(value);
    if (this.#seen.has(text)) return false;
    this.#seen.add(text);
    this.#count(text.length * 2 + 32);
    return true;
  }

  #group(): void {
    const { grouping } = this.#select;
    assert(grouping !== undefined, 'rows are grouped');
    const keys = groupKeysOf(grouping, this.#frame);
    const text = textOfValues(keys);
    let group = this.#groups.get(text);
    if (group === undefined) {
      group = startGroup(grouping, keys);
      this.#groups.set(text, group);
      this.#count(text.length * 4 + 64);
    }
    this.#count(addToGroup(group, grouping, this.#frame));
  }

  #count(bytes: number): void {
    this.#keptBytes += bytes;
    if (this.#keptBytes > mostKeptBytes) {
      throw tooMuchKept();
    }
  }
}

function sizeOfRow({ value, held, keys }: SortedRow<unknown>): number {
  return 64 + roughBytes(keys) + (Buffer.isBuffer(held) ? held.length : roughBytes(value));
}

function nothing(): undefined {
  return undefined;
}
