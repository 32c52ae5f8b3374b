import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BURST_BANK_SECONDS, BURST_RU_PER_SECOND } from './burst-bank.ts';
import { NO_BUCKET } from './control-buckets.ts';
import type { RequestPriority } from './request-priority.ts';
import { type BudgetSettings, ThroughputBudget } from './throughput-budget.ts';

/** Evenly spread, unlike fast-check's doubles, nearly all of which are next to nothing. */
const between = (low: number, high: number): fc.Arbitrary<number> =>
  fc.integer({ min: 0, max: 2 ** 30 }).map((step) => low + ((high - low) * step) / 2 ** 30);

const noBurst = (ruPerSecond: number): BudgetSettings => ({
  ruPerSecond,
  hasBurst: false,
  controlBuckets: [],
});
const withBurst = (ruPerSecond: number): BudgetSettings => ({ ...noBurst(ruPerSecond), hasBurst: true });

/** A request that costs nothing until it is spent by hand. */
const admits = (budget: ThroughputBudget, nowMs: number) => budget.admit(nowMs, 'high', NO_BUCKET) === 0;
const spend = (budget: ThroughputBudget, nowMs: number, ru: number) =>
  budget.spend(nowMs, ru, 'high', NO_BUCKET);

test('one request of 800 RU on 400 RU/s is served, and then all are refused for just over a second', () => {
  const budget = new ThroughputBudget(0, noBurst(400));
  assert.equal(budget.admit(0, 'high', NO_BUCKET), 0);
  spend(budget, 0, 800);
  assert.equal(budget.admit(0, 'high', NO_BUCKET), 1_001);
  assert.equal(budget.refusalCause(0, NO_BUCKET), 'budget');
  assert.equal(budget.admit(1_000, 'high', NO_BUCKET), 1);
  assert.equal(budget.admit(1_001, 'high', NO_BUCKET), 0);
});

test('a balance of exactly nothing refuses, and the wait is not 0', () => {
  const budget = new ThroughputBudget(0, noBurst(400));
  spend(budget, 0, 400);
  assert.equal(budget.admit(0, 'high', NO_BUCKET), 1);
});

test('idle seconds do not add up without a bank', () => {
  const budget = new ThroughputBudget(0, noBurst(400));
  assert.deepEqual(budget.rest(600_000), { balanceRu: 400, bankRu: 0 });
});

test('five idle minutes at 100 RU/s are 30,000 RU, and they last about ten seconds at 3,000 RU/s', () => {
  const budget = new ThroughputBudget(0, withBurst(100));
  const start = BURST_BANK_SECONDS * 1_000;
  assert.deepEqual(budget.rest(start), { balanceRu: 100, bankRu: 30_000 });
  assert.equal(budget.rest(2 * start).bankRu, 30_000);
  let nowMs = 2 * start;
  for (; budget.rest(nowMs).bankRu > 0 && nowMs < 2 * start + 20_000; nowMs++) {
    for (let spent = 0; spent < 10_000 && admits(budget, nowMs); spent++) spend(budget, nowMs, 1);
  }
  const seconds = (nowMs - 2 * start) / 1_000;
  assert.ok(seconds > 9 && seconds < 11, `${seconds} s`);
});

test('a partition of 3,000 RU/s has no bank, nor has one without burst capacity', () => {
  assert.equal(new ThroughputBudget(0, withBurst(3_000)).rest(1e6).bankRu, 0);
  assert.ok(new ThroughputBudget(0, withBurst(2_999)).rest(1e6).bankRu > 0);
  assert.equal(new ThroughputBudget(0, noBurst(2_999)).rest(1e6).bankRu, 0);
});

test("a partition's own rate is spent first, and what the bank pays is told", () => {
  const budget = new ThroughputBudget(0, withBurst(400));
  assert.equal(spend(budget, 10_000, 300), 0);
  assert.equal(spend(budget, 10_000, 300), 200);
  assert.deepEqual(budget.rest(10_000), { balanceRu: 0, bankRu: 3_800 });
});

