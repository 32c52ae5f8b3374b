// Keeps storage nodes well: looks at each in short intervals, takes down what hangs or has vanished, opens again what is
// down, rebuilds what is broken, and brings the replicas of a node that returned level again.

import { RingfoldError } from '../errors/ringfold-error.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Log } from '../foundation/log.ts';
import type { Scheduler } from '../foundation/scheduler.ts';
import { REPLICA_COUNT } from '../partitioning/partition-limits.ts';
import { quorumOf } from '../partitioning/replica-set.ts';
import { encodeNote, entryKinds } from '../storage/log/log-entry.ts';
import { nodeHeader } from '../storage/log/log-state.ts';
import { describe, type StorageNode } from '../storage/storage-node.ts';
import { readSuperblock, type Superblock, writeSuperblock } from '../storage/superblock.ts';
import type { CatchUp } from './catch-up.ts';
import { dropStrays } from './forgetting.ts';
import type { Memtables } from './memtables.ts';
import type { PartitionDirectory } from './partition-directory.ts';
import type { Recovery } from './recovery.ts';
import type { ReplicatedPartition } from './replicated-partition.ts';
import type { StoreSettings } from './store-settings.ts';

/** A row store may stall for compaction, or clear a large range, without being hung. */
const compactionAllowance = 12;

/** Two files of each node, of which nobody has need while it is up: they are read again at every so many looks at it. */
const looksPerSuperblock = 4;

export interface NodeCareParts {
  readonly nodes: readonly StorageNode[];
  readonly memtables: Memtables;
  readonly recovery: Recovery;
  readonly catchUp: CatchUp;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly settings: StoreSettings;
  superblockOf(node: StorageNode): Superblock;
  readonly directory: PartitionDirectory;
  /** Partitions were recovered while the store is running: endings may have to be completed. */
  onRecovered(partitions: readonly ReplicatedPartition[]): void;
}

export class NodeCare {
  readonly #parts: NodeCareParts;
  readonly #tending = new Map<StorageNode, Promise<void>>();
  readonly #cancels = new Set<() => void>();
  #recovering: Promise<void> = Promise.resolve();
  #looks = 0;
  #lastLookMs: number;
  /** Since then the process was never held up for long. */
  #awakeSinceMs: number;
  #isStopped = false;

  constructor(parts: NodeCareParts) {
    this.#parts = parts;
    this.#lastLookMs = parts.clock.monotonic();
    this.#awakeSinceMs = this.#lastLookMs;
  }

  get isTending(): boolean {
    return this.#tending.size > 0;
  }

  /** From the first write on, so that a disk which hangs during recovery is noticed. */
  startChecks(): void {
    this.#every(this.#parts.settings.checkIntervalMs, () => this.#checkAll());
  }

