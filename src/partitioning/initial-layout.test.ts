import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hexOf } from '../foundation/byte-string.ts';
import { initialBoundaries, initialPartitionCount } from './initial-layout.ts';
import type { HashKind } from './partition-key.ts';
import { PartitionMap } from './partition-map.ts';
import { type NodeId, replicaSet } from './replica-set.ts';
import { tokenOfPosition } from './ring-position.ts';

test('manual throughput of up to 10,000 RU/s gets one partition, above it one for each 6,000', () => {
  const counts: [number, number][] = [
    [400, 1],
    [10_000, 1],
    [11_000, 2],
    [12_000, 2],
    [18_000, 3],
    [20_000, 4],
    [30_000, 5],
    [150_000, 25],
  ];
  for (const [ruPerSecond, count] of counts) {
    assert.equal(initialPartitionCount({ kind: 'manual', ruPerSecond }), count, `${ruPerSecond} RU/s`);
  }
});

test('autoscale and shared throughput get one partition for each 10,000 RU/s', () => {
  const counts: [number, number][] = [
    [1_000, 1],
    [10_000, 1],
    [11_000, 2],
    [20_000, 2],
    [50_000, 5],
  ];
  for (const [ruPerSecond, count] of counts) {
    assert.equal(initialPartitionCount({ kind: 'autoscale', maxRuPerSecond: ruPerSecond }), count);
    assert.equal(initialPartitionCount({ kind: 'shared', ruPerSecond }), count);
  }
});

test('a serverless container begins with one partition', () => {
  assert.equal(initialPartitionCount({ kind: 'serverless' }), 1);
});

// As the SDKs' tests expect them of the service.
const serviceBoundaries: [HashKind, string[]][] = [
  ['v2', [`1FFF${'F'.repeat(28)}`]],
  ['v2', [`1555${'5'.repeat(28)}`, `2AAA${'A'.repeat(28)}`]],
  ['v2', [`0FFF${'F'.repeat(28)}`, `1FFF${'F'.repeat(27)}E`, `2FFF${'F'.repeat(27)}D`]],
  [
    'v2',
    [`0CCC${'C'.repeat(28)}`, `1999${'9'.repeat(27)}8`, `2666${'6'.repeat(27)}4`, `3333${'3'.repeat(27)}0`],
  ],
  ['v1', ['05C1DFFFFFFFFC']],
  ['v1', ['05C1D5AB55AB54', '05C1E5AB55AB54']],
  ['v1', ['05C1C9CD673398', '05C1D9CD673398', '05C1E399CD6732', '05C1E9CD673398']],
];
for (const [hashKind, expected] of serviceBoundaries) {
  test(`the first boundaries of ${expected.length + 1} partitions are the service's (${hashKind})`, () => {
    assert.deepEqual(initialBoundaries(hashKind, expected.length + 1).map(hexOf), expected);
  });
}

test('a hierarchical ring begins with the boundaries of V2', () => {
  assert.deepEqual(initialBoundaries('multi', 7), initialBoundaries('v2', 7));
});

test('a CQL ring is cut evenly by token', () => {
  assert.deepEqual(initialBoundaries('cql', 4).map(hexOf), [
    '40000000000000000000000000000000',
    '80000000000000000000000000000000',
    'C0000000000000000000000000000000',
  ]);
  assert.deepEqual(initialBoundaries('cql', 4).map(tokenOfPosition), [-(2n ** 62n), 0n, 2n ** 62n]);
});

test('one partition has no boundaries', () => {
  assert.deepEqual(initialBoundaries('v2', 1), []);
});

test('boundaries of any number of partitions make a map', () => {
  for (const hashKind of ['v1', 'v2', 'multi', 'cql'] as const) {
    for (const count of [1, 2, 3, 7, 100, 256, 1000]) {
      const map = PartitionMap.initial(1, initialBoundaries(hashKind, count), () =>
        replicaSet([0 as NodeId], 1),
      );
      assert.equal(map.partitions.length, count);
    }
  }
});