test('a rate of 3,000 RU/s or more ends the bank for good', () => {
  const budget = new ThroughputBudget(0, withBurst(400));
  assert.ok(budget.rest(100_000).bankRu > 0);
  budget.change(100_000, withBurst(3_000));
  budget.change(100_000, withBurst(400));
  assert.deepEqual(budget.rest(100_000), { balanceRu: 400, bankRu: 0 });
});

interface Step {
  readonly gapMs: number;
  readonly priority: RequestPriority;
  readonly chargeSeconds: number;
  readonly runsMs: number;
  /** Changes the settings instead of asking for admission. */
  readonly change: BudgetSettings | undefined;
}

const ruPerSecond = fc.constantFrom(1, 100, 400, 2_999, 3_000, 10_000);
const settings = fc
  .record({ ruPerSecond, hasBurst: fc.boolean() })
  .map((chosen): BudgetSettings => ({ ...chosen, controlBuckets: [] }));
// Mostly short gaps, so that budgets do run out, and some long enough to fill a bank.
const gapMs = fc.oneof(
  { weight: 8, arbitrary: between(0, 300) },
  { weight: 1, arbitrary: between(0, 400_000) },
);
// Some large enough to empty a bank.
const chargeSeconds = fc.oneof(
  { weight: 4, arbitrary: between(0, 2) },
  { weight: 1, arbitrary: between(0, 250) },
);
const stepOf = (change: fc.Arbitrary<BudgetSettings | undefined>): fc.Arbitrary<Step> =>
  fc.record({
    gapMs,
    priority: fc.constantFrom<RequestPriority>('high', 'high', 'low'),
    chargeSeconds,
    runsMs: fc.oneof(fc.constant(0), between(0, 1_000)),
    change,
  });
const unchanging = fc.array(stepOf(fc.constant(undefined)), { minLength: 10, maxLength: 60 });
const changing = fc.array(stepOf(fc.option(settings, { freq: 4, nil: undefined })), {
  minLength: 10,
  maxLength: 60,
});
const startMs = fc.constantFrom(0, 1_234.567, 86_400_000.25 * 365);

interface Admission {
  readonly atMs: number;
  readonly chargeRu: number;
  /** Admitted and not yet spent, this one included. */
  readonly inFlightRu: number;
  readonly bankRu: number;
  readonly capacityRu: number;
  /** All that the rates have given since the start. */
  readonly providedRu: number;
}

/** Each admitted request is spent when it has run, whatever has happened to the budget meanwhile. */
function play(startMs: number, first: BudgetSettings, steps: readonly Step[]): Admission[] {
  const budget = new ThroughputBudget(startMs, first);
  const admissions: Admission[] = [];
  let running: { readonly endMs: number; readonly chargeRu: number; readonly priority: RequestPriority }[] =
    [];
  let current = first;
  let nowMs = startMs;
  let providedRu = 0;
  for (const { gapMs, priority, chargeSeconds, runsMs, change } of steps) {
    providedRu += (current.ruPerSecond * gapMs) / 1_000;
    nowMs += gapMs;
    for (const ended of running.filter(({ endMs }) => endMs <= nowMs).sort((a, b) => a.endMs - b.endMs)) {
      const paidRu = budget.spend(ended.endMs, ended.chargeRu, ended.priority, NO_BUCKET);
      assert.ok(paidRu >= 0 && paidRu <= ended.chargeRu);
    }
    running = running.filter(({ endMs }) => endMs > nowMs);
    if (change !== undefined) {
      budget.change(nowMs, change);
      current = change;
    } else if (budget.admit(nowMs, priority, NO_BUCKET) === 0) {
      const chargeRu = chargeSeconds * current.ruPerSecond;
      running.push({ endMs: nowMs + runsMs, chargeRu, priority });
      admissions.push({
        atMs: nowMs,
        chargeRu,
        inFlightRu: running.reduce((sum, request) => sum + request.chargeRu, 0),
        bankRu: budget.rest(nowMs).bankRu,
        capacityRu: current.ruPerSecond,
        providedRu,
      });
    }
    const { balanceRu, bankRu } = budget.rest(nowMs);
    assert.ok(balanceRu <= current.ruPerSecond);
    const isBursting = current.hasBurst && current.ruPerSecond < BURST_RU_PER_SECOND;
    assert.ok(bankRu >= 0 && bankRu <= (isBursting ? BURST_BANK_SECONDS * current.ruPerSecond : 0));
  }
  return admissions;
}

