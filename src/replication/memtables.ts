// Committed rows that not every replica has in its row store yet. The active table takes commits; when it is large, or
// after some seconds, it is frozen, every node writes it out, and then it is dropped whole. What is here is newer than what any row store has.

import type { ByteString } from '../foundation/byte-string.ts';
import { type SortedCursor, SortedMap } from '../foundation/sorted-map.ts';
import type { StoredRow } from '../storage/log/stored-row.ts';

export class Memtable {
  readonly generation: number;
  readonly rows: SortedMap<StoredRow> = new SortedMap();
  /** The last LSN of each partition in it. */
  readonly lsns: Map<number, number> = new Map();
  sizeBytes = 0;

  constructor(generation: number) {
    this.generation = generation;
  }
}

const rowOverheadBytes = 100;

export class Memtables {
  #active: Memtable = new Memtable(1);
  /** Oldest first. */
  #frozen: Memtable[] = [];
  #frozenBytes = 0;

  get active(): Memtable {
    return this.#active;
  }

  get frozen(): readonly Memtable[] {
    return this.#frozen;
  }

  get sizeBytes(): number {
    return this.#frozenBytes + this.#active.sizeBytes;
  }

  put(row: StoredRow): void {
    this.#active.rows.set(row.key, row);
    this.#active.sizeBytes += row.key.length + row.sizeBytes + rowOverheadBytes;
  }

  /** Also for entries without rows: every replica must come to know how far it has got. */
  committed(partition: number, lsn: number): void {
    this.#active.lsns.set(partition, lsn);
  }

  /** Undefined when no memtable has the key. */
  get(key: ByteString): StoredRow | undefined {
    const found = this.#active.rows.get(key);
    if (found !== undefined || this.#frozen.length === 0) return found;
    for (let index = this.#frozen.length - 1; index >= 0; index--) {
      const older = this.#frozen[index]?.rows.get(key);
      if (older !== undefined) return older;
    }
    return undefined;
  }

  /** The newest version of each key of the range, in order, until `maxRows` of them are rows and not removals. */
  collect(from: ByteString, to: ByteString, reverse: boolean, maxRows: number): StoredRow[] {
    const merge = new TableMerge([this.#active, ...this.#frozen.toReversed()], from, to, reverse);
    const overlay: StoredRow[] = [];
    for (let rows = 0; rows < maxRows; ) {
      const next = merge.next();
      if (next === undefined) break;
      overlay.push(next);
      if (!next.isRemoval) rows += 1;
    }
    return overlay;
  }

  /** Undefined when there is nothing to hand over. */
  freeze(): Memtable | undefined {
    if (this.#active.lsns.size === 0) return undefined;
    const table = this.#active;
    this.#frozen.push(table);
    this.#frozenBytes += table.sizeBytes;
    this.#active = new Memtable(table.generation + 1);
    return table;
  }

  /** Drops what every node that is read from has written out. */
  dropThrough(generation: number): void {
    this.#frozen = this.#frozen.filter((table) => table.generation > generation);
    this.#frozenBytes = this.#frozen.reduce((sum, table) => sum + table.sizeBytes, 0);
  }
}

/** Walks several tables as one, newest first in the list: of equal keys the first table's is taken. */
class TableMerge {
  readonly #cursors: SortedCursor<StoredRow>[];
  readonly #heads: (StoredRow | undefined)[];
  readonly #reverse: boolean;

  constructor(tables: readonly Memtable[], from: ByteString, to: ByteString, reverse: boolean) {
    this.#reverse = reverse;
    this.#cursors = tables
      .filter((table) => table.rows.size > 0)
      .map((table) => table.rows.cursor(from, to, reverse));
    this.#heads = this.#cursors.map((cursor) => cursor.next()?.value);
  }

  next(): StoredRow | undefined {
    let best: StoredRow | undefined;
    for (const head of this.#heads) {
      if (head !== undefined && (best === undefined || this.#isBefore(head.key, best.key))) best = head;
    }
    if (best === undefined) return undefined;
    for (let index = 0; index < this.#heads.length; index++) {
      const cursor = this.#cursors[index];
      if (cursor !== undefined && this.#heads[index]?.key === best.key)
        this.#heads[index] = cursor.next()?.value;
    }
    return best;
  }

  #isBefore(left: ByteString, right: ByteString): boolean {
    return this.#reverse ? left > right : left < right;
  }
}
