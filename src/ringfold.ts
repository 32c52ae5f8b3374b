// The composition root: builds the layers bottom up, hands each one to the next, starts and stops them.

import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { TimestampFloor } from './catalog/timestamp-floor.ts';
import { RingfoldError } from './errors/ringfold-error.ts';
import { cqlOperationKinds } from './execution/cql/writes/cql-operation-kinds.ts';
import { nosqlOperationKinds } from './execution/nosql/items/item-operation-kinds.ts';
import { rowOperationKinds } from './execution/row-requests.ts';
import { systemClock } from './foundation/clock.ts';
import { type Log, silentLog } from './foundation/log.ts';
import { systemRandom } from './foundation/random.ts';
import { systemScheduler } from './foundation/scheduler.ts';
import type { NodeId } from './partitioning/replica-set.ts';
import { AdminServer } from './protocol/admin/admin-server.ts';
import { dispatchHttp } from './protocol/http/dispatch-http.ts';
import { HttpFrontDoor } from './protocol/http/http-front-door.ts';
import type { AccountKeys } from './protocol/nosql/account-keys.ts';
import { serverCertificate, type TlsFiles } from './protocol/tls/server-certificate.ts';
import { ReplicatedPartitionStore } from './replication/replicated-partition-store.ts';
import { defaultStoreSettings, type StoreSettings } from './replication/store-settings.ts';
import { type CqlOptions, startCql } from './start-cql.ts';
import { type NosqlOptions, startNosql } from './start-nosql.ts';
import { defaultPurgeOptions, type PurgeOptions, startPurging } from './start-purging.ts';
import { defaultThroughputOptions, startThroughput, type ThroughputOptions } from './start-throughput.ts';
import { DirectoryLock } from './storage/directory-lock.ts';
import { DirectoryNode, type RowStoreKind } from './storage/directory-node.ts';
import { MemoryNode } from './storage/memory/memory-node.ts';
import { clearUnfinishedNodes, identifyNodes, nodeDirectoriesIn } from './storage/node-directories.ts';
import { basicOperationKinds } from './storage/operation-kinds.ts';
import { MergeThreads } from './storage/runs/merge-threads.ts';
import type { StorageNodeParts } from './storage/storage-node.ts';

export interface RingfoldOptions {
  /** Absent for a throw-away server: everything is in memory, and `stop` leaves nothing behind. */
  readonly dataDir?: string;
  /** Storage nodes outside the data directory, which is then not used. */
  readonly nodeDirs?: readonly string[];
  /** For a new data directory; one that exists knows how many it has. Four unless told. */
  readonly nodes?: number;
  /** Loopback unless told. */
  readonly host?: string;
  /** 0, which is the default here, takes a free port. */
  readonly port?: number;
  readonly cqlPort?: number;
  readonly cql?: Partial<Pick<CqlOptions, 'settings'>>;
  readonly nosql?: Partial<NosqlOptions>;
  /** Absent for a certificate of the server's own making. */
  readonly tls?: TlsFiles | undefined;
  /** Nodes that are lost and may be made anew from the others. */
  readonly rebuildNodes?: readonly number[];
  /** What keeps the rows of nodes that are made; those that exist stay what they are. Runs unless told. */
  readonly rowStore?: RowStoreKind;
  readonly forceRecover?: boolean;
  readonly settings?: Partial<StoreSettings>;
  readonly throughput?: Partial<ThroughputOptions>;
  readonly purge?: Partial<PurgeOptions>;
  /** What another process is told that wants the same directory. */
  readonly ownerName?: string;
  readonly log?: Log;
}

export interface Ringfold {
  readonly port: number;
  readonly cqlPort: number;
  /** What NoSQL clients sign with. */
  readonly keys: AccountKeys;
  readonly store: ReplicatedPartitionStore;
  /** Resolves when no timer, file or socket is left. May be called again. */
  readonly stop: () => Promise<void>;
}

/** A throw-away server keeps its logs in memory, so it keeps little of them. */
const memorySettings: Partial<StoreSettings> = {
  segmentBytes: 2 ** 20,
  logRetentionBytes: 2 ** 20,
  scrubIntervalMs: 0,
};

/**
 * Starts a server in this process. Disk work runs on libuv's thread pool: set UV_THREADPOOL_SIZE=16 in the environment of a
 * process that serves from disk, since Node's default of 4 lets storage nodes wait for one another.
 */
