import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  autoscaleForStorage,
  autoscaleFromManual,
  minimumThroughput,
  type ThroughputFacts,
} from './minimum-throughput.ts';

const nothing: ThroughputFacts = { storageGb: 0, highestRuEver: 0, sharingContainers: 0 };

test('the minimums that Microsoft works out as examples come out', () => {
  const cases = [
    ['manual', { highestRuEver: 50_000, storageGb: 20 }, 500, 'highest-ever'],
    ['manual', { highestRuEver: 50_000, storageGb: 2_000 }, 2_000, 'storage'],
    ['manual', { highestRuEver: 400, storageGb: 15, sharingContainers: 10 }, 400, 'least'],
    ['manual', { highestRuEver: 400, storageGb: 15, sharingContainers: 30 }, 900, 'containers'],
    ['autoscale', { highestRuEver: 50_000, storageGb: 20 }, 5_000, 'highest-ever'],
    ['autoscale', { highestRuEver: 50_000, storageGb: 2_000 }, 20_000, 'storage'],
    ['autoscale', { highestRuEver: 20_000, storageGb: 1_500 }, 15_000, 'storage'],
    ['autoscale', { highestRuEver: 150_000, storageGb: 100 }, 15_000, 'highest-ever'],
    ['autoscale', { highestRuEver: 1_000, storageGb: 15, sharingContainers: 10 }, 1_000, 'least'],
    ['autoscale', { highestRuEver: 1_000, storageGb: 15, sharingContainers: 30 }, 6_000, 'containers'],
  ] as const;
  for (const [kind, facts, ruPerSecond, because] of cases) {
    assert.deepEqual(minimumThroughput(kind, { ...nothing, ...facts }), { ruPerSecond, because });
  }
});

test('a minimum can be set: it lies on a step', () => {
  assert.equal(minimumThroughput('manual', { ...nothing, storageGb: 2_001 }).ruPerSecond, 2_100);
  assert.equal(minimumThroughput('autoscale', { ...nothing, storageGb: 97.3 }).ruPerSecond, 1_000);
  assert.equal(minimumThroughput('autoscale', { ...nothing, storageGb: 100.1 }).ruPerSecond, 2_000);
});

test('more data, more containers or a higher peak never lower the minimum', () => {
  const facts = fc.record({
    storageGb: fc.double({ min: 0, max: 100_000, noNaN: true }),
    highestRuEver: fc.nat(1_000_000),
    sharingContainers: fc.nat(60),
  });
  fc.assert(
    fc.property(fc.constantFrom('manual' as const, 'autoscale' as const), facts, facts, (kind, a, b) => {
      const both = {
        storageGb: Math.max(a.storageGb, b.storageGb),
        highestRuEver: Math.max(a.highestRuEver, b.highestRuEver),
        sharingContainers: Math.max(a.sharingContainers, b.sharingContainers),
      };
      assert.ok(
        minimumThroughput(kind, both).ruPerSecond >=
          Math.max(minimumThroughput(kind, a).ruPerSecond, minimumThroughput(kind, b).ruPerSecond),
      );
    }),
  );
});

test('manual throughput becomes autoscale of the figure that Microsoft gives', () => {
  const cases = [
    [10_000, { highestRuEver: 10_000, storageGb: 25 }, 10_000],
    [50_000, { highestRuEver: 50_000, storageGb: 25_000 }, 250_000],
    [400, { highestRuEver: 400 }, 1_000],
    [400, { highestRuEver: 60_000 }, 6_000],
    [1_400, { highestRuEver: 1_400 }, 1_000],
    [1_500, { highestRuEver: 1_500 }, 2_000],
  ] as const;
  for (const [manualRu, facts, maxRuPerSecond] of cases) {
    assert.deepEqual(autoscaleFromManual(manualRu, { ...nothing, ...facts }), {
      kind: 'autoscale',
      maxRuPerSecond,
    });
  }
});

test('data that outgrows a tenth of the maximum in GB raises it, by the wished percentage at least', () => {
  const setting = { kind: 'autoscale', maxRuPerSecond: 50_000 } as const;
  assert.equal(autoscaleForStorage(setting, 5_000), setting);
  assert.equal(autoscaleForStorage(setting, 5_001).maxRuPerSecond, 51_000);
  assert.equal(autoscaleForStorage(setting, 6_000).maxRuPerSecond, 60_000);
  assert.deepEqual(autoscaleForStorage({ ...setting, incrementPercent: 10 }, 5_001), {
    kind: 'autoscale',
    maxRuPerSecond: 55_000,
    incrementPercent: 10,
  });
});
