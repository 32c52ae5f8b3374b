import { join } from 'node:path';
import { systemClock } from '../../src/foundation/clock.ts';
import { type Log, silentLog } from '../../src/foundation/log.ts';
import { SeededRandom } from '../../src/foundation/random.ts';
import type { NodeId } from '../../src/partitioning/replica-set.ts';
import { ReplicatedPartitionStore } from '../../src/replication/replicated-partition-store.ts';
import { defaultStoreSettings } from '../../src/replication/store-settings.ts';
import { basicOperationKinds } from '../../src/storage/operation-kinds.ts';
import type { JournalInMemory } from './crash-journal.ts';
import { CrashLoad } from './crash-load.ts';
import { crashSettings } from './crash-server.ts';
import { type Freezer, FrozenNode } from './frozen-node.ts';

const nodeCount = 5;
const nodesOf = new WeakMap<Freezer, readonly FrozenNode[]>();

interface LifePlan {
  readonly dataDir: string;
  readonly freezer: Freezer;
  readonly journal: JournalInMemory;
  /** Begins every id. */
  readonly name: string;
  readonly rebuild?: readonly NodeId[];
  readonly log?: Log;
}

/** One life of a store on a data directory, which ends by a stop or at a frozen disk, with clients at hand. */
export class Life {
  readonly store: ReplicatedPartitionStore;
  readonly load: CrashLoad;
  readonly freezer: Freezer;

  private constructor(store: ReplicatedPartitionStore, load: CrashLoad, freezer: Freezer) {
    this.store = store;
    this.load = load;
    this.freezer = freezer;
    this.stop = this.stop.bind(this);
  }

  static async open(plan: LifePlan): Promise<Life> {
    const { freezer } = plan;
    const nodes = Array.from(
      { length: nodeCount },
      (_, nodeId) => new FrozenNode(nodeId as NodeId, join(plan.dataDir, `node-${nodeId}`), freezer),
    );
    nodesOf.set(freezer, nodes);
    const random = new SeededRandom(11);
    const store = await ReplicatedPartitionStore.open({
      nodes,
      clock: systemClock,
      scheduler: freezer.scheduler,
      random,
      log: plan.log ?? silentLog,
      operationKinds: basicOperationKinds,
      settings: { ...defaultStoreSettings, ...crashSettings, scrubIntervalMs: 0 },
      rebuild: plan.rebuild ?? [],
      forceRecover: false,
    });
    return new Life(store, await CrashLoad.begin(store, plan.journal, random, plan.name), freezer);
  }

  async stop(): Promise<void> {
    await this.store.stop();
  }

  /** Stops it unless it was killed, and lets go of the directory. */
  async end(): Promise<void> {
    this.freezer.disarm();
    this.load.end();
    if (!this.freezer.isFrozen) await this.stop();
    await Life.release(this.freezer);
  }

  /** Closes what the death of the process would have closed, whether or not the store was ever open. */
  static async release(freezer: Freezer): Promise<void> {
    await freezer.settled();
    await Promise.all((nodesOf.get(freezer) ?? []).map((node) => node.release()));
  }
}
