import { assert } from '../foundation/assert.ts';

/**
 * Microseconds that only ever rise, so that of two writes through one server the later always wins, two writes
 * of one millisecond differ, and an etag made from one is new. A clock that steps back or a restart changes nothing:
 * the floor is the last one given out, or a bound above it, as the store remembers it.
 */
export class ServerTimestamps {
  #last: number;

  constructor(floor: number) {
    assert(Number.isSafeInteger(floor), 'a timestamp is a safe integer');
    this.#last = floor;
  }

  /** The last one given out; what comes next is greater. */
  get last(): number {
    return this.#last;
  }

  next(nowMicroseconds: number): number {
    this.#last = Math.max(this.#last + 1, nowMicroseconds);
    return this.#last;
  }

  /** Learns of a timestamp given out elsewhere, such as by the server that served this partition before. */
  raiseTo(timestamp: number): void {
    this.#last = Math.max(this.#last, timestamp);
  }
}
