// The index of items: follows what is committed, looks through what it has not seen, and answers. It holds nothing up: whoever writes
// never waits for it, and when it cannot keep up it lets go and looks at the rows later, while queries scan.

import type { NosqlCatalog } from '../../../catalog/nosql/nosql-catalog.ts';
import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import { eachElement, type PathStep } from '../../../catalog/nosql/property-path.ts';
import { BackgroundWork } from '../../../foundation/background-work.ts';
import type { Log } from '../../../foundation/log.ts';
import { Rests } from '../../../foundation/rests.ts';
import { nextTurn, type Scheduler } from '../../../foundation/scheduler.ts';
import type { ReplicatedPartitionStore } from '../../../replication/replicated-partition-store.ts';
import type { IndexDirectory } from '../../../storage/index-directory.ts';
import type { PartitionAddress } from '../../../storage/partition-store.ts';
import { changesIn } from './committed-changes.ts';
import { ContainerIndexes } from './container-indexes.ts';
import { hasIndex } from './covered-orders.ts';
import { IndexCare } from './index-care.ts';
import type { IndexLane } from './index-lane.ts';
import { orderBytesOf } from './index-paths.ts';
import { progressOf } from './index-progress.ts';
import { IndexWriter } from './index-writer.ts';
import type { IndexedOrder, IndexReadiness, ItemIndex, ReadyIndex } from './item-index.ts';
import { notedValues } from './noted-values.ts';
import type { PartitionIndex } from './partition-index.ts';
import { newIndex, type OpenedIndex, openIndex } from './saved-indexes.ts';
import { walkEntries } from './walk-entries.ts';

export interface IndexParts {
  readonly store: Pick<
    ReplicatedPartitionStore,
    'mapOf' | 'committedLsn' | 'scan' | 'watchCommits' | 'status'
  >;
  readonly catalog: Pick<NosqlCatalog, 'containerOf' | 'databases'>;
  readonly directory: IndexDirectory;
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** What is pending may take so many bytes of memory; beyond them, the partition with the most gives its own up. */
  readonly maxPendingBytes?: number;
}

const maxPendingBytes = 32 * 2 ** 20;
/** Commits are taken in this long after the first of them, so that there are many for a batch, or when somebody asks. */
const gatherMs = 50;
const tendMs = 1_000;
const retryMs = 1_000;

export class StoredItemIndex implements ItemIndex {
  readonly #parts: IndexParts;
  readonly #maxPendingBytes: number;
  readonly #clusterId: string;
  readonly #background: BackgroundWork;
  readonly #rests: Rests;
  readonly #containers = new Map<number, ContainerIndexes>();
  readonly #care: IndexCare;
  /** What is written by; undefined while the store of the index is made anew. */
  #writer: IndexWriter | undefined;
  #pendingBytes = 0;
  #isGathering = false;
  #isTakingIn = false;
  #endWatch: () => void = () => {};

