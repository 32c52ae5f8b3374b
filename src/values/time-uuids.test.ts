import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareCqlValues } from './cql-order.ts';
import { TimeUuids } from './time-uuids.ts';

test('they are of version 1, of one node, and each is later than the one before, whatever the clock says', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 2 ** 42 }), { minLength: 2, maxLength: 20 }), (times) => {
      const uuids = new TimeUuids(Buffer.alloc(8, 0xff));
      const made = times.map((time) => uuids.next(time));
      for (const uuid of made) {
        assert.equal(uuid.readUInt8(6) >> 4, 1);
        assert.equal(uuid.readUInt8(8) >> 6, 2);
      }
      for (const [at, uuid] of made.entries()) {
        const before = made[at - 1];
        if (before !== undefined) assert.ok(compareCqlValues({ kind: 'timeuuid' }, before, uuid) < 0);
      }
    }),
  );
});

test('the time is that of the clock, in units of 100 ns since 1582', () => {
  const uuid = new TimeUuids(Buffer.alloc(8)).next(0);
  assert.equal(uuid.subarray(0, 8).toString('hex'), '138140001dd211b2');
});
