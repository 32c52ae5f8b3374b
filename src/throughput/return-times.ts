// When those that were refused are told to come back. Told alike, all come at once, one of them spends what there is, and the
// rest have used up one of the nine tries that clients make: a hundred parallel writes then fail within a second or two on a
// budget that would have carried them. So each is given a place of its own, as long behind the one before as a request costs.

/** Nobody waits longer: clients give up after thirty seconds in all, and those that were given a place may never come. */
const MAX_WAIT_MS = 3_000;
/** One in so many of what a request costs is forgotten with each. */
const MEMORY = 16;

export class ReturnTimes {
  /** When the places that were given have passed. */
  #freeAtMs = Number.NEGATIVE_INFINITY;
  /** Of late. */
  #typicalRu = 0;

  spend(chargeRu: number): void {
    this.#typicalRu += this.#typicalRu === 0 ? chargeRu : (chargeRu - this.#typicalRu) / MEMORY;
  }

  /** Places were given by a rate that is no longer. */
  changeRate(): void {
    this.#freeAtMs = Number.NEGATIVE_INFINITY;
  }

  /** Whole milliseconds, at least those until the budget admits anybody, which are `waitMs`. */
  next(nowMs: number, waitMs: number, ruPerSecond: number): number {
    // Not as a difference of times: that is a little off, and whole milliseconds would make one of it.
    const untilPlaceMs = Math.max(waitMs, this.#freeAtMs - nowMs);
    const toldMs = Math.ceil(untilPlaceMs);
    if (toldMs > MAX_WAIT_MS) return Math.max(waitMs, MAX_WAIT_MS);
    this.#freeAtMs = nowMs + untilPlaceMs + (this.#typicalRu * 1_000) / ruPerSecond;
    return toldMs;
  }
}