  private constructor(parts: IndexParts, opened: OpenedIndex) {
    const { store, catalog, scheduler, log } = parts;
    this.#parts = parts;
    this.#maxPendingBytes = parts.maxPendingBytes ?? maxPendingBytes;
    this.#clusterId = store.status().clusterId;
    this.#background = new BackgroundWork(log);
    this.#rests = new Rests(scheduler);
    this.#care = new IndexCare({
      store,
      catalog,
      rests: this.#rests,
      nextTurn: () => nextTurn(scheduler),
      background: this.#background,
      containers: () => [...this.#containers.values()],
      forget: (container) => this.#containers.delete(container),
      writer: () => this.#writer,
      onFailure: (writer, error) => this.#fail(writer, error),
    });
    this.#begin(opened);
  }

  static async open(parts: IndexParts): Promise<StoredItemIndex> {
    const { clusterId } = parts.store.status();
    const opened = await openIndex(parts.directory, clusterId, (reason) =>
      parts.log.warn('item index is made anew', { reason }),
    );
    return new StoredItemIndex(parts, opened);
  }

  /** In one go with what the store says, so that no commit falls between. */
  #begin({ engine, containers, garbage }: OpenedIndex): void {
    const { store, catalog } = this.#parts;
    this.#writer = new IndexWriter(engine, () => nextTurn(this.#parts.scheduler));
    for (const [number, saved] of containers) {
      const { partitions, segments, lastSegment } = saved;
      this.#containers.set(number, new ContainerIndexes(number, store, partitions, segments, lastSegment));
    }
    for (const { containers: defined } of catalog.databases())
      for (const definition of defined.values()) this.#of(definition.container).settle(definition, true);
    this.#endWatch = store.watchCommits((address, lsn, rows) => this.#onCommit(address, lsn, rows));
    this.#care.clear(garbage);
    this.#tendOften();
  }

  // ── What queries ask ────────────────────────────────────────────────────────────────────────────────────────────

  async ready(address: PartitionAddress): Promise<IndexReadiness> {
    for (;;) {
      const definition = this.#parts.catalog.containerOf(address.container);
      const partition = definition === undefined ? undefined : this.#partition(definition, address);
      if (definition === undefined || partition === undefined) return { kind: 'moved' };
      if (!hasIndex(definition.indexingPolicy)) return { kind: 'none' };
      if (partition.serving === undefined || this.#writer === undefined) return { kind: 'building' };
      if (!partition.hasPending) return { kind: 'ready', index: this.#readyIndex(partition) };
      const taken = partition.whenIndexed();
      this.#takeInNow();
      await taken;
      if (this.#rests.isOver) return { kind: 'building' };
      // What was committed since need not be waited for.
      if (!partition.isGone && partition.serving !== undefined)
        return { kind: 'ready', index: this.#readyIndex(partition) };
    }
  }

  progressOf(container: number): number {
    const definition = this.#parts.catalog.containerOf(container);
    if (definition === undefined || !hasIndex(definition.indexingPolicy)) return 100;
    this.#tend(definition);
    if (this.#writer === undefined) return 0;
    return progressOf(this.#of(container).partitions);
  }

  /** Another lane may take over while a query is under way: what one has taken in, all have. */
  #readyIndex(partition: PartitionIndex): ReadyIndex {
    const lane = (): IndexLane | undefined => (partition.isGone ? undefined : partition.serving);
    const countAt = (path: readonly PathStep[]): number | undefined =>
      lane()?.segment.countOf(orderBytesOf({ kind: 'path', path }));
    return {
      has: (order) => lane()?.has(order) ?? false,
      isEverywhere: (path) => {
        const count = path.includes(eachElement) ? undefined : countAt(path);
        return count !== undefined && count === countAt([]);
      },
      countAt,
      walk: (walk) =>
        this.#asked(lane(), [walk.order], ({ engine }, { segment }) =>
          walkEntries(engine, segment, walk, (itemKey) => partition.isIn(itemKey)),
        ),
      noted: (keys, orders) =>
        this.#asked(lane(), orders, ({ engine }, { segment }) => notedValues(engine, segment, keys, orders)),
    };
  }

  /** Undefined where it cannot answer: it is gone, has no such entries, or its store failed. */
  async #asked<Answer>(
    lane: IndexLane | undefined,
    orders: readonly IndexedOrder[],
    ask: (writer: IndexWriter, lane: IndexLane) => Promise<Answer>,
  ): Promise<Answer | undefined> {
    const writer = this.#writer;
    if (writer === undefined || lane === undefined || !orders.every((order) => lane.has(order)))
      return undefined;
    try {
      return await ask(writer, lane);
    } catch (error) {
      this.#fail(writer, error);
      return undefined;
    }
  }

  // ── Following what is committed ─────────────────────────────────────────────────────────────────────────────────

  #onCommit(address: PartitionAddress, lsn: number, rows: Parameters<typeof changesIn>[2]): void {
    const definition = this.#parts.catalog.containerOf(address.container);
    if (definition === undefined) return;
    const of = this.#of(address.container);
    let partition = of.get(address.physicalPartition);
    if (partition === undefined) {
      partition = of.adopt(definition, address.physicalPartition, lsn - 1, false);
      if (partition === undefined) return;
      this.#tend(definition);
    }
    const isGap = lsn !== partition.seenLsn + 1;
    partition.seenLsn = lsn;
    if (isGap) this.#giveUp(partition);
    if (partition.lanes.length === 0) return;
    const before = partition.pendingBytes;
    if (!isGap) for (const change of changesIn(definition, lsn, rows)) partition.push(change);
    if (!partition.hasPending) partition.indexedLsn = lsn;
    this.#pendingBytes += partition.pendingBytes - before;
    if (this.#pendingBytes > this.#maxPendingBytes) this.#giveUpMost();
    if (this.#isGathering || this.#isTakingIn || !partition.hasPending) return;
    this.#isGathering = true;
    this.#background.add(this.#rests.rest(gatherMs).then(() => this.#takeInNow()));
  }

  #takeInNow(): void {
    this.#isGathering = false;
    if (this.#isTakingIn) return;
    this.#isTakingIn = true;
    this.#background.add(this.#takeIn());
  }

  async #takeIn(): Promise<void> {
    try {
      for (;;) {
        const waiting = this.#partitions().filter(({ hasPending }) => hasPending);
        this.#countPending();
        if (waiting.length === 0 || this.#writer === undefined || this.#rests.isOver) return;
        for (const partition of waiting) {
          const writer: IndexWriter | undefined = this.#writer;
          if (writer === undefined) return;
          try {
            await writer.takeIn(partition);
          } catch (error) {
            this.#fail(writer, error);
          }
        }
        await nextTurn(this.#parts.scheduler);
      }
    } finally {
      this.#isTakingIn = false;
    }
  }

  #countPending(): void {
    this.#pendingBytes = 0;
    for (const { pendingBytes } of this.#partitions()) this.#pendingBytes += pendingBytes;
  }

  #giveUp(partition: PartitionIndex): void {
    partition.fallBehind();
    this.#care.look();
  }

  #giveUpMost(): void {
    this.#countPending();
    if (this.#pendingBytes <= this.#maxPendingBytes) return;
    const [most] = this.#partitions().toSorted((a, b) => b.pendingBytes - a.pendingBytes);
    if (most === undefined) return;
    this.#parts.log.info('item index fell behind', { ...most.address, pendingBytes: most.pendingBytes });
    this.#giveUp(most);
    this.#countPending();
  }

  // ── Containers and partitions come and go ───────────────────────────────────────────────────────────────────────

  #partitions(): readonly PartitionIndex[] {
    return [...this.#containers.values()].flatMap(({ partitions }) => partitions);
  }

  #of(container: number): ContainerIndexes {
    const known = this.#containers.get(container);
    if (known !== undefined) return known;
    const made = new ContainerIndexes(container, this.#parts.store, new Map(), [], 0);
    this.#containers.set(container, made);
    return made;
  }

  /** As it is now; undefined when it is not there any more. */
  #partition(definition: ContainerDefinition, address: PartitionAddress): PartitionIndex | undefined {
    const committed = this.#parts.store.committedLsn(address);
    if (committed === undefined) return undefined;
    this.#tend(definition);
    const partition = this.#of(address.container).get(address.physicalPartition);
    // Commits that came another way than by being told of: by a recovery.
    if (partition !== undefined && committed > partition.seenLsn) {
      partition.seenLsn = committed;
      this.#giveUp(partition);
    }
    return partition;
  }

  #tend(definition: ContainerDefinition): void {
    this.#care.tend(this.#of(definition.container), definition);
  }

  #tendOften(): void {
    this.#background.add(
      (async () => {
        while (!this.#rests.isOver) {
          this.#care.tendAll();
          await this.#rests.rest(tendMs);
        }
      })(),
    );
  }

  // ── When something is wrong with its store ──────────────────────────────────────────────────────────────────────

  /** What is there cannot be relied upon: it is made anew from the rows. */
  #fail(writer: IndexWriter, error: unknown): void {
    if (this.#writer !== writer || this.#rests.isOver) return;
    this.#parts.log.warn('item index is made anew', { reason: String(error) });
    this.#writer = undefined;
    // Making it anew may take as long as the disk is full: who waits for what is pending scans.
    for (const partition of this.#partitions()) partition.fallBehind();
    this.#background.add(this.#makeAnew(writer));
  }

  async #makeAnew(failed: IndexWriter): Promise<void> {
    const { directory, catalog, log } = this.#parts;
    await failed.inTurn(async () => {});
    await failed.engine.close();
    while (!this.#rests.isOver) {
      try {
        const { engine } = await newIndex(directory, this.#clusterId);
        for (const of of this.#containers.values()) {
          const definition = catalog.containerOf(of.container);
          if (definition === undefined) of.end();
          else of.beginAnew(definition);
        }
        this.#writer = new IndexWriter(engine, () => nextTurn(this.#parts.scheduler));
        this.#care.look();
        return;
      } catch (error) {
        log.warn('item index cannot be made', { reason: String(error) });
        await this.#rests.rest(retryMs);
      }
    }
  }

  /** Takes in what is pending, so that the next start has nothing to look for. */
  async stop(): Promise<void> {
    this.#endWatch();
    this.#rests.end();
    await this.#background.settle();
    const writer = this.#writer;
    if (writer === undefined) return;
    try {
      for (const partition of this.#partitions()) {
        while (partition.hasPending) await writer.takeIn(partition);
        await writer.saveState(partition);
      }
    } catch (error) {
      this.#parts.log.warn('item index could not be saved', { reason: String(error) });
    }
    await writer.engine.close();
  }
}
