import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareCqlValues } from '../../../../values/cql-order.ts';
import { largestTimeUuid, newTimeUuid, smallestTimeUuid, timeOfUuid } from './time-uuid.ts';

const moments = fc.bigInt({ min: 0n, max: 10n ** 15n });

test('a new one has its time, and stands between the smallest and the largest of that millisecond', () => {
  fc.assert(
    fc.property(moments, (micros) => {
      const millis = micros / 1000n;
      const uuid = newTimeUuid(micros);
      assert.equal(timeOfUuid(uuid), millis);
      assert.equal(uuid.readUInt8(6) >> 4, 1);
      assert.equal(uuid.readUInt8(8) >> 6, 0b10);
      assert.ok(compareCqlValues({ kind: 'timeuuid' }, smallestTimeUuid(millis), uuid) < 0);
      assert.ok(compareCqlValues({ kind: 'timeuuid' }, uuid, largestTimeUuid(millis)) < 0);
    }),
  );
});
