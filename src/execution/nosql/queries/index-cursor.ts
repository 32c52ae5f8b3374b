// Entries of some ranges of an index, as one list: in the order of their values, forwards or backwards, and of equal values always from
// the lowest rid to the highest, as results are. Several physical partitions are read side by side.

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
  /** The last entry that is done with. */
  readonly after: IndexPosition | undefined;
}

/** The index has changed under the cursor: whoever reads begins anew, from the last entry on. */
export type CursorGone = 'gone';

const smallestPage = 16;
const largestPage = 1_024;
const pageBytes = 2 ** 18;

export class IndexCursor {
  readonly #sides: readonly SideCursor[];
  readonly #isReversed: boolean;
  #seen = 0;
  #terms = 0;
  #lastValue: ByteString | undefined;

  constructor(sides: readonly IndexSide[], place: CursorPlace) {
    this.#isReversed = place.isReversed;
    this.#sides = sides.map((side) =>
      place.isReversed ? new DescendingSide(side, place) : new AscendingSide(side, place),
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
    return a.rid < b.rid;
  }
}

/** What is left of one partition: entries that were read and not yet taken, and ranges that were not read yet. */
abstract class SideCursor {
  readonly side: IndexSide;
  readonly #order: IndexedOrder;
  #queue: readonly IndexEntry[] = [];
  #at = 0;
  seeks = 0;

  constructor(side: IndexSide, { order }: CursorPlace) {
    this.side = side;
    this.#order = order;
  }

  get head(): IndexEntry | undefined {
    return this.#queue[this.#at];
  }

  get isOver(): boolean {
    return this.head === undefined && !this.hasMore;
  }

  take(): IndexEntry | undefined {
    return this.#queue[this.#at++];
  }

  async fill(most: number): Promise<CursorGone | undefined> {
    const entries = await this.read(most);
    if (entries === undefined) return 'gone';
    this.#queue = entries;
    this.#at = 0;
    return undefined;
  }

  protected abstract get hasMore(): boolean;
  protected abstract read(most: number): Promise<readonly IndexEntry[] | undefined>;

  protected walk(
    walk: Pick<IndexWalk, 'from' | 'to' | 'reverse' | 'after'>,
    maxEntries: number,
  ): Promise<IndexPage | undefined> {
    const from = walk.from === '' ? undefined : walk.from;
    return this.side.index.walk({ ...walk, from, order: this.#order, maxEntries, maxBytes: pageBytes });
  }
}

class AscendingSide extends SideCursor {
  readonly #ranges: ValueRange[];
  #after: IndexPosition | undefined;
  #isInside = false;

  constructor(side: IndexSide, place: CursorPlace) {
    super(side, place);
    const { after } = place;
    this.#ranges = place.ranges.filter(
      ({ to }) => after === undefined || to === undefined || to > after.value,
    );
    const [first] = this.#ranges;
    this.#after = after !== undefined && first !== undefined && after.value >= first.from ? after : undefined;
  }

  protected get hasMore(): boolean {
    return this.#ranges.length > 0;
  }

  protected async read(most: number): Promise<readonly IndexEntry[] | undefined> {
    const [range] = this.#ranges;
    assert(range !== undefined, 'who reads knows that something is left');
    if (!this.#isInside) this.seeks++;
    this.#isInside = true;
    const page = await this.walk({ ...range, reverse: false, after: this.#after }, most);
    if (page === undefined) return undefined;
    this.#after = page.next;
    if (page.next === undefined) {
      this.#ranges.shift();
      this.#isInside = false;
    }
    return page.entries;
  }
}

class DescendingSide extends SideCursor {
  /** The last one is the next. */
  readonly #ranges: ValueRange[];
  #isInside = false;
  /** Values below this are left of the range at hand; undefined for all. */
  #below: ByteString | undefined;
  /** A value that more entries have than a page: they are read forwards, behind the rid. */
  #group: { readonly value: ByteString; readonly after: IndexPosition | undefined } | undefined;

  constructor(side: IndexSide, place: CursorPlace) {
    super(side, place);
    const { after } = place;
    this.#ranges = place.ranges.filter(({ from }) => after === undefined || from <= after.value);
    if (after !== undefined && this.#isIn(after.value, this.#ranges.at(-1)))
      this.#group = { value: after.value, after };
  }

  protected get hasMore(): boolean {
    return this.#ranges.length > 0;
  }

  #isIn(value: ByteString, range: ValueRange | undefined): boolean {
    return range !== undefined && value >= range.from && (range.to === undefined || value < range.to);
  }

  protected async read(most: number): Promise<readonly IndexEntry[] | undefined> {
    const range = this.#ranges.at(-1);
    assert(range !== undefined, 'who reads knows that something is left');
    if (!this.#isInside) this.seeks++;
    this.#isInside = true;
    if (this.#group !== undefined) return this.#readGroup(this.#group, range, most);
    const to = this.#below ?? range.to;
    const page = await this.walk({ from: range.from, to, reverse: true, after: undefined }, most);
    if (page === undefined) return undefined;
    if (page.next === undefined) {
      this.#leave();
      return byValueThenRid(page.entries);
    }
    // Of the value at which the page ends there may be more; all above it are whole.
    const last = page.next.value;
    const whole = page.entries.filter(({ value }) => value !== last);
    if (whole.length === 0) this.#group = { value: last, after: undefined };
    else this.#below = endOfPrefix(last);
    return byValueThenRid(whole);
  }

  async #readGroup(
    { value, after }: { readonly value: ByteString; readonly after: IndexPosition | undefined },
    range: ValueRange,
    most: number,
  ): Promise<readonly IndexEntry[] | undefined> {
    const page = await this.walk({ from: value, to: endOfPrefix(value), reverse: false, after }, most);
    if (page === undefined) return undefined;
    this.#group = page.next === undefined ? undefined : { value, after: page.next };
    if (this.#group === undefined) {
      this.#below = value;
      if (value <= range.from) this.#leave();
    }
    return page.entries;
  }

  #leave(): void {
    this.#ranges.pop();
    this.#isInside = false;
    this.#below = undefined;
  }
}

/** Entries come from the last to the first: equal values are turned round. */
function byValueThenRid(entries: readonly IndexEntry[]): readonly IndexEntry[] {
  return [...entries].sort((a, b) => (a.value === b.value ? a.rid - b.rid : a.value < b.value ? 1 : -1));
}
