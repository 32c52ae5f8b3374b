import { assert } from '../foundation/assert.ts';
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

/** A power of two, as every later capacity is. */
const firstCapacity = 64;
/** Room for more than so many is given back when nobody is left. */
const keptCapacity = 4_096;

/**
 * First in, first out, in a ring: nothing is moved, and a place is empty as soon as it is left. What was told hangs on an entry, down to
 * the request, so an entry that is kept too long is that much more for the garbage collector to copy. The same goes for a list that is given
 * up for a shorter or a longer one: as long as it is not collected itself it holds whatever was in it.
 */
export class InFlightQueue {
  #places: (InFlight | undefined)[] = emptyPlaces(firstCapacity);
  #head = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get first(): InFlight | undefined {
    return this.#places[this.#head];
  }

  get last(): InFlight | undefined {
    return this.#size === 0 ? undefined : this.#places[this.#placeOf(this.#size - 1)];
  }

  push(item: InFlight): void {
    if (this.#size === this.#places.length) this.#grow();
    this.#places[this.#placeOf(this.#size)] = item;
    this.#size += 1;
  }

  dropFirst(): void {
    assert(this.#size > 0, 'what is dropped is there');
    this.#places[this.#head] = undefined;
    this.#head = this.#placeOf(1);
    this.#size -= 1;
    if (this.#size > 0 || this.#places.length <= keptCapacity) return;
    this.#places = emptyPlaces(firstCapacity);
    this.#head = 0;
  }

  toArray(): InFlight[] {
    const items: InFlight[] = [];
    for (let index = 0; index < this.#size; index++) {
      const item = this.#places[this.#placeOf(index)];
      if (item !== undefined) items.push(item);
    }
    return items;
  }

  #placeOf(index: number): number {
    return (this.#head + index) & (this.#places.length - 1);
  }

  #grow(): void {
    const items = this.toArray();
    this.#places.fill(undefined);
    this.#places = emptyPlaces(items.length * 2);
    for (const [index, item] of items.entries()) this.#places[index] = item;
    this.#head = 0;
  }
}

function emptyPlaces(capacity: number): undefined[] {
  return new Array(capacity).fill(undefined);
}
