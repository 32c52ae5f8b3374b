import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ErrorCode } from '../errors/error-codes.ts';
import { RingfoldError } from '../errors/ringfold-error.ts';
import { initialBoundaries } from './initial-layout.ts';
import { partitionKeyDefinition } from './partition-key.ts';
import { PartitionMap } from './partition-map.ts';
import type { PhysicalPartition } from './physical-partition.ts';
import { type NodeId, replicaSet } from './replica-set.ts';
import { midpointOf } from './ring-midpoint.ts';
import { cqlRingPosition, type RingPosition, ringEnd, ringStart } from './ring-position.ts';
import { contains, overlaps, type RingRange, ringRange, wholeRing } from './ring-range.ts';

const definition = partitionKeyDefinition('cql', ['a']);
const nodes = [0, 1, 2, 3] as NodeId[];
const mapOf = (count: number): PartitionMap =>
  PartitionMap.initial(9, initialBoundaries('cql', count), () => replicaSet(nodes, 1));
const middleOf = (partition: PhysicalPartition): RingPosition =>
  midpointOf(partition.range, definition) as RingPosition;
const at = (map: PartitionMap, index: number): PhysicalPartition =>
  map.partitions[index % map.partitions.length] as PhysicalPartition;

const key = fc.uint8Array({ minLength: 1, maxLength: 12 }).map(cqlRingPosition);

/** A change to a map: the partition to split, or to merge with the next one. */
const change = fc.record({
  kind: fc.constantFrom('split', 'split', 'merge'),
  index: fc.nat(50),
  lsn: fc.nat(100),
});

function apply(
  map: PartitionMap,
  { kind, index, lsn }: { kind: string; index: number; lsn: number },
): PartitionMap {
  const partition = at(map, index);
  if (kind === 'split') return map.split(partition.id, middleOf(partition), partition.startLsn + lsn);
  const next = map.partitions[map.partitions.indexOf(partition) + 1];
  if (next === undefined) return map;
  return map.merge(partition.id, next.id, partition.startLsn + lsn, next.startLsn + 5);
}

const changedMap = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.array(change, { maxLength: 12 }))
  .map(([count, changes]) => changes.reduce(apply, mapOf(count)));

test('the first map has its boundaries, equal shares and ids from 0', () => {
  const [first, second] = initialBoundaries('cql', 3) as [RingPosition, RingPosition];
  const map = mapOf(3);
  assert.deepEqual(
    map.partitions.map(({ id, range }) => [id, range]),
    [
      [0, ringRange(ringStart, first)],
      [1, ringRange(first, second)],
      [2, ringRange(second, ringEnd)],
    ],
  );
  assert.ok(map.partitions.every(({ throughputFraction }) => throughputFraction === 1 / 3));
  assert.deepEqual([map.container, map.version, map.nextId], [9, 1, 3]);
});

test('boundaries out of order are a broken invariant', () => {
  const [first, second] = initialBoundaries('cql', 3) as [RingPosition, RingPosition];
  assert.throws(() => PartitionMap.initial(1, [second, first], () => replicaSet(nodes, 1)), /invariant/);
});

test('after any splits and merges the partitions cover the ring with no gap and no overlap', () => {
  fc.assert(
    fc.property(changedMap, (map) => {
      let covered = ringStart;
      for (const { range } of map.partitions) {
        assert.equal(range.min, covered);
        assert.ok(range.min < range.max);
        covered = range.max;
      }
      assert.equal(covered, ringEnd);
      const ids = map.partitions.map(({ id }) => id);
      assert.equal(new Set([...ids, ...map.retired.map(({ id }) => id)]).size, map.nextId);
    }),
  );
});

test('a position belongs to the one partition whose range holds it', () => {
  fc.assert(
    fc.property(changedMap, key, (map, position) => {
      const holders = map.partitions.filter(({ range }) => contains(range, position));
      assert.deepEqual(holders, [map.ownerOf(position)]);
    }),
  );
});

test('a boundary, and the ends of the ring, belong to the partition that begins there or reaches there', () => {
  const map = mapOf(4);
  for (const partition of map.partitions) assert.equal(map.ownerOf(partition.range.min), partition);
  assert.equal(map.ownerOf('\xff'.repeat(16) as RingPosition), map.partitions[3]);
});

