import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { floorTime, plusDuration, plusMonths } from './durations.ts';

const moments = fc.bigInt({ min: -(10n ** 13n), max: 10n ** 13n });

function ms(text: string): bigint {
  return BigInt(Date.parse(text));
}

test('a month later is the same day, or the last one that the month has', () => {
  assert.equal(plusMonths(ms('2020-01-31T10:20:30.456Z'), 1), ms('2020-02-29T10:20:30.456Z'));
  assert.equal(plusMonths(ms('2019-12-31T00:00:00Z'), 2), ms('2020-02-29T00:00:00Z'));
  assert.equal(plusMonths(ms('2020-03-31T00:00:00Z'), -13), ms('2019-02-28T00:00:00Z'));
  assert.equal(plusMonths(ms('1969-12-31T23:59:59.999Z'), -12), ms('1968-12-31T23:59:59.999Z'));
});

test('days and milliseconds that were added can be taken away again', () => {
  fc.assert(
    fc.property(
      moments,
      fc.integer({ min: 0, max: 99 }),
      fc.bigInt({ min: 0n, max: 10n ** 8n }),
      (at, days, rest) => {
        const duration = { months: 0, days, nanoseconds: rest * 1_000_000n };
        assert.equal(plusDuration(plusDuration(at, duration, 1), duration, -1), at);
      },
    ),
  );
});

test('a floor is not after the time, less than one duration before it, and its own floor', () => {
  const start = -(10n ** 13n);
  fc.assert(
    fc.property(moments, fc.bigInt({ min: 1n, max: 10n ** 10n }), (at, length) => {
      const duration = { months: 0, days: 0, nanoseconds: length * 1_000_000n };
      const floor = floorTime(at, duration, start);
      assert.ok(floor <= at && at - floor < length);
      assert.equal(floorTime(floor, duration, start), floor);
    }),
  );
});

test('a floor of months is the beginning of one of them', () => {
  assert.equal(
    floorTime(ms('2020-05-17T10:00:00Z'), { months: 1, days: 0, nanoseconds: 0n }, 0n),
    ms('2020-05-01'),
  );
  assert.equal(
    floorTime(ms('2020-05-17T10:00:00Z'), { months: 24, days: 0, nanoseconds: 0n }, 0n),
    ms('2020-01-01'),
  );
});