  start(): void {
    this.#every(this.#parts.settings.reopenIntervalMs, () => this.tendAll());
    this.tendAll();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const cancel of this.#cancels) cancel();
    await Promise.allSettled(this.#tending.values());
  }

  #every(intervalMs: number, task: () => void): void {
    const again = () => {
      const cancel = this.#parts.scheduler.after(intervalMs, () => {
        this.#cancels.delete(cancel);
        if (this.#isStopped) return;
        task();
        again();
      });
      this.#cancels.add(cancel);
    };
    again();
  }

  #checkAll(): void {
    this.#looks += 1;
    const nowMs = this.#parts.clock.monotonic();
    // A process that was stopped, or got no processor, has not heard from its disks; that says nothing about them.
    const { checkIntervalMs, hungNodeMs } = this.#parts.settings;
    if (nowMs - this.#lastLookMs > Math.max(2 * checkIntervalMs, hungNodeMs / 2)) this.#awakeSinceMs = nowMs;
    this.#lastLookMs = nowMs;
    const readsSuperblock = this.#looks % looksPerSuperblock === 0;
    for (const node of this.#parts.nodes) {
      if (node.isUp) this.#check(node, readsSuperblock).catch((error) => node.fail(error));
    }
  }

  async #check(node: StorageNode, readsSuperblock: boolean): Promise<void> {
    const { handles } = node;
    const { hungNodeMs, nodeQueueBytes } = this.#parts.settings;
    const awakeMs = this.#lastLookMs - this.#awakeSinceMs;
    if (Math.min(handles.commit.waitingMs, awakeMs) > hungNodeMs)
      node.fail(new Error('the disk does not answer'), true);
    else if (Math.min(node.rowWaitingMs, awakeMs) > compactionAllowance * hungNodeMs)
      node.fail(new Error('the row store does not answer'));
    else if (handles.commit.queuedBytes > nodeQueueBytes && this.#isSlowerThanOthers(node)) {
      node.fail(new Error('the disk is too slow'), true);
    } else if (!(await handles.log.isIntact())) {
      if (node.isUp && node.handles === handles)
        node.fail(new RingfoldError('corrupt-data', { what: 'log file vanished or shrank' }));
    } else {
      const free = await handles.disk.freeBytes();
      if (node.isUp && node.handles === handles) node.freeBytes = free;
      if (readsSuperblock) await this.#checkSuperblock(node);
    }
  }

  /** The node knows who it is as long as it is up, so a superblock that is gone or damaged is written again. */
  async #checkSuperblock(node: StorageNode): Promise<void> {
    const { handles } = node;
    const reading = await readSuperblock(handles.disk);
    if (reading.status === 'ok' && reading.isWhole) return;
    if (node.isUp && node.handles === handles)
      await writeSuperblock(handles.disk, this.#parts.superblockOf(node));
  }

  /** A burst queues up on all nodes alike; only one that the others have left behind is let go. */
  #isSlowerThanOthers(node: StorageNode): boolean {
    const limit = this.#parts.settings.nodeQueueBytes / 2;
    const quicker = this.#parts.nodes.filter(
      (other) => other !== node && other.isUp && other.handles.commit.queuedBytes < limit,
    );
    return quicker.length >= quorumOf(REPLICA_COUNT);
  }

  /** Brings back what is down or behind, each node by itself. */
  tendAll(): void {
    if (this.#isStopped) return;
    for (const node of this.#parts.nodes) {
      if (this.#tending.has(node) || !this.#needsCare(node)) continue;
      const tending = this.#tend(node)
        .catch((error) =>
          this.#parts.log.warn('node not brought back', { node: node.id, reason: describe(error) }),
        )
        .finally(() => this.#tending.delete(node));
      this.#tending.set(node, tending);
    }
  }

  /** As they are now: the system partition first. */
  #partitions(): ReplicatedPartition[] {
    return [...this.#parts.directory.all()];
  }

  #needsCare(node: StorageNode): boolean {
    if (!node.isUp) return true;
    return this.#partitions().some((partition) => {
      const replica = partition.replicaOn(node);
      return replica !== undefined && (replica.standing === 'behind' || partition.isUnsettled);
    });
  }

  async #tend(node: StorageNode): Promise<void> {
    const { catchUp, settings } = this.#parts;
    if (!node.isUp) {
      // Its log is written anew up to a segment.
      if (!(await node.hasRoomToOpen(settings.segmentBytes))) return;
      await this.#reopen(node);
    }
    await this.#recoverWith(node);
    for (const partition of this.#partitions()) {
      if (this.#isStopped || !node.isUp) return;
      const replica = partition.replicaOn(node);
      // A member to be is brought level by the move that wants it.
      if (replica === undefined || replica === partition.learner || replica.standing !== 'behind') continue;
      if (partition.state !== 'closed') await catchUp.bringLevel(partition, replica);
    }
    if (node.isUp) await this.#recoverWith(node);
  }

  /** Partitions that had too few nodes may have enough now. One recovery at a time: two would settle the same partition twice. */
  #recoverWith(node: StorageNode): Promise<void> {
    const { recovery } = this.#parts;
    const recovering = this.#recovering.then(async () => {
      // What a store that stops gives up is not taken up again.
      if (this.#isStopped) return;
      const waiting = this.#partitions().filter(
        (partition) => partition.isUnsettled && partition.replicaOn(node) !== undefined,
      );
      if (waiting.length === 0) return;
      await recovery.recover(waiting);
      this.#parts.onRecovered(waiting);
    });
    this.#recovering = recovering.catch(() => {});
    return recovering;
  }

  async #reopen(node: StorageNode): Promise<void> {
    const { memtables, recovery, catchUp, directory } = this.#parts;
    const superblock = this.#parts.superblockOf(node);
    const reading = await node.identify();
    const isItself =
      reading.status === 'ok' &&
      reading.superblock.clusterId === superblock.clusterId &&
      reading.superblock.nodeId === superblock.nodeId;
    if (!isItself) node.markBroken();
    if (!node.isBroken) {
      await node.open(superblock).catch((error) => {
        if (!node.isBroken) throw error;
      });
    }
    if (node.isBroken)
      await this.#rebuild(
        node,
        superblock,
        isItself ? describe(node.downReason) : `its superblock is ${reading.status}`,
      );
    try {
      await recovery.promiseOn(node);
      await dropStrays(node, directory, this.#parts.clock.now());
      await catchUp.mendRows(node, this.#partitions());
      node.admit(memtables.active.generation - 1);
    } catch (error) {
      node.fail(error);
      throw error;
    }
    this.#parts.log.info('node up', { node: node.id });
  }

  /** Its log may be the second copy of something that a third node would be needed for: then it has to wait. */
  async #rebuild(node: StorageNode, superblock: Superblock, reason: string): Promise<void> {
    const short = this.#partitions().find((partition) => {
      const others = partition.levelReplicas.filter((replica) => replica.node !== node).length;
      return (
        partition.replicaOn(node) !== undefined && others < partition.replicas.length - partition.quorum + 1
      );
    });
    if (short !== undefined)
      throw new RingfoldError('too-few-replicas', { what: 'rebuild', node: node.id, ...short.address });
    this.#parts.log.warn('node rebuilt', { node: node.id, reason });
    await node.rebuild(superblock, () => this.#markAllCopying(node));
  }

  /** Its empty log must not be taken for that of a node which has everything there ever was. */
  async #markAllCopying(node: StorageNode): Promise<void> {
    const { commit, log } = node.handles;
    for (const partition of this.#partitions()) {
      if (partition.replicaOn(node) === undefined) continue;
      const header = { ...nodeHeader(entryKinds.copying, 0, this.#parts.clock.now()), ...partition.address };
      await commit.note(encodeNote(header, null), () => log.state.note(header, null));
    }
  }
}
