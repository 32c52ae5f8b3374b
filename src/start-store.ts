// Opens the store of a server, in directories or in memory: all that there is below the doors.

import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { RingfoldError } from './errors/ringfold-error.ts';
import { systemClock } from './foundation/clock.ts';
import { type Log, silentLog } from './foundation/log.ts';
import { systemRandom } from './foundation/random.ts';
import { systemScheduler } from './foundation/scheduler.ts';
import type { UndoSteps } from './foundation/undo-steps.ts';
import type { NodeId } from './partitioning/replica-set.ts';
import { ReplicatedPartitionStore } from './replication/replicated-partition-store.ts';
import { defaultStoreSettings, type StoreSettings } from './replication/store-settings.ts';
import { DirectoryLock } from './storage/directory-lock.ts';
import { DirectoryNode, type RowStoreKind } from './storage/directory-node.ts';
import { MemoryNode } from './storage/memory/memory-node.ts';
import { clearUnfinishedNodes, identifyNodes, nodeDirectoriesIn } from './storage/node-directories.ts';
import { basicOperationKinds } from './storage/operation-kinds.ts';
import type { OperationKind } from './storage/partition-store.ts';
import { MergeThreads } from './storage/runs/merge-threads.ts';
import type { StorageNodeParts } from './storage/storage-node.ts';

export interface StoreOptions {
  /** Absent for a throw-away server: everything is in memory, and `stop` leaves nothing behind. */
  readonly dataDir?: string;
  /** Storage nodes outside the data directory, which is then not used. */
  readonly nodeDirs?: readonly string[];
  /** For a new data directory; one that exists knows how many it has. Four unless told. */
  readonly nodes?: number;
  /** Nodes that are lost and may be made anew from the others. */
  readonly rebuildNodes?: readonly number[];
  /** What keeps the rows of nodes that are made; those that exist stay what they are. Runs unless told. */
  readonly rowStore?: RowStoreKind;
  readonly forceRecover?: boolean;
  readonly settings?: Partial<StoreSettings>;
  /** What another process is told that wants the same directory. */
  readonly ownerName?: string;
  readonly log?: Log;
}

/** A throw-away server keeps its logs in memory, so it keeps little of them. */
const memorySettings: Partial<StoreSettings> = {
  segmentBytes: 2 ** 20,
  logRetentionBytes: 2 ** 20,
  scrubIntervalMs: 0,
};

/** What closes the store again is added to the steps. */
export async function startStore(
  options: StoreOptions,
  operationKinds: readonly ReadonlyMap<string, OperationKind>[],
  undo: UndoSteps,
): Promise<ReplicatedPartitionStore> {
  const isInMemory = options.dataDir === undefined && (options.nodeDirs ?? []).length === 0;
  const nodes = isInMemory ? memoryNodes(options.nodes ?? 4) : await nodesOnDisk(options, undo);
  const rebuild = (options.rebuildNodes ?? []).map((nodeId) => {
    if (!nodes.some((node) => node.nodeId === nodeId)) throw noSuchNode(nodeId, nodes.length);
    return nodeId as NodeId;
  });
  const store = await ReplicatedPartitionStore.open({
    nodes,
    clock: systemClock,
    scheduler: systemScheduler,
    random: systemRandom,
    log: options.log ?? silentLog,
    operationKinds: new Map([basicOperationKinds, ...operationKinds].flatMap((kinds) => [...kinds])),
    settings: { ...defaultStoreSettings, ...(isInMemory ? memorySettings : {}), ...options.settings },
    rebuild,
    forceRecover: options.forceRecover ?? false,
  });
  undo.add(() => store.stop());
  return store;
}

function memoryNodes(count: number): StorageNodeParts[] {
  return Array.from({ length: count }, (_, nodeId) => new MemoryNode(nodeId as NodeId));
}

/** Takes the directories for this process, then finds out which node each is. */
async function nodesOnDisk(options: StoreOptions, undo: UndoSteps): Promise<StorageNodeParts[]> {
  const { dataDir, nodeDirs = [], nodes, rebuildNodes = [], ownerName = 'startRingfold()' } = options;
  const take = async (directories: readonly string[]): Promise<void> => {
    const lock = await DirectoryLock.take(directories, ownerName);
    undo.add(() => lock.release());
  };
  const isInside = nodeDirs.length === 0 && dataDir !== undefined;
  if (isInside) {
    await mkdir(dataDir, { recursive: true });
    await take([dataDir]);
  }
  const directories = isInside ? await nodeDirectoriesIn(dataDir, nodes ?? 4) : nodeDirs;
  if (nodes !== undefined && nodes !== directories.length) {
    const reason = `the data directory has ${directories.length} storage nodes, and that cannot be changed`;
    throw new RingfoldError('bad-setting', { setting: '--nodes', source: 'the settings', reason });
  }
  const present = directories.filter((directory) => existsSync(directory));
  if (!isInside) await take(present);
  await clearUnfinishedNodes(directories);
  const identified = await identifyNodes(directories, rebuildNodes);
  // Only now is it known that a missing directory is to be made: a new cluster's, or a lost node's.
  const missing = directories.filter((directory) => !present.includes(directory));
  for (const directory of missing) await mkdir(directory, { recursive: true });
  if (!isInside) await take(missing);
  const mergeThreads = new MergeThreads();
  undo.add(() => mergeThreads.close());
  const onDisk = identified.map(
    ({ nodeId, directory }) => new DirectoryNode(nodeId, directory, options.rowStore ?? 'runs', mergeThreads),
  );
  undo.add(async () => {
    await Promise.all(onDisk.map((node) => node.close()));
  });
  return onDisk;
}

function noSuchNode(nodeId: number, count: number): RingfoldError {
  const reason = `there is no storage node ${nodeId}: they are 0 to ${count - 1}`;
  return new RingfoldError('bad-setting', { setting: '--rebuild-node', source: 'the settings', reason });
}
