import type { Log } from '../../src/foundation/log.ts';
import { integerBetween, type Random, SeededRandom } from '../../src/foundation/random.ts';
import { type NodeId, quorumOf } from '../../src/partitioning/replica-set.ts';
import { systemContainer } from '../../src/replication/partition-maps.ts';
import { ReplicatedPartitionStore } from '../../src/replication/replicated-partition-store.ts';
import type { PlantedFault, StoreSettings } from '../../src/replication/store-settings.ts';
import type { Disk } from '../../src/storage/disk.ts';
import { basicOperationKinds } from '../../src/storage/operation-kinds.ts';
import type { PartitionStore } from '../../src/storage/partition-store.ts';
import { PartitionStoreContract } from '../../src/storage/partition-store-contract.ts';
import { type GroupMember, MergeGroups } from '../../src/storage/runs/merge-groups.ts';
import { mergeTogether } from '../../src/storage/runs/merge-runs.ts';
import type { RunEngineOptions } from '../../src/storage/runs/run-engine.ts';
import { History } from './history.ts';
import type { CrashKind } from './simulated-disk.ts';
import { type RowStoreOptions, SimulatedNode } from './simulated-node.ts';
import { SimulatedProcess } from './simulated-process.ts';
import { runOptionsOf } from './simulated-runs.ts';
import { SimulatedTime } from './simulated-time.ts';
import { Violation } from './violation.ts';

const selfInflicted = /gap in log|invariant broken|is not a function|undefined \(reading/;

/** One life of the store: a process, and what it serves once it has recovered. */
export interface StoreLife {
  readonly process: SimulatedProcess;
  readonly store: ReplicatedPartitionStore;
  /** The same store, with its promises asserted. */
  readonly contract: PartitionStore;
}

export interface ClusterOptions {
  readonly seed: number;
  readonly plantedFault: PlantedFault | undefined;
  readonly keepsHistory: boolean;
}

/** The hardware of one cluster, and the process on it: started, killed and started again. */
export class SimulatedCluster {
  readonly time: SimulatedTime = new SimulatedTime();
  readonly random: Random;
  readonly history: History;
  readonly nodes: readonly SimulatedNode[];
  readonly #settings: StoreSettings;
  readonly #onViolation: (violation: unknown) => void;
  /** Some row of a row store has been damaged, or will be. */
  rowsMayDiffer = false;
  readonly #sharesMerges: boolean;
  #process: SimulatedProcess;
  #life: StoreLife | undefined;
  #lives = 0;

  constructor(options: ClusterOptions, onViolation: (violation: unknown) => void) {
    const { seed, plantedFault, keepsHistory } = options;
    this.random = new SeededRandom(seed);
    this.history = new History(this.time, keepsHistory);
    this.#onViolation = onViolation;
    const writeBufferBytes = integerBetween(this.random, 300, 1_500);
    const rowStores = new RowStores(seed, writeBufferBytes);
    this.#sharesMerges = rowStores.shareMerges;
    this.#settings = settingsOf(this.random, plantedFault);
    const nodeCount = this.random.next() < 0.5 ? 4 : integerBetween(this.random, 5, 6);
    this.nodes = Array.from({ length: nodeCount }, (_, index) => {
      const nodeSeed = integerBetween(this.random, 0, 2 ** 31);
      return new SimulatedNode(index as NodeId, this.time, nodeSeed, rowStores.next());
    });
    this.#process = new SimulatedProcess(this.time);
  }

  /** Undefined while no store is open. */
  get life(): StoreLife | undefined {
    return this.#life;
  }

  get lives(): number {
    return this.#lives;
  }

  /** Opens the store in a new process. `opened` is told, unless the process dies before. */
  start(
    rebuild: readonly NodeId[],
    opened: (life: StoreLife) => void,
    refused: (error: unknown) => void,
  ): void {
    const process = new SimulatedProcess(this.time);
    this.#process = process;
    this.#lives++;
    const merges = this.#sharesMerges ? new MergeGroups<Disk>(mergeMembers, process) : undefined;
    this.history.add('fault', `start${rebuild.length > 0 ? `, rebuilding ${rebuild}` : ''}`);
    ReplicatedPartitionStore.open({
      nodes: this.nodes.map((node) => node.partsFor(process, merges)),
      clock: this.time,
      scheduler: process,
      random: new SeededRandom(integerBetween(this.random, 0, 2 ** 31)),
      log: this.#logOf(process),
      operationKinds: basicOperationKinds,
      settings: this.#settings,
      rebuild,
      forceRecover: false,
    }).then(
      (store) => {
        const fail = (promise: string): void => {
          if (process.isAlive) this.#onViolation(new Violation('the store keeps its contract', promise));
        };
        const life = { process, store, contract: new PartitionStoreContract(store, fail) };
        this.#life = life;
        this.history.add('fault', 'open');
        opened(life);
      },
      (error) => {
        this.history.add('fault', `open refused: ${describe(error)}`);
        refused(error);
      },
    );
  }

  /** A favoured node keeps everything it was told, synced or not, and the others only what was synced. */
  crash(kind: CrashKind, favoured: SimulatedNode | 'chance' | 'none'): void {
    this.history.add('fault', kind);
    this.#process.kill();
    this.#life = undefined;
    for (const node of this.nodes) {
      if (favoured === 'chance' || favoured === 'none') node.crash(kind, favoured);
      else node.crash(kind, node === favoured ? 'all' : 'none');
    }
  }

  /** The store is asked to stop, and then the power is cut: a stop in order leaves nothing to lose. Says what was left open. */
  async stop(life: StoreLife): Promise<readonly SimulatedNode[]> {
    this.#life = undefined;
    this.history.add('fault', 'stop');
    await life.store.stop();
    this.history.add('fault', 'stopped');
    life.process.kill();
    const leftOpen = this.nodes.filter((node) => node.rows.isOpen);
    for (const node of this.nodes) node.crash('power-cut', 'chance');
    return leftOpen;
  }

  #logOf(process: SimulatedProcess): Log {
    const add = (event: string, fields: Readonly<Record<string, unknown>> = {}): void => {
      if (!process.isAlive) return;
      const line = `${event} ${JSON.stringify(fields)}`;
      this.history.add('store', line);
      // No fault of a disk passes a frame's checksum and does this: the store did it to itself.
      if (event === 'scrub found differences' && !this.rowsMayDiffer) {
        this.#onViolation(new Violation('replicas differ only where a row was damaged', line));
      }
      if (selfInflicted.test(line)) this.#onViolation(new Violation('a store never damages itself', line));
    };
    return { info: add, warn: add };
  }
}

