// A store in memory with a container of items and an index over it, for the tests beside it.

import { memoryNodes, openItemStore } from '../../../../test/support/item-store.ts';
import type { ContainerDefinition, IndexingPolicy } from '../../../catalog/nosql/nosql-definitions.ts';
import { assert } from '../../../foundation/assert.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import { type Log, silentLog } from '../../../foundation/log.ts';
import { systemScheduler } from '../../../foundation/scheduler.ts';
import { keyRangeOf } from '../../../partitioning/logical-partition.ts';
import type { PartitionMap } from '../../../partitioning/partition-map.ts';
import type { ReplicatedPartitionStore } from '../../../replication/replicated-partition-store.ts';
import type { IndexDirectory } from '../../../storage/index-directory.ts';
import type { Operation, Outcome, PartitionAddress } from '../../../storage/partition-store.ts';
import type { StorageEngine } from '../../../storage/storage-engine.ts';
import { decodeStoredItem, writeSecondOf } from '../../../values/stored-item.ts';
import { itemKey, storedKindOf } from '../item-keys.ts';
import { keysOfSteps } from '../items/apply-items.ts';
import { draftItem } from '../items/item-draft.ts';
import { itemsOperation, removalOperation } from '../items/item-operation-kinds.ts';
import { logicalPartitionOf } from '../items/item-partition-key.ts';
import { sampleContainer } from '../items/item-rows.samples.ts';
import type { ItemStep } from '../items/item-step.ts';
import type { IndexEntry, IndexedOrder, ReadyIndex } from './item-index.ts';
import { indexedValuesAt } from './item-terms.ts';
import { StoredItemIndex } from './stored-item-index.ts';

export type SampleJson = Readonly<Record<string, unknown>>;

/** As much of an entry as can be told from the rows alone. */
export interface ExpectedEntry {
  readonly value: ByteString;
  readonly rid: number;
  readonly key: ByteString;
}

export interface IndexStoreOptions {
  readonly directory: IndexDirectory;
  readonly log?: Log;
  readonly maxPendingBytes?: number;
  /** In memory unless told. */
  readonly openStore?: () => Promise<ReplicatedPartitionStore>;
  /** Above whatever was written before. */
  readonly firstRid?: number;
}

export class IndexStore {
  readonly #nodes = memoryNodes();
  readonly #options: IndexStoreOptions;
  #store: ReplicatedPartitionStore | undefined;
  #index: StoredItemIndex | undefined;
  container: ContainerDefinition = sampleContainer();
  isDropped = false;
  /** What the index waits for between reading rows and getting them. */
  whenScanned: () => Promise<void> = async () => {};
  #rid: number;
  #timestamp: number;

  constructor(options: IndexStoreOptions) {
    this.#options = options;
    this.#rid = options.firstRid ?? 0;
    this.#timestamp = 1_700_000_000_000_000 + this.#rid;
  }

  get store(): ReplicatedPartitionStore {
    assert(this.#store !== undefined, 'the store is open');
    return this.#store;
  }

  get index(): StoredItemIndex {
    assert(this.#index !== undefined, 'the index is open');
    return this.#index;
  }

  get map(): PartitionMap {
    const map = this.store.mapOf(this.container.container);
    assert(map !== undefined, 'the container is there');
    return map;
  }

  async open(own: Partial<ContainerDefinition> = {}): Promise<void> {
    this.#store = await (this.#options.openStore ?? (() => openItemStore(this.#nodes)))();
    const [known] = this.store.containers();
    const { partitionKey } = this.container;
    const container = known ?? (await this.store.createContainer([], partitionKey, () => [])).container;
    this.container = { ...this.container, ...own, container };
    await this.openIndex();
  }

  async openIndex(): Promise<void> {
    this.#index = await StoredItemIndex.open({
      store: {
        mapOf: (container) => this.store.mapOf(container),
        committedLsn: (address) => this.store.committedLsn(address),
        watchCommits: (watcher) => this.store.watchCommits(watcher),
        status: () => this.store.status(),
        scan: async (address, scan) => {
          const outcome = await this.store.scan(address, scan);
          await this.whenScanned();
          return outcome;
        },
      },
      catalog: {
        containerOf: (number) =>
          number === this.container.container && !this.isDropped ? this.container : undefined,
        databases: () => [{ containers: new Map([['c', this.container]]) } as never],
      },
      directory: this.#options.directory,
      scheduler: systemScheduler,
      log: this.#options.log ?? silentLog,
      maxPendingBytes: this.#options.maxPendingBytes ?? 2 ** 20,
    });
  }

  async stop(): Promise<void> {
    await this.index.stop();
    await this.store.stop();
  }

  setPolicy(policy: Partial<IndexingPolicy>): void {
    const indexingPolicy = { ...this.container.indexingPolicy, ...policy };
    this.container = { ...this.container, indexingPolicy };
  }

