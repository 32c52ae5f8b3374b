// A store in memory with containers of items, for the tests of feeds beside it.

import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import { assert } from '../../../foundation/assert.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import { systemClock } from '../../../foundation/clock.ts';
import { silentLog } from '../../../foundation/log.ts';
import { SeededRandom } from '../../../foundation/random.ts';
import { systemScheduler } from '../../../foundation/scheduler.ts';
import { LogicalPartition } from '../../../partitioning/logical-partition.ts';
import { jsonPartitionKey, partitionKeyDefinition } from '../../../partitioning/partition-key.ts';
import type { PartitionMap } from '../../../partitioning/partition-map.ts';
import type { NodeId } from '../../../partitioning/replica-set.ts';
import { ReplicatedPartitionStore } from '../../../replication/replicated-partition-store.ts';
import { defaultStoreSettings } from '../../../replication/store-settings.ts';
import { MemoryNode } from '../../../storage/memory/memory-node.ts';
import { basicOperationKinds } from '../../../storage/operation-kinds.ts';
import type { OperationKind, Outcome } from '../../../storage/partition-store.ts';
import { encodeStoredItem } from '../../../values/stored-item.ts';
import { itemKey } from '../item-keys.ts';
import { sampleContainer } from '../items/item-rows.samples.ts';

const definition = partitionKeyDefinition('v2', ['/pk']);

interface PutBody {
  readonly key: ByteString;
  readonly rid: number;
  readonly isRemoval: boolean;
}

const putItem: OperationKind = (body, _rows, lsn) => {
  const { key, rid, isRemoval } = body as PutBody;
  const payload = Buffer.from(`{"rid":${rid}}`);
  const item = {
    kind: 'json-item',
    timestamp: lsn * 1_000_000,
    ttlSeconds: undefined,
    rid,
    lsn,
    payload,
  } as const;
  return { kind: 'write', writes: [{ key, value: isRemoval ? null : encodeStoredItem(item) }] };
};

export interface SampleItem {
  readonly pk: string;
  readonly rid: number;
}

export class FeedStore {
  readonly store: ReplicatedPartitionStore;

  private constructor(store: ReplicatedPartitionStore) {
    this.store = store;
  }

  static async open(): Promise<FeedStore> {
    const store = await ReplicatedPartitionStore.open({
      nodes: [0, 1, 2, 3].map((nodeId) => new MemoryNode(nodeId as NodeId)),
      clock: systemClock,
      scheduler: systemScheduler,
      random: new SeededRandom(1),
      log: silentLog,
      operationKinds: new Map([...basicOperationKinds, ['put-item', putItem]]),
      settings: { ...defaultStoreSettings, scrubIntervalMs: 0 },
      rebuild: [],
      forceRecover: false,
    });
    return new FeedStore(store);
  }

  async container(): Promise<FeedItems> {
    const map = await this.store.createContainer([], definition, () => []);
    return new FeedItems(this.store, map.container);
  }

  stop(): Promise<void> {
    return this.store.stop();
  }
}

export class FeedItems {
  readonly store: ReplicatedPartitionStore;
  readonly container: ContainerDefinition;

  constructor(store: ReplicatedPartitionStore, container: number) {
    this.store = store;
    this.container = sampleContainer({ container, partitionKey: definition });
  }

  get map(): PartitionMap {
    const map = this.store.mapOf(this.container.container);
    assert(map !== undefined, 'the sample is there');
    return map;
  }

  logicalPartition(pk: string): LogicalPartition {
    return new LogicalPartition(this.container.container, jsonPartitionKey(definition, [pk]));
  }

  async put(items: readonly SampleItem[]): Promise<void> {
    await Promise.all(items.map((item) => this.#transact(item, false)));
  }

  async remove(items: readonly SampleItem[]): Promise<void> {
    await Promise.all(items.map((item) => this.#transact(item, true)));
  }

  async split(): Promise<void> {
    const [first] = this.map.partitions;
    assert(first !== undefined, 'there is a partition');
    await this.store.splitPartition(this.container.container, first.id, 'midpoint');
  }

  async merge(): Promise<void> {
    const [left, right] = this.map.partitions;
    if (left === undefined || right === undefined) return;
    await this.store.mergePartitions(this.container.container, left.id, right.id);
  }

  async #transact({ pk, rid }: SampleItem, isRemoval: boolean): Promise<void> {
    const logicalPartition = this.logicalPartition(pk);
    const { container } = this.container;
    const physicalPartition = this.map.ownerOf(logicalPartition.ringPosition).id;
    const body: PutBody = { key: itemKey(logicalPartition, String(rid)), rid, isRemoval };
    const reads = { keys: [], ranges: [] };
    const outcome = await new Promise<Outcome>((done) =>
      this.store.transact(
        { container, physicalPartition },
        logicalPartition,
        { kind: 'put-item', body, reads },
        done,
      ),
    );
    assert(outcome.kind === 'committed', 'a sample is written');
  }
}
