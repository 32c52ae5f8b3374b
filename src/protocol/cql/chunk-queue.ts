const nothing = Buffer.alloc(0);

/**
 * Bytes as they come from a socket, taken off in units. A unit that lies in one chunk is not copied; only one that
 * crosses chunks is gathered, in a buffer that grows with what has arrived, never with what a header promises.
 */
export class ChunkQueue {
  #chunk: Buffer = nothing;
  #at = 0;
  #held: Buffer = nothing;
  #heldLength = 0;

  /** Best when the chunk before is used up: when `ensure` has said no since. */
  push(chunk: Buffer): void {
    this.#chunk =
      this.#at === this.#chunk.length ? chunk : Buffer.concat([this.#chunk.subarray(this.#at), chunk]);
    this.#at = 0;
  }

  get isEmpty(): boolean {
    return this.#heldLength === 0 && this.#at === this.#chunk.length;
  }

  /** Bytes of a unit that has not come whole. */
  get heldBytes(): number {
    return this.#heldLength;
  }

  /**
   * Whether the first `length` bytes are there. If so they lie in `source` from `offset` on, in one piece, until they
   * are skipped.
   */
  ensure(length: number): boolean {
    if (this.#heldLength === 0 && this.#chunk.length - this.#at >= length) return true;
    const missing = length - this.#heldLength;
    if (missing > 0) this.#hold(Math.min(missing, this.#chunk.length - this.#at), length);
    return this.#heldLength >= length;
  }

  get source(): Buffer {
    return this.#heldLength === 0 ? this.#chunk : this.#held;
  }

  get offset(): number {
    return this.#heldLength === 0 ? this.#at : 0;
  }

  /** Takes off what was ensured last; the bytes belong to whoever has them. */
  skip(length: number): void {
    if (this.#heldLength === 0) {
      this.#at += length;
    } else {
      this.#held = nothing;
      this.#heldLength = 0;
    }
  }

  /** Takes off up to `length` bytes and forgets them; says how many. */
  discard(length: number): number {
    if (this.#heldLength > 0) {
      const discarded = this.#heldLength;
      this.skip(discarded);
      return discarded;
    }
    const discarded = Math.min(length, this.#chunk.length - this.#at);
    this.#at += discarded;
    return discarded;
  }

  /** All that is left, for another queue. */
  drain(): Buffer {
    const rest = Buffer.concat([this.#held.subarray(0, this.#heldLength), this.#chunk.subarray(this.#at)]);
    this.#chunk = nothing;
    this.#at = 0;
    this.#held = nothing;
    this.#heldLength = 0;
    return rest;
  }

  #hold(length: number, wanted: number): void {
    const needed = this.#heldLength + length;
    if (needed > this.#held.length) {
      const grown = Buffer.allocUnsafe(Math.min(wanted, Math.max(needed, this.#held.length * 2, 512)));
      grown.set(this.#held.subarray(0, this.#heldLength));
      this.#held = grown;
    }
    this.#held.set(this.#chunk.subarray(this.#at, this.#at + length), this.#heldLength);
    this.#heldLength = needed;
    this.#at += length;
  }
}
