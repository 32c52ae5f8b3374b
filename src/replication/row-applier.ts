// Writes committed rows out of the memtables into the nodes' row stores, in large batches every few seconds; drops a
// memtable when every node has it; trims the logs behind that. A memtable is cut once for all nodes, into
// slices short enough not to be felt by a request.

import { nextTurn, type Scheduler } from '../foundation/scheduler.ts';
import { appliedLsnWrite } from '../storage/applied-lsns.ts';
import type { StoredRow } from '../storage/log/stored-row.ts';
import type { SortedRows } from '../storage/storage-engine.ts';
import type { StorageNode } from '../storage/storage-node.ts';
import type { Memtable, Memtables } from './memtables.ts';
import type { PartitionDirectory } from './partition-directory.ts';
import type { ReplicatedPartition } from './replicated-partition.ts';
import type { StoreSettings } from './store-settings.ts';

/** What a row store encodes in one go: part of a millisecond. */
const sliceBytes = 128 * 1024;
/** A row takes time even when it is short. */
const rowCostBytes = 100;
/** Memtables that a node may be behind all others before it is let go. */
const maxLag = 4;

interface PreparedPartition {
  readonly partition: ReplicatedPartition;
  readonly slices: readonly SortedRows[];
}

export class RowApplier {
  readonly #memtables: Memtables;
  readonly #directory: PartitionDirectory;
  readonly #scheduler: Scheduler;
  readonly #settings: StoreSettings;
  /** There is room again. */
  readonly #onDrop: () => void;
  readonly #prepared = new Map<Memtable, Promise<PreparedPartition[]>>();
  readonly #running = new Map<StorageNode, Promise<void>>();
  #cancelTimer: (() => void) | undefined;
  #droppedGeneration = 0;
  #isStopped = false;

  constructor(
    memtables: Memtables,
    directory: PartitionDirectory,
    scheduler: Scheduler,
    settings: StoreSettings,
    onDrop: () => void,
  ) {
    this.#onDrop = onDrop;
    this.#memtables = memtables;
    this.#directory = directory;
    this.#scheduler = scheduler;
    this.#settings = settings;
  }

  get droppedGeneration(): number {
    return this.#droppedGeneration;
  }

  /** Called at every commit: one comparison. */
  onCommit(): void {
    if (this.#memtables.active.sizeBytes >= this.#settings.memtableBytes) this.#handOver();
    else if (this.#cancelTimer === undefined && !this.#isStopped) {
      this.#cancelTimer = this.#scheduler.after(this.#settings.applyIntervalMs, () => this.#handOver());
    }
  }

  #handOver(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#memtables.freeze();
    this.#letLaggardGo();
    this.wakeAll();
  }

