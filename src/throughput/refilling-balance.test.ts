import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RefillingBalance } from './refilling-balance.ts';

/** Evenly spread, unlike fast-check's doubles, nearly all of which are next to nothing. */
const between = (low: number, high: number): fc.Arbitrary<number> =>
  fc.integer({ min: 0, max: 2 ** 30 }).map((step) => low + ((high - low) * step) / 2 ** 30);

const rate = between(1, 10_000);
const moment = between(0, 1e11);

test('a balance comes back continuously and holds one second of its rate', () => {
  const balance = new RefillingBalance(0, 400, 0);
  assert.equal(balance.settle(250), 0);
  assert.equal(balance.ru, 100);
  assert.equal(balance.settle(1_500), 200);
  assert.equal(balance.ru, 400);
});

test('it does not matter how often a balance is looked at', () => {
  fc.assert(
    fc.property(rate, fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 20 }), (rate, gapsMs) => {
      const often = new RefillingBalance(0, rate, -rate);
      const once = new RefillingBalance(0, rate, -rate);
      let nowMs = 0;
      let lostRu = 0;
      for (const gapMs of gapsMs) {
        nowMs += gapMs;
        lostRu += often.settle(nowMs);
      }
      const lostAtOnceRu = once.settle(nowMs);
      assert.ok(Math.abs(often.ru - once.ru) < 1e-6);
      assert.ok(Math.abs(lostRu - lostAtOnceRu) < 1e-6);
    }),
  );
});

test('a moment in the past changes nothing', () => {
  const balance = new RefillingBalance(5_000, 400, 0);
  assert.equal(balance.settle(4_000), 0);
  assert.equal(balance.ru, 0);
});

test('after the wait the balance is above the floor, and a millisecond earlier it was not', () => {
  fc.assert(
    fc.property(rate, moment, between(0, 10), between(0, 0.9), (rate, startMs, debtSeconds, floorShare) => {
      const floorRu = rate * floorShare;
      const balanceAfter = (waitMs: number) => {
        const balance = new RefillingBalance(startMs, rate, -debtSeconds * rate);
        balance.settle(startMs + waitMs);
        return balance.ru;
      };
      const waitMs = new RefillingBalance(startMs, rate, -debtSeconds * rate).waitMs(floorRu, 0);
      assert.ok(Number.isInteger(waitMs) && waitMs >= 1);
      assert.ok(balanceAfter(waitMs) > floorRu);
      // The margin for rounding may take a millisecond more where the balance meets the floor on the millisecond.
      assert.ok(balanceAfter(waitMs - 1) <= floorRu + (rate * 0.002) / 1_000);
    }),
  );
});

test('a change of rate never adds to a balance', () => {
  fc.assert(
    fc.property(rate, rate, rate, between(-5, 1), (before, between, after, full) => {
      const balance = new RefillingBalance(0, before, full * before);
      balance.changeRate(between);
      balance.changeRate(after);
      assert.ok(balance.ru <= full * before);
      assert.ok(balance.ru <= after);
      if (full <= 0) assert.equal(balance.ru, full * before);
    }),
  );
});
