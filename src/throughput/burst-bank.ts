// What a small physical partition left unused, to be spent later faster than its rate (burst-capacity; Microsoft's docs of
// 2026-05-15). Under autoscale the rate is the partition's share of the maximum: the page's FAQ also speaks of the floor,
// which contradicts its own example.

import { RefillingBalance } from './refilling-balance.ts';

/** A partition with this rate or more has no bank, and no partition spends faster than this with the help of one. */
export const BURST_RU_PER_SECOND: number = 3_000;

/** Of the partition's rate. */
export const BURST_BANK_SECONDS: number = 300;

export class BurstBank {
  #ru: number;
  #limitRu: number;
  /** What all spending may take, not only the bank's part: a second of 3,000 RU/s. */
  readonly #ceiling: RefillingBalance;

  /** The ceiling begins at the partition's own balance, so that opening a bank anew lets nobody spend more. */
  constructor(nowMs: number, ruPerSecond: number, bankRu: number, balanceRu: number) {
    this.#limitRu = BURST_BANK_SECONDS * ruPerSecond;
    this.#ru = Math.min(bankRu, this.#limitRu);
    this.#ceiling = new RefillingBalance(nowMs, BURST_RU_PER_SECOND, balanceRu);
  }

  static isFor(ruPerSecond: number): boolean {
    return ruPerSecond < BURST_RU_PER_SECOND;
  }

  get ru(): number {
    return this.#ru;
  }

  get limitRu(): number {
    return this.#limitRu;
  }

  settle(nowMs: number, unusedRu: number): void {
    this.#ceiling.settle(nowMs);
    this.#ru = Math.min(this.#ru + unusedRu, this.#limitRu);
  }

  /** Takes the charge from the ceiling and pays what the partition's own balance lacked, as far as the bank reaches. */
  spend(chargeRu: number, lackingRu: number): number {
    this.#ceiling.add(-chargeRu);
    const paidRu = Math.min(lackingRu, this.#ru);
    this.#ru -= paidRu;
    return paidRu;
  }

  waitMs(floorRu: number): number {
    return this.#ceiling.waitMs(floorRu, 0);
  }

  changeRate(ruPerSecond: number): void {
    this.#limitRu = BURST_BANK_SECONDS * ruPerSecond;
    if (this.#ru > this.#limitRu) this.#ru = this.#limitRu;
  }
}