test('a range touches exactly the partitions that overlap it', () => {
  const range = fc
    .tuple(key, fc.oneof(key, fc.constant(ringEnd)))
    .filter(([a, b]) => a !== b)
    .map(([a, b]) => (a < b ? ringRange(a, b) : ringRange(b, a)));
  fc.assert(
    fc.property(changedMap, range, fc.nat(20), fc.nat(20), (map, range, from, to) => {
      const expected = (range: RingRange) =>
        map.partitions.filter((partition) => overlaps(partition.range, range));
      assert.deepEqual(map.overlapping(range), expected(range));
      const [first, last] = [at(map, from), at(map, to)];
      fc.pre(first.range.min < last.range.max);
      const aligned = ringRange(first.range.min, last.range.max);
      assert.deepEqual(map.overlapping(aligned), expected(aligned));
    }),
  );
  assert.equal(mapOf(5).overlapping(wholeRing).length, 5);
});

test('a split changes no owner outside its range, and inside gives each key to the child on its side', () => {
  fc.assert(
    fc.property(changedMap, fc.nat(50), key, (map, index, position) => {
      const parent = at(map, index);
      const cut = middleOf(parent);
      const after = map.split(parent.id, cut, parent.startLsn + 3);
      const child = position < cut ? map.nextId : map.nextId + 1;
      const expected = contains(parent.range, position) ? child : map.ownerOf(position).id;
      assert.equal(after.ownerOf(position).id, expected);
    }),
  );
});

test('a merge after a split restores the ownership', () => {
  fc.assert(
    fc.property(changedMap, fc.nat(50), key, (map, index, position) => {
      const parent = at(map, index);
      const split = map.split(parent.id, middleOf(parent), parent.startLsn + 3);
      const merged = split.merge(map.nextId, map.nextId + 1, parent.startLsn + 4, parent.startLsn + 9);
      const owner = map.ownerOf(position);
      assert.deepEqual(merged.ownerOf(position).range, owner.range);
      assert.equal(merged.ownerOf(position).id, owner.id === parent.id ? map.nextId + 2 : owner.id);
    }),
  );
});

test("a split's children go on from its LSN with the parent's session version and replicas", () => {
  const map = mapOf(2);
  const after = map.split(1, middleOf(map.partition(1)), 42);
  for (const id of [2, 3]) {
    const { parents, startLsn, sessionVersion, replicaSet } = after.partition(id);
    assert.deepEqual(
      { parents, startLsn, sessionVersion, replicaSet },
      {
        parents: [1],
        startLsn: 42,
        sessionVersion: 0,
        replicaSet: map.partition(1).replicaSet,
      },
    );
  }
  assert.deepEqual(after.retired, [{ id: 1, range: map.partition(1).range, children: [2, 3], endLsn: 42 }]);
  assert.equal(after.version, 2);
  assert.equal(map.partitions.length, 2);
});

test('a merged partition goes on from the higher LSN plus one with the higher session version plus one', () => {
  const after = mapOf(3).merge(0, 1, 70, 20);
  const { parents, startLsn, sessionVersion } = after.partition(3);
  assert.deepEqual(
    { parents, startLsn, sessionVersion },
    { parents: [0, 1], startLsn: 71, sessionVersion: 1 },
  );
  assert.deepEqual(
    after.retired.map(({ id, children, endLsn }) => [id, children, endLsn]),
    [
      [0, [3], 70],
      [1, [3], 20],
    ],
  );
});

test('LSNs and session versions never go back from parent to child', () => {
  fc.assert(
    fc.property(changedMap, (map) => {
      for (const partition of map.partitions) {
        const parents = map.retired.filter(({ id }) => partition.parents.includes(id));
        assert.equal(parents.length, partition.parents.length);
        assert.ok(parents.every(({ endLsn }) => endLsn <= partition.startLsn));
      }
    }),
  );
});

