import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BURST_BANK_SECONDS, BurstBank } from './burst-bank.ts';

test('a bank holds five minutes of the rate, pays what it has and no more', () => {
  const bank = new BurstBank(0, 100, 0, 100);
  assert.equal(bank.spend(50, 50), 0);
  bank.settle(1_000, 40_000);
  assert.equal(bank.ru, 30_000);
  assert.equal(bank.spend(500, 400), 400);
  assert.equal(bank.spend(100_000, 100_000), 29_600);
  assert.equal(bank.ru, 0);
});

test('what a bank ever pays was put into it', () => {
  const step = fc.record({
    unusedRu: fc.nat(5_000),
    lackingRu: fc.nat(5_000),
    ruPerSecond: fc.integer({ min: 1, max: 2_999 }),
  });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const bank = new BurstBank(0, 10, 0, 10);
      let putRu = 0;
      let paidRu = 0;
      for (const [second, { unusedRu, lackingRu, ruPerSecond }] of steps.entries()) {
        bank.changeRate(ruPerSecond);
        bank.settle(second * 1_000, unusedRu);
        putRu += unusedRu;
        paidRu += bank.spend(lackingRu, lackingRu);
        assert.ok(bank.ru >= 0 && bank.ru <= BURST_BANK_SECONDS * ruPerSecond);
        assert.ok(paidRu + bank.ru <= putRu);
      }
    }),
  );
});

test('all spending counts against 3,000 RU/s, whoever pays', () => {
  const bank = new BurstBank(0, 100, 30_000, 100);
  bank.settle(1_000, 0);
  assert.equal(bank.waitMs(0), 0);
  bank.spend(6_000, 0);
  assert.equal(bank.waitMs(0), 1_001);
});

test('a bank that is opened lets nobody spend more than before', () => {
  const bank = new BurstBank(0, 100, 0, -3_000);
  assert.equal(bank.waitMs(0), 1_001);
});
