import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { AutoscaleLevel, type PartitionUse } from './autoscale-level.ts';

const HOUR_MS = 3_600_000;

function uses(...utilizations: readonly number[]): PartitionUse[] {
  return utilizations.map((utilization, id) => ({ id, fraction: 1 / utilizations.length, utilization }));
}

/** One second after another from the start of the first hour. */
function observeSeconds(level: AutoscaleLevel, seconds: readonly (readonly PartitionUse[])[]): void {
  for (const [index, partitions] of seconds.entries()) level.observe(index * 1000, partitions);
}

function classic(maxRuPerSecond: number): AutoscaleLevel {
  return new AutoscaleLevel('classic', maxRuPerSecond, -1000);
}

test('an idle container is scaled to a tenth of its maximum', () => {
  const level = classic(20_000);
  assert.equal(level.ruPerSecond, 2_000);
  observeSeconds(level, [uses(0, 0), uses(0.03, 0)]);
  assert.equal(level.ruPerSecond, 2_000);
  assert.equal(level.hourPeakRu, 2_000);
});

test('the maximum is reached with the fifth second of full use, and not before', () => {
  const level = classic(20_000);
  const reached = [1, 1, 1.7, 1, 1].map((utilization, second) => {
    level.observe(second * 1000, uses(utilization, 0.2));
    return level.ruPerSecond;
  });
  assert.deepEqual(reached, [4_000, 8_000, 12_000, 16_000, 20_000]);
});

test('one second below full use keeps the maximum away for five more', () => {
  const level = classic(10_000);
  observeSeconds(
    level,
    [1, 1, 1, 1, 0.999, 1, 1, 1, 1].map((utilization) => uses(utilization)),
  );
  assert.ok(level.ruPerSecond < 10_000);
  level.observe(9_000, uses(1));
  assert.equal(level.ruPerSecond, 10_000);
});

test('the spike of Microsoft’s example scales beyond the floor and stays below the maximum', () => {
  const level = classic(20_000);
  observeSeconds(level, [uses(1, 0.8), uses(0.1, 0.1), uses(0.1, 0.1), uses(0.1, 0.1), uses(0.1, 0.1)]);
  assert.ok(level.hourPeakRu > 2_000 && level.hourPeakRu < 20_000);
});

test('classic scales all partitions with the busiest one, dynamic each by itself', () => {
  // Half of Microsoft's example: 1,000 RU/s over two partitions, here in one region, at 100 % and 40 %.
  const steady = Array.from({ length: 5 }, () => uses(1, 0.4));
  const figures = (['classic', 'dynamic'] as const).map((billing) => {
    const level = new AutoscaleLevel(billing, 1_000, -1000);
    observeSeconds(level, steady);
    return [Math.round(level.ruPerSecond), Math.round(level.hourPeakRu)];
  });
  assert.deepEqual(figures, [
    [1_000, 1_000],
    [700, 700],
  ]);
});

test('dynamic bills each partition for its own peak, even if they were not at the same time', () => {
  const level = new AutoscaleLevel('dynamic', 1_000, -1000);
  observeSeconds(level, [
    ...Array.from({ length: 5 }, () => uses(1, 0)),
    ...Array.from({ length: 5 }, () => uses(0, 1)),
  ]);
  assert.equal(Math.round(level.ruPerSecond), 550);
  assert.equal(Math.round(level.hourPeakRu), 1_000);
});

test('a partition is not billed beside the children it was split into', () => {
  const level = new AutoscaleLevel('dynamic', 1_000, -1000);
  const child = (id: number, utilization: number) => ({ id, fraction: 0.5, utilization });
  observeSeconds(level, [
    ...Array.from({ length: 5 }, () => uses(0.6)),
    ...Array.from({ length: 5 }, () => [child(1, 0.8), child(2, 0.2)]),
  ]);
  assert.equal(Math.round(level.ruPerSecond), 500);
  assert.equal(Math.round(level.hourPeakRu), 600);
});

test('a peak is not billed at a larger share than the partition had when it was reached', () => {
  const level = new AutoscaleLevel('dynamic', 1_000, -1000);
  observeSeconds(level, [
    ...Array.from({ length: 5 }, () => uses(1, 0)),
    ...Array.from({ length: 5 }, () => uses(0, 0)),
    [
      { id: 0, fraction: 0.8, utilization: 0 },
      { id: 1, fraction: 0.2, utilization: 0 },
    ],
  ]);
  assert.equal(Math.round(level.hourPeakRu), 550);
});

