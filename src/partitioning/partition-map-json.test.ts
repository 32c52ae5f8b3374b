import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { RingfoldError } from '../errors/ringfold-error.ts';
import { initialBoundaries } from './initial-layout.ts';
import { type HashKind, partitionKeyDefinition } from './partition-key.ts';
import { PartitionMap } from './partition-map.ts';
import { type NodeId, replicaSet } from './replica-set.ts';
import { midpointOf } from './ring-midpoint.ts';
import type { RingPosition } from './ring-position.ts';

const mapOf = (hashKind: HashKind, count: number): PartitionMap => {
  const map = PartitionMap.initial(9, initialBoundaries(hashKind, count), (index) =>
    replicaSet([0, 1, 2, 4 + index] as NodeId[], 1),
  );
  const cut = midpointOf(map.partition(0).range, partitionKeyDefinition(hashKind, ['a'])) as RingPosition;
  return map.split(0, cut, 17);
};

test('a map comes back from its JSON', () => {
  const hashKinds = fc.constantFrom<HashKind>('v1', 'v2', 'multi', 'cql');
  fc.assert(
    fc.property(hashKinds, fc.integer({ min: 1, max: 8 }), (hashKind, count) => {
      const map = mapOf(hashKind, count);
      const back = PartitionMap.fromJSON(JSON.parse(JSON.stringify(map)));
      assert.deepEqual(back, map);
      assert.deepEqual(back.toJSON(), map.toJSON());
    }),
  );
});

interface LooseMap {
  [field: string]: unknown;
  partitions: Record<string, unknown>[];
  retired: Record<string, unknown>[];
}

describe('a map that could not have been written is corrupt data', () => {
  const damages: [string, (map: LooseMap) => unknown][] = [
    ['not an object', () => 'a map'],
    ['no partitions', (map) => ({ ...map, partitions: [] })],
    ['partitions missing', ({ partitions: _, ...map }) => map],
    ['a gap', (map) => ({ ...map, partitions: map.partitions.toSpliced(1, 1) })],
    ['the end missing', (map) => ({ ...map, partitions: map.partitions.slice(0, -1) })],
    ['an overlap', (map) => ({ ...map, partitions: [...map.partitions, map.partitions.at(-1)] })],
    ['out of order', (map) => ({ ...map, partitions: map.partitions.toReversed() })],
    [
      'an id twice',
      (map) => ({ ...map, partitions: map.partitions.map((partition) => ({ ...partition, id: 1 })) }),
    ],
    ['an id never given', (map) => ({ ...map, nextId: 2 })],
    ['a negative version', (map) => ({ ...map, version: -1 })],
    ['a fraction of a version', (map) => ({ ...map, version: 1.5 })],
    ['an unknown policy', (map) => ({ ...map, throughputPolicy: 'fair' })],
    ['a parent that is not retired', (map) => ({ ...map, retired: [] })],
    ['an heir that does not exist', (map) => ({ ...map, retired: [{ ...map.retired[0], children: [90] }] })],
    ['no heirs', (map) => ({ ...map, retired: [{ ...map.retired[0], children: [] }] })],
    ['two replicas on one node', (map) => withField(map, 'members', [0, 0, 1, 2])],
    ['no replicas', (map) => withField(map, 'members', [])],
    ['a share of nothing', (map) => withField(map, 'throughputFraction', 0)],
    ['a boundary in letters', (map) => withField(map, 'min', 'zz')],
    ['an empty range', (map) => withField(map, 'max', '')],
    ['an LSN in words', (map) => withField(map, 'startLsn', 'one')],
  ];
  for (const [name, damage] of damages) {
    test(name, () => {
      const json = JSON.parse(JSON.stringify(mapOf('cql', 3))) as LooseMap;
      assert.throws(
        () => PartitionMap.fromJSON(damage(json)),
        (error) => error instanceof RingfoldError && error.code === 'corrupt-data',
      );
    });
  }
});

function withField(map: LooseMap, field: string, value: unknown): LooseMap {
  return { ...map, partitions: map.partitions.map((partition) => ({ ...partition, [field]: value })) };
}
