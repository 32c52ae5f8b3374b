import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ServerTimestamps } from './server-timestamps.ts';

test('each timestamp is greater than all before, whatever the clock does', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 31), fc.array(fc.nat(2 ** 31)), (floor, clock) => {
      const timestamps = new ServerTimestamps(floor);
      let last = floor;
      for (const now of clock) {
        const next = timestamps.next(now);
        assert.ok(next > last && next >= now);
        assert.equal(timestamps.last, next);
        last = next;
      }
    }),
  );
});

test('a timestamp is the time itself as long as the clock moves on', () => {
  const timestamps = new ServerTimestamps(0);
  assert.equal(timestamps.next(1_790_000_000_000_000), 1_790_000_000_000_000);
  assert.equal(timestamps.next(1_790_000_000_000_000), 1_790_000_000_000_001);
  assert.equal(timestamps.next(1_790_000_000_001_000), 1_790_000_000_001_000);
});

test('after a restart they go on above the floor, and above what was learnt', () => {
  const timestamps = new ServerTimestamps(500);
  assert.equal(timestamps.next(100), 501);
  timestamps.raiseTo(900);
  timestamps.raiseTo(700);
  assert.equal(timestamps.next(100), 901);
});
