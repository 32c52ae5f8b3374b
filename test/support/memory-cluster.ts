// A store over test nodes, with short ways to say what a test does to it. Used by the tests beside it and by nothing else.

import assert from 'node:assert/strict';
import { type ByteString, concatBytes, endOfPrefix } from '../../src/foundation/byte-string.ts';
import { systemClock } from '../../src/foundation/clock.ts';
import { type Log, silentLog } from '../../src/foundation/log.ts';
import { SeededRandom } from '../../src/foundation/random.ts';
import { systemScheduler } from '../../src/foundation/scheduler.ts';
import { LogicalPartition } from '../../src/partitioning/logical-partition.ts';
import { partitionKeyDefinition } from '../../src/partitioning/partition-key.ts';
import type { PartitionMap } from '../../src/partitioning/partition-map.ts';
import type { NodeId } from '../../src/partitioning/replica-set.ts';
import { cqlRingPosition } from '../../src/partitioning/ring-position.ts';
import { ReplicatedPartitionStore } from '../../src/replication/replicated-partition-store.ts';
import { defaultStoreSettings, type StoreSettings } from '../../src/replication/store-settings.ts';
import type { PartitionStatus } from '../../src/replication/store-status.ts';
import { basicOperationKinds, putRows } from '../../src/storage/operation-kinds.ts';
import type {
  OperationKind,
  Outcome,
  PartitionAddress,
  ReadOutcome,
} from '../../src/storage/partition-store.ts';
import { type TestNode, testNodes } from './breakable-node.ts';

interface TestClusterOptions {
  readonly nodes?: readonly TestNode[];
  readonly settings?: Partial<StoreSettings>;
  readonly rebuild?: readonly number[];
  readonly forceRecover?: boolean;
  readonly log?: Log;
  /** Besides the basic ones. */
  readonly operationKinds?: ReadonlyMap<string, OperationKind>;
  /** Chance gives a new cluster its id. */
  readonly seed?: number;
}

const quickSettings: StoreSettings = {
  ...defaultStoreSettings,
  segmentBytes: 3_000,
  memtableBytes: 2_000,
  applyIntervalMs: 2,
  cacheBytes: 2 ** 20,
  hungNodeMs: 60,
  openNodeMs: 60,
  reopenIntervalMs: 5,
  checkIntervalMs: 5,
  scrubIntervalMs: 0,
  reserveFreeBytes: 0,
};

export class TestCluster {
  readonly nodes: readonly TestNode[];
  readonly store: ReplicatedPartitionStore;
  readonly container: number;

  private constructor(nodes: readonly TestNode[], store: ReplicatedPartitionStore, container: number) {
    this.nodes = nodes;
    this.store = store;
    this.container = container;
  }

  /** Opens a store over the nodes, and makes a container of one partition when there is none. */
  static async open(options: TestClusterOptions = {}): Promise<TestCluster> {
    const nodes = options.nodes ?? testNodes(4);
    const store = await ReplicatedPartitionStore.open({
      nodes,
      clock: systemClock,
      scheduler: systemScheduler,
      random: new SeededRandom(options.seed ?? 7),
      log: options.log ?? silentLog,
      operationKinds: new Map([...basicOperationKinds, ...(options.operationKinds ?? [])]),
      settings: { ...quickSettings, ...options.settings },
      rebuild: (options.rebuild ?? []) as readonly NodeId[],
      forceRecover: options.forceRecover ?? false,
    });
    const [known] = store.containers();
    if (known !== undefined) return new TestCluster(nodes, store, known);
    const { container } = await store.createContainer([], partitionKeyDefinition('cql', ['key']));
    return new TestCluster(nodes, store, container);
  }

  /** Runs the test with a cluster, and leaves nothing behind. */
  static async use<Result>(
    options: TestClusterOptions,
    test: (cluster: TestCluster) => Promise<Result>,
  ): Promise<Result> {
    const cluster = await TestCluster.open(options);
    let result: Result;
    try {
      result = await test(cluster);
    } finally {
      for (const node of cluster.nodes) node.mood = 'well';
      await cluster.store.stop();
    }
    const engines = cluster.nodes.map(({ mostOpenEngines, openEngines }) => [
      mostOpenEngines <= 1,
      openEngines,
    ]);
    assert.deepEqual(
      engines,
      cluster.nodes.map(() => [true, 0]),
      'no row store is opened twice, and all are closed in the end',
    );
    return result;
  }

  node(nodeId: number): TestNode {
    const node = this.nodes[nodeId];
    assert(node !== undefined);
    return node;
  }

  get map(): PartitionMap {
    const map = this.store.mapOf(this.container);
    assert(map !== undefined);
    return map;
  }

  /** The nodes as a crash at this moment would leave them. */
  copyNodes(): Promise<TestNode[]> {
    return Promise.all(this.nodes.map((node) => node.copy()));
  }

