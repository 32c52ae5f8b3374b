// A node lets go of a partition: its log says so first, then the rows go. What a node missed while it was down is done when it returns.

import type { ByteString } from '../foundation/byte-string.ts';
import { appliedLsnRemoval } from '../storage/applied-lsns.ts';
import { encodeNote, entryKinds } from '../storage/log/log-entry.ts';
import { childrenOf, nodeHeader, type PartitionLogState, partitionNumber } from '../storage/log/log-state.ts';
import type { PartitionAddress } from '../storage/partition-store.ts';
import type { StorageNode } from '../storage/storage-node.ts';
import { containerKeys, type PartitionDirectory } from './partition-directory.ts';
import { systemContainer } from './partition-maps.ts';

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
  await node.writeRows([appliedLsnRemoval(number)], false);
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

/** Born of a split or merge that the map does not know yet: their parents are still current there. */
function unbornIn(states: readonly PartitionLogState[], directory: PartitionDirectory): Set<number> {
  const unborn = new Set<number>();
  for (const { container, physicalPartition, ending } of states) {
    if (directory.at({ container, physicalPartition }) === undefined) continue;
    for (const child of childrenOf(ending)) unborn.add(partitionNumber(container, child));
  }
  return unborn;
}
