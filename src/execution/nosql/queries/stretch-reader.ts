// What brings the items of a stretch of ring: by looking at all of them, or those of a list that an index gave.

import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import type { RingRange } from '../../../partitioning/ring-range.ts';
import type { ItemChunk, ItemWalk } from '../feeds/item-walk.ts';
import type { ScannedItem } from '../feeds/scanned-item.ts';
import type { FoundEntry } from './index-cursor.ts';
import type { ItemPosition } from './item-position.ts';
import type { ItemLoader } from './load-items.ts';

export interface ReadItems {
  readonly items: readonly ScannedItem[];
  /** Where the query stands after that item. */
  readonly positionAfter: (index: number) => ItemPosition;
  /** Where items come in the order of the results: whether all that follow come after this one. */
  readonly isSettledAfter?: (index: number) => boolean;
}

/** Lookups, and different values that were passed. */
export interface IndexWork {
  readonly seeks: number;
  readonly terms: number;
}

/** With what it has done in the index so far. */
export interface StretchReader extends IndexWork {
  /** Undefined at the end. What is given may be empty, and more may follow. About as many as wanted are loaded. */
  read(wanted: number): Promise<ReadItems | 'moved' | undefined>;
  /** Whether it is known that nothing is left. */
  readonly isOver: boolean;
}

/** So many are loaded at once at most. */
export const mostAtOnce = 256;

export interface ReaderParts {
  readonly container: ContainerDefinition;
  readonly loader: ItemLoader;
  readonly stretch: RingRange;
}

export class ScanReader implements StretchReader {
  readonly seeks: number;
  readonly terms: number;
  readonly #walk: ItemWalk;
  #first: ItemChunk | undefined;
  #chunksRead = 0;
  /** What is being read while its reader looks at what comes before it. */
  #ahead: Promise<ItemChunk | undefined> | undefined;

  /** What was read already, and what was done in an index before it was given up. */
  constructor(walk: ItemWalk, first?: ItemChunk, done?: IndexWork) {
    this.#walk = walk;
    this.#first = first;
    this.seeks = done?.seeks ?? 0;
    this.terms = done?.terms ?? 0;
  }

  get isOver(): boolean {
    return this.#first === undefined && this.#ahead === undefined && this.#walk.next() === undefined;
  }

  async read(): Promise<ReadItems | undefined> {
    const first = this.#first;
    this.#first = undefined;
    const chunk = first ?? (await (this.#ahead ?? this.#walk.chunk()));
    if (first === undefined) this.#ahead = undefined;
    this.#chunksRead++;
    // Whoever wants a second chunk looks for something, and will want a third. A short page is done with one.
    if (this.#chunksRead > 1 && this.#ahead === undefined && this.#walk.next() !== undefined) {
      this.#ahead = this.#walk.chunk();
      // A failure is told to who asks for the chunk; a page that ends before it has lost nothing.
      this.#ahead.catch(() => {});
    }
    return chunk;
  }
}

/** The items of a list, from the lowest rid to the highest. */
export class ListReader implements StretchReader {
  readonly seeks: number;
  readonly terms: number;
  readonly #parts: ReaderParts;
  readonly #entries: readonly FoundEntry[];
  #at = 0;

  constructor(parts: ReaderParts, entries: readonly FoundEntry[], { seeks, terms }: IndexWork) {
    this.#parts = parts;
    this.#entries = entries;
    this.seeks = seeks;
    this.terms = terms;
  }

  get isOver(): boolean {
    return this.#at >= this.#entries.length;
  }

  async read(wanted: number): Promise<ReadItems | 'moved' | undefined> {
    if (this.isOver) return undefined;
    const { loader, stretch } = this.#parts;
    const most = Math.min(Math.max(wanted, 1), mostAtOnce);
    const loaded = await loader.load(this.#entries.slice(this.#at, this.#at + most));
    if (loaded === 'moved') return loaded;
    this.#at += loaded.taken;
    const { items } = loaded;
    return {
      items,
      positionAfter: (index) => ({ order: 'rid', stretch, rid: items[index]?.entry.rid ?? 0 }),
    };
  }
}
