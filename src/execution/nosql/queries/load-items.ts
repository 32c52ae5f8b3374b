// The rows behind entries of an index. What is gone, or not to be seen, is left out.

import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import type { Clock } from '../../../foundation/clock.ts';
import type { PartitionStore, ReadOutcome } from '../../../storage/partition-store.ts';
import { decodeStoredItem, type StoredItem } from '../../../values/stored-item.ts';
import type { ScannedItem } from '../feeds/scanned-item.ts';
import type { FoundEntry } from './index-cursor.ts';

/** Rows that are read at once: at first, and as soon as it is known how large they are. */
const rowsAtFirst = 16;
const rowsAtOnce = 48;
/** A batch that has reached this takes no further rows. */
const mostBytes = 2 ** 20;

export interface LoadedItem extends ScannedItem {
  readonly entry: FoundEntry;
}

export interface LoadedItems {
  readonly items: readonly LoadedItem[];
  /** So many entries are done with; the others were too much at once. */
  readonly taken: number;
}

type RowReads = Pick<PartitionStore, 'read' | 'readCached'>;

export class ItemLoader {
  readonly #store: RowReads;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #container: number;
  readonly #isVisible: (key: ByteString, item: StoredItem) => boolean;

  #spentMs = 0;

  constructor(
    store: RowReads,
    clock: Pick<Clock, 'monotonic'>,
    { container }: ContainerDefinition,
    isVisible: (key: ByteString, item: StoredItem) => boolean,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#container = container;
    this.#isVisible = isVisible;
  }

  /** Time that loading took. */
  get spentMs(): number {
    return this.#spentMs;
  }

  async load(entries: readonly FoundEntry[]): Promise<LoadedItems | 'moved'> {
    const startedAt = this.#clock.monotonic();
    try {
      return await this.#load(entries);
    } finally {
      this.#spentMs += this.#clock.monotonic() - startedAt;
    }
  }

  async #load(entries: readonly FoundEntry[]): Promise<LoadedItems | 'moved'> {
    const items: LoadedItem[] = [];
    let bytes = 0;
    let taken = 0;
    let atOnce = rowsAtFirst;
    while (taken < entries.length && bytes < mostBytes) {
      const batch = entries.slice(taken, taken + atOnce);
      const rows = await this.#rowsOf(batch);
      if (rows === 'moved') return rows;
      for (const [at, entry] of batch.entries()) {
        const row = rows[at];
        if (row === null || row === undefined) continue;
        bytes += row.length;
        const item = decodeStoredItem(row);
        // Another item under the same key has entries of its own, and would be given twice.
        if ((item.rid ?? 0) !== entry.rid) continue;
        if (this.#isVisible(entry.key, item)) items.push({ key: entry.key, item, entry });
      }
      taken += batch.length;
      atOnce = Math.min(Math.max(Math.ceil(((mostBytes - bytes) * taken) / (bytes + 1)), 1), rowsAtOnce);
    }
    return { items, taken };
  }

  async #rowsOf(entries: readonly FoundEntry[]): Promise<readonly (Buffer | null)[] | 'moved'> {
    const rows: (Buffer | null)[] = [];
    // Together, so that a second one that fails is not left behind by the first.
    for (const row of await Promise.all(entries.map((entry) => this.#rowOf(entry)))) {
      if (row === 'moved') return row;
      rows.push(row);
    }
    return rows;
  }

  #rowOf({ key, physicalPartition }: FoundEntry): Buffer | null | Promise<Buffer | null | 'moved'> {
    const address = { container: this.#container, physicalPartition };
    const cached = this.#store.readCached(address, key);
    return cached === undefined ? this.#store.read(address, key).then(rowIn) : cached;
  }
}

function rowIn(outcome: ReadOutcome): Buffer | null | 'moved' {
  if (outcome.kind === 'refused') throw outcome.error;
  return outcome.kind === 'read' ? outcome.value : 'moved';
}
