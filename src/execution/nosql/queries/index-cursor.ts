// Entries of some ranges of an index, as one list: in the order of their values, forwards or backwards, and of equal values in the order
// of their rids, whichever way the results have that. Several physical partitions are read side by side.

import { assert } from '../../../foundation/assert.ts';
import { type ByteString, endOfPrefix } from '../../../foundation/byte-string.ts';
import type { KeyRange } from '../feeds/feed-scope.ts';
import type {
  IndexEntry,
  IndexedOrder,
  IndexPage,
  IndexPosition,
  IndexWalk,
  ReadyIndex,
} from '../indexes/item-index.ts';
import type { ValueRange } from './query-access.ts';

/** The index of a physical partition, and the keys that are wanted of it. */
export interface IndexSide {
  readonly physicalPartition: number;
  readonly index: ReadyIndex;
  readonly keys: KeyRange;
}

export interface FoundEntry extends IndexEntry {
  readonly physicalPartition: number;
}

export interface CursorPlace {
  readonly order: IndexedOrder;
  readonly ranges: readonly ValueRange[];
  readonly isReversed: boolean;
  /** Whether of equal values the highest rid comes first. */
  readonly hasHighRidsFirst: boolean;
  /** The last entry that is done with. */
  readonly after: IndexPosition | undefined;
}

/** The order of the index itself. */
export const upwards: Pick<CursorPlace, 'isReversed' | 'hasHighRidsFirst'> = {
  isReversed: false,
  hasHighRidsFirst: false,
};

/** The index has changed under the cursor: whoever reads begins anew, from the last entry on. */
export type CursorGone = 'gone';

const smallestPage = 16;
const largestPage = 1_024;
const pageBytes = 2 ** 18;

export class IndexCursor {
  readonly #sides: readonly SideCursor[];
  readonly #isReversed: boolean;
  readonly #hasHighRidsFirst: boolean;
  #seen = 0;
  #terms = 0;
  #lastValue: ByteString | undefined;

  constructor(sides: readonly IndexSide[], place: CursorPlace) {
    this.#isReversed = place.isReversed;
    this.#hasHighRidsFirst = place.hasHighRidsFirst;
    this.#sides = sides.map((side) =>
      place.isReversed === place.hasHighRidsFirst
        ? new StraightSide(side, place)
        : new TurnedSide(side, place),
    );
  }

  /** Entries that were passed, those of unwanted keys included. */
  get seen(): number {
    return this.#seen;
  }

  /** Different values that were passed. */
  get terms(): number {
    return this.#terms;
  }

  /** Ranges that were begun, in each partition. */
  get seeks(): number {
    return this.#sides.reduce((sum, { seeks }) => sum + seeks, 0);
  }

  get isOver(): boolean {
    return this.#sides.every(({ isOver }) => isOver);
  }

  /** Passes as many entries as that, or all that are left, and gives those of wanted keys. */
  async pass(most: number): Promise<readonly FoundEntry[] | CursorGone> {
    const found: FoundEntry[] = [];
    for (let passed = 0; passed < most; passed++) {
      for (const side of this.#sides) {
        const wanted = Math.min(Math.max(most - passed, smallestPage), largestPage);
        while (side.head === undefined && !side.isOver)
          if ((await side.fill(wanted)) === 'gone') return 'gone';
      }
      const side = this.#first();
      const entry = side?.take();
      if (side === undefined || entry === undefined) break;
      this.#seen++;
      if (entry.value !== this.#lastValue) this.#terms++;
      this.#lastValue = entry.value;
      const { keys, physicalPartition } = side.side;
      if (entry.key >= keys.from && entry.key < keys.to) found.push({ physicalPartition, ...entry });
    }
    return found;
  }

  /** The side whose entry comes next; undefined when none is left. */
  #first(): SideCursor | undefined {
    let first: SideCursor | undefined;
    for (const side of this.#sides) {
      const { head } = side;
      if (head === undefined) continue;
      if (first?.head === undefined || this.#isBefore(head, first.head)) first = side;
    }
    return first;
  }

  #isBefore(a: IndexPosition, b: IndexPosition): boolean {
    if (a.value !== b.value) return a.value < b.value !== this.#isReversed;
    return a.rid < b.rid !== this.#hasHighRidsFirst;
  }
}

/** What is left of one partition: entries that were read and not yet taken, and ranges that were not read yet. */
abstract class SideCursor {
  readonly side: IndexSide;
  readonly #order: IndexedOrder;
  #queue: readonly IndexEntry[] = [];
  #at = 0;
  protected readonly isReversed: boolean;
  /** In the order of the walk, each as it is in the index. */
  readonly #ranges: ValueRange[];
  #isInside = false;
  seeks = 0;

  constructor(side: IndexSide, { order, ranges, isReversed, after }: CursorPlace) {
    this.side = side;
    this.#order = order;
    this.isReversed = isReversed;
    const left = ranges.filter(({ from, to }) => {
      if (after === undefined) return true;
      return isReversed ? from <= after.value : to === undefined || to > after.value;
    });
    this.#ranges = isReversed ? left.reverse() : left;
  }

