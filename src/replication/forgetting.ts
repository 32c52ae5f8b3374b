// A node lets go of a partition: its log says so first, then the rows go. What a node missed while it was down is done when it returns.

import type { ByteString } from '../foundation/byte-string.ts';
import { appliedLsnRemoval } from '../storage/applied-lsns.ts';
import { encodeNote, entryKinds } from '../storage/log/log-entry.ts';
import {
  childrenOf,
  type MembershipNote,
  nodeHeader,
  type PartitionLogState,
  partitionNumber,
} from '../storage/log/log-state.ts';
import type { PartitionAddress } from '../storage/partition-store.ts';
import type { StorageNode } from '../storage/storage-node.ts';
import { containerKeys, type PartitionDirectory } from './partition-directory.ts';
import { systemContainer } from './partition-maps.ts';
import type { ReplicatedPartition } from './replicated-partition.ts';

interface Keys {
  readonly from: ByteString;
  readonly to: ByteString;
}

/** A node that is down is passed over: `dropStrays` makes up for it. */
export async function forget(
  node: StorageNode,
  address: PartitionAddress,
  keys: Keys | undefined,
  timeMs: number,
): Promise<void> {
  if (node.state !== 'up' && node.state !== 'opening') return;
  const { commit, log } = node.handles;
  const { container, physicalPartition } = address;
  const number = partitionNumber(container, physicalPartition);
  const header = { ...nodeHeader(entryKinds.forget, 0, timeMs), container, physicalPartition };
  await commit.note(encodeNote(header, null), () => log.state.note(header, null));
  if (keys !== undefined) await node.clearRows({ from: keys.from, to: keys.to });
  // Durable: should the node keep the partition again, its log will begin anew, and must not be taken to have these rows.
  await node.writeRows([appliedLsnRemoval(number)], true);
  node.appliedLsns.delete(number);
}

/** What the node's log and rows hold of partitions that left it, or whose container was dropped, while it was down. */
export async function dropStrays(
  node: StorageNode,
  directory: PartitionDirectory,
  timeMs: number,
): Promise<void> {
  const states = [...node.handles.log.state.partitions.values()];
  const unborn = unbornIn(states, directory);
  for (const state of states) {
    const number = partitionNumber(state.container, state.physicalPartition);
    if (state.container === systemContainer || unborn.has(number) || directory.isHosted(node, number))
      continue;
    if (isNamed(node, state, directory.get(number))) continue;
    const found = directory.maps.get(state.container);
    if (found === undefined) await forget(node, state, containerKeys(state.container), timeMs);
    // One that ended keeps its rows: they are its heirs'.
    else if (
      state.ending === undefined &&
      !found.map.retired.some(({ id }) => id === state.physicalPartition)
    ) {
      await forget(node, state, directory.get(number), timeMs);
    }
  }
}

/**
 * Named by a replica set that the map does not know yet. Its log counted when that set was agreed upon, so it is kept until the
 * partition's other logs are known not to have the set.
 */
function isNamed(
  node: StorageNode,
  { membership }: PartitionLogState,
  partition: ReplicatedPartition | undefined,
): boolean {
  if (partition === undefined || !isNamedIn(membership, node, partition)) return false;
  if (partition.isUnsettled) return true;
  return partition.levelReplicas.some((replica) => {
    const known = replica.node.handles.log.state.get(partition.address);
    return isNamedIn(known?.membership, node, partition);
  });
}

function isNamedIn(
  membership: MembershipNote | undefined,
  node: StorageNode,
  { generation }: ReplicatedPartition,
): boolean {
  return (
    membership !== undefined && membership.generation > generation && membership.members.includes(node.id)
  );
}

/** Born of a split or merge that the map does not know yet: their parents are still current there. */
function unbornIn(states: readonly PartitionLogState[], directory: PartitionDirectory): Set<number> {
  const unborn = new Set<number>();
  for (const { container, physicalPartition, ending } of states) {
    if (directory.at({ container, physicalPartition }) === undefined) continue;
    for (const child of childrenOf(ending)) unborn.add(partitionNumber(container, child));
  }
  return unborn;
}