test('the heirs of a partition are its descendants that have part of what it had', () => {
  fc.assert(
    fc.property(changedMap, fc.nat(), key, (map, number, position) => {
      const id = number % map.nextId;
      const heirs = map.heirsOf(id);
      const range = map.retired.find((retired) => retired.id === id)?.range ?? map.partition(id).range;
      if (contains(range, position)) assert.ok(heirs.includes(map.ownerOf(position)));
      const descendants = descendantsOf(map, id);
      assert.deepEqual(
        heirs,
        map.partitions.filter(
          (partition) => descendants.has(partition.id) && overlaps(partition.range, range),
        ),
      );
    }),
  );
});

test('a current partition is its own heir', () => {
  const map = mapOf(2);
  assert.deepEqual(map.heirsOf(1), [map.partition(1)]);
});

test('under the equal policy every change leaves equal shares', () => {
  fc.assert(
    fc.property(changedMap, (map) => {
      for (const { throughputFraction } of map.partitions)
        assert.equal(throughputFraction, 1 / map.partitions.length);
    }),
  );
});

test('under the custom policy children halve their share and a merge adds the two', () => {
  const map = mapOf(2).withThroughputFractions(
    new Map([
      [0, 0.75],
      [1, 0.25],
    ]),
  );
  const split = map.split(0, middleOf(map.partition(0)), 1);
  assert.deepEqual(sharesOf(split), [0.375, 0.375, 0.25]);
  assert.deepEqual(sharesOf(split.merge(3, 1, 1, 1)), [0.375, 0.625]);
  assert.deepEqual(sharesOf(split.withEqualThroughput()), [1 / 3, 1 / 3, 1 / 3]);
  assert.equal(split.withEqualThroughput().throughputPolicy, 'equal');
});

test('a new replica set changes that partition and the version, and nothing else', () => {
  const map = mapOf(3);
  const moved = map.withReplicaSet(1, replicaSet([0, 1, 2, 5] as NodeId[], 2));
  assert.deepEqual(moved.partition(1).replicaSet.members, [0, 1, 2, 5]);
  assert.deepEqual([moved.partition(0), moved.partition(2)], [map.partition(0), map.partition(2)]);
  assert.equal(moved.version, map.version + 1);
  refused('move-refused', () => moved.withReplicaSet(1, replicaSet(nodes, 2)));
});

test('what cannot be split is refused', () => {
  const map = mapOf(2);
  const inside = middleOf(map.partition(0));
  refused('split-refused', () => map.split(1, inside, 1));
  refused('split-refused', () => map.split(1, map.partition(1).range.min, 1));
  refused('split-refused', () => map.split(0, map.partition(0).range.max, 1));
  refused('partition-not-found', () => map.split(7, inside, 1));
  const later = map.split(0, inside, 10);
  refused('split-refused', () => later.split(2, middleOf(later.partition(2)), 9));
});

test('what cannot be merged is refused', () => {
  const map = mapOf(3);
  refused('merge-refused', () => map.merge(0, 2, 1, 1));
  refused('merge-refused', () => map.merge(1, 0, 1, 1));
  refused('merge-refused', () => map.merge(1, 1, 1, 1));
  refused('partition-not-found', () => map.merge(0, 7, 1, 1));
  const elsewhere = map.withReplicaSet(1, replicaSet([0, 1, 2, 4] as NodeId[], 2));
  refused('merge-refused', () => elsewhere.merge(0, 1, 1, 1));
});

test('replicas on the same nodes in another order can be merged, and the newer set is kept', () => {
  const map = mapOf(2).withReplicaSet(1, replicaSet([3, 2, 1, 0] as NodeId[], 4));
  assert.equal(map.merge(0, 1, 1, 1).partition(2).replicaSet.generation, 4);
});

test('a partition that never was is not found', () => {
  refused('partition-not-found', () => mapOf(2).partition(2));
  refused('partition-not-found', () => mapOf(2).heirsOf(2));
});

/** The partition and all that came from it; a child is always retired after its parents. */
function descendantsOf(map: PartitionMap, id: number): ReadonlySet<number> {
  const descendants = new Set([id]);
  for (const retired of map.retired) {
    if (descendants.has(retired.id)) for (const child of retired.children) descendants.add(child);
  }
  return descendants;
}

function sharesOf(map: PartitionMap): number[] {
  return map.partitions.map(({ throughputFraction }) => throughputFraction);
}

function refused(code: ErrorCode, work: () => unknown): void {
  assert.throws(work, (error) => error instanceof RingfoldError && error.code === code);
}