test('a new hour begins a new peak, and the one before is billed', () => {
  const level = classic(1_000);
  for (let second = 3590; second < 3595; second++) level.observe(second * 1000, uses(1));
  assert.deepEqual(level.observe(3_599_000, uses(0)), []);
  assert.deepEqual(level.observe(HOUR_MS, uses(0)), [{ epochMs: 0, ruPerSecond: 1_000 }]);
  for (let second = 3601; second < 3606; second++) level.observe(second * 1000, uses(0.5));
  assert.equal(level.hourPeakRu, 500);
});

test('hours in which nothing happened are billed a tenth of the maximum', () => {
  const level = classic(4_000);
  level.observe(0, uses(0));
  assert.deepEqual(level.observe(3 * HOUR_MS, uses(0)), [
    { epochMs: 0, ruPerSecond: 400 },
    { epochMs: HOUR_MS, ruPerSecond: 400 },
    { epochMs: 2 * HOUR_MS, ruPerSecond: 400 },
  ]);
});

test('seconds that nobody reported were idle', () => {
  const level = classic(1_000);
  observeSeconds(
    level,
    [1, 1, 1, 1].map((utilization) => uses(utilization)),
  );
  level.observe(5_000, uses(1));
  assert.equal(level.ruPerSecond, 800);
  level.observe(60_000, uses(1));
  assert.equal(level.ruPerSecond, 200);
});

test('a clock that is set back ends no hour twice', () => {
  const level = classic(1_000);
  assert.equal(level.observe(HOUR_MS, uses(0)).length, 2);
  assert.deepEqual(level.observe(HOUR_MS - 1000, uses(0)), []);
  assert.deepEqual(level.observe(HOUR_MS, uses(0)), []);
  assert.equal(level.observe(2 * HOUR_MS, uses(0)).length, 1);
});

test('a lower maximum does not lower what the hour has cost already; a higher one raises its floor', () => {
  const level = classic(10_000);
  observeSeconds(
    level,
    Array.from({ length: 5 }, () => uses(1)),
  );
  level.changeMaximum(1_000);
  level.observe(6_000, uses(0));
  assert.equal(level.hourPeakRu, 10_000);
  assert.ok(level.ruPerSecond <= 1_000);
  level.changeMaximum(500_000);
  assert.equal(level.hourPeakRu, 50_000);
});

test('the level never leaves its band, and only five full seconds bring it to the top', () => {
  const second = fc.record({
    utilizations: fc.array(fc.oneof(fc.double({ min: 0, max: 3, noNaN: true }), fc.constant(1)), {
      minLength: 1,
      maxLength: 4,
    }),
    gapMs: fc.constantFrom(1000, 1000, 1000, 2000, 7000, HOUR_MS, -5000),
  });
  fc.assert(
    fc.property(
      fc.constantFrom('classic' as const, 'dynamic' as const),
      fc.integer({ min: 1, max: 1_000 }).map((thousands) => thousands * 1_000),
      fc.array(second, { maxLength: 80 }),
      (billing, maxRu, seconds) => {
        let epochMs = 1_700_000_000_000;
        const level = new AutoscaleLevel(billing, maxRu, epochMs);
        const full: boolean[] = [];
        for (const { utilizations, gapMs } of seconds) {
          epochMs += gapMs;
          const billed = level.observe(epochMs, uses(...utilizations));
          full.push(gapMs <= 1000 && Math.max(...utilizations) >= 1);
          for (const ru of [level.ruPerSecond, level.hourPeakRu, ...billed.map((hour) => hour.ruPerSecond)]) {
            assert.ok(ru >= maxRu * 0.1 && ru <= maxRu);
          }
          assert.ok(level.hourPeakRu >= level.ruPerSecond);
          // The first of the five may follow a gap; the four after it may not.
          if (level.ruPerSecond === maxRu) assert.ok(full.length >= 5 && full.slice(-4).every(Boolean));
        }
      },
    ),
    { numRuns: 300 },
  );
});
