// The composition root: builds the layers bottom up, hands each one to the next, starts and stops them.

import { TimestampFloor } from './catalog/timestamp-floor.ts';
import { cqlOperationKinds } from './execution/cql/writes/cql-operation-kinds.ts';
import { nosqlOperationKinds } from './execution/nosql/items/item-operation-kinds.ts';
import { rowOperationKinds } from './execution/row-requests.ts';
import { systemClock } from './foundation/clock.ts';
import { silentLog } from './foundation/log.ts';
import { systemRandom } from './foundation/random.ts';
import { systemScheduler } from './foundation/scheduler.ts';
import { UndoSteps } from './foundation/undo-steps.ts';
import { AdminAccess, type AdminKeys } from './protocol/admin/admin-access.ts';
import { AdminServer } from './protocol/admin/admin-server.ts';
import { dispatchHttp } from './protocol/http/dispatch-http.ts';
import { HttpFrontDoor } from './protocol/http/http-front-door.ts';
import type { AccountKeys } from './protocol/nosql/account-keys.ts';
import { serverCertificate, type TlsFiles } from './protocol/tls/server-certificate.ts';
import type { ReplicatedPartitionStore } from './replication/replicated-partition-store.ts';
import { type CqlOptions, startCql } from './start-cql.ts';
import { type NosqlOptions, startNosql } from './start-nosql.ts';
import { defaultPurgeOptions, type PurgeOptions, startPurging } from './start-purging.ts';
import { type StoreOptions, startStore } from './start-store.ts';
import { defaultThroughputOptions, startThroughput, type ThroughputOptions } from './start-throughput.ts';
import { type IndexDirectory, LevelIndexDirectory, MemoryIndexDirectory } from './storage/index-directory.ts';

export interface RingfoldOptions extends StoreOptions {
  /** Loopback unless told. */
  readonly host?: string;
  /** 0, which is the default here, takes a free port. */
  readonly port?: number;
  readonly cqlPort?: number;
  readonly cql?: Partial<Pick<CqlOptions, 'settings'>>;
  readonly nosql?: Partial<NosqlOptions>;
  /** Absent for a certificate of the server's own making. */
  readonly tls?: TlsFiles | undefined;
  readonly throughput?: Partial<ThroughputOptions>;
  readonly purge?: Partial<PurgeOptions>;
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

/**
 * Starts a server in this process. Disk work runs on libuv's thread pool: set UV_THREADPOOL_SIZE=16 in the environment of a
 * process that serves from disk, since Node's default of 4 lets storage nodes wait for one another.
 */
export async function startRingfold(options: RingfoldOptions = {}): Promise<Ringfold> {
  const { host = '127.0.0.1', port = 0, cqlPort = 0, log = silentLog } = options;
  const undo = new UndoSteps();
  try {
    const store = await startStore(
      options,
      [rowOperationKinds, cqlOperationKinds, nosqlOperationKinds],
      undo,
    );
    const throughput = await startThroughput(
      store,
      { ...defaultThroughputOptions, ...options.throughput },
      { clock: systemClock, scheduler: systemScheduler, log },
    );
    undo.add(() => throughput.stop());
    const surroundings = { clock: systemClock, scheduler: systemScheduler, random: systemRandom, log };
    const floor = await TimestampFloor.load(store.records, surroundings);
    undo.add(() => floor.stop());
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
    undo.add(() => cql.stop());
    const nosql = await startNosql(
      throughput.parts,
      { settings: {}, keys: {}, entra: undefined, ...options.nosql },
      { ...shared, host, indexDirectory: await indexDirectoryOf(options) },
    );
    undo.add(() => nosql.stop());
    const purging = startPurging(
      throughput.parts,
      [cql.purgeOf, nosql.purgeOf],
      { ...defaultPurgeOptions, ...options.purge },
      surroundings,
    );
    undo.add(() => purging.stop());
    const admin = new AdminServer(
      { store, throughput: throughput.parts, cqlPort: cql.port, tables: [cql.tables, nosql.containers] },
      new AdminAccess(adminKeys(nosql.keys), nosql.isOnlyLoopback),
      log,
    );
    const frontDoor = new HttpFrontDoor(
      dispatchHttp({ admin: admin.answer, nosql: nosql.answer, certificate: certificate.pem }),
      certificate.secureContext,
      systemScheduler,
    );
    const boundPort = await frontDoor.listen(host, port);
    undo.add(() => frontDoor.stop());
    let stopping: Promise<void> | undefined;
    return {
      port: boundPort,
      cqlPort: cql.port,
      keys: nosql.keys,
      store,
      stop: () => {
        stopping ??= undo.run();
        return stopping;
      },
    };
  } catch (error) {
    await undo.run();
    throw error;
  }
}

async function indexDirectoryOf({
  dataDir,
  nodeDirs = [],
  forceRecover,
}: RingfoldOptions): Promise<IndexDirectory> {
  // They may be given in another order the next time.
  const directory = nodeDirs.toSorted()[0] ?? dataDir;
  if (directory === undefined) return new MemoryIndexDirectory();
  const kept = new LevelIndexDirectory(directory);
  // It may know of writes that are given up now, and whose places in the history others take.
  if (forceRecover === true) await kept.destroy();
  return kept;
}

function adminKeys(keys: AccountKeys): AdminKeys {
  const { primary, secondary, primaryReadonly, secondaryReadonly } = keys;
  return { full: [primary, secondary], readonly: [primaryReadonly, secondaryReadonly] };
}