/** Of the nodes of a quarter of all clusters none has runs, of another quarter all have; in the others each is as chance has it. */
class RowStores {
  readonly #random: Random;
  readonly #writeBufferBytes: number;
  readonly #options: RunEngineOptions;
  readonly #share: number;
  readonly shareMerges: boolean;

  /** Chance of its own: what else happens does not depend on what keeps the rows. */
  constructor(seed: number, writeBufferBytes: number) {
    this.#random = new SeededRandom(seed + 0x52_55_4e_53);
    this.#writeBufferBytes = writeBufferBytes;
    this.#options = runOptionsOf(this.#random);
    this.#share = [0, 0.5, 0.5, 1][integerBetween(this.#random, 0, 3)] as number;
    this.shareMerges = this.#random.next() < 0.7;
  }

  next(): RowStoreOptions {
    return this.#random.next() < this.#share
      ? { kind: 'runs', options: this.#options }
      : { kind: 'leveldb', writeBufferBytes: this.#writeBufferBytes };
  }
}

function mergeMembers(members: readonly GroupMember<Disk>[]): Promise<void> {
  return mergeTogether(
    members.map(({ place, job, cancel, settle }) => ({ disk: place, job, cancel, settle })),
  );
}

/** Whether some node that can be read must know the newest maps. Else an old one may lead to replicas that are members no more. */
export function hasNewestMaps({ store }: StoreLife): boolean {
  const system = store.status().partitions.find(({ container }) => container === systemContainer);
  if (system === undefined) return false;
  const { state, members, levelReplicas } = system;
  return state === 'serving' || levelReplicas > members.length - quorumOf(members.length);
}

export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error
    ? `${String(error.code)} ${'details' in error ? JSON.stringify(error.details) : ''}`
    : error.message;
}

/** Small, so that segments rotate, logs are trimmed and nodes fall behind within seconds of simulated time. */
function settingsOf(random: Random, plantedFault: PlantedFault | undefined): StoreSettings {
  const between = (low: number, high: number): number => integerBetween(random, low, high);
  return {
    segmentBytes: between(4_000, 12_000),
    logRetentionBytes: between(2_000, 40_000),
    memtableBytes: between(300, 3_000),
    applyIntervalMs: between(5, 50),
    cacheBytes: between(4_096, 16_384),
    nodeQueueBytes: between(1_000, 8_000),
    hungNodeMs: between(30, 200),
    openNodeMs: between(200, 500),
    reopenIntervalMs: between(20, 100),
    checkIntervalMs: between(20, 100),
    scrubIntervalMs: random.next() < 0.5 ? 0 : between(100, 1_000),
    reserveFreeBytes: between(500, 2_000),
    maxInFlightBytes: between(2_000, 100_000),
    maxTransactionBytes: 4_000,
    plantedFault,
  };
}