function eachWindow(
  admissions: readonly Admission[],
  check: (first: Admission, last: Admission, admittedRu: number) => void,
): void {
  for (const [index, first] of admissions.entries()) {
    let admittedRu = 0;
    for (const last of admissions.slice(index)) {
      admittedRu += last.chargeRu;
      check(first, last, admittedRu);
    }
  }
}

test('in no window does a partition admit more than rate, one second, its bank and what was in flight, whatever the settings do', () => {
  fc.assert(
    fc.property(startMs, settings, changing, (startMs, first, steps) => {
      eachWindow(play(startMs, first, steps), (first, last, admittedRu) => {
        const boundRu =
          last.providedRu - first.providedRu + first.capacityRu + first.bankRu + last.inFlightRu;
        assert.ok(admittedRu <= boundRu + 1e-3, `${admittedRu} RU of ${boundRu}`);
      });
    }),
    { numRuns: 400 },
  );
});

test('flipping settings gives nothing away: all that is ever admitted was provided since the start', () => {
  fc.assert(
    fc.property(startMs, settings, changing, (startMs, first, steps) => {
      const admissions = play(startMs, first, steps);
      const last = admissions.at(-1);
      const admittedRu = admissions.reduce((sum, { chargeRu }) => sum + chargeRu, 0);
      const boundRu = first.ruPerSecond + (last?.providedRu ?? 0) + (last?.inFlightRu ?? 0);
      assert.ok(admittedRu <= boundRu + 1e-3);
    }),
    { numRuns: 400 },
  );
});

test('with a bank no window sees more than 3,000 RU/s, a second of that and what was in flight', () => {
  const burstRate = fc.constantFrom(1, 100, 400, 2_999);
  fc.assert(
    fc.property(startMs, burstRate, unchanging, (startMs, rate, steps) => {
      eachWindow(play(startMs, withBurst(rate), steps), (first, last, admittedRu) => {
        const ceilingRu = (BURST_RU_PER_SECOND * (last.atMs - first.atMs)) / 1_000 + BURST_RU_PER_SECOND;
        assert.ok(admittedRu <= ceilingRu + last.inFlightRu + 1e-3);
      });
    }),
    { numRuns: 400 },
  );
});

test('a bank only helps: with the same charges, what a budget without one admits, one with it admits too', () => {
  fc.assert(
    fc.property(fc.constantFrom(100, 400, 2_999), unchanging, (rate, steps) => {
      const without = new ThroughputBudget(0, noBurst(rate));
      const having = new ThroughputBudget(0, withBurst(rate));
      let nowMs = 0;
      for (const { gapMs, chargeSeconds } of steps) {
        nowMs += gapMs;
        if (!admits(without, nowMs)) continue;
        assert.ok(admits(having, nowMs));
        spend(without, nowMs, chargeSeconds * rate);
        spend(having, nowMs, chargeSeconds * rate);
      }
    }),
  );
});

test('whoever waits as told is admitted if nobody else spends, of either priority', () => {
  fc.assert(
    fc.property(startMs, settings, unchanging, (startMs, settings, steps) => {
      const budget = new ThroughputBudget(startMs, settings);
      let nowMs = startMs;
      for (const { gapMs, priority, chargeSeconds } of steps) {
        nowMs += gapMs;
        const waitMs = budget.admit(nowMs, priority, NO_BUCKET);
        assert.ok(Number.isInteger(waitMs) && waitMs >= 0);
        if (waitMs > 0) {
          nowMs += waitMs;
          assert.equal(budget.admit(nowMs, priority, NO_BUCKET), 0);
        }
        budget.spend(nowMs, chargeSeconds * settings.ruPerSecond, priority, NO_BUCKET);
      }
    }),
  );
});

