// Which storage nodes keep which replicas. Bytes and request units are balanced at once: what is made small is the
// sum over nodes of the squares of both shares, so a node full of cold data and one with a single hot partition
// are each seen for what they are.

import { assert } from '../foundation/assert.ts';
import type { Random } from '../foundation/random.ts';
import { REPLICA_COUNT } from './partition-limits.ts';
import { type NodeId, type ReplicaSet, replicaSet } from './replica-set.ts';

export interface NodeLoad {
  readonly nodeId: NodeId;
  readonly bytes: number;
  /** Request units spent a second. */
  readonly ru: number;
}

/** What each replica of a physical partition puts on its node. */
export interface ReplicaLoad {
  readonly bytes: number;
  readonly ru: number;
}

/** The least loaded nodes, chance deciding between equals. The order is by chance too, so that primaries spread. */
export function placeReplicas(loads: readonly NodeLoad[], random: Random): NodeId[] {
  assert(loads.length >= REPLICA_COUNT, 'there are enough storage nodes for a replica set');
  const total = totalOf(loads);
  const ranked = loads
    .map((load) => ({
      nodeId: load.nodeId,
      share: shareOf(load.bytes, total.bytes) + shareOf(load.ru, total.ru),
      chance: random.next(),
    }))
    .sort((a, b) => a.share - b.share || a.chance - b.chance);
  return ranked
    .slice(0, REPLICA_COUNT)
    .sort((a, b) => a.chance - b.chance)
    .map(({ nodeId }) => nodeId);
}

/** Replica sets for the partitions of a new container, each expected to become as heavy as `expected`. */
export function placeReplicaSets(
  partitionCount: number,
  loads: readonly NodeLoad[],
  expected: ReplicaLoad,
  random: Random,
): ReplicaSet[] {
  let current = loads;
  return Array.from({ length: partitionCount }, () => {
    const members = placeReplicas(current, random);
    current = current.map((load) =>
      members.includes(load.nodeId)
        ? { nodeId: load.nodeId, bytes: load.bytes + expected.bytes, ru: load.ru + expected.ru }
        : load,
    );
    return replicaSet(members, 1);
  });
}

/** A physical partition as it stands: where its replicas are, and what each of them weighs. */
export interface PlacedPartition extends ReplicaLoad {
  readonly id: number;
  readonly members: readonly NodeId[];
}

export interface ReplicaMove {
  readonly physicalPartition: number;
  readonly from: NodeId;
  readonly to: NodeId;
}

/**
 * The one move that evens out the load most, from a node that carries more than the mean by more than the tolerance
 * (0.1 is a tenth) to one that carries less. Undefined when no move helps. Each move lowers the sum of squares, so
 * moving for as long as this says so comes to an end.
 */
export function chooseReplicaMove(
  loads: readonly NodeLoad[],
  partitions: readonly PlacedPartition[],
  tolerance: number,
): ReplicaMove | undefined {
  const total = totalOf(loads);
  const meanShare = 1 / loads.length;
  const loadsById = new Map(loads.map((load) => [load.nodeId, load]));
  const isOverloaded = (load: NodeLoad) =>
    Math.max(shareOf(load.bytes, total.bytes), shareOf(load.ru, total.ru)) > meanShare * (1 + tolerance);

  let best: ReplicaMove | undefined;
  let bestGain = SMALLEST_GAIN;
  for (const partition of partitions) {
    for (const from of partition.members) {
      const source = loadsById.get(from);
      if (source === undefined || !isOverloaded(source)) continue;
      for (const target of loads) {
        if (partition.members.includes(target.nodeId)) continue;
        const gain =
          gainOf(source.bytes, target.bytes, partition.bytes, total.bytes) +
          gainOf(source.ru, target.ru, partition.ru, total.ru);
        if (gain > bestGain) {
          best = { physicalPartition: partition.id, from, to: target.nodeId };
          bestGain = gain;
        }
      }
    }
  }
  return best;
}

/** Below this a gain is rounding, and two equal states could be exchanged for ever. */
const SMALLEST_GAIN = 1e-9;

/** Half of what the sum of squared shares loses when the amount moves from source to target. */
function gainOf(source: number, target: number, amount: number, total: number): number {
  return shareOf(amount, total) * (shareOf(source, total) - shareOf(target, total) - shareOf(amount, total));
}

function shareOf(amount: number, total: number): number {
  return total === 0 ? 0 : amount / total;
}

function totalOf(loads: readonly NodeLoad[]): ReplicaLoad {
  return {
    bytes: loads.reduce((sum, load) => sum + load.bytes, 0),
    ru: loads.reduce((sum, load) => sum + load.ru, 0),
  };
}
