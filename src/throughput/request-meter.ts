import type { ChargeExplanation } from './charge-explanation.ts';
import { type PriceList, requestCharge } from './request-charge.ts';
import { fromHundredths, hundredthsOf, type RequestUnits } from './request-units.ts';
import type { WorkDone } from './work-done.ts';

/**
 * Adds up one request: the members of a batch, the physical partitions of a query. Each piece of work is rounded by itself,
 * because each is spent from a budget and shown to the client by itself, and their sum must be what the request cost.
 */
export class RequestMeter {
  readonly #prices: PriceList;
  readonly #explanation: ChargeExplanation | undefined;
  #hundredths = 0;

  /** With an explanation, which is filled as the work is added, everything costs the same and takes longer. */
  constructor(prices: PriceList, explanation?: ChargeExplanation) {
    this.#prices = prices;
    this.#explanation = explanation;
  }

  /** Returns what this piece of work costs. */
  add(work: WorkDone): RequestUnits {
    const charge = this.#explanation?.add(work, this.#prices) ?? requestCharge(work, this.#prices);
    this.#hundredths += hundredthsOf(charge);
    return charge;
  }

  get chargeRu(): RequestUnits {
    return fromHundredths(this.#hundredths);
  }
}
