import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  evenSplitTarget,
  instantMaximumRu,
  nextScaleStep,
  partitionsNeeded,
  type SplitCandidate,
} from './scale-plan.ts';

const none: ReadonlySet<number> = new Set();

function equalPartitions(count: number): SplitCandidate[] {
  return Array.from({ length: count }, (_, id) => ({ id, ringShare: 1 / count }));
}

/** Splits at the middle until nothing more is asked for, as an executor does. */
function scaled(
  partitions: readonly SplitCandidate[],
  partitionTarget: number,
): { readonly partitions: readonly SplitCandidate[]; readonly splits: readonly number[] } {
  let current = [...partitions];
  let nextId = current.length;
  const splits: number[] = [];
  for (;;) {
    const step = nextScaleStep(current, partitionTarget, none);
    if (step.kind !== 'split') return { partitions: current, splits };
    splits.push(step.physicalPartition);
    current = current.flatMap((partition) =>
      partition.id === step.physicalPartition
        ? [nextId++, nextId++].map((id) => ({ id, ringShare: partition.ringShare / 2 }))
        : [partition],
    );
  }
}

test('five partitions carry 50,000 RU/s at once', () => {
  assert.equal(instantMaximumRu(5), 50_000);
});

test('there are as many partitions needed as begin with each 10,000 RU/s', () => {
  for (const [ru, count] of [
    [400, 1],
    [10_000, 1],
    [10_100, 2],
    [45_000, 5],
    [1_000_000, 100],
  ] as const) {
    assert.equal(partitionsNeeded(ru), count);
  }
});

test('an even split needs the next power of two times the partitions there are', () => {
  assert.equal(evenSplitTarget(150_000, 5), 200_000);
  assert.equal(evenSplitTarget(30_000, 2), 40_000);
  assert.equal(evenSplitTarget(50_000, 5), 50_000);
  assert.equal(evenSplitTarget(400, 1), 10_000);
});

test('from three partitions to 45,000 RU/s two are split and one stays as it is', () => {
  const { partitions, splits } = scaled(equalPartitions(3), partitionsNeeded(45_000));
  assert.deepEqual(splits, [0, 1]);
  assert.deepEqual(
    partitions.map(({ id }) => id),
    [3, 4, 5, 6, 2],
  );
});

test('from one partition to three there are two rounds, the second splitting a child of the first', () => {
  const { partitions, splits } = scaled(equalPartitions(1), 3);
  assert.deepEqual(splits, [0, 1]);
  assert.deepEqual(
    partitions.map(({ id }) => id),
    [3, 4, 2],
  );
});

test('the widest partition is split first', () => {
  const uneven = [
    { id: 4, ringShare: 0.25 },
    { id: 9, ringShare: 0.5 },
    { id: 7, ringShare: 0.25 },
  ];
  assert.deepEqual(nextScaleStep(uneven, 4, none), { kind: 'split', physicalPartition: 9 });
});

test('partitions that cannot be split are passed over; when there are no others the plan is stuck', () => {
  const two = equalPartitions(2);
  assert.deepEqual(nextScaleStep(two, 3, new Set([0])), { kind: 'split', physicalPartition: 1 });
  assert.deepEqual(nextScaleStep(two, 3, new Set([0, 1])), { kind: 'stuck' });
  assert.deepEqual(nextScaleStep(two, 2, new Set([0, 1])), { kind: 'done' });
});

test('scaling up ends with exactly the partitions needed, none more than twice as wide as another', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 4, max: 500 }), (count, hundreds) => {
      const ru = hundreds * 1_000;
      const { partitions } = scaled(equalPartitions(count), partitionsNeeded(ru));
      const widths = partitions.map(({ ringShare }) => ringShare);
      assert.equal(partitions.length, Math.max(count, Math.ceil(ru / 10_000)));
      assert.ok(Math.max(...widths) <= 2 * Math.min(...widths) * (1 + 1e-9));
    }),
  );
});

test('scaling up to the even target leaves all partitions equally wide', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 50 }), (count, tenThousands) => {
      const target = evenSplitTarget(tenThousands * 10_000, count);
      const { partitions } = scaled(equalPartitions(count), partitionsNeeded(target));
      assert.equal(new Set(partitions.map(({ ringShare }) => ringShare)).size, 1);
      assert.ok(target >= tenThousands * 10_000);
    }),
  );
});
