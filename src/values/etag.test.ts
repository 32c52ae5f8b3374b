import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { etagOf } from './etag.ts';

const timestamps = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });

test('an etag is a GUID', () => {
  fc.assert(
    fc.property(timestamps, (timestamp) => {
      assert.match(etagOf(timestamp), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    }),
  );
});

test('timestamps that differ have etags that differ, and later ones sort later', () => {
  fc.assert(
    fc.property(timestamps, timestamps, (one, other) => {
      assert.equal(etagOf(one) < etagOf(other), one < other);
    }),
  );
  assert.equal(etagOf(2 ** 32), '00000000-0000-0000-0000-000100000000');
});
