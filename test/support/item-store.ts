import { nosqlOperationKinds } from '../../src/execution/nosql/items/item-operation-kinds.ts';
import { systemClock } from '../../src/foundation/clock.ts';
import { silentLog } from '../../src/foundation/log.ts';
import { SeededRandom } from '../../src/foundation/random.ts';
import { systemScheduler } from '../../src/foundation/scheduler.ts';
import type { NodeId } from '../../src/partitioning/replica-set.ts';
import { ReplicatedPartitionStore } from '../../src/replication/replicated-partition-store.ts';
import { defaultStoreSettings } from '../../src/replication/store-settings.ts';
import { MemoryNode } from '../../src/storage/memory/memory-node.ts';
import { basicOperationKinds } from '../../src/storage/operation-kinds.ts';

export function memoryNodes(): MemoryNode[] {
  return [0, 1, 2, 3].map((nodeId) => new MemoryNode(nodeId as NodeId));
}

/** A store that knows items, as a server would open it, over nodes that may have been used before. */
export function openItemStore(
  nodes: readonly MemoryNode[] = memoryNodes(),
): Promise<ReplicatedPartitionStore> {
  return ReplicatedPartitionStore.open({
    nodes,
    clock: systemClock,
    scheduler: systemScheduler,
    random: new SeededRandom(1),
    log: silentLog,
    operationKinds: new Map([...basicOperationKinds, ...nosqlOperationKinds]),
    settings: { ...defaultStoreSettings, scrubIntervalMs: 0 },
    rebuild: [],
    forceRecover: false,
  });
}
