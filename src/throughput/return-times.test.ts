import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_BUCKET } from './control-buckets.ts';
import { ReturnTimes } from './return-times.ts';
import { ThroughputBudget } from './throughput-budget.ts';

test('one that is refused alone comes back as soon as the budget admits anybody', () => {
  const times = new ReturnTimes();
  times.spend(5);
  assert.equal(times.next(0, 501, 400), 501);
  assert.equal(times.next(2_000, 7, 400), 7);
});

test('those that are refused together come back one after another, as far apart as a request costs', () => {
  const times = new ReturnTimes();
  times.spend(4);
  assert.deepEqual(
    Array.from({ length: 4 }, () => times.next(0, 10, 400)),
    [10, 20, 30, 40],
  );
  assert.equal(times.next(25, 1, 400), 25);
});

test('nobody is told to wait longer than three seconds, unless the debt itself is larger', () => {
  const times = new ReturnTimes();
  times.spend(400);
  const told = Array.from({ length: 100 }, () => times.next(0, 1, 400));
  assert.deepEqual(told.slice(0, 4), [1, 1_001, 2_001, 3_000]);
  assert.equal(told.at(-1), 3_000);
  assert.equal(times.next(0, 8_000, 400), 8_000);
});

test('places that were given at another rate are forgotten', () => {
  const times = new ReturnTimes();
  times.spend(400);
  for (let refused = 0; refused < 3; refused++) times.next(0, 1, 400);
  times.changeRate();
  assert.equal(times.next(0, 1, 4_000), 1);
});

/** As clients do: nine tries after the first, each when told. */
function succeedWithinTenTries(requests: number, chargeRu: number): number {
  const budget = new ThroughputBudget(0, { ruPerSecond: 400, hasBurst: false, controlBuckets: [] });
  const waiting = Array.from({ length: requests }, () => ({ atMs: 0, tries: 0 }));
  let succeeded = 0;
  for (;;) {
    waiting.sort((a, b) => a.atMs - b.atMs);
    const next = waiting.shift();
    if (next === undefined) return succeeded;
    const waitMs = budget.admit(next.atMs, 'high', NO_BUCKET);
    if (waitMs === 0) {
      budget.spend(next.atMs, chargeRu, 'high', NO_BUCKET);
      succeeded += 1;
    } else if (++next.tries < 10) {
      waiting.push({ atMs: next.atMs + budget.returnMs(next.atMs, waitMs), tries: next.tries });
    }
  }
}

test('all of many requests at once succeed within the tries of a client, where the budget carries them in time', () => {
  for (const requests of [100, 150, 600, 1_000]) {
    assert.equal(succeedWithinTenTries(requests, 5.75), requests);
  }
});

test('whoever is the first to be refused waits as long as the budget says, whatever the clock shows', () => {
  for (let nowMs = 1_000.1; nowMs < 10 ** 7; nowMs *= 1.01)
    assert.equal(new ReturnTimes().next(nowMs, 563, 400), 563);
});
