import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RingfoldError } from '../errors/ringfold-error.ts';
import { initialBoundaries } from '../partitioning/initial-layout.ts';
import { partitionKeyDefinition } from '../partitioning/partition-key.ts';
import { PartitionMap } from '../partitioning/partition-map.ts';
import { cutAtMidpoint } from '../partitioning/partition-split.ts';
import { type NodeId, replicaSet } from '../partitioning/replica-set.ts';
import { SharedStretches } from '../partitioning/shared-stretches.ts';
import { PartitionShares, type Redistributed, type Redistribution } from './partition-shares.ts';

const definition = partitionKeyDefinition('cql', ['a']);

function equal(count: number): PartitionMap {
  return PartitionMap.initial(2, initialBoundaries('cql', count), () =>
    replicaSet([0, 1, 2, 3] as NodeId[], 1),
  );
}

function custom(...weights: readonly number[]): PartitionMap {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return equal(weights.length).withThroughputFractions(
    new Map(weights.map((weight, id) => [id, weight / sum])),
  );
}

function split(map: PartitionMap, id: number): PartitionMap {
  const { range, startLsn } = map.partition(id);
  return map.split(id, cutAtMidpoint(range, definition), startLsn);
}

function merge(map: PartitionMap, left: number, right: number): PartitionMap {
  return map.merge(left, right, map.partition(left).startLsn, map.partition(right).startLsn);
}

function redistribution(
  targets: readonly (readonly [number, number])[],
  sources: readonly number[] = [],
): Redistribution {
  return { targets: new Map(targets), sources };
}

function redistributed(
  map: PartitionMap,
  totalRu: number,
  wished: Redistribution,
): Redistributed & { readonly map: PartitionMap } {
  const result = sharesOf(map).redistribute(totalRu, wished);
  return { ...result, map: map.withThroughputFractions(result.fractions) };
}

function sharesOf({ partitions }: PartitionMap): PartitionShares {
  return new PartitionShares(partitions);
}

function rusOf(map: PartitionMap, totalRu: number): Record<number, number> {
  const shares = sharesOf(map);
  return Object.fromEntries(
    map.partitions.map(({ id }) => [id, Math.round(shares.ruOf(id, totalRu) * 1e6) / 1e6]),
  );
}

test('at first every partition has the same', () => {
  assert.deepEqual(rusOf(equal(3), 18_000), { 0: 6_000, 1: 6_000, 2: 6_000 });
});

test('under the equal policy every split and merge makes all shares equal again', () => {
  const three = split(equal(2), 0);
  assert.equal(three.throughputPolicy, 'equal');
  assert.deepEqual(rusOf(three, 30_000), { 1: 10_000, 2: 10_000, 3: 10_000 });
  assert.deepEqual(rusOf(merge(three, 2, 3), 30_000), { 1: 10_000, 4: 10_000 });
});

test('under the custom policy children halve what their parent had, and a merge adds', () => {
  const three = split(custom(3, 1), 0);
  assert.deepEqual(rusOf(three, 8_000), { 1: 2_000, 2: 3_000, 3: 3_000 });
  const merged = merge(three, 3, 1);
  assert.deepEqual(rusOf(merged, 8_000), { 2: 3_000, 4: 5_000 });
  assert.equal(merged.throughputPolicy, 'custom');
});

test('a partition has no more than it carries, though more of the total is its part', () => {
  const map = custom(1_000, 4_000, 1_000);
  assert.deepEqual(rusOf(map, 3_000), { 0: 500, 1: 2_000, 2: 500 });
  assert.deepEqual(rusOf(map, 12_000), { 0: 2_000, 1: 8_000, 2: 2_000 });
  assert.deepEqual(rusOf(map, 24_000), { 0: 4_000, 1: 10_000, 2: 4_000 });
  assert.equal(Math.round(sharesOf(map).usableRu(24_000)), 18_000);
  assert.deepEqual(rusOf(map.withEqualThroughput(), 24_000), { 0: 8_000, 1: 8_000, 2: 8_000 });
});

