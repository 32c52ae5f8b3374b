// What comes of partitions that have ended: the map with their children, who take their places in the directory. Their own logs say it, so it
// holds at once; the map is written afterwards.

import { assert } from '../foundation/assert.ts';
import { byteStringFromHex } from '../foundation/byte-string.ts';
import type { RingPosition } from '../partitioning/ring-position.ts';
import {
  type EpochStretch,
  type MergeNote,
  partitionNumber,
  type SplitNote,
} from '../storage/log/log-state.ts';
import type { PartitionDirectory } from './partition-directory.ts';
import type { RetiredHistory } from './partition-maps.ts';
import type { ReplicatedPartition } from './replicated-partition.ts';

/** A partition whose last entry is in its log, and what that log knows of it. */
export interface Ended {
  readonly partition: ReplicatedPartition;
  readonly lastLsn: number;
  readonly epochs: readonly EpochStretch[];
}

/** The children are admitted, and wait to be served; the parent is gone. */
export function succeedSplit(
  directory: PartitionDirectory,
  parent: Ended,
  { children, at }: SplitNote,
): ReplicatedPartition[] {
  const { container, physicalPartition } = parent.partition.address;
  const { definition, map } = directory.containerMap(container);
  assert(map.nextId === children[0], 'no map is changed while another change is on its way');
  const next = map.split(physicalPartition, byteStringFromHex(at) as RingPosition, parent.lastLsn);
  directory.maps.advance({ definition, map: next }, [historyOf(parent)]);
  return replace(directory, [parent], children);
}

/** As `succeedSplit`, of two neighbours that become one. */
export function succeedMerge(
  directory: PartitionDirectory,
  left: Ended,
  right: Ended,
  { child }: MergeNote,
): ReplicatedPartition {
  const { container, physicalPartition } = left.partition.address;
  const { definition, map } = directory.containerMap(container);
  assert(map.nextId === child, 'no map is changed while another change is on its way');
  const rightId = right.partition.address.physicalPartition;
  const next = map.merge(physicalPartition, rightId, left.lastLsn, right.lastLsn);
  directory.maps.advance({ definition, map: next }, [historyOf(left), historyOf(right)]);
  const [merged] = replace(directory, [left, right], [child]);
  assert(merged !== undefined, 'a merge has a child');
  return merged;
}

/**
 * Takes back what only nodes had said that are gone since: nothing that came of it was ever served. Gives the partitions of the written map
 * that are in the directory again.
 */
export function recede(directory: PartitionDirectory, container: number): ReplicatedPartition[] {
  const ended = directory.maps.endedSince(container);
  const heirs = ended.flatMap(({ container, physicalPartition }) =>
    directory.heirsOf(partitionNumber(container, physicalPartition)),
  );
  if (!directory.maps.recede(container)) return [];
  for (const heir of new Set(heirs)) directory.dismiss(heir);
  return ended.map(({ physicalPartition }) => directory.admit(container, physicalPartition));
}

function replace(
  directory: PartitionDirectory,
  parents: readonly Ended[],
  children: readonly number[],
): ReplicatedPartition[] {
  const [first] = parents;
  assert(first !== undefined, 'a child has parents');
  const { container } = first.partition.address;
  const born = children.map((child) => directory.admit(container, child));
  for (const { partition } of parents) directory.dismiss(partition);
  return born;
}

/** What is kept of it when no log speaks of it any more. */
export function historyOf({ partition, lastLsn, epochs }: Ended): RetiredHistory {
  return { ...partition.address, endLsn: lastLsn, epochs };
}
