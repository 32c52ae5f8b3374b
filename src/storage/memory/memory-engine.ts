import { assert } from '../../foundation/assert.ts';
import { type ByteString, byteStringOf } from '../../foundation/byte-string.ts';
import { type SortedCursor, type SortedEntries, SortedMap } from '../../foundation/sorted-map.ts';
import type {
  EngineRow,
  KeyRange,
  LosableRows,
  RowIterator,
  SortedRows,
  StorageEngine,
  WriteBatch,
} from '../storage-engine.ts';

/** Rows in memory: for tests, simulation and throw-away servers. Nothing survives it, whatever `sync` says. */
export class MemoryEngine implements StorageEngine {
  readonly losable: LosableRows = { bytes: 0, withHoles: false };
  readonly isChecked = false;
  readonly #rows: SortedMap<Buffer>;
  #isOpen = true;

  /** The rows are the owner's, so that an engine opened on them again finds them. */
  constructor(rows: SortedMap<Buffer> = new SortedMap()) {
    this.#rows = rows;
  }

  async get(key: ByteString): Promise<Buffer | undefined> {
    this.#assertOpen();
    return this.#rows.get(key);
  }

  lacks(key: ByteString): boolean {
    return this.#isOpen && this.#rows.get(key) === undefined;
  }

  async write(batch: WriteBatch, _sync: boolean): Promise<void> {
    this.#assertOpen();
    for (const { key, value } of batch) {
      if (value === undefined) this.#rows.delete(byteStringOf(key));
      // Copied, since a batch's values are often slices of a log frame: kept, one row would keep the frame.
      else this.#rows.set(byteStringOf(key), Buffer.from(value));
    }
  }

  async writeSorted(slices: readonly SortedRows[], marks: WriteBatch): Promise<void> {
    this.#assertOpen();
    for (const slice of slices) {
      for (const { key, stored } of slice) {
        if (stored === undefined) this.#rows.delete(key);
        else this.#rows.set(key, Buffer.from(stored));
      }
    }
    await this.write(marks, true);
  }

  iterate(range: KeyRange): RowIterator {
    this.#assertOpen();
    return new MemoryIterator(this.#rows.snapshot(), range, () => this.#assertOpen());
  }

  async clear(range: KeyRange): Promise<void> {
    this.#assertOpen();
    const cursor = this.#rows.snapshot().cursor(range.from, range.to);
    for (let row = cursor.next(); row !== undefined; row = cursor.next()) this.#rows.delete(row.key);
  }

  async flush(): Promise<void> {}

  async isIntact(): Promise<boolean> {
    return true;
  }

  async approximateSize(range: KeyRange): Promise<number> {
    this.#assertOpen();
    const cursor = this.#rows.cursor(range.from, range.to);
    let sizeBytes = 0;
    for (let row = cursor.next(); row !== undefined; row = cursor.next()) {
      sizeBytes += row.key.length + row.value.length;
    }
    return sizeBytes;
  }

  async close(): Promise<void> {
    this.#isOpen = false;
  }

  #assertOpen(): void {
    assert(this.#isOpen, 'a closed engine is not used');
  }
}

class MemoryIterator implements RowIterator {
  readonly #rows: SortedEntries<Buffer>;
  #cursor: SortedCursor<Buffer> | undefined;
  readonly #assertEngineOpen: () => void;

  constructor(rows: SortedEntries<Buffer>, { from, to, reverse }: KeyRange, assertEngineOpen: () => void) {
    this.#rows = rows;
    this.#cursor = rows.cursor(from, to, reverse);
    this.#assertEngineOpen = assertEngineOpen;
  }

  async next(maxRows: number, maxBytes: number): Promise<EngineRow[]> {
    this.#assertEngineOpen();
    assert(this.#cursor !== undefined, 'a closed iterator is not used');
    const rows: EngineRow[] = [];
    let sizeBytes = 0;
    while (rows.length < maxRows && (rows.length === 0 || sizeBytes < maxBytes)) {
      const row = this.#cursor.next();
      if (row === undefined) break;
      rows.push(row);
      sizeBytes += row.key.length + row.value.length;
    }
    return rows;
  }

  async getMany(keys: readonly ByteString[]): Promise<(Buffer | undefined)[]> {
    this.#assertEngineOpen();
    assert(this.#cursor !== undefined, 'a closed iterator is not used');
    return keys.map((key) => this.#rows.get(key));
  }

  async close(): Promise<void> {
    this.#cursor = undefined;
  }
}
