/**
 * Bytes of requests that are being served, over all connections. When they are too many, connections stop reading until
 * there is room: so many clients that send large requests at once cost time and not memory.
 */
export class RequestMemory {
  readonly #maxBytes: number;
  readonly #waiting = new Set<() => void>();
  #bytes = 0;
  #heldBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get isFull(): boolean {
    return this.#bytes >= this.#maxBytes;
  }

  take(bytes: number): void {
    this.#bytes += bytes;
  }

  release(bytes: number): void {
    const wasFull = this.isFull;
    this.#bytes -= bytes;
    if (!wasFull || this.isFull) return;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const goOn of waiting) goOn();
  }

  /** Calls once, when there is room. */
  whenRoom(goOn: () => void): void {
    this.#waiting.add(goOn);
  }

  /**
   * Counts a request that has not come whole, by what was added to it. False when there is too much of such: who holds
   * much must give it up, since waiting for the rest of it would be waiting for clients.
   */
  hold(addedBytes: number): boolean {
    this.#heldBytes += addedBytes;
    return this.#heldBytes <= this.#maxBytes;
  }

  forget(goOn: () => void): void {
    this.#waiting.delete(goOn);
  }
}
