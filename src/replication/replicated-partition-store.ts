// The embedded store: a PartitionStore kept by storage nodes in this process. This file puts the parts together and answers the
// contract; how a commit, a recovery, a catch-up, a split or a scrub goes is in the file of that name.

import { RingfoldError } from '../errors/ringfold-error.ts';
import { assert } from '../foundation/assert.ts';
import { BackgroundWork } from '../foundation/background-work.ts';
import type { ByteString } from '../foundation/byte-string.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Log } from '../foundation/log.ts';
import type { Random } from '../foundation/random.ts';
import { type Scheduler, settlesWithin } from '../foundation/scheduler.ts';
import type { LogicalPartition } from '../partitioning/logical-partition.ts';
import type { PartitionKeyDefinition } from '../partitioning/partition-key.ts';
import { REPLICA_COUNT } from '../partitioning/partition-limits.ts';
import { PartitionMap } from '../partitioning/partition-map.ts';
import { cutAtMidpoint, cutAtPosition } from '../partitioning/partition-split.ts';
import { placeReplicaSets } from '../partitioning/placement.ts';
import { type NodeId, quorumOf } from '../partitioning/replica-set.ts';
import type { RingPosition } from '../partitioning/ring-position.ts';
import { TurnEnds } from '../storage/log/turn-ends.ts';
import type {
  Operation,
  OperationKind,
  Outcome,
  PartitionAddress,
  PartitionStore,
  ReadOutcome,
  RowPage,
  Scan,
  ScanOutcome,
  Settlement,
  TransactionId,
} from '../storage/partition-store.ts';
import type { KeyRange } from '../storage/storage-engine.ts';
import { StorageNode, type StorageNodeParts } from '../storage/storage-node.ts';
import type { Superblock } from '../storage/superblock.ts';
import { CatchUp } from './catch-up.ts';
import { sessionMark } from './commit-outcome.ts';
import { cutAtMedian } from './data-median.ts';
import { dropStrays, forget } from './forgetting.ts';
import { identifyCluster } from './identify-cluster.ts';
import { LogArena } from './log-arena.ts';
import { Membership } from './membership.ts';
import { Memtables } from './memtables.ts';
import { NodeCare } from './node-care.ts';
import { openNodes, tooFewNodes } from './open-nodes.ts';
import { PartitionCache } from './partition-cache.ts';
import { PartitionDirectory } from './partition-directory.ts';
import type { RangeNote } from './range-notes.ts';
import { Recovery } from './recovery.ts';
import { type PartitionSurroundings, ReplicatedPartition } from './replicated-partition.ts';
import { RowApplier } from './row-applier.ts';
import { RowReader } from './row-reader.ts';
import type { RowVisitor } from './row-visitor.ts';
import { Scrub, type ScrubReport } from './scrub.ts';
import type { StoreSettings } from './store-settings.ts';
import { nodeStatus, partitionStatus, type StoreStatus } from './store-status.ts';
import { rowsOfRecords, type SystemRecord, SystemRecords } from './system-records.ts';
import { fateOf } from './transaction-fate.ts';

export interface StoreParts {
  readonly nodes: readonly StorageNodeParts[];
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly log: Log;
  readonly operationKinds: ReadonlyMap<string, OperationKind>;
  readonly settings: StoreSettings;
  /** Nodes that may be rebuilt from nothing: the operator, or the supervisor after a crash, said so. */
  readonly rebuild: readonly NodeId[];
  /** Serve what a single node has when there are no more, and make the others like it. */
  readonly forceRecover: boolean;
}

/** The rows are in no promised order; a value is null where the row was removed. */
export type CommitWatcher = (
  address: PartitionAddress,
  lsn: number,
  rows: readonly { readonly key: ByteString; readonly value: Buffer | null }[],
) => void;

export class ReplicatedPartitionStore implements PartitionStore {
  /** What the server keeps about itself, beside the partition maps. */
  readonly records: SystemRecords;
  readonly #parts: StoreParts;
  readonly #nodes: StorageNode[];
  readonly #superblocks: ReadonlyMap<StorageNode, Superblock>;
  readonly #memtables = new Memtables();
  readonly #cache: PartitionCache;
  readonly #reader: RowReader;
  readonly #applier: RowApplier;
  readonly #recovery: Recovery;
  readonly #catchUp: CatchUp;
  readonly #care: NodeCare;
  readonly #membership: Membership;
  readonly #scrub: Scrub;
  readonly #surroundings: PartitionSurroundings;
  readonly #directory: PartitionDirectory;
  readonly #background: BackgroundWork;
  readonly #commitWatchers = new Set<CommitWatcher>();
  #isStopping = false;
  #onMapChange: (container: number) => void = () => {};

