import type { ByteString } from '../../foundation/byte-string.ts';
import type { RunCursor } from './run-cursor.ts';

interface Source {
  readonly cursor: RunCursor;
  /** 0 for the newest. */
  readonly age: number;
}

/**
 * Several cursors as one, newest first in the list: where more than one stands at a key, the first is right and the others are passed
 * over.
 */
export class MergedCursors {
  readonly #reverse: boolean;
  /** Those that stand at a row, in the order of their keys; the newest first where they are equal. */
  readonly #order: Source[] = [];
  /** Those that must load before anything can be said about what comes next. */
  #waiting: Source[];

  constructor(cursors: readonly RunCursor[], reverse: boolean) {
    this.#reverse = reverse;
    this.#waiting = cursors.map((cursor, age) => ({ cursor, age }));
  }

  /** The cursor that stands at the next row. Undefined at the end, and while something must be loaded. */
  get current(): RunCursor | undefined {
    return this.#waiting.length > 0 ? undefined : this.#order[0]?.cursor;
  }

  /** Moves past the current row. True when `load` must be called before there is a current row again. */
  advance(): boolean {
    const order = this.#order;
    const best = order[0] as Source;
    const key = best.cursor.key as ByteString;
    for (let older = order[1]; older?.cursor.key === key; older = order[1]) {
      order.splice(1, 1);
      older.cursor.advance();
      this.#place(older);
    }
    best.cursor.advance();
    const next = order[1];
    // Rows that were written together stand together: mostly the same cursor goes on.
    const isStillBest = best.cursor.key !== undefined && (next === undefined || this.#isBefore(best, next));
    if (!isStillBest) {
      order.shift();
      this.#place(best);
    }
    return this.#waiting.length > 0;
  }

  /** Called once before the first row, and whenever `advance` says so. */
  async load(): Promise<void> {
    const waiting = this.#waiting;
    await Promise.all(waiting.map(({ cursor }) => cursor.load()));
    this.#waiting = [];
    for (const source of waiting) if (!source.cursor.hasEnded) this.#place(source);
  }

  #place(source: Source): void {
    if (source.cursor.key === undefined) {
      this.#waiting.push(source);
      return;
    }
    const order = this.#order;
    let at = 0;
    while (at < order.length && this.#isBefore(order[at] as Source, source)) at++;
    order.splice(at, 0, source);
  }

  #isBefore(left: Source, right: Source): boolean {
    const leftKey = left.cursor.key as ByteString;
    const rightKey = right.cursor.key as ByteString;
    if (leftKey === rightKey) return left.age < right.age;
    return this.#reverse ? leftKey > rightKey : leftKey < rightKey;
  }
}
