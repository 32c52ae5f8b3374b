import assert from 'node:assert/strict';
import { test } from 'node:test';
import { priceLists } from './request-charge.ts';
import { RequestMeter } from './request-meter.ts';
import { createOf, queryReturning } from './work-done.samples.ts';

test('a request that did nothing costs nothing', () => {
  assert.equal(new RequestMeter(priceLists['docs-2026']).chargeRu, 0);
});

test('the charges of the physical partitions that a query visited add up to the charge of the request', () => {
  const meter = new RequestMeter(priceLists['docs-2026']);
  // 2.639 before rounding, so ten of them would be 26.39 if they were not rounded one by one.
  const charges = Array.from({ length: 10 }, () => meter.add(queryReturning(1, 1)));
  assert.deepEqual(new Set(charges), new Set([2.64]));
  assert.equal(meter.chargeRu, 26.4);
});

test('a batch that fails pays for the call and for what its members looked at', () => {
  const meter = new RequestMeter(priceLists['docs-2026']);
  meter.add({ kind: 'batch' });
  meter.add({ ...createOf(1, 10), isApplied: false });
  meter.add({ ...createOf(1, 10), isApplied: false, bytesBefore: 2048 });
  assert.equal(meter.chargeRu, 3.04);
});