  get head(): IndexEntry | undefined {
    return this.#queue[this.#at];
  }

  get isOver(): boolean {
    return this.head === undefined && this.#ranges.length === 0;
  }

  take(): IndexEntry | undefined {
    return this.#queue[this.#at++];
  }

  async fill(most: number): Promise<CursorGone | undefined> {
    const [range] = this.#ranges;
    assert(range !== undefined, 'who reads knows that something is left');
    if (!this.#isInside) this.seeks++;
    this.#isInside = true;
    const entries = await this.read(range, most);
    if (entries === undefined) return 'gone';
    this.#queue = entries;
    this.#at = 0;
    return undefined;
  }

  protected get range(): ValueRange | undefined {
    return this.#ranges[0];
  }

  protected abstract read(range: ValueRange, most: number): Promise<readonly IndexEntry[] | undefined>;

  protected leaveRange(): void {
    this.#ranges.shift();
    this.#isInside = false;
  }

  protected walk(
    walk: Pick<IndexWalk, 'from' | 'to' | 'reverse' | 'after'>,
    maxEntries: number,
  ): Promise<IndexPage | undefined> {
    const from = walk.from === '' ? undefined : walk.from;
    return this.side.index.walk({ ...walk, from, order: this.#order, maxEntries, maxBytes: pageBytes });
  }
}

/** Values and rids go the same way, as they do in a walk. */
class StraightSide extends SideCursor {
  #after: IndexPosition | undefined;

  constructor(side: IndexSide, place: CursorPlace) {
    super(side, place);
    this.#after = place.after;
  }

  protected async read(range: ValueRange, most: number): Promise<readonly IndexEntry[] | undefined> {
    const page = await this.walk({ ...range, reverse: this.isReversed, after: this.#after }, most);
    if (page === undefined) return undefined;
    this.#after = page.next;
    if (page.next === undefined) this.leaveRange();
    return page.entries;
  }
}

/** Rids go the other way than values: as in an index of values that fall, for results that fall. */
class TurnedSide extends SideCursor {
  /** Where what is left of the range at hand begins, or reversed ends; undefined for all of it. */
  #reached: ByteString | undefined;
  /** A value that more entries have than a page: they are read by themselves, behind the rid. */
  #group: { readonly value: ByteString; readonly after: IndexPosition | undefined } | undefined;

  constructor(side: IndexSide, place: CursorPlace) {
    super(side, place);
    const { after } = place;
    if (after === undefined || !isIn(after.value, this.range)) return;
    // No item has the rid 0: it stands before all entries of the value, and of values that begin with it.
    if (after.rid === 0 && !place.isReversed) this.#reached = after.value;
    else this.#group = { value: after.value, after };
  }

  protected async read(range: ValueRange, most: number): Promise<readonly IndexEntry[] | undefined> {
    if (this.#group !== undefined) return this.#readGroup(this.#group, range, most);
    const reverse = this.isReversed;
    const left = reverse
      ? { from: range.from, to: this.#reached ?? range.to }
      : { from: this.#reached ?? range.from, to: range.to };
    const page = await this.walk({ ...left, reverse, after: undefined }, most);
    if (page === undefined) return undefined;
    if (page.next === undefined) {
      this.leaveRange();
      return withRidsTurned(page.entries);
    }
    // Of the value at which the page ends there may be more; all before it are whole.
    const last = page.next.value;
    const whole = page.entries.filter(({ value }) => value !== last);
    if (whole.length === 0) this.#group = { value: last, after: undefined };
    else this.#reached = reverse ? endOfPrefix(last) : last;
    return withRidsTurned(whole);
  }

  async #readGroup(
    { value, after }: { readonly value: ByteString; readonly after: IndexPosition | undefined },
    range: ValueRange,
    most: number,
  ): Promise<readonly IndexEntry[] | undefined> {
    const to = endOfPrefix(value);
    const page = await this.walk({ from: value, to, reverse: !this.isReversed, after }, most);
    if (page === undefined) return undefined;
    this.#group = page.next === undefined ? undefined : { value, after: page.next };
    if (this.#group === undefined) {
      this.#reached = this.isReversed ? value : to;
      const isRangeRead = this.isReversed
        ? value <= range.from
        : to === undefined || (range.to !== undefined && to >= range.to);
      if (isRangeRead) this.leaveRange();
    }
    return page.entries;
  }

  protected override leaveRange(): void {
    super.leaveRange();
    this.#reached = undefined;
  }
}

function isIn(value: ByteString, range: ValueRange | undefined): boolean {
  return range !== undefined && value >= range.from && (range.to === undefined || value < range.to);
}

/** Equal values stand together. */
function withRidsTurned(entries: readonly IndexEntry[]): readonly IndexEntry[] {
  const turned: IndexEntry[] = [];
  for (let from = 0; from < entries.length; ) {
    let to = from + 1;
    while (entries[to]?.value === entries[from]?.value) to++;
    turned.push(...entries.slice(from, to).reverse());
    from = to;
  }
  return turned;
}
