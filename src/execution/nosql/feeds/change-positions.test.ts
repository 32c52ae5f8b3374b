import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { PartitionMap } from '../../../partitioning/partition-map.ts';
import {
  changePositionFrom,
  changePositionsFrom,
  startIn,
  textOfChangePosition,
  textOfChangePositions,
} from './change-positions.ts';

const container = { createdAt: 1_794_900_000_000_000 };

test('positions are what they were after a way through text', () => {
  const start = fc.oneof(
    fc.nat().map((lsn) => ({ kind: 'after' as const, lsn, sinceSeconds: undefined })),
    fc
      .tuple(fc.nat(), fc.nat())
      .map(([lsn, sinceSeconds]) => ({ kind: 'after' as const, lsn, sinceSeconds })),
    fc.nat().map((seconds) => ({ kind: 'time' as const, seconds })),
  );
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(fc.nat(1e6), start), { selector: ([id]) => id, minLength: 1 }),
      (entries) => {
        const positions = new Map(entries);
        assert.deepEqual(
          changePositionsFrom(container, textOfChangePositions(container, positions)),
          positions,
        );
      },
    ),
  );
});

test('what is no position is refused', () => {
  for (const text of [
    '',
    '1',
    '1=',
    '=1',
    '1=2,',
    '1=2;2=3',
    'a=1',
    '1=1@2',
    '1@1-2',
    '1=1-',
    '1=1-2-3',
    '1=-1',
    `1=${'9'.repeat(16)}`,
  ]) {
    assert.equal(changePositionsFrom(container, text), undefined, text);
  }
});

test('after a merge a reader goes on from the earlier LSN, and from the earlier time', () => {
  const map = { ancestorsOf: () => [0, 1] } as unknown as PartitionMap;
  const positions = changePositionsFrom(container, '0=7-2000,1=9-1000');
  assert.ok(positions !== undefined);
  assert.deepEqual(startIn(map, 2, positions), { kind: 'after', lsn: 7, sinceSeconds: 1_000 });
  const atTime = changePositionsFrom(container, '0=7,1@500');
  assert.ok(atTime !== undefined);
  assert.deepEqual(startIn(map, 2, atTime), { kind: 'time', seconds: 500 });
  assert.equal(startIn(map, 2, new Map()), undefined);
});

test('what was told of a container that is no more is before the first change of the one with its name', () => {
  const before = textOfChangePosition(
    { createdAt: container.createdAt - 1_000_000 },
    { lsn: 5, sinceSeconds: 7 },
  );
  assert.deepEqual(changePositionFrom(container, before), { kind: 'after', lsn: 0, sinceSeconds: 7 });
});

test('positions that an older build told, which began at 1, are what they were', () => {
  assert.deepEqual(changePositionFrom(container, '12'), { kind: 'after', lsn: 12, sinceSeconds: undefined });
});
