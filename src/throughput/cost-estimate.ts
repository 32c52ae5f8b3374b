// What a month of the present load would cost on Azure at list prices, to be shown beside the load. An estimate, not a
// bill: it takes the observed time to be like the rest of the month.

import { assert } from '../foundation/assert.ts';
import type { ListPrices } from './list-prices.ts';

const bytesPerGb = 2 ** 30;

export type BilledThroughput =
  | { readonly kind: 'manual'; readonly ruPerSecond: number }
  /** The highest RU/s that each observed hour was scaled to, as autoscale is billed. */
  | { readonly kind: 'autoscale'; readonly hourlyPeaksRu: readonly number[] }
  | { readonly kind: 'serverless'; readonly consumedRu: number; readonly observedHours: number };

export interface CostEstimate {
  readonly throughputUsd: number;
  readonly storageUsd: number;
  readonly totalUsd: number;
}

export function estimateMonthlyCost(
  throughput: BilledThroughput,
  storedBytes: number,
  prices: ListPrices,
): CostEstimate {
  const throughputUsd = hourlyUsd(throughput, prices) * prices.hoursPerMonth;
  const storageUsd = (storedBytes / bytesPerGb) * prices.storageUsdPerGbMonth;
  return { throughputUsd, storageUsd, totalUsd: throughputUsd + storageUsd };
}

function hourlyUsd(throughput: BilledThroughput, prices: ListPrices): number {
  switch (throughput.kind) {
    case 'manual':
      return billedUnits(throughput.ruPerSecond) * prices.manualUsdPer100RuHour;
    case 'autoscale': {
      const { hourlyPeaksRu } = throughput;
      assert(hourlyPeaksRu.length > 0, 'an estimate needs an hour to go by');
      const units = hourlyPeaksRu.reduce((sum, peakRu) => sum + billedUnits(peakRu), 0);
      return (units / hourlyPeaksRu.length) * prices.autoscaleUsdPer100RuHour;
    }
    case 'serverless': {
      const { consumedRu, observedHours } = throughput;
      assert(observedHours > 0, 'an estimate needs some time to go by');
      return (consumedRu / observedHours / 1_000_000) * prices.serverlessUsdPerMillionRu;
    }
  }
}

// Throughput is billed by the hour in units of 100 RU/s: understand-your-bill. A tenth of 7,000 RU/s comes out a trifle above
// 700, which must not make one unit more.
function billedUnits(ruPerSecond: number): number {
  return Math.ceil(Math.round(ruPerSecond) / 100);
}
