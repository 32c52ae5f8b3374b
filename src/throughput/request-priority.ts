// Two priorities, and nothing reserved for either: alone, each may spend the whole budget (priority-based-execution-faq).
// Together, low is refused first. So low leaves in the balance what high is likely to want: as much as it spent in a
// recent second, and nearly all of it when it has just been refused. In the long run low still gets all that high leaves.

export type RequestPriority = 'high' | 'low';

/** Of one second's request units. Below 1, so that a low request told to wait finds the balance above it in the end. */
const MOST_LEFT_TO_HIGH = 0.9;

export class HighPriorityDemand {
  #second = Number.NEGATIVE_INFINITY;
  #ruThisSecond = 0;
  #ruLastSecond = 0;

  spend(nowMs: number, chargeRu: number): void {
    this.#settle(nowMs);
    this.#ruThisSecond += chargeRu;
  }

  refuse(nowMs: number): void {
    this.#settle(nowMs);
    this.#ruThisSecond = Number.POSITIVE_INFINITY;
  }

  /** What a low request must leave in a balance of this rate. It falls by itself while nobody spends. */
  floorRu(nowMs: number, ruPerSecond: number): number {
    this.#settle(nowMs);
    const wantedRu = Math.max(this.#ruThisSecond, this.#ruLastSecond);
    return Math.min(wantedRu, MOST_LEFT_TO_HIGH * ruPerSecond);
  }

  #settle(nowMs: number): void {
    const second = Math.floor(nowMs / 1_000);
    if (second <= this.#second) return;
    this.#ruLastSecond = second === this.#second + 1 ? this.#ruThisSecond : 0;
    this.#ruThisSecond = 0;
    this.#second = second;
  }
}
