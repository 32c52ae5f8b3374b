import { type EntryHeader, encodeRowsEntry, rowsEntryBytes } from '../storage/log/log-entry.ts';
import type { StoredRow } from '../storage/log/stored-row.ts';
import type { RowWrite } from '../storage/partition-store.ts';

/** An entry's bytes: a stretch of a buffer that others share. */
export interface EncodedEntry {
  readonly chunk: Buffer;
  readonly start: number;
  readonly end: number;
  readonly rows: readonly StoredRow[];
}

const chunkBytes = 2 ** 20;

/**
 * Where entries are encoded, one behind the other in large buffers, so that what a node's next frame holds is mostly one
 * stretch of memory. Rows in memtables are views of these buffers: one is freed when its last row has been applied.
 */
export class LogArena {
  #chunk: Buffer = Buffer.allocUnsafeSlow(chunkBytes);
  #used = 0;

  encodeRows(header: EntryHeader, writes: readonly RowWrite[]): EncodedEntry {
    const length = rowsEntryBytes(writes);
    if (this.#used + length > this.#chunk.length) {
      this.#chunk = Buffer.allocUnsafeSlow(Math.max(chunkBytes, length));
      this.#used = 0;
    }
    const chunk = this.#chunk;
    const start = this.#used;
    this.#used += length;
    const rows = encodeRowsEntry(chunk, start, length, header, writes);
    return { chunk, start, end: start + length, rows };
  }
}
