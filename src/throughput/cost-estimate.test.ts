import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RingfoldError } from '../errors/ringfold-error.ts';
import { estimateMonthlyCost } from './cost-estimate.ts';
import { defaultListPrices, listPricesFrom } from './list-prices.ts';

// The samples of understand-your-bill have months of 30 days.
const thirtyDays = listPricesFrom({ hoursPerMonth: 720 });
const GB = 2 ** 30;

function near(actualUsd: number, expectedUsd: number): void {
  assert.ok(Math.abs(actualUsd - expectedUsd) < 1e-9, `${actualUsd} USD, not ${expectedUsd}`);
}

test("manual throughput and storage cost what Microsoft's samples of a bill say", () => {
  near(estimateMonthlyCost({ kind: 'manual', ruPerSecond: 1_000 }, 0, thirtyDays).throughputUsd, 57.6);
  const { throughputUsd, storageUsd, totalUsd } = estimateMonthlyCost(
    { kind: 'manual', ruPerSecond: 10_000 },
    250 * GB,
    thirtyDays,
  );
  near(throughputUsd, 576);
  near(storageUsd, 62.5);
  near(totalUsd, 638.5);
});

test('a month has 730 hours unless somebody says otherwise', () => {
  near(estimateMonthlyCost({ kind: 'manual', ruPerSecond: 400 }, 0, defaultListPrices).totalUsd, 23.36);
});

test("autoscale costs the peak of each hour at one and a half times the price, as in Microsoft's sample", () => {
  const threeHours = listPricesFrom({ hoursPerMonth: 3 });
  const hourlyPeaksRu = [3_000, 30_000, 3_300];
  near(estimateMonthlyCost({ kind: 'autoscale', hourlyPeaksRu }, 0, threeHours).throughputUsd, 4.356);
});

test('what was observed stands for the whole month', () => {
  const oneHour = { kind: 'serverless', consumedRu: 500_000, observedHours: 1 } as const;
  const wholeMonth = { kind: 'serverless', consumedRu: 500_000, observedHours: 720 } as const;
  near(estimateMonthlyCost(wholeMonth, 0, thirtyDays).throughputUsd, 0.125);
  near(estimateMonthlyCost(oneHour, 0, thirtyDays).throughputUsd, 0.125 * 720);
});

test('throughput is billed in whole units of 100 RU/s, and a tenth of 7,000 is seven of them', () => {
  const billedAt = (ruPerSecond: number) =>
    estimateMonthlyCost({ kind: 'manual', ruPerSecond }, 0, thirtyDays).throughputUsd;
  assert.equal(billedAt(401), billedAt(500));
  assert.equal(billedAt(0.1 * 7_000), billedAt(700));
});

test('autoscale is cheaper than manual when the maximum is used in less than two thirds of the hours', () => {
  fc.assert(
    fc.property(fc.nat(100), (busyHours) => {
      const hourlyPeaksRu = Array.from({ length: 100 }, (_, hour) => (hour < busyHours ? 10_000 : 1_000));
      const share = hourlyPeaksRu.reduce((sum, peakRu) => sum + peakRu, 0) / (100 * 10_000);
      const autoscale = estimateMonthlyCost({ kind: 'autoscale', hourlyPeaksRu }, 0, defaultListPrices);
      const manual = estimateMonthlyCost({ kind: 'manual', ruPerSecond: 10_000 }, 0, defaultListPrices);
      assert.equal(autoscale.totalUsd < manual.totalUsd, share < 2 / 3);
    }),
  );
});

test('an operator may replace some prices, by their names and with numbers that are prices', () => {
  assert.deepEqual(listPricesFrom({ manualUsdPer100RuHour: 0.006 }), {
    ...defaultListPrices,
    manualUsdPer100RuHour: 0.006,
  });
  const refused: readonly unknown[] = [
    null,
    [],
    'cheap',
    { manual: 1 },
    { manualUsdPer100RuHour: '1' },
    { storageUsdPerGbMonth: -1 },
    { hoursPerMonth: Number.NaN },
    { toString: 1 },
  ];
  for (const replacements of refused) {
    assert.throws(
      () => listPricesFrom(replacements),
      (error) => error instanceof RingfoldError && error.code === 'bad-setting',
    );
  }
});

test('there is no estimate before anything was observed', () => {
  const nothing = [
    { kind: 'autoscale', hourlyPeaksRu: [] },
    { kind: 'serverless', consumedRu: 0, observedHours: 0 },
  ] as const;
  for (const throughput of nothing)
    assert.throws(() => estimateMonthlyCost(throughput, 0, defaultListPrices), /needs/);
});
