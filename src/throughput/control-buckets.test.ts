import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ControlBuckets, checkControlBuckets, NO_BUCKET } from './control-buckets.ts';

const bucketOf = (id: number, maxThroughputPercentage: number) => ({ id, maxThroughputPercentage });

test('a bucket admits its percentage of the rate in any window, and one second of it', () => {
  const charges = fc.array(fc.record({ gapMs: fc.nat(500), ru: fc.integer({ min: 1, max: 50 }) }), {
    minLength: 1,
    maxLength: 60,
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), charges, (percentage, charges) => {
      const buckets = new ControlBuckets(0, 1_000, [bucketOf(3, percentage)]);
      let nowMs = 0;
      let admittedRu = 0;
      let lastRu = 0;
      for (const { gapMs, ru } of charges) {
        nowMs += gapMs;
        if (buckets.waitMs(nowMs, 3) > 0) continue;
        buckets.spend(nowMs, 3, ru);
        admittedRu += ru;
        lastRu = ru;
        assert.ok(admittedRu - lastRu <= percentage * 10 * (1 + nowMs / 1_000) + 1e-6);
      }
    }),
  );
});

test('whoever names no bucket, or one that does not exist, has no cap', () => {
  const buckets = new ControlBuckets(0, 1_000, [bucketOf(1, 10)]);
  for (const bucket of [NO_BUCKET, 4]) {
    buckets.spend(0, bucket, 1e6);
    assert.equal(buckets.waitMs(0, bucket), 0);
  }
  assert.throws(() => buckets.waitMs(0, 6), /bucket from 1 to 5/);
});

test('a changed cap keeps the debt, and a bucket taken away and given back has gained nothing', () => {
  const buckets = new ControlBuckets(0, 1_000, [bucketOf(1, 10), bucketOf(2, 10)]);
  buckets.spend(0, 1, 300);
  buckets.change(1_000, 1_000, [bucketOf(1, 50)]);
  assert.equal(buckets.waitMs(1_000, 1), 201);
  buckets.change(1_000, 1_000, [bucketOf(1, 50), bucketOf(2, 50)]);
  assert.equal(buckets.waitMs(1_000, 2), 1);
  assert.equal(buckets.waitMs(1_001, 2), 0);
});

test('buckets that cannot be are refused', () => {
  checkControlBuckets([bucketOf(1, 1), bucketOf(5, 100)]);
  for (const wrong of [
    [bucketOf(0, 10)],
    [bucketOf(6, 10)],
    [bucketOf(1.5, 10)],
    [bucketOf(1, 10), bucketOf(1, 20)],
    [bucketOf(1, 0)],
    [bucketOf(1, 101)],
    [bucketOf(1, 12.5)],
  ]) {
    assert.throws(() => checkControlBuckets(wrong), { code: 'bad-setting' });
  }
});