test('what targets gain raises the total; beyond 10,000 RU/s they have 10,000 until they are split', () => {
  const { map, totalRu, toSplit } = redistributed(
    equal(2),
    6_000,
    redistribution([
      [0, 5_000],
      [1, 20_000],
    ]),
  );
  assert.equal(totalRu, 25_000);
  assert.deepEqual(toSplit, [1]);
  assert.equal(map.throughputPolicy, 'custom');
  assert.deepEqual(rusOf(map, totalRu), { 0: 5_000, 1: 10_000 });
  assert.deepEqual(rusOf(split(map, 1), totalRu), { 0: 5_000, 2: 10_000, 3: 10_000 });
});

test('10,000 RU/s are what one partition carries, and need no split', () => {
  const { toSplit } = redistributed(equal(2), 10_000, redistribution([[1, 10_000]]));
  assert.deepEqual(toSplit, []);
});

test('15,000 RU/s for one partition are 7,500 for each of its children', () => {
  const { map, totalRu } = redistributed(equal(2), 10_000, redistribution([[1, 15_000]]));
  assert.deepEqual(rusOf(split(map, 1), totalRu), { 0: 5_000, 2: 7_500, 3: 7_500 });
});

test('what sources give leaves the total as it is', () => {
  const { map, totalRu } = redistributed(equal(3), 9_000, redistribution([[0, 5_000]], [1, 2]));
  assert.equal(Math.round(totalRu), 9_000);
  assert.deepEqual(rusOf(map, totalRu), { 0: 5_000, 1: 2_000, 2: 2_000 });
});

test('a redistribution that cannot be is refused, and says why', () => {
  const many = Array.from({ length: 21 }, (_, id) => id);
  const shares = sharesOf(equal(many.length));
  const cases = [
    ['At least one target', redistribution([])],
    ['cannot exceed 20 sources and 20 targets', redistribution(many.map((id) => [id, 100]))],
    ['cannot exceed 20 sources and 20 targets', redistribution([[21, 100]], many)],
    ['Physical partition 30 does not exist', redistribution([[30, 100]])],
    ['Physical partition 30 does not exist', redistribution([[1, 100]], [30])],
    ['only once', redistribution([[1, 100]], [1])],
    ['only once', redistribution([[1, 100]], [2, 2])],
    ['between 1 and 20000. Requested throughput is 20001', redistribution([[1, 20_001]])],
    ['Requested throughput is 0', redistribution([[1, 0]])],
    ['Requested throughput is 0.5', redistribution([[1, 0.5]])],
    ['Requested throughput is -1', redistribution([[1, -1]])],
    ['do not have enough throughput', redistribution([[1, 20_000]], [2])],
    // Sources may not be left with nothing: each has 1,000 RU/s.
    ['do not have enough throughput', redistribution([[1, 2_000]], [2])],
  ] as const;
  for (const [message, wished] of cases) {
    assert.throws(
      () => shares.redistribute(21_000, wished),
      (error) =>
        error instanceof RingfoldError &&
        error.code === 'bad-throughput' &&
        String(error.details['cosmosMessage']).includes(message),
      message,
    );
  }
});

type Change =
  | { readonly kind: 'split'; readonly which: number }
  | { readonly kind: 'merge'; readonly which: number }
  | { readonly kind: 'redistribute'; readonly which: number; readonly ru: number; readonly fromNext: boolean }
  | { readonly kind: 'equalize' };

const which = fc.nat(1_000);
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constant('split' as const), which }),
  fc.record({ kind: fc.constant('merge' as const), which }),
  fc.record({
    kind: fc.constant('redistribute' as const),
    which,
    ru: fc.integer({ min: 1, max: 20_000 }),
    fromNext: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('equalize' as const) }),
);

/** The map and the total after a change; refused redistributions change nothing. */
function changed(map: PartitionMap, totalRu: number, wished: Change): readonly [PartitionMap, number] {
  const ids = map.partitions.map(({ id }) => id);
  const at = (index: number) => ids[index % ids.length] as number;
  switch (wished.kind) {
    case 'split':
      return [split(map, at(wished.which)), totalRu];
    case 'merge': {
      const left = wished.which % ids.length;
      return left + 1 === ids.length ? [map, totalRu] : [merge(map, at(left), at(left + 1)), totalRu];
    }
    case 'equalize':
      return [map.withEqualThroughput(), totalRu];
    case 'redistribute': {
      const sources = wished.fromNext && ids.length > 1 ? [at(wished.which + 1)] : [];
      try {
        const result = redistributed(map, totalRu, redistribution([[at(wished.which), wished.ru]], sources));
        return [result.map, result.totalRu];
      } catch (error) {
        assert.ok(error instanceof RingfoldError && error.code === 'bad-throughput');
        return [map, totalRu];
      }
    }
  }
}

