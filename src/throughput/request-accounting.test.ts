import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MINUTES_KEPT, RequestAccounting, SECONDS_KEPT } from './request-accounting.ts';
import { type RequestFigures, type RequestStatus, sumOfSeries } from './request-figures.ts';
import { fromHundredths, hundredthsOf } from './request-units.ts';
import type { OperationKind } from './work-done.ts';

const ru = (amount: number) => fromHundredths(Math.round(amount * 100));
const partitions = 3;
const requests = fc.array(
  fc.record({
    gapMs: fc.oneof({ weight: 9, arbitrary: fc.nat(400) }, { weight: 1, arbitrary: fc.nat(9_000) }),
    partition: fc.nat(partitions - 1),
    operation: fc.constantFrom<OperationKind>('read-item', 'create-item', 'query'),
    status: fc.constantFrom<RequestStatus>('ok', 'too-few-replicas'),
    hundredths: fc.nat(100_000),
  }),
  { maxLength: 200, size: 'max' },
);

/** By kind and outcome, in hundredths. */
function totalsOf(figures: readonly RequestFigures[]): Map<string, { requests: number; hundredths: number }> {
  const totals = new Map<string, { requests: number; hundredths: number }>();
  for (const { operation, status, requests, charge } of figures.flatMap(({ counts }) => counts)) {
    const total = totals.get(`${operation} ${status}`) ?? { requests: 0, hundredths: 0 };
    totals.set(`${operation} ${status}`, {
      requests: total.requests + requests,
      hundredths: total.hundredths + hundredthsOf(charge),
    });
  }
  return totals;
}

test('seconds, minutes and the sum over partitions hold exactly what was spent, by kind and outcome', () => {
  fc.assert(
    fc.property(requests, (requests) => {
      const accountings = Array.from({ length: partitions }, () => new RequestAccounting(400));
      const expected = new Map<string, { requests: number; hundredths: number }>();
      let nowMs = 0;
      for (const { gapMs, partition, operation, status, hundredths } of requests) {
        // All within the time of which seconds are kept.
        nowMs = Math.min(nowMs + gapMs, (SECONDS_KEPT - 1) * 1_000);
        accountings[partition]?.count(nowMs, operation, status, fromHundredths(hundredths), 0);
        const total = expected.get(`${operation} ${status}`) ?? { requests: 0, hundredths: 0 };
        expected.set(`${operation} ${status}`, {
          requests: total.requests + 1,
          hundredths: total.hundredths + hundredths,
        });
      }
      nowMs += 1_000;
      const inSeconds = sumOfSeries(accountings.map((accounting) => accounting.seconds(nowMs)));
      const inMinutes = sumOfSeries(accountings.map((accounting) => accounting.minutes(nowMs)));
      for (const figures of [inSeconds, inMinutes]) {
        assert.deepEqual(new Map([...totalsOf(figures)].sort()), new Map([...expected].sort()));
        const hundredths = figures.reduce((sum, { charge }) => sum + hundredthsOf(charge), 0);
        assert.equal(
          hundredths,
          [...expected.values()].reduce((sum, total) => sum + total.hundredths, 0),
        );
        const times = figures.map(({ time }) => time);
        assert.deepEqual(
          times,
          [...new Set(times)].sort((a, b) => a - b),
        );
      }
    }),
  );
});

test('normalized consumption is that of the busiest second in the busiest partition, and at most 100', () => {
  const idle = new RequestAccounting(1_000);
  const busy = new RequestAccounting(400);
  idle.count(500, 'read-item', 'ok', ru(300), 0);
  busy.count(500, 'read-item', 'ok', ru(300), 0);
  busy.count(1_500, 'read-item', 'ok', ru(100), 0);
  const minutesOf = () => sumOfSeries([idle.minutes(5_000), busy.minutes(5_000)]);
  assert.deepEqual(
    busy.seconds(5_000).map(({ normalizedPercent }) => normalizedPercent),
    [75, 25],
  );
  assert.equal(minutesOf()[0]?.normalizedPercent, 75);
  busy.count(5_000, 'query', 'ok', ru(900), 0);
  assert.equal(sumOfSeries([busy.minutes(6_000)])[0]?.normalizedPercent, 100);
});

test('a second is measured by the rate at its end', () => {
  const accounting = new RequestAccounting(400);
  accounting.count(100, 'read-item', 'ok', ru(200), 0);
  accounting.changeRate(1_000, 1_000);
  accounting.count(1_100, 'read-item', 'ok', ru(200), 0);
  assert.deepEqual(
    accounting.seconds(3_000).map(({ normalizedPercent }) => normalizedPercent),
    [50, 20],
  );
});

test('what a bank paid is counted beside the rest', () => {
  const accounting = new RequestAccounting(400);
  accounting.count(0, 'read-item', 'ok', ru(400), 0);
  accounting.count(0, 'read-item', 'ok', ru(100), 60);
  const [minute] = accounting.minutes(2_000);
  assert.equal(minute?.charge, 500);
  assert.deepEqual([minute?.requests, minute?.burstRequests, minute?.burstRu], [2, 1, 60]);
});

test('the present second is not shown before it is over', () => {
  const accounting = new RequestAccounting(400);
  accounting.count(1_200, 'read-item', 'ok', ru(1), 0);
  assert.deepEqual(accounting.seconds(1_999), []);
  assert.equal(accounting.seconds(2_000).length, 1);
});

test('two minutes of seconds and an hour of minutes are kept, and no more', () => {
  const accounting = new RequestAccounting(400);
  const lastSecond = 3 * 3_600;
  for (let second = 0; second < lastSecond; second++) {
    accounting.count(second * 1_000, 'read-item', 'ok', ru(1), 0);
  }
  const nowMs = lastSecond * 1_000;
  const seconds = accounting.seconds(nowMs).map(({ time }) => time);
  assert.deepEqual([seconds.length, seconds[0]], [SECONDS_KEPT, lastSecond - SECONDS_KEPT]);
  const minutes = accounting.minutes(nowMs - 1).map(({ time }) => time);
  assert.deepEqual([minutes.length, minutes.at(-1)], [MINUTES_KEPT, lastSecond / 60 - 1]);
  assert.deepEqual(accounting.seconds(nowMs + 3_600_000), []);
  assert.deepEqual(accounting.minutes(nowMs + 3_600_000), []);
});
