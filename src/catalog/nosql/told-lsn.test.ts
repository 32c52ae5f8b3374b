import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { textOfLsn, toldLsn } from './told-lsn.ts';

test('an LSN is told as counted from the making of its container', () => {
  assert.equal(toldLsn({ createdAt: 1_794_900_000_000_000 }, 12), 1_794_900_000_000_012);
});

test('the text of an LSN is that of the number', () => {
  fc.assert(
    fc.property(fc.oneof(fc.maxSafeNat(), fc.nat(), fc.constantFrom(0, 99_999_999, 1e8, 1e15)), (lsn) => {
      assert.equal(textOfLsn(lsn), String(lsn));
    }),
  );
});
