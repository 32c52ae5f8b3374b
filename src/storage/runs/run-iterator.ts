import type { ByteString } from '../../foundation/byte-string.ts';
import type { SortedCursor, SortedEntry } from '../../foundation/sorted-map.ts';
import type { EngineRow } from '../storage-engine.ts';
import { MergedCursors } from './merge-cursors.ts';
import type { RunCursor } from './run-cursor.ts';

/** The rows of all runs and, over them, those that are in no run yet. */
export class RunIterator {
  readonly #runs: MergedCursors;
  readonly #unsaved: SortedCursor<Buffer | null> | undefined;
  readonly #reverse: boolean;
  #newest: SortedEntry<Buffer | null> | undefined;
  #isStarted = false;
  #failure: unknown;
  /** Given so far. */
  rows = 0;
  sizeBytes = 0;

  constructor(
    cursors: readonly RunCursor[],
    unsaved: SortedCursor<Buffer | null> | undefined,
    reverse: boolean,
  ) {
    this.#runs = new MergedCursors(cursors, reverse);
    this.#unsaved = unsaved;
    this.#newest = unsaved?.next();
    this.#reverse = reverse;
  }

  async next(maxRows: number, maxBytes: number): Promise<EngineRow[]> {
    // What comes after a failure would not be the next rows.
    if (this.#failure !== undefined) throw this.#failure;
    try {
      return await this.#nextRows(maxRows, maxBytes);
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  async #nextRows(maxRows: number, maxBytes: number): Promise<EngineRow[]> {
    if (!this.#isStarted) {
      this.#isStarted = true;
      await this.#runs.load();
    }
    const rows: EngineRow[] = [];
    let sizeBytes = 0;
    while (rows.length < maxRows && (rows.length === 0 || sizeBytes < maxBytes)) {
      const stored = this.#runs.current;
      const newest = this.#newest;
      if (newest !== undefined && (stored === undefined || !this.#isBefore(stored.key, newest.key))) {
        if (stored?.key === newest.key && this.#runs.advance()) await this.#runs.load();
        this.#newest = this.#unsaved?.next();
        if (newest.value === null) continue;
        rows.push({ key: newest.key, value: newest.value });
        sizeBytes += newest.key.length + newest.value.length;
        continue;
      }
      if (stored === undefined) break;
      const { row } = stored;
      if (row !== undefined) {
        rows.push(row);
        sizeBytes += row.key.length + row.valueEnd - row.valueAt;
      }
      if (this.#runs.advance()) await this.#runs.load();
    }
    this.rows += rows.length;
    this.sizeBytes += sizeBytes;
    return rows;
  }

  #isBefore(left: ByteString | undefined, right: ByteString): boolean {
    return left !== undefined && (this.#reverse ? left > right : left < right);
  }
}