  /** The nodes as a crash would leave them at some moments of a change, its end included. */
  async imagesDuring(change: Promise<unknown>): Promise<TestNode[][]> {
    const images: Promise<TestNode[]>[] = [];
    let isOver = false;
    const watching = change.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      images.push(this.copyNodes());
      // Between two turns there may be many steps: look at some of them too.
      for (let step = 0; step < images.length % 7; step++) await Promise.resolve();
      images.push(this.copyNodes());
      await aTurn();
    }
    await watching;
    images.push(this.copyNodes());
    const all = await Promise.all(images);
    const stride = Math.ceil(all.length / 14);
    return all.filter((_, index) => index % stride === 0 || index === all.length - 1);
  }

  logicalPartition(name: string): LogicalPartition {
    const ringPosition = cqlRingPosition(Buffer.from(name, 'latin1'));
    return new LogicalPartition(this.container, { ringPosition, bytes: name as ByteString });
  }

  /** Each name is a logical partition with one row. */
  keyOf(name: string): ByteString {
    return concatBytes(this.logicalPartition(name).prefix, 'row' as ByteString);
  }

  addressOf(name: string): PartitionAddress {
    const { id } = this.map.ownerOf(this.logicalPartition(name).ringPosition);
    return { container: this.container, physicalPartition: id };
  }

  put(name: string, value: string | null): Promise<Outcome> {
    const write = { key: this.keyOf(name), value: value === null ? null : Buffer.from(value) };
    return new Promise((resolve) => {
      this.store.transact(this.addressOf(name), this.logicalPartition(name), putRows([write]), resolve);
    });
  }

  /** Committed, or the test fails. */
  async write(name: string, value: string | null): Promise<void> {
    const outcome = await this.put(name, value);
    assert.equal(outcome.kind, 'committed', JSON.stringify(outcome));
  }

  async writeAll(names: readonly string[], value = 'value'): Promise<void> {
    await Promise.all(names.map((name) => this.write(name, `${value} of ${name}`)));
  }

  readOutcome(name: string): Promise<ReadOutcome> {
    return this.store.read(this.addressOf(name), this.keyOf(name));
  }

  async read(name: string): Promise<string | null> {
    const outcome = await this.readOutcome(name);
    assert(outcome.kind === 'read', JSON.stringify(outcome));
    return outcome.value?.toString() ?? null;
  }

  /** The row as one node's row store has it, whatever the store says. */
  storedOn(nodeId: number, name: string): Promise<Buffer | undefined> {
    return this.node(nodeId).rows.get(this.keyOf(name));
  }

  /** In the row stores themselves: a scrub passes over a replica that has only just joined. */
  async assertStoredAlike(names: readonly string[]): Promise<void> {
    await this.store.whenQuiet();
    for (const name of names) {
      const { members } = this.statusOf(name);
      const stored = await Promise.all(members.map((member) => this.storedOn(member, name)));
      const versions = new Set(stored.map((row) => row?.toString('hex')));
      assert.equal(versions.size, 1, `${name} on nodes ${members}`);
    }
  }

  /** How many rows of the container one node's row store has. */
  async rowsOn(nodeId: number): Promise<number> {
    const prefix = this.keyOf('any').slice(0, 4) as ByteString;
    const range = { from: prefix, to: endOfPrefix(prefix) as ByteString };
    return (
      await this.node(nodeId)
        .rows.iterate(range)
        .next(10 ** 6, 10 ** 9)
    ).length;
  }

  /** The status of the container's partition that holds the name. */
  statusOf(name: string): PartitionStatus {
    const { physicalPartition } = this.addressOf(name);
    const found = this.store
      .status()
      .partitions.find((each) => each.container === this.container && each.id === physicalPartition);
    assert(found !== undefined);
    return found;
  }

  stateOf(nodeId: number): string | undefined {
    return this.store.status().nodes.find((node) => node.nodeId === nodeId)?.state;
  }

  /** Fails its next write, so that it goes down, and leaves it so. */
  async takeDown(nodeId: number): Promise<void> {
    this.node(nodeId).mood = 'failing';
    await this.until(() => this.stateOf(nodeId) === 'down');
  }

  /** Makes it well again, and waits until it has all that the others have. */
  async bringBack(nodeId: number): Promise<void> {
    this.node(nodeId).mood = 'well';
    await this.store.whenQuiet();
  }

  /** Waits as long as a busy machine may take. */
  async until(isSo: () => boolean | Promise<boolean>, limitMs = 20_000): Promise<void> {
    const endMs = performance.now() + limitMs;
    while (!(await isSo())) {
      assert(performance.now() < endMs, 'it takes too long');
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
}

/** Lets timers run: over these disks everything else is microtasks. */
export function aTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export function names(count: number, prefix = 'name'): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix} ${index}`);
}
