import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  COUNTED_LOGICAL_PARTITIONS,
  HEAT_HALF_LIFE_SECONDS,
  HOT_SHARE,
  HotLogicalPartitions,
} from './hot-logical-partitions.ts';

/** Evenly spread, unlike fast-check's doubles, nearly all of which are next to nothing. */
const between = (low: number, high: number): fc.Arbitrary<number> =>
  fc.integer({ min: 0, max: 2 ** 30 }).map((step) => low + ((high - low) * step) / 2 ** 30);

interface Spending {
  readonly gapMs: number;
  readonly key: number;
  readonly ru: number;
}

// Keys by a power law and more of them than there are places, so that places change hands all the time.
const key = between(0, 1).map((at) => Math.floor(400 * at ** 3));
const gapMs = fc.oneof({ weight: 30, arbitrary: fc.nat(50) }, { weight: 1, arbitrary: fc.nat(60_000) });
const spendings = fc.array(fc.record({ gapMs, key, ru: fc.integer({ min: 1, max: 5_000 }) }), {
  minLength: 1,
  maxLength: 1_500,
  size: 'max',
});

/** The same halving, second by second, without a bound on memory. */
class ExactHeat {
  readonly #ru = new Map<string, number>();
  #second = 0;

  spend(nowMs: number, logicalPartition: string, ru: number): void {
    const second = Math.floor(nowMs / 1_000);
    const factor = 2 ** (-(second - this.#second) / HEAT_HALF_LIFE_SECONDS);
    if (factor !== 1) for (const [key, weight] of this.#ru) this.#ru.set(key, weight * factor);
    this.#second = second;
    this.#ru.set(logicalPartition, (this.#ru.get(logicalPartition) ?? 0) + ru);
  }

  shares(): Map<string, number> {
    const total = [...this.#ru.values()].reduce((sum, ru) => sum + ru, 0);
    return new Map([...this.#ru].map(([key, ru]) => [key, ru / total]));
  }
}

function play(
  startMs: number,
  spendings: readonly Spending[],
): { sketch: HotLogicalPartitions; exact: ExactHeat } {
  const sketch = new HotLogicalPartitions();
  const exact = new ExactHeat();
  let nowMs = startMs;
  for (const { gapMs, key, ru } of spendings) {
    nowMs += gapMs;
    sketch.spend(nowMs, `key${key}`, ru);
    exact.spend(nowMs, `key${key}`, ru);
  }
  return { sketch, exact };
}

const error = 1 / COUNTED_LOGICAL_PARTITIONS;
const rounding = 1e-9;

function checkError({ sketch, exact }: ReturnType<typeof play>): void {
  const shares = exact.shares();
  const ranking = sketch.ranking();
  assert.ok(ranking.length <= COUNTED_LOGICAL_PARTITIONS);
  for (const { logicalPartition, share, shareAtLeast } of ranking) {
    const trueShare = shares.get(logicalPartition) ?? 0;
    assert.ok(share >= trueShare - rounding && share <= trueShare + error + rounding);
    assert.ok(shareAtLeast <= trueShare + rounding && shareAtLeast >= share - error - rounding);
  }
  const counted = new Set(ranking.map(({ logicalPartition }) => logicalPartition));
  for (const [key, share] of shares) assert.ok(share <= error + rounding || counted.has(key));
  assert.deepEqual(sketch.hottest()?.share, ranking[0]?.share);
}

test('a counted share is never too low and at most 1/64 too high, and whoever has more than 1/64 is counted', () => {
  fc.assert(
    fc.property(fc.constantFrom(0, 1e9), spendings, (startMs, spendings) =>
      checkError(play(startMs, spendings)),
    ),
    { numRuns: 100 },
  );
});

test('the error stays what it is when weights are counted from a new landmark', () => {
  // After 500 half-lives and a little: later, every slot would have changed hands since.
  const seconds = 500 * HEAT_HALF_LIFE_SECONDS + 2;
  const spendings = Array.from({ length: seconds }, (_, index) => ({
    gapMs: 1_000,
    key: index % 100,
    ru: 1 + (index % 7),
  }));
  checkError(play(0, spendings));
});

test('the hot one has at least half for certain, and one with 1/64 more than half is never missed', () => {
  const withOneHot = fc
    .tuple(spendings, fc.nat(100))
    .map(([all, share]) => all.map((one, index) => (index % 100 < share ? { ...one, key: 7 } : one)));
  fc.assert(
    fc.property(withOneHot, (spendings) => {
      const { sketch, exact } = play(0, spendings);
      const hot = sketch.hotOne();
      const shares = exact.shares();
      if (hot !== undefined) assert.ok((shares.get(hot.logicalPartition) ?? 0) >= HOT_SHARE - rounding);
      for (const [key, share] of shares) {
        if (share > HOT_SHARE + error + rounding) assert.equal(hot?.logicalPartition, key);
      }
    }),
    { numRuns: 100 },
  );
});

test('what was hot is forgotten by halves, and a day of silence is no harm', () => {
  const sketch = new HotLogicalPartitions();
  assert.equal(sketch.hottest(), undefined);
  sketch.spend(0, 'once', 1_000);
  sketch.spend(2 * HEAT_HALF_LIFE_SECONDS * 1_000, 'now', 250);
  assert.deepEqual(
    sketch.ranking().map(({ share }) => share),
    [0.5, 0.5],
  );
  sketch.spend(86_400_000, 'later', 1);
  assert.equal(sketch.hotOne()?.logicalPartition, 'later');
  assert.equal(sketch.hotOne()?.share, 1);
});

test('requests that cost nothing make nobody hot', () => {
  const sketch = new HotLogicalPartitions();
  sketch.spend(0, 'free', 0);
  assert.equal(sketch.hottest(), undefined);
  assert.deepEqual(sketch.ranking(), []);
});
