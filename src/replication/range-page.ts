import type { LaidRow } from '../storage/laid-row.ts';
import type { RowPage } from '../storage/partition-store.ts';
import type { CachedRows } from './cached-rows.ts';
import type { KnownRange } from './known-range.ts';

/** Gathers rows up to the limits. The page is complete unless one was reached: there may then be more of the range behind the last key. */
export class RangePage {
  readonly #rows: CachedRows;
  readonly #maxRows: number;
  readonly #maxBytes: number;
  readonly #page: LaidRow[] = [];
  #sizeBytes = 0;

  constructor(rows: CachedRows, maxRows: number, maxBytes: number) {
    this.#rows = rows;
    this.#maxRows = maxRows;
    this.#maxBytes = maxBytes;
  }

  get isFull(): boolean {
    const count = this.#page.length;
    return count >= this.#maxRows || (count > 0 && this.#sizeBytes >= this.#maxBytes);
  }

  /** False when there is no room for the row. */
  take(range: KnownRange, index: number): boolean {
    const row = range.rowAt(index);
    if (this.#rows.isAbsent(row)) return true;
    if (this.isFull) return false;
    const laid = this.#rows.laidRow(row, range.keyAt(index));
    this.#page.push(laid);
    this.#sizeBytes += laid.key.length + laid.valueEnd - laid.valueAt;
    return true;
  }

  finish(complete: boolean): RowPage {
    return { rows: this.#page, complete };
  }
}
