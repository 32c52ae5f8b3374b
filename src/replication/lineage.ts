// Where a node's log has a partition from. A split or merge that came to nothing leaves its children's numbers to the next, so a node which
// alone had written it may have children of these numbers that nobody else knows.

import { childrenOf, type LogState, lastCommonLsn, partitionNumber } from '../storage/log/log-state.ts';
import type { PartitionAddress } from '../storage/partition-store.ts';
import type { StorageNode } from '../storage/storage-node.ts';
import type { PartitionDirectory } from './partition-directory.ts';
import type { PartitionMaps } from './partition-maps.ts';

/** Whether the parents of a partition, as far as this log knows them, ended there as they truly did. */
export function isTrueBorn(state: LogState, address: PartitionAddress, maps: PartitionMaps): boolean {
  const { container } = address;
  return parentsOf(address, maps).every((physicalPartition) => {
    const own = state.get({ container, physicalPartition });
    const truth = maps.historyOf(partitionNumber(container, physicalPartition));
    // A log that has nothing of it has not begun it otherwise either: recovery makes one where it expects an original partition.
    if (own === undefined || own.lastLsn === 0 || truth === undefined || truth.epochs.length === 0)
      return true;
    const { endLsn, epochs } = truth;
    return own.lastLsn === endLsn && lastCommonLsn(own, { lastLsn: endLsn, epochs }) === endLsn;
  });
}

/** A partition that goes on, but which the node's log has ended, with a child of this number: that end is void, and the child with it. */
export function hasVoidParent(
  node: StorageNode,
  { container, physicalPartition }: PartitionAddress,
  directory: PartitionDirectory,
): boolean {
  const { state } = node.handles.log;
  const current = directory.maps.get(container)?.map.partitions ?? [];
  return current.some(({ id }) =>
    childrenOf(state.get({ container, physicalPartition: id })?.ending).includes(physicalPartition),
  );
}

function parentsOf(
  { container, physicalPartition }: PartitionAddress,
  maps: PartitionMaps,
): readonly number[] {
  const map = maps.get(container)?.map;
  const current = map?.partitions.find(({ id }) => id === physicalPartition);
  if (map === undefined || current !== undefined) return current?.parents ?? [];
  return map.retired.filter(({ children }) => children.includes(physicalPartition)).map(({ id }) => id);
}
