import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { priceInRu, roundedHundredths, times } from './price.ts';
import { fromHundredths, hundredthsOf } from './request-units.ts';

test('a charge is the nearest hundredth of its price', () => {
  const charges = [0, 0.0049, 0.005, 3.0689, 4.95].map((ru) => roundedHundredths(priceInRu(ru)));
  assert.deepEqual(charges, [0, 0, 1, 307, 495]);
});

test('a price of many is exact where the price of one is', () => {
  assert.equal(times(priceInRu(0.002), 60_951), priceInRu(121.902));
});

test('a charge is the same number after it went through hundredths', () => {
  fc.assert(
    fc.property(fc.nat(), (hundredths) => {
      assert.equal(hundredthsOf(fromHundredths(hundredths)), hundredths);
    }),
  );
});
