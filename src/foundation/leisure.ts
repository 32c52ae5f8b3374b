import type { Clock } from './clock.ts';

/** To wake up costs more than a short piece of work does. */
const leastRestMs = 200;

/**
 * How much of one core some background work may use. It is told what was done, in milliseconds of processor time as they were measured once,
 * and not how long it took: on a busy machine work takes long because it waits for others.
 */
export class Leisure {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #share: number;
  readonly #mostSavedMs: number;
  #savedMs: number;
  #sinceMs: number;

  /** What it did not use it may use later, up to so much. */
  constructor(clock: Pick<Clock, 'monotonic'>, share: number, mostSavedMs: number) {
    this.#clock = clock;
    this.#share = share;
    this.#mostSavedMs = mostSavedMs;
    this.#savedMs = mostSavedMs;
    this.#sinceMs = clock.monotonic();
  }

  /** For how many milliseconds to rest after that much work: many or none. */
  restAfter(workMs: number): number {
    const now = this.#clock.monotonic();
    const saved = this.#savedMs + (now - this.#sinceMs) * this.#share;
    this.#savedMs = Math.min(saved, this.#mostSavedMs) - workMs;
    this.#sinceMs = now;
    const restMs = -this.#savedMs / this.#share;
    return restMs < leastRestMs ? 0 : restMs;
  }
}