test('after any splits, merges and redistributions shares are positive and add up to one', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.array(change, { maxLength: 60 }), (count, changes) => {
      let map = equal(count);
      let totalRu = 10_000;
      for (const wished of changes) {
        [map, totalRu] = changed(map, totalRu, wished);
        const fractions = map.partitions.map(({ throughputFraction }) => throughputFraction);
        const sum = fractions.reduce((total, fraction) => total + fraction, 0);
        assert.ok(Math.abs(sum - 1) < 1e-9, `they add up to ${sum}`);
        assert.ok(fractions.every((fraction) => fraction > 0));
        const shares = sharesOf(map);
        assert.ok(map.partitions.every(({ id }) => shares.ruOf(id, totalRu) <= 10_000));
        assert.ok(shares.usableRu(totalRu) <= totalRu * (1 + 1e-9));
      }
    }),
    { numRuns: 300 },
  );
});

test('a redistribution changes nobody who is neither target nor source', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 2, maxLength: 8 }),
      fc.integer({ min: 1, max: 20_000 }),
      (rus, ru) => {
        const before = custom(...rus);
        const total = rus.reduce((sum, next) => sum + next, 0);
        const { map, totalRu } = redistributed(before, total, redistribution([[0, ru]]));
        const [after, earlier] = [sharesOf(map), sharesOf(before)];
        assert.ok(Math.abs(after.ruOf(0, totalRu) - Math.min(ru, 10_000)) < 1e-6);
        for (let id = 1; id < rus.length; id++) {
          assert.ok(Math.abs(after.ruOf(id, totalRu) - earlier.ruOf(id, total)) < 1e-6);
        }
      },
    ),
  );
});

const changeOfStretches = fc.record({
  kind: fc.constantFrom('split', 'merge', 'redistribute', 'equalize'),
  which: fc.nat(1_000),
  ru: fc.integer({ min: 1, max: 20_000 }),
  fromNext: fc.boolean(),
});

test('shares of a database too are positive and add up to one after any splits, merges and redistributions, and storing keeps them', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.array(changeOfStretches, { maxLength: 60 }),
      (count, changes) => {
        let stretches = SharedStretches.initial(count);
        let totalRu = 10_000 * count;
        for (const { kind, which, ru, fromNext } of changes) {
          const index = which % stretches.list.length;
          const [chosen, next] = [stretches.list[index]?.id ?? 0, stretches.list[index + 1]?.id];
          try {
            if (kind === 'split') stretches = stretches.split(chosen);
            else if (kind === 'equalize') stretches = stretches.withEqualThroughput();
            else if (kind === 'merge')
              stretches = next === undefined ? stretches : stretches.merge(chosen, next);
            else {
              const wish = {
                targets: new Map([[chosen, ru]]),
                sources: fromNext && next !== undefined ? [next] : [],
              };
              const given = new PartitionShares(stretches.list).redistribute(totalRu, wish);
              stretches = stretches.withThroughputFractions(given.fractions);
              totalRu = given.totalRu;
            }
          } catch (error) {
            assert.ok(error instanceof RingfoldError);
            assert.ok(['bad-throughput', 'split-refused'].includes(error.code), error.code);
          }
          const fractions = stretches.list.map(({ throughputFraction }) => throughputFraction);
          const sum = fractions.reduce((total, fraction) => total + fraction, 0);
          assert.ok(Math.abs(sum - 1) < 1e-9, `they add up to ${sum}`);
          assert.ok(fractions.every((fraction) => fraction > 0));
          assert.equal(new Set(stretches.list.map(({ id }) => id)).size, fractions.length);
          const widths = stretches.list.reduce((total, { id }) => total + stretches.widthOf(id), 0);
          assert.ok(Math.abs(widths - 1) < 1e-9);
          assert.deepEqual(SharedStretches.fromJSON(JSON.parse(JSON.stringify(stretches))), stretches);
        }
      },
    ),
    { numRuns: 200 },
  );
});
