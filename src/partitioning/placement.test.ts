import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SeededRandom } from '../foundation/random.ts';
import {
  chooseReplicaMove,
  type NodeLoad,
  type PlacedPartition,
  placeReplicaSets,
  placeReplicas,
} from './placement.ts';
import type { NodeId } from './replica-set.ts';

const emptyNodes = (count: number): NodeLoad[] =>
  Array.from({ length: count }, (_, index) => ({ nodeId: index as NodeId, bytes: 0, ru: 0 }));

const loads = fc
  .array(fc.record({ bytes: fc.nat(1000), ru: fc.nat(1000) }), { minLength: 4, maxLength: 12 })
  .map((nodes) => nodes.map((load, index) => ({ nodeId: index as NodeId, ...load })));
const seed = fc.nat();

test('a replica set has four different nodes, and no other node has less load in both measures', () => {
  fc.assert(
    fc.property(loads, seed, (loads, seed) => {
      const chosen = placeReplicas(loads, new SeededRandom(seed));
      assert.equal(new Set(chosen).size, 4);
      const isChosen = (load: NodeLoad) => chosen.includes(load.nodeId);
      for (const taken of loads.filter(isChosen)) {
        for (const other of loads.filter((load) => !isChosen(load))) {
          assert.ok(!(other.bytes < taken.bytes && other.ru < taken.ru));
        }
      }
    }),
  );
});

test('the same seed gives the same placement', () => {
  fc.assert(
    fc.property(loads, seed, (loads, seed) => {
      const place = () => placeReplicaSets(5, loads, { bytes: 10, ru: 10 }, new SeededRandom(seed));
      assert.deepEqual(place(), place());
    }),
  );
});

test('on empty nodes no node gets more than one replica more than another', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 4, max: 12 }),
      fc.integer({ min: 1, max: 40 }),
      seed,
      (nodes, partitions, seed) => {
        const sets = placeReplicaSets(
          partitions,
          emptyNodes(nodes),
          { bytes: 1, ru: 1 },
          new SeededRandom(seed),
        );
        const counts = emptyNodes(nodes).map(
          ({ nodeId }) => sets.filter(({ members }) => members.includes(nodeId)).length,
        );
        assert.ok(Math.max(...counts) - Math.min(...counts) <= 1);
      },
    ),
  );
});

test('primaries spread over all nodes', () => {
  const sets = placeReplicaSets(200, emptyNodes(4), { bytes: 1, ru: 1 }, new SeededRandom(1));
  for (const { nodeId } of emptyNodes(4)) {
    assert.ok(sets.filter(({ members }) => members[0] === nodeId).length > 25);
  }
});

test('fewer than four nodes cannot keep a replica set', () => {
  assert.throws(() => placeReplicas(emptyNodes(3), new SeededRandom(1)), /invariant/);
});

/** Partitions placed by chance, with no regard to load. */
const cluster = fc
  .tuple(
    fc.integer({ min: 5, max: 9 }),
    fc.array(fc.record({ bytes: fc.nat(100), ru: fc.nat(100) }), { minLength: 1, maxLength: 25 }),
    seed,
  )
  .map(([nodeCount, weights, seed]) => {
    const random = new SeededRandom(seed);
    const partitions = weights.map((weight, id) => ({
      id,
      ...weight,
      members: placeReplicas(emptyNodes(nodeCount), random) as readonly NodeId[],
    }));
    return { nodeCount, partitions };
  });

test('moves end, each makes the load more even, and none puts two replicas on one node', () => {
  fc.assert(
    fc.property(cluster, ({ nodeCount, partitions }) => {
      let current: PlacedPartition[] = partitions;
      let unevenness = unevennessOf(nodeCount, current);
      for (let moves = 0; ; moves++) {
        assert.ok(moves < 500);
        const move = chooseReplicaMove(loadsOf(nodeCount, current), current, 0.05);
        if (move === undefined) break;
        current = current.map((partition) =>
          partition.id === move.physicalPartition
            ? {
                ...partition,
                members: partition.members.map((node) => (node === move.from ? move.to : node)),
              }
            : partition,
        );
        assert.ok(current.every(({ members }) => new Set(members).size === 4));
        assert.ok(unevennessOf(nodeCount, current) < unevenness);
        unevenness = unevennessOf(nodeCount, current);
      }
    }),
  );
});

test('many small partitions end up within a tenth of the mean in bytes and in request units', () => {
  const random = new SeededRandom(7);
  const crowded = emptyNodes(4);
  let partitions: PlacedPartition[] = Array.from({ length: 60 }, (_, id) => ({
    id,
    bytes: 90 + (id % 20),
    ru: id % 2 === 0 ? 10 : 190,
    members: placeReplicas(crowded, random),
  }));
  for (;;) {
    const move = chooseReplicaMove(loadsOf(6, partitions), partitions, 0.02);
    if (move === undefined) break;
    partitions = partitions.map((partition) =>
      partition.id === move.physicalPartition
        ? { ...partition, members: partition.members.map((node) => (node === move.from ? move.to : node)) }
        : partition,
    );
  }
  const loads = loadsOf(6, partitions);
  for (const measure of ['bytes', 'ru'] as const) {
    const mean = loads.reduce((sum, load) => sum + load[measure], 0) / 6;
    for (const load of loads) assert.ok(Math.abs(load[measure] - mean) < mean * 0.1, measure);
  }
});

test('a cluster that is even enough is left alone', () => {
  const partitions = [{ id: 0, bytes: 10, ru: 10, members: [0, 1, 2, 3] as NodeId[] }];
  assert.equal(chooseReplicaMove(loadsOf(4, partitions), partitions, 0.1), undefined);
});

test('one hot partition is not moved to and fro', () => {
  const partitions = [{ id: 0, bytes: 0, ru: 1000, members: [0, 1, 2, 3] as NodeId[] }];
  assert.equal(chooseReplicaMove(loadsOf(5, partitions), partitions, 0.1), undefined);
});

function loadsOf(nodeCount: number, partitions: readonly PlacedPartition[]): NodeLoad[] {
  return emptyNodes(nodeCount).map(({ nodeId }) => {
    const held = partitions.filter(({ members }) => members.includes(nodeId));
    return {
      nodeId,
      bytes: held.reduce((sum, { bytes }) => sum + bytes, 0),
      ru: held.reduce((sum, { ru }) => sum + ru, 0),
    };
  });
}

/** What a move must lower: squares of both shares, so that it cannot help one measure by harming the other more. */
function unevennessOf(nodeCount: number, partitions: readonly PlacedPartition[]): number {
  const loads = loadsOf(nodeCount, partitions);
  const squares = (measure: 'bytes' | 'ru') => {
    const total = loads.reduce((sum, load) => sum + load[measure], 0) || 1;
    return loads.reduce((sum, load) => sum + (load[measure] / total) ** 2, 0);
  };
  return squares('bytes') + squares('ru');
}
