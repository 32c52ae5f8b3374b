import { assert } from '../foundation/assert.ts';

/** Beyond the rounding of any clock, so that whoever waits as told finds the balance above the floor and not on it. */
const MARGIN_MS = 0.001;

/**
 * Request units that come back continuously, up to one second's worth. The balance is as of the last `settle`; it may be
 * negative, because what a request costs is known only after it has run.
 */
export class RefillingBalance {
  #ruPerSecond: number;
  #ru: number;
  #settledAtMs: number;

  constructor(nowMs: number, ruPerSecond: number, ru: number) {
    assert(ruPerSecond > 0, 'a balance refills');
    this.#ruPerSecond = ruPerSecond;
    this.#ru = Math.min(ru, ruPerSecond);
    this.#settledAtMs = nowMs;
  }

  get ruPerSecond(): number {
    return this.#ruPerSecond;
  }

  get ru(): number {
    return this.#ru;
  }

  /** Brings the balance up to this moment and returns what no longer found room. A moment in the past changes nothing. */
  settle(nowMs: number): number {
    const elapsedMs = nowMs - this.#settledAtMs;
    if (elapsedMs <= 0) return 0;
    this.#settledAtMs = nowMs;
    const ru = this.#ru + (this.#ruPerSecond * elapsedMs) / 1_000;
    if (ru <= this.#ruPerSecond) {
      this.#ru = ru;
      return 0;
    }
    this.#ru = this.#ruPerSecond;
    return ru - this.#ruPerSecond;
  }

  add(ru: number): void {
    this.#ru += ru;
  }

  /**
   * The balance stays what it is in request units, but for what no longer has room. Were it kept in seconds instead,
   * raising a rate and lowering it again would make request units out of nothing.
   */
  changeRate(ruPerSecond: number): void {
    assert(ruPerSecond > 0, 'a balance refills');
    this.#ruPerSecond = ruPerSecond;
    if (this.#ru > ruPerSecond) this.#ru = ruPerSecond;
  }

  /** 0 when the balance and what is lent to it are above the floor; else whole milliseconds until they are if nobody spends. */
  waitMs(floorRu: number, lentRu: number): number {
    const missingRu = floorRu - this.#ru - lentRu;
    return missingRu < 0 ? 0 : Math.ceil((missingRu * 1_000) / this.#ruPerSecond + MARGIN_MS);
  }
}
