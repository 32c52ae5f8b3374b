import type { EntryHeader } from '../storage/log/log-entry.ts';
import type { Outcome } from '../storage/partition-store.ts';
import type { EncodedEntry } from './log-arena.ts';

/** An entry that was ordered and whose fate is open. */
export interface InFlight {
  readonly header: EntryHeader;
  readonly entry: EncodedEntry;
  /** Body of an entry that is not rows. */
  readonly note: unknown;
  readonly answer: unknown;
  /** Undefined once somebody was told that the outcome is unknown. */
  done: ((outcome: Outcome) => void) | undefined;
  /** Told when it commits, however late. */
  readonly onCommit: (() => void) | undefined;
  /** Answers that depend on this entry and what stands before it, without an entry of their own. */
  followers: { readonly outcome: Outcome; readonly done: (outcome: Outcome) => void }[] | undefined;
}

/** First in, first out, without moving what is left at each step. */
export class InFlightQueue {
  #items: InFlight[] = [];
  #head = 0;

  get size(): number {
    return this.#items.length - this.#head;
  }

  get first(): InFlight | undefined {
    return this.#items[this.#head];
  }

  get last(): InFlight | undefined {
    return this.size === 0 ? undefined : this.#items.at(-1);
  }

  push(item: InFlight): void {
    this.#items.push(item);
  }

  dropFirst(): void {
    this.#head += 1;
    if (this.#head > 1024 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    } else if (this.#head === this.#items.length) {
      this.#items = [];
      this.#head = 0;
    }
  }

  toArray(): InFlight[] {
    return this.#items.slice(this.#head);
  }
}