  private constructor(
    parts: StoreParts,
    nodes: StorageNode[],
    superblocks: ReadonlyMap<StorageNode, Superblock>,
  ) {
    const { settings, clock, scheduler, log } = parts;
    this.#parts = parts;
    this.#nodes = nodes;
    this.#superblocks = superblocks;
    this.#background = new BackgroundWork(log);
    this.#cache = new PartitionCache(settings.cacheBytes);
    const droppedGeneration = (): number => this.#applier.droppedGeneration;
    this.#reader = new RowReader(this.#memtables, this.#cache, scheduler, droppedGeneration, {
      onBadNode: (node, reason) => node.fail(reason),
      onBadRow: (partition) => this.#scrub.mend(partition),
    });
    this.#surroundings = this.#makeSurroundings();
    this.#directory = new PartitionDirectory(nodes, this.#surroundings, (container) =>
      this.#onMapChange(container),
    );
    const directory = this.#directory;
    this.records = new SystemRecords(directory.system, this.#reader);
    this.#applier = new RowApplier(this.#memtables, directory, scheduler, settings, () => {
      for (const partition of directory.all()) partition.resume();
    });
    const shared = { nodes, memtables: this.#memtables, directory, clock, scheduler, log, settings };
    this.#scrub = new Scrub({ ...shared, applier: this.#applier, cache: this.#cache });
    this.#recovery = new Recovery({
      ...shared,
      forceRecover: parts.forceRecover,
      // What was read while fewer nodes were up may have been less than there is.
      onSettling: ({ from, to }) => this.#cache.evictRange(from, to),
    });
    this.#catchUp = new CatchUp({ ...shared, onBadRow: (partition) => this.#scrub.mend(partition) });
    this.#membership = new Membership({
      directory,
      catchUp: this.#catchUp,
      forget: (node, partition) =>
        this.#background.add(forget(node, partition.address, partition, clock.now())),
      noteLsn: (partition) => this.#memtables.committed(partition.number, partition.lastLsn),
      pause: () => {
        if (this.#isStopping) throw new RingfoldError('stopping');
        return this.#pause();
      },
      clock,
      log,
    });
    this.#care = new NodeCare({
      ...shared,
      recovery: this.#recovery,
      catchUp: this.#catchUp,
      superblockOf: (node) => this.#superblockOf(node),
      onRecovered: (partitions) => {
        this.#completeChanges(partitions);
        this.#background.add(this.#dropStrays());
      },
    });
  }

  #makeSurroundings(): PartitionSurroundings {
    const { settings, clock, operationKinds } = this.#parts;
    return {
      arena: new LogArena(),
      clock,
      reader: this.#reader,
      operationKinds,
      maxInFlightBytes: settings.maxInFlightBytes,
      maxTransactionBytes: settings.maxTransactionBytes,
      quorumOf: settings.plantedFault === 'acknowledge-at-two' ? () => 2 : quorumOf,
      writeRefusal: () => this.#writeRefusal(),
      isBacklogged: () => this.#memtables.sizeBytes > maxMemtables * settings.memtableBytes,
      onCommit: (partition, lsn, rows) => {
        for (const row of rows) {
          this.#memtables.put(row);
          // Most rows written are not in the cache: then there is no need to look at the value.
          if (this.#cache.concerns(row.key)) this.#cache.commit(row.key, row.value);
        }
        this.#memtables.committed(partition.number, lsn);
        this.#applier.onCommit();
        for (const watch of this.#commitWatchers) watch(partition.address, lsn, rows);
      },
      mapVersion: (container) => this.#directory.maps.get(container)?.map.version ?? 0,
      inFlightBytes: 0,
    };
  }

  /** Recovers, then serves. Directories without any superblock become a new cluster. */
  static async open(parts: StoreParts): Promise<ReplicatedPartitionStore> {
    assert(parts.nodes.length >= 4, 'a cluster has at least four storage nodes');
    const { plantedFault, segmentBytes } = parts.settings;
    const logSettings = {
      segmentBytes,
      skipSync: plantedFault === 'skip-sync',
      writeOnAfterFailure: plantedFault === 'write-on-after-failure',
    };
    let store: ReplicatedPartitionStore | undefined;
    const { clock, log } = parts;
    const turnEnds = new TurnEnds(parts.scheduler);
    const onDown = (node: StorageNode): void => store?.onNodeDown(node);
    const nodes = parts.nodes.map((node) => new StorageNode(node, clock, turnEnds, log, logSettings, onDown));
    const makeId = () => clusterIdFrom(parts.random);
    const limits = { scheduler: parts.scheduler, hungNodeMs: parts.settings.hungNodeMs };
    const { superblocks, isNew } = await identifyCluster(
      nodes,
      parts.rebuild,
      makeId,
      parts.clock.now(),
      limits,
    );
    // Of a cluster that has just been made there is nothing to rebuild.
    store = new ReplicatedPartitionStore(isNew ? { ...parts, rebuild: [] } : parts, nodes, superblocks);
    try {
      await store.#recover();
    } catch (error) {
      await store.stop();
      throw error;
    }
    return store;
  }

  async #recover(): Promise<void> {
    const { rebuild, log, scheduler, settings } = this.#parts;
    this.#care.startChecks();
    await openNodes(this.#nodes, {
      rebuild,
      superblockOf: (node) => this.#superblockOf(node),
      scheduler,
      limitMs: settings.openNodeMs,
      log,
    });
    await this.#recovery.promiseEpoch();
    const { system, maps } = this.#directory;
    await this.#recovery.recover([system]);
    // Maps that may be out of date would have partitions served that were split long ago.
    if (system.certainty === 'stale') throw tooFewNodes(this.#nodes);
    await maps.load(this.#reader);
    for (const { map } of maps.all())
      for (const { id } of map.partitions) this.#directory.admit(map.container, id);
    const partitions = this.#directory.inKeyOrder().filter((partition) => partition !== system);
    await this.#recovery.recover(partitions);
    await this.#dropStrays();
    this.#completeChanges(partitions);
    this.#care.start();
    this.#scrub.start();
  }

  // ── The contract ────────────────────────────────────────────────────────────────────────────────────────────────

  transact(
    address: PartitionAddress,
    logicalPartition: LogicalPartition,
    operation: Operation,
    done: (outcome: Outcome) => void,
  ): void {
    const partition = this.#directory.at(address);
    if (this.#isStopping)
      queueMicrotask(() => done({ kind: 'refused', error: new RingfoldError('stopping') }));
    else if (partition === undefined) queueMicrotask(() => done(this.#moved(address)));
    else partition.transact(logicalPartition, operation, done);
  }

  readCached(address: PartitionAddress, key: ByteString): Buffer | null | undefined {
    return this.#isServed(address) ? this.#reader.readCached(key) : undefined;
  }

  scanCached(address: PartitionAddress, scan: Scan): RowPage | undefined {
    return this.#isServed(address) ? this.#reader.scanCached(scan) : undefined;
  }

  /**
   * As `scanCached`, without a page: shows the rows of the range to the visitor, who says when it has enough, whatever the scan's limits.
   * True if it was shown all; undefined, with nothing shown, when the disk may have to be asked.
   */
  visitCached(address: PartitionAddress, scan: Scan, visitor: RowVisitor): boolean | undefined {
    return this.#isServed(address) ? this.#reader.visitCached(scan, visitor) : undefined;
  }

  /** What was kept with the known range that holds this key: as long as it is there, the rows are those of which it was made. */
  noteOf(address: PartitionAddress, key: ByteString): RangeNote | undefined {
    return this.#isServed(address) ? this.#reader.noteOf(key) : undefined;
  }

  /** Of rows that were read from memory in this same turn, all of this range. */
  keepNote(address: PartitionAddress, range: KeyRange, note: RangeNote): void {
    if (this.#isServed(address)) this.#reader.keepNote(range, note);
  }

  async read(address: PartitionAddress, key: ByteString): Promise<ReadOutcome> {
    const partition = this.#readable(address);
    if (!(partition instanceof ReplicatedPartition)) return partition;
    const mark = sessionMark(address, partition.commitLsn);
    try {
      const value = await this.#reader.read(partition, key);
      return this.#isGone(partition)
        ? this.#moved(address)
        : { kind: 'read', value, mark, certainty: partition.certainty };
    } catch (error) {
      return { kind: 'refused', error: asRingfoldError(error) };
    }
  }

  async scan(address: PartitionAddress, scan: Scan): Promise<ScanOutcome> {
    const partition = this.#readable(address);
    if (!(partition instanceof ReplicatedPartition)) return partition;
    const mark = sessionMark(address, partition.commitLsn);
    try {
      const from = scan.from > partition.from ? scan.from : partition.from;
      const to = scan.to < partition.to ? scan.to : partition.to;
      const page =
        this.#reader.scanCached({ ...scan, from, to }) ??
        (await this.#reader.scan(partition, { ...scan, from, to }));
      return this.#isGone(partition)
        ? this.#moved(address)
        : { kind: 'read', page, mark, certainty: partition.certainty };
    } catch (error) {
      return { kind: 'refused', error: asRingfoldError(error) };
    }
  }

  committedLsn(address: PartitionAddress): number | undefined {
    const partition = this.#directory.at(address);
    return partition?.state === 'closed' ? undefined : partition?.commitLsn;
  }

  settle(transactionId: TransactionId): Settlement {
    return fateOf(transactionId, this.#directory);
  }

  // ── Containers and the shape of partitions ──────────────────────────────────────────────────────────────────────

  /** `recordsOf` makes the records that are written together with the map of the new container. */
  async createContainer(
    boundaries: readonly RingPosition[],
    definition: PartitionKeyDefinition,
    recordsOf: (container: number) => readonly SystemRecord[] = () => [],
  ): Promise<PartitionMap> {
    const container = this.#directory.maps.takeNumber();
    const load = this.#nodes.map((node) => ({
      nodeId: node.id,
      bytes: this.#directory.replicaCount(node),
      ru: 0,
    }));
    const sets = placeReplicaSets(boundaries.length + 1, load, { bytes: 1, ru: 0 }, this.#parts.random);
    const map = PartitionMap.initial(container, boundaries, (index) => {
      const set = sets[index];
      assert(set !== undefined, 'there is a replica set for every partition');
      return set;
    });
    await this.#directory.maps.put({ definition, map }, rowsOfRecords(recordsOf(container)));
    const partitions = map.partitions.map(({ id }) => this.#directory.admit(container, id));
    await this.#recovery.recover(partitions);
    return map;
  }

  async dropContainer(container: number, records: readonly SystemRecord[] = []): Promise<void> {
    this.#directory.containerMap(container);
    await this.#directory.maps.remove(container, rowsOfRecords(records));
    // As they are now: some may have been split or merged meanwhile.
    for (const partition of [...this.#directory.all()]) {
      if (partition.address.container !== container) continue;
      this.#directory.dismiss(partition);
      for (const { node } of partition.allReplicas) {
        this.#background.add(forget(node, partition.address, partition, this.#parts.clock.now()));
      }
    }
  }

  containers(): readonly number[] {
    return this.#directory.maps.containers;
  }

  mapOf(container: number): PartitionMap | undefined {
    return this.#directory.maps.get(container)?.map;
  }

  definitionOf(container: number): PartitionKeyDefinition | undefined {
    return this.#directory.maps.get(container)?.definition;
  }

  /** One listener, told in the same instant of every container whose map has become another or is gone. */
  whenMapChanges(listener: (container: number) => void): void {
    this.#onMapChange = listener;
  }

  /**
   * The watcher is told of every transaction in the instant in which it becomes part of the truth, also of those that write no rows: LSNs
   * of a partition come without a gap. Gives the way to end it.
   */
  watchCommits(watcher: CommitWatcher): () => void {
    this.#commitWatchers.add(watcher);
    return () => this.#commitWatchers.delete(watcher);
  }

  /** Other shares of throughput, and records that change with them: all of it or nothing. */
  changeShares(
    container: number,
    change: (map: PartitionMap) => { readonly map: PartitionMap; readonly records: readonly SystemRecord[] },
  ): Promise<void> {
    return this.#membership.changeShares(container, (current) => {
      const { map, records } = change(current);
      return { map, others: rowsOfRecords(records) };
    });
  }

  /** About how many bytes the container's rows take, counted once and not per replica; may not see the newest. */
  async sizeOf(container: number): Promise<number> {
    const sizes = await this.sizesOf(container);
    return [...sizes.values()].reduce((sum, size) => sum + size, 0);
  }

  /** As `sizeOf`, by physical partition. */
  async sizesOf(container: number): Promise<ReadonlyMap<number, number>> {
    const { map } = this.#directory.containerMap(container);
    const sizes = map.partitions.map(async ({ id }): Promise<[number, number]> => {
      const partition = this.#directory.at({ container, physicalPartition: id });
      // One that a split has just made is not there yet.
      return [id, partition === undefined ? 0 : await this.#reader.sizeOf(partition, partition)];
    });
    return new Map(await Promise.all(sizes));
  }

  /** As `sizeOf`, of the part of a range that the physical partition holds; undefined when it is not there any more. */
  async sizeWithin(
    address: PartitionAddress,
    range: { readonly from: ByteString; readonly to: ByteString },
  ): Promise<number | undefined> {
    const partition = this.#directory.at(address);
    if (partition === undefined) return undefined;
    const from = range.from > partition.from ? range.from : partition.from;
    const to = range.to < partition.to ? range.to : partition.to;
    return this.#reader.sizeOf(partition, { from, to });
  }

  splitPartition(
    container: number,
    physicalPartition: number,
    at: RingPosition | 'midpoint' | 'median',
  ): Promise<PartitionMap> {
    return this.#membership.split(container, physicalPartition, async () => {
      const { definition, map } = this.#directory.containerMap(container);
      const { range } = map.partition(physicalPartition);
      if (at === 'midpoint') return cutAtMidpoint(range, definition);
      if (at !== 'median') return cutAtPosition(range, definition, at);
      return cutAtMedian(this.#directory.of(container, physicalPartition), range, definition, this.#reader);
    });
  }

  mergePartitions(container: number, left: number, right: number): Promise<PartitionMap> {
    return this.#membership.merge(container, left, right);
  }

  moveReplica(container: number, physicalPartition: number, from: NodeId, to: NodeId): Promise<PartitionMap> {
    return this.#membership.move(container, physicalPartition, from, to);
  }

  // ── Looking after it ────────────────────────────────────────────────────────────────────────────────────────────

  async scrub(): Promise<ScrubReport> {
    if (this.#isStopping) throw new RingfoldError('stopping');
    const run = this.#scrub.run([...this.#directory.all()]);
    this.#background.add(run);
    return run;
  }

  status(): StoreStatus {
    return {
      clusterId: [...this.#superblocks.values()][0]?.clusterId ?? '',
      epoch: this.#recovery.epoch,
      nodes: this.#nodes.map(nodeStatus),
      partitions: this.#directory
        .inKeyOrder()
        .map((partition) => partitionStatus(partition, this.#directory.rangeOf(partition))),
      cache: this.#cache.statistics(),
      memtableBytes: this.#memtables.sizeBytes,
      inFlightBytes: this.#surroundings.inFlightBytes,
      isQuiet: this.#isQuiet(),
      writesRefused: this.#writeRefusal()?.code,
    };
  }

  /** Every accepted write is in the row store of every node, all nodes are up, and nothing is catching up. */
  async whenQuiet(): Promise<void> {
    while (!this.#isQuiet()) {
      await this.#applier.flush();
      this.#care.tendAll();
      await this.#pause();
    }
  }

  /**
   * Refuses new work, finishes what is under way, applies everything, closes everything. A disk that does not answer is waited
   * for only so long: what it was given is in the logs of the others.
   */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const isApplied = await this.#inTime(this.#finish());
    for (const partition of this.#directory.all()) partition.abandon();
    await this.#inTime(
      Promise.all(
        this.#nodes.map((node) => node.stop(isApplied && this.#memtables.sizeBytes === 0 && node.isUp)),
      ),
    );
  }

  async #finish(): Promise<void> {
    await Promise.all([this.#care.stop(), this.#scrub.stop()]);
    while (this.#partitionsInFlight()) await this.#pause();
    await this.#applier.stop();
    await this.#background.settle();
  }

  #inTime(work: Promise<unknown>): Promise<boolean> {
    return settlesWithin(this.#parts.scheduler, 3 * this.#parts.settings.hungNodeMs, work);
  }

  onNodeDown(node: StorageNode): void {
    for (const partition of this.#directory.all()) partition.onNodeDown(node);
    this.#applier.wakeAll();
  }

  // ── Inside ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** What a crash left between a log entry and the map. */
  #completeChanges(partitions: readonly ReplicatedPartition[]): void {
    for (const write of this.#membership.writeMapsAhead()) this.#background.add(write);
    // One half of a merge waits, frozen, until the other can be recovered too.
    const halves = [...this.#directory.all()].filter(({ state }) => state === 'frozen');
    for (const partition of new Set([...partitions, ...halves])) {
      if (partition.state === 'reads-only' || partition.state === 'closed') continue;
      // A replica that was copied meanwhile knows the rows, but not what was noted among them.
      const states = partition.levelReplicas.map(({ node }) => node.handles.log.state.get(partition.address));
      const membership = states.find(
        (state) => (state?.membership?.generation ?? 0) > partition.generation,
      )?.membership;
      if (membership !== undefined)
        this.#background.add(this.#membership.completeMove(partition, membership));
      const ending = states.find((state) => state?.ending !== undefined)?.ending;
      if (ending?.kind === 'merge')
        this.#background.add(this.#membership.completeMerge(partition, ending.note));
    }
  }

  async #dropStrays(): Promise<void> {
    for (const node of this.#nodes)
      if (node.isUp) await dropStrays(node, this.#directory, this.#parts.clock.now());
  }

  /** Asked for every transaction, so it only counts until there is something to say. */
  #writeRefusal(): RingfoldError | undefined {
    const { reserveFreeBytes } = this.#parts.settings;
    let withRoom = 0;
    for (const node of this.#nodes) if (node.freeBytes >= reserveFreeBytes && !node.isFull) withRoom += 1;
    if (withRoom < quorumOf(REPLICA_COUNT)) return new RingfoldError('disk-full', { reserveFreeBytes });
    return undefined;
  }

  #isQuiet(): boolean {
    if (
      this.#partitionsInFlight() ||
      this.#memtables.active.lsns.size > 0 ||
      this.#memtables.frozen.length > 0
    )
      return false;
    if (this.#care.isTending || !this.#background.isIdle || this.#nodes.some((node) => !node.isUp))
      return false;
    if (this.#directory.maps.aheadContainers.length > 0) return false;
    return this.#directory
      .inKeyOrder()
      .every(
        (partition) =>
          partition.state === 'serving' &&
          partition.replicas.every((replica) => replica.standing === 'level'),
      );
  }

  #partitionsInFlight(): boolean {
    return this.#directory
      .inKeyOrder()
      .some((partition) => partition.hasQuorum && partition.commitLsn < partition.lastLsn);
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      this.#parts.scheduler.after(5, resolve);
    });
  }

  #isServed(address: PartitionAddress): boolean {
    const partition = this.#directory.at(address);
    return partition !== undefined && partition.certainty === 'settled';
  }

  #readable(
    address: PartitionAddress,
  ): ReplicatedPartition | { kind: 'moved'; mapVersion: number } | { kind: 'refused'; error: RingfoldError } {
    const partition = this.#directory.at(address);
    if (partition === undefined || partition.state === 'closed') return this.#moved(address);
    if (partition.state === 'recovering')
      return { kind: 'refused', error: new RingfoldError('no-readable-replica', { ...address }) };
    return partition;
  }

  /** What was read of one that ended meanwhile may lack rows that are being removed. */
  #isGone({ state }: ReplicatedPartition): boolean {
    return state === 'closed';
  }

  #moved(address: PartitionAddress): { kind: 'moved'; mapVersion: number } {
    return { kind: 'moved', mapVersion: this.#directory.maps.get(address.container)?.map.version ?? 0 };
  }

  #superblockOf(node: StorageNode): Superblock {
    const superblock = this.#superblocks.get(node);
    assert(superblock !== undefined, 'every node has a superblock');
    return superblock;
  }
}

/** So many memtables may wait for the row stores; then transactions wait for them too. */
const maxMemtables = 8;

function clusterIdFrom(random: Random): string {
  return Array.from({ length: 16 }, () =>
    Math.floor(random.next() * 256)
      .toString(16)
      .padStart(2, '0'),
  ).join('');
}

function asRingfoldError(error: unknown): RingfoldError {
  return error instanceof RingfoldError ? error : new RingfoldError('internal-error', {}, error);
}