  /** A node came up, or a replica joined: there may be something for it to write. */
  wakeAll(): void {
    for (const node of this.#directory.nodes) this.#wake(node);
    this.#dropApplied();
  }

  /** Everything committed so far is in the row store of every node that is up. */
  async flush(): Promise<void> {
    this.#handOver();
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  /** Runs `look` in a moment when all nodes that are up have applied the same. Undefined when there was none for a while. */
  async atEqualLsn<T>(look: (appliedGeneration: number) => T): Promise<T | undefined> {
    for (let attempt = 0; attempt < 1_000; attempt++) {
      const newest = this.#memtables.frozen.at(-1)?.generation ?? this.#droppedGeneration;
      const isEqual = this.#directory.nodes.every((node) => !node.isUp || node.appliedGeneration >= newest);
      if (isEqual && this.#running.size === 0) return look(newest);
      await new Promise<void>((resolve) => this.#scheduler.after(2, resolve));
    }
    return undefined;
  }

  async stop(): Promise<void> {
    await this.flush();
    this.#isStopped = true;
    this.#cancelTimer?.();
  }

  #wake(node: StorageNode): void {
    if (!node.isUp || this.#running.has(node) || this.#nextFor(node) === undefined) return;
    const run = this.#run(node)
      .catch((error) => node.fail(error))
      .finally(() => {
        this.#running.delete(node);
        this.#dropApplied();
        this.#wake(node);
      });
    this.#running.set(node, run);
  }

  async #run(node: StorageNode): Promise<void> {
    const { handles } = node;
    for (let table = this.#nextFor(node); table !== undefined; table = this.#nextFor(node)) {
      await this.#apply(node, table);
      if (!node.isUp || node.handles !== handles) return;
      node.appliedGeneration = table.generation;
      this.#dropApplied();
      await node.trimLog(this.#settings.logRetentionBytes);
    }
  }

  #nextFor(node: StorageNode): Memtable | undefined {
    return this.#memtables.frozen.find((table) => table.generation > node.appliedGeneration);
  }

  async #apply(node: StorageNode, table: Memtable): Promise<void> {
    const { handles } = node;
    // What it will have at the end is settled now: a replica that joins meanwhile is given these rows by its join.
    const concerned = [...table.lsns].filter(([number]) => this.#isConcerned(node, number, table));
    const prepared = await this.#prepare(table);
    // And one that has fallen behind meanwhile, or a node that was opened anew, is not told that it has what it is not given.
    if (!node.isUp || node.handles !== handles) return;
    const lsns = concerned.filter(([number]) => this.#isConcerned(node, number, table));
    await node.writeSortedRows(
      prepared.flatMap((each) => this.#slicesFor(node, each, table)),
      lsns.map(([number, lsn]) => appliedLsnWrite(number, lsn)),
    );
    for (const [number, lsn] of lsns) node.appliedLsns.set(number, lsn);
  }

  /** Of a partition that has been split or merged, the rows go to its heirs: it is done when all that this node keeps of them are. */
  #isConcerned(node: StorageNode, number: number, table: Memtable): boolean {
    const partition = this.#directory.get(number);
    if (partition !== undefined) return isFor(node, partition, table);
    if (!node.handles.log.state.partitions.has(number)) return false;
    // As the map has it: the node's log may not know yet that the partition ended, and then its rows are behind.
    return this.#directory
      .heirsOf(number)
      .every((heir) => heir.replicaOn(node) === undefined || isFor(node, heir, table));
  }

  /**
   * The rows that the node is to have now. Those of a partition that ended since they were sorted are its heirs': one of them may be
   * copied to this node meanwhile, and has newer ones.
   */
  #slicesFor(
    node: StorageNode,
    { partition, slices }: PreparedPartition,
    table: Memtable,
  ): readonly SortedRows[] {
    if (this.#directory.get(partition.number) === partition)
      return isFor(node, partition, table) ? slices : [];
    const heirs = this.#directory.heirsOf(partition.number);
    const owners = heirs.filter((heir) => isFor(node, heir, table));
    if (owners.length === 0) return [];
    if (owners.length === heirs.length) return slices;
    return slices
      .map((slice) => slice.filter(({ key }) => owners.some(({ from, to }) => key >= from && key < to)))
      .filter(({ length }) => length > 0);
  }

  #prepare(table: Memtable): Promise<PreparedPartition[]> {
    let prepared = this.#prepared.get(table);
    if (prepared === undefined) {
      prepared = this.#makeSlices(table);
      this.#prepared.set(table, prepared);
    }
    return prepared;
  }

  async #makeSlices(table: Memtable): Promise<PreparedPartition[]> {
    const prepared: PreparedPartition[] = [];
    for (const partition of [...this.#directory.inKeyOrder()]) {
      const cursor = table.rows.cursor(partition.from, partition.to);
      const slices: SortedRows[] = [];
      for (let slice: StoredRow[] = []; ; slice = []) {
        let bytes = 0;
        for (
          let row = cursor.next();
          row !== undefined;
          row = bytes < sliceBytes ? cursor.next() : undefined
        ) {
          slice.push(row.value);
          bytes += row.value.sizeBytes + rowCostBytes;
        }
        if (slice.length === 0) break;
        slices.push(slice);
        await nextTurn(this.#scheduler);
      }
      if (slices.length > 0) prepared.push({ partition, slices });
    }
    return prepared;
  }

  /**
   * LevelDB compacts all stores of a process in one thread, so one of them may be stuck for seconds behind the others' compactions.
   * It must not hold up everybody: past a limit it is let go, and catches up from its log.
   */
  #letLaggardGo(): void {
    const up = this.#directory.nodes.filter((node) => node.isUp);
    const [slowest, next] = up.toSorted((left, right) => left.appliedGeneration - right.appliedGeneration);
    if (slowest === undefined || next === undefined) return;
    const isAlone = next.appliedGeneration - slowest.appliedGeneration >= maxLag;
    if (isAlone && this.#isSpare(slowest)) slowest.fail(new Error('the row store is too slow'));
  }

  /** Every partition the node keeps has a quorum without it. */
  #isSpare(node: StorageNode): boolean {
    return this.#directory.inKeyOrder().every((partition) => {
      const others = partition.levelReplicas.filter((replica) => replica.node !== node).length;
      return partition.replicaOn(node) === undefined || others >= partition.quorum;
    });
  }

  #dropApplied(): void {
    const up = this.#directory.nodes.filter((node) => node.isUp);
    if (up.length === 0) return;
    const generation = Math.min(...up.map((node) => node.appliedGeneration));
    if (generation <= this.#droppedGeneration) return;
    this.#droppedGeneration = generation;
    for (const table of this.#memtables.frozen)
      if (table.generation <= generation) this.#prepared.delete(table);
    this.#memtables.dropThrough(generation);
    this.#onDrop();
    for (const node of this.#directory.nodes) {
      if (!node.isUp && node.appliedGeneration < generation) node.forgetRows();
    }
  }
}

function isFor(node: StorageNode, partition: ReplicatedPartition, table: Memtable): boolean {
  const replica = partition.replicaOn(node);
  return replica?.isLive === true && replica.firstGeneration <= table.generation;
}