test('a low request is never admitted where a high one would be refused, nor told to wait less', () => {
  fc.assert(
    fc.property(settings, unchanging, (settings, steps) => {
      const budget = new ThroughputBudget(0, settings);
      let nowMs = 0;
      for (const { gapMs, priority, chargeSeconds } of steps) {
        nowMs += gapMs;
        const lowWaitMs = budget.admit(nowMs, 'low', NO_BUCKET);
        const highWaitMs = budget.admit(nowMs, 'high', NO_BUCKET);
        assert.ok(lowWaitMs >= highWaitMs);
        if (lowWaitMs === 0) budget.spend(nowMs, chargeSeconds * settings.ruPerSecond, priority, NO_BUCKET);
      }
    }),
  );
});

test('alone, low requests get what high ones would', () => {
  fc.assert(
    fc.property(settings, unchanging, (settings, steps) => {
      const budgets = { high: new ThroughputBudget(0, settings), low: new ThroughputBudget(0, settings) };
      let nowMs = 0;
      for (const { gapMs, chargeSeconds } of steps) {
        nowMs += gapMs;
        const waitMs = budgets.high.admit(nowMs, 'high', NO_BUCKET);
        assert.equal(budgets.low.admit(nowMs, 'low', NO_BUCKET), waitMs);
        if (waitMs > 0) continue;
        budgets.high.spend(nowMs, chargeSeconds * settings.ruPerSecond, 'high', NO_BUCKET);
        budgets.low.spend(nowMs, chargeSeconds * settings.ruPerSecond, 'low', NO_BUCKET);
      }
    }),
  );
});

test('however many low requests there are, a steady stream of high ones within the rate is never refused, and low gets the rest', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(400, 4_000),
      fc.integer({ min: 5, max: 1_000 }),
      between(0.05, 0.8),
      between(0.001, 0.004),
      (rate, highEveryMs, highShare, lowChargeSeconds) => {
        const budget = new ThroughputBudget(0, noBurst(rate));
        const lowRu = lowChargeSeconds * rate;
        let lowSpentRu = 0;
        for (let nowMs = 0; nowMs < 8_000; nowMs++) {
          while (budget.admit(nowMs, 'low', NO_BUCKET) === 0) {
            budget.spend(nowMs, lowRu, 'low', NO_BUCKET);
            lowSpentRu += lowRu;
          }
          if (nowMs % highEveryMs !== 0) continue;
          // The first second has no second before it to learn from.
          if (nowMs >= 2_000) assert.equal(budget.admit(nowMs, 'high', NO_BUCKET), 0);
          budget.spend(nowMs, (highShare * rate * highEveryMs) / 1_000, 'high', NO_BUCKET);
        }
        assert.ok(lowSpentRu >= 8 * (1 - highShare) * rate - rate);
      },
    ),
    { numRuns: 30 },
  );
});

test('low requests are refused for their priority while there is a balance, and for the budget when there is none', () => {
  const budget = new ThroughputBudget(0, noBurst(400));
  budget.spend(0, 250, 'high', NO_BUCKET);
  assert.ok(budget.admit(0, 'low', NO_BUCKET) > 0);
  assert.equal(budget.refusalCause(0, NO_BUCKET), 'low-priority');
  assert.equal(budget.admit(0, 'high', NO_BUCKET), 0);
  budget.spend(0, 250, 'high', NO_BUCKET);
  assert.ok(budget.admit(0, 'low', NO_BUCKET) > 0);
  assert.equal(budget.refusalCause(0, NO_BUCKET), 'budget');
});

test('a bucket is refused at its own cap while others go on, and the wait suits both limits', () => {
  const controlBuckets = [{ id: 2, maxThroughputPercentage: 25 }];
  const budget = new ThroughputBudget(0, { ...noBurst(400), controlBuckets });
  budget.spend(0, 200, 'high', 2);
  assert.equal(budget.admit(0, 'high', 2), 1_001);
  assert.equal(budget.refusalCause(0, 2), 'bucket');
  assert.equal(budget.admit(0, 'high', NO_BUCKET), 0);
  assert.equal(budget.admit(0, 'high', 3), 0);
  budget.spend(0, 1_000, 'high', NO_BUCKET);
  assert.equal(budget.admit(0, 'high', 2), 2_001);
  assert.equal(budget.refusalCause(0, 2), 'budget');
});
