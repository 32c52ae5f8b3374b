import type { ByteString } from '../foundation/byte-string.ts';
import type { CachedRows } from './cached-rows.ts';
import type { KnownRange } from './known-range.ts';

export interface CachedRange {
  readonly keys: ByteString[];
  readonly values: Buffer[];
  /** False when a limit was reached: there may be more of the range behind the last key. */
  readonly complete: boolean;
}

/** Gathers rows up to the limits. */
export class RangePage {
  readonly #rows: CachedRows;
  readonly #maxRows: number;
  readonly #maxBytes: number;
  readonly #keys: ByteString[] = [];
  readonly #values: Buffer[] = [];
  #sizeBytes = 0;

  constructor(rows: CachedRows, maxRows: number, maxBytes: number) {
    this.#rows = rows;
    this.#maxRows = maxRows;
    this.#maxBytes = maxBytes;
  }

  get isFull(): boolean {
    const count = this.#keys.length;
    return count >= this.#maxRows || (count > 0 && this.#sizeBytes >= this.#maxBytes);
  }

  /** False when there is no room for the row. */
  take(range: KnownRange, index: number): boolean {
    const value = this.#rows.valueOf(range.rowAt(index));
    if (value === null) return true;
    if (this.isFull) return false;
    const key = range.keyAt(index);
    this.#keys.push(key);
    this.#values.push(value);
    this.#sizeBytes += key.length + value.length;
    return true;
  }

  finish(complete: boolean): CachedRange {
    return { keys: this.#keys, values: this.#values, complete };
  }
}