export async function startRingfold(options: RingfoldOptions = {}): Promise<Ringfold> {
  const { host = '127.0.0.1', port = 0, cqlPort = 0, log = silentLog } = options;
  const undo: (() => Promise<void>)[] = [];
  // Whatever was started is stopped in the opposite order, each step even when one before it failed.
  const stop = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (let step = undo.pop(); step !== undefined; step = undo.pop())
      await step().catch((error) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  };
  try {
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
      log,
      operationKinds: new Map([
        ...basicOperationKinds,
        ...rowOperationKinds,
        ...cqlOperationKinds,
        ...nosqlOperationKinds,
      ]),
      settings: { ...defaultStoreSettings, ...(isInMemory ? memorySettings : {}), ...options.settings },
      rebuild,
      forceRecover: options.forceRecover ?? false,
    });
    undo.push(() => store.stop());
    const throughput = await startThroughput(
      store,
      { ...defaultThroughputOptions, ...options.throughput },
      { clock: systemClock, scheduler: systemScheduler, log },
    );
    undo.push(() => throughput.stop());
    const surroundings = { clock: systemClock, scheduler: systemScheduler, random: systemRandom, log };
    const floor = await TimestampFloor.load(store.records, surroundings);
    undo.push(() => floor.stop());
    const broadcastAddress = options.cql?.settings?.broadcastAddress;
    const certificate = await serverCertificate({
      records: store.records,
      files: options.tls,
      hosts: [host, ...(broadcastAddress === undefined ? [] : [broadcastAddress])],
      clock: systemClock,
      log,
    });
    const shared = { ...surroundings, timestamps: floor.timestamps, certificate };
    const cql = await startCql(
      throughput.parts,
      { settings: {}, ...options.cql, host, port: cqlPort },
      shared,
    );
    undo.push(() => cql.stop());
    const nosql = await startNosql(
      throughput.parts,
      { settings: {}, keys: {}, entra: undefined, ...options.nosql },
      { ...shared, host },
    );
    undo.push(() => nosql.stop());
    const purging = startPurging(
      throughput.parts,
      [cql.purgeOf, nosql.purgeOf],
      { ...defaultPurgeOptions, ...options.purge },
      surroundings,
    );
    undo.push(() => purging.stop());
    const admin = new AdminServer(
      { store, throughput: throughput.parts, cqlPort: cql.port, tables: [cql.tables, nosql.containers] },
      log,
    );
    const frontDoor = new HttpFrontDoor(
      dispatchHttp({ admin: admin.answer, nosql: nosql.answer, certificate: certificate.pem }),
      certificate.secureContext,
      systemScheduler,
    );
    const boundPort = await frontDoor.listen(host, port);
    undo.push(() => frontDoor.stop());
    let stopping: Promise<void> | undefined;
    return {
      port: boundPort,
      cqlPort: cql.port,
      keys: nosql.keys,
      store,
      stop: () => {
        stopping ??= stop();
        return stopping;
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function memoryNodes(count: number): StorageNodeParts[] {
  return Array.from({ length: count }, (_, nodeId) => new MemoryNode(nodeId as NodeId));
}

/** Takes the directories for this process, then finds out which node each is. */
async function nodesOnDisk(
  options: RingfoldOptions,
  undo: (() => Promise<void>)[],
): Promise<StorageNodeParts[]> {
  const { dataDir, nodeDirs = [], nodes, rebuildNodes = [], ownerName = 'startRingfold()' } = options;
  const take = async (directories: readonly string[]): Promise<void> => {
    const lock = await DirectoryLock.take(directories, ownerName);
    undo.push(() => lock.release());
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
  undo.push(() => mergeThreads.close());
  const onDisk = identified.map(
    ({ nodeId, directory }) => new DirectoryNode(nodeId, directory, options.rowStore ?? 'runs', mergeThreads),
  );
  undo.push(async () => {
    await Promise.all(onDisk.map((node) => node.close()));
  });
  return onDisk;
}

function noSuchNode(nodeId: number, count: number): RingfoldError {
  const reason = `there is no storage node ${nodeId}: they are 0 to ${count - 1}`;
  return new RingfoldError('bad-setting', { setting: '--rebuild-node', source: 'the settings', reason });
}