  /** Several in one transaction, all with the partition key. */
  put(pk: string, items: readonly SampleJson[]): Promise<boolean> {
    const steps = items.map((item): ItemStep => {
      const draft = draftItem(this.container, Buffer.from(JSON.stringify({ ...item, pk })));
      return { kind: 'upsert', draft, rid: ++this.#rid, ifMatch: undefined };
    });
    return this.#run(pk, steps);
  }

  create(pk: string, item: SampleJson): Promise<boolean> {
    const draft = draftItem(this.container, Buffer.from(JSON.stringify({ ...item, pk })));
    return this.#run(pk, [{ kind: 'create', draft, rid: ++this.#rid }]);
  }

  delete(pk: string, id: string): Promise<boolean> {
    return this.#run(pk, [{ kind: 'delete', id, ifMatch: undefined }]);
  }

  /** As the background does with what was deleted by its partition key, or is too old. */
  remove(pk: string, ids: readonly string[]): Promise<boolean> {
    const logicalPartition = logicalPartitionOf(this.container, [pk]);
    return this.#transact(
      pk,
      removalOperation({
        container: this.container,
        prefix: logicalPartition.prefix,
        keys: new Set(ids.map((id) => itemKey(logicalPartition, id))),
        timestamp: ++this.#timestamp,
        visibility: { nowSeconds: 0, defaultTtlSeconds: undefined, deletedThrough: this.#timestamp },
      }),
    );
  }

  #run(pk: string, steps: readonly ItemStep[]): Promise<boolean> {
    const { prefix } = logicalPartitionOf(this.container, [pk]);
    // Each step has one of its own.
    const timestamp = this.#timestamp + 1;
    this.#timestamp += steps.length;
    return this.#transact(
      pk,
      itemsOperation({
        container: this.container,
        prefix,
        partitionKey: [pk],
        steps,
        timestamp,
        visibility: { nowSeconds: 0, defaultTtlSeconds: undefined, deletedThrough: 0 },
        keys: keysOfSteps({ prefix }, steps),
      }),
    );
  }

  async #transact(pk: string, operation: Operation): Promise<boolean> {
    const logicalPartition = logicalPartitionOf(this.container, [pk]);
    for (;;) {
      const address = this.#address(this.map.ownerOf(logicalPartition.ringPosition).id);
      const outcome = await new Promise<Outcome>((done) =>
        this.store.transact(address, logicalPartition, operation, done),
      );
      if (outcome.kind === 'committed') return true;
      assert(outcome.kind === 'moved', `a sample is written: ${JSON.stringify(outcome)}`);
    }
  }

  async split(at: number): Promise<void> {
    const partition = this.map.partitions[at % this.map.partitions.length];
    assert(partition !== undefined, 'there is a partition');
    await this.store.splitPartition(this.container.container, partition.id, 'midpoint');
  }

  async merge(at: number): Promise<void> {
    const [left, right] = this.map.partitions.slice(at % this.map.partitions.length);
    if (left === undefined || right === undefined) return;
    await this.store.mergePartitions(this.container.container, left.id, right.id);
  }

  /** The index of a partition; undefined while it is built. */
  async ready(id: number): Promise<ReadyIndex | undefined> {
    const readiness = await this.index.ready(this.#address(id));
    return readiness.kind === 'ready' ? readiness.index : undefined;
  }

  async untilBuilt(): Promise<void> {
    for (let looks = 0; this.index.progressOf(this.container.container) < 100; looks++) {
      assert(looks < 5_000, 'the index is built in time');
      await new Promise((resolve) => systemScheduler.after(1, () => resolve(undefined)));
    }
  }

  /** What the rows say. */
  async expected(id: number, order: IndexedOrder): Promise<readonly ExpectedEntry[]> {
    const { container } = this.container;
    const keys = keyRangeOf(container, this.map.partition(id).range);
    const scan = { ...keys, maxRows: 100_000, maxBytes: 2 ** 30, reverse: false };
    const outcome = await this.store.scan(this.#address(id), scan);
    assert(outcome.kind === 'read', 'the rows can be read');
    const entries: ExpectedEntry[] = [];
    for (const { key, value } of outcome.page.rows) {
      if (storedKindOf(key, this.container) !== 'item') continue;
      const stored = decodeStoredItem(value);
      const item = { ...JSON.parse(stored.payload.toString()), _ts: writeSecondOf(stored) };
      for (const one of indexedValuesAt(item, order)) entries.push({ value: one, rid: stored.rid ?? 0, key });
    }
    return entries.sort((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : a.rid - b.rid));
  }

  /** What the index says, page by page. */
  async walked(
    index: ReadyIndex,
    order: IndexedOrder,
    maxEntries: number,
    range: { readonly from?: ByteString; readonly to?: ByteString; readonly reverse?: boolean } = {},
  ): Promise<readonly IndexEntry[] | undefined> {
    const entries: IndexEntry[] = [];
    const { from, to, reverse = false } = range;
    for (let after: { value: ByteString; rid: number } | undefined; ; ) {
      const page = await index.walk({ order, from, to, reverse, after, maxEntries, maxBytes: 2 ** 20 });
      if (page === undefined) return undefined;
      entries.push(...page.entries);
      if (page.next === undefined) return entries;
      after = page.next;
    }
  }

  #address(physicalPartition: number): PartitionAddress {
    return { container: this.container.container, physicalPartition };
  }
}

/** Stays as it was when it is opened again, as a directory does. */
export class KeptDirectory implements IndexDirectory {
  readonly #make: () => StorageEngine;
  #destroyed = 0;

  constructor(make: () => StorageEngine) {
    this.#make = make;
  }

  get destroyed(): number {
    return this.#destroyed;
  }

  onDestroy: () => void = () => {};

  async open(): Promise<StorageEngine> {
    return this.#make();
  }

  async destroy(): Promise<void> {
    this.#destroyed++;
    this.onDestroy();
  }
}
