import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isEnforced, roundUpToStep, shownThroughput, withProvisionedRu } from './throughput-setting.ts';

test('a container that nobody gave throughput shows 400 RU/s, and is held to it only where that is wanted', () => {
  assert.deepEqual(shownThroughput({ kind: 'default' }), { kind: 'manual', ruPerSecond: 400 });
  assert.equal(isEnforced({ kind: 'default' }, false), false);
  assert.equal(isEnforced({ kind: 'default' }, true), true);
});

test('throughput that somebody set, shared throughput and serverless rates are always enforced', () => {
  for (const setting of [
    { kind: 'manual', ruPerSecond: 400 },
    { kind: 'autoscale', maxRuPerSecond: 1_000 },
    { kind: 'shared' },
    { kind: 'serverless' },
  ] as const) {
    assert.equal(isEnforced(setting, false), true);
  }
});

test('a container without throughput of its own shows none', () => {
  assert.equal(shownThroughput({ kind: 'shared' }), undefined);
  assert.equal(shownThroughput({ kind: 'serverless' }), undefined);
});

test('another figure leaves the kind and what belongs to it', () => {
  assert.deepEqual(
    withProvisionedRu({ kind: 'autoscale', maxRuPerSecond: 1_000, incrementPercent: 3 }, 2_000),
    { kind: 'autoscale', maxRuPerSecond: 2_000, incrementPercent: 3 },
  );
  assert.deepEqual(withProvisionedRu({ kind: 'manual', ruPerSecond: 400 }, 500), {
    kind: 'manual',
    ruPerSecond: 500,
  });
});

test('a sum that is a step but for an error of arithmetic is not rounded to the next', () => {
  assert.equal(roundUpToStep(10_000 + 1e-10, 'manual'), 10_000);
  assert.equal(roundUpToStep(10_001, 'manual'), 10_100);
  assert.equal(roundUpToStep(10_001, 'autoscale'), 11_000);
});
