// What Azure asked for, as Microsoft's billing pages give it for single-region accounts in regions of the US outside
// government clouds: understand-your-bill and how-to-choose-offer (07/2024). They are list prices: other regions, several
// regions, reserved capacity, the free tier and contracts differ. Ringfold itself costs nothing; the estimate tells what the
// same load would cost there.

import { RingfoldError } from '../errors/ringfold-error.ts';

export interface ListPrices {
  readonly manualUsdPer100RuHour: number;
  /** 1.5 times manual: autoscale-faq. */
  readonly autoscaleUsdPer100RuHour: number;
  readonly serverlessUsdPerMillionRu: number;
  /** Of data and index, counted once and not per replica. */
  readonly storageUsdPerGbMonth: number;
  /** how-to-choose-offer. The samples of understand-your-bill are for months of 720 hours. */
  readonly hoursPerMonth: number;
}

export const defaultListPrices: ListPrices = {
  manualUsdPer100RuHour: 0.008,
  autoscaleUsdPer100RuHour: 0.012,
  serverlessUsdPerMillionRu: 0.25,
  storageUsdPerGbMonth: 0.25,
  hoursPerMonth: 730,
};

/** The default prices with some of them replaced, as an operator wrote them: an object with the names above. */
export function listPricesFrom(replacements: unknown): ListPrices {
  if (typeof replacements !== 'object' || replacements === null || Array.isArray(replacements))
    throw new RingfoldError('bad-setting', { setting: 'list prices', reason: 'not an object' });
  for (const [name, price] of Object.entries(replacements)) {
    if (!Object.hasOwn(defaultListPrices, name))
      throw new RingfoldError('bad-setting', { setting: name, known: Object.keys(defaultListPrices) });
    if (typeof price !== 'number' || !Number.isFinite(price) || price < 0)
      throw new RingfoldError('bad-setting', { setting: name, reason: 'not a price', value: price });
  }
  return { ...defaultListPrices, ...replacements };
}
