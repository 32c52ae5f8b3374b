// What one physical partition may spend now. A second's request units come back continuously; a request that finds a
// positive balance runs to its end, and what it cost is subtracted afterwards, so the balance may become a debt, during
// which all are refused (an architect's statement; cosmos-partitioning.md §4.1). A small partition also has a bank.
//
// So in any stretch of time a partition admits at most its rate times the stretch, one second's worth, what was in the
// bank, and what was in flight when it ran out. Admitting makes no objects and takes the same time whatever has happened.

import { BurstBank } from './burst-bank.ts';
import { type ControlBucketSetting, ControlBuckets, NO_BUCKET } from './control-buckets.ts';
import { RefillingBalance } from './refilling-balance.ts';
import { HighPriorityDemand, type RequestPriority } from './request-priority.ts';
import { ReturnTimes } from './return-times.ts';

export interface BudgetSettings {
  /** Under autoscale the share of the maximum, all of which may be used at any moment. */
  readonly ruPerSecond: number;
  /** Whether the account has burst capacity; a partition of 3,000 RU/s or more has none all the same. */
  readonly hasBurst: boolean;
  readonly controlBuckets: readonly ControlBucketSetting[];
}

/** What a budget has left, in request units: what a partition's successor begins with. */
export interface BudgetRest {
  /** Negative while in debt. */
  readonly balanceRu: number;
  readonly bankRu: number;
}

/** Which of its limits refused a request: the first of these that would have done so alone. */
export type RefusalCause = 'budget' | 'bucket' | 'low-priority';

export class ThroughputBudget {
  readonly #balance: RefillingBalance;
  #bank: BurstBank | undefined;
  readonly #highDemand = new HighPriorityDemand();
  readonly #controlBuckets: ControlBuckets;
  readonly #returnTimes = new ReturnTimes();

  constructor(nowMs: number, settings: BudgetSettings, rest: BudgetRest = fullBudget(settings)) {
    const { ruPerSecond, controlBuckets } = settings;
    this.#balance = new RefillingBalance(nowMs, ruPerSecond, rest.balanceRu);
    this.#controlBuckets = new ControlBuckets(nowMs, ruPerSecond, controlBuckets);
    if (mayBurst(settings)) this.#bank = new BurstBank(nowMs, ruPerSecond, rest.bankRu, rest.balanceRu);
  }

  get ruPerSecond(): number {
    return this.#balance.ruPerSecond;
  }

  /** 0 admits the request. Else it is refused, and would be admitted after so many milliseconds if nobody else spent. */
  admit(nowMs: number, priority: RequestPriority, bucket: number): number {
    this.#settle(nowMs);
    const waitMs = this.#waitMs(priority === 'low' ? this.#lowFloorRu(nowMs) : 0);
    if (waitMs > 0 && priority === 'high') this.#highDemand.refuse(nowMs);
    return bucket === NO_BUCKET ? waitMs : Math.max(waitMs, this.#controlBuckets.waitMs(nowMs, bucket));
  }

  /** Of a request that `admit` has just refused at the same moment. */
  refusalCause(nowMs: number, bucket: number): RefusalCause {
    if (this.#waitMs(0) > 0) return 'budget';
    return this.#controlBuckets.waitMs(nowMs, bucket) > 0 ? 'bucket' : 'low-priority';
  }

  /** When a request that `admit` refused is best tried again, with all others that were refused in mind; never before `waitMs`. */
  returnMs(nowMs: number, waitMs: number): number {
    return this.#returnTimes.next(nowMs, waitMs, this.#balance.ruPerSecond);
  }

  /** Subtracts what an admitted request cost. Returns how much of it the bank paid. */
  spend(nowMs: number, chargeRu: number, priority: RequestPriority, bucket: number): number {
    this.#settle(nowMs);
    const ownRu = Math.max(this.#balance.ru, 0);
    this.#balance.add(-chargeRu);
    this.#returnTimes.spend(chargeRu);
    if (priority === 'high') this.#highDemand.spend(nowMs, chargeRu);
    if (bucket !== NO_BUCKET) this.#controlBuckets.spend(nowMs, bucket, chargeRu);
    if (this.#bank === undefined) return 0;
    const paidRu = this.#bank.spend(chargeRu, Math.max(chargeRu - ownRu, 0));
    this.#balance.add(paidRu);
    return paidRu;
  }

  change(nowMs: number, settings: BudgetSettings): void {
    this.#settle(nowMs);
    const { ruPerSecond, controlBuckets } = settings;
    this.#balance.changeRate(ruPerSecond);
    this.#returnTimes.changeRate();
    this.#controlBuckets.change(nowMs, ruPerSecond, controlBuckets);
    if (!mayBurst(settings)) this.#bank = undefined;
    else if (this.#bank === undefined) this.#bank = new BurstBank(nowMs, ruPerSecond, 0, this.#balance.ru);
    else this.#bank.changeRate(ruPerSecond);
  }

  rest(nowMs: number): BudgetRest {
    this.#settle(nowMs);
    return { balanceRu: this.#balance.ru, bankRu: this.#bank?.ru ?? 0 };
  }

  #settle(nowMs: number): void {
    const unusedRu = this.#balance.settle(nowMs);
    this.#bank?.settle(nowMs, unusedRu);
  }

  #lowFloorRu(nowMs: number): number {
    return this.#highDemand.floorRu(nowMs, this.#balance.ruPerSecond);
  }

  /** Until more than the floor can be spent. */
  #waitMs(floorRu: number): number {
    if (this.#bank === undefined) return this.#balance.waitMs(floorRu, 0);
    return Math.max(this.#balance.waitMs(floorRu, this.#bank.ru), this.#bank.waitMs(floorRu));
  }
}

/** At its start a partition has one second's worth, no bank and no debt. */
function fullBudget({ ruPerSecond }: BudgetSettings): BudgetRest {
  return { balanceRu: ruPerSecond, bankRu: 0 };
}

function mayBurst({ hasBurst, ruPerSecond }: BudgetSettings): boolean {
  return hasBurst && BurstBank.isFor(ruPerSecond);
}
