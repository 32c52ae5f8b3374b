// Brings replicas that are behind level again: replays a level node's log, or copies the range and then replays, and joins in
// one step. Partitions are taken one after another, the system partition first; a failure leaves the replica behind, to be tried again.

import { RingfoldError } from '../errors/ringfold-error.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Log } from '../foundation/log.ts';
import { nextTurn, type Scheduler } from '../foundation/scheduler.ts';
import { appliedLsnWrite } from '../storage/applied-lsns.ts';
import { encodeNote, entryKinds } from '../storage/log/log-entry.ts';
import { nodeHeader, type PartitionLogState, partitionNumber } from '../storage/log/log-state.ts';
import type { Rest } from '../storage/log/node-log.ts';
import { UnsoundRowError } from '../storage/log/stored-row.ts';
import type { PartitionAddress } from '../storage/partition-store.ts';
import type { EngineWrite } from '../storage/storage-engine.ts';
import { describe, NodeDownError, type StorageNode } from '../storage/storage-node.ts';
import { type ApplyTarget, applyOwnLog, isSettled } from './apply-own-log.ts';
import type { InFlight } from './in-flight.ts';
import { hasVoidParent } from './lineage.ts';
import { replayLog, replayPositions } from './log-replay.ts';
import type { Memtables } from './memtables.ts';
import type { PartitionDirectory } from './partition-directory.ts';
import type { PartitionMaps } from './partition-maps.ts';
import { BadSourceError, copyRange } from './range-copy.ts';
import type { Replica } from './replica.ts';
import type { ReplicatedPartition } from './replicated-partition.ts';
import type { StoreSettings } from './store-settings.ts';

export interface CatchUpParts {
  readonly memtables: Memtables;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly settings: StoreSettings;
  readonly directory: PartitionDirectory;
  /** A row of some replica fails its checksum. */
  onBadRow(partition: ReplicatedPartition): void;
}

export class CatchUp {
  readonly #parts: CatchUpParts;
  readonly #mustCopy = new WeakSet<Replica>();

  readonly #rest: Rest = () => nextTurn(this.#parts.scheduler);

  constructor(parts: CatchUpParts) {
    this.#parts = parts;
  }

  /**
   * Mends the row store of a node that was opened again: it may have lost what it had acknowledged. Only what its log shares with a level
   * replica's, and is committed, is applied.
   */
  async mendRows(node: StorageNode, partitions: readonly ReplicatedPartition[]): Promise<void> {
    const targets: ApplyTarget[] = [];
    for (const partition of partitions) {
      const isKept = partition.replicaOn(node) !== undefined;
      const through = isKept ? commonWithOthers(partition, node, this.#parts.directory.maps) : undefined;
      const { number, from, to } = partition;
      if (through !== undefined)
        targets.push({ number, from, to, through: Math.min(through, partition.commitLsn) });
    }
    const { directory } = this.#parts;
    await applyOwnLog(
      node,
      targets,
      (number) => directory.isAwaited(node, number),
      node.reapplyBytes,
      this.#rest,
    );
  }

  /** True when the replica is level at the end. */
  bringLevel(partition: ReplicatedPartition, replica: Replica): Promise<boolean> {
    return partition.alone(() => this.#bringLevel(partition, replica));
  }

  async #bringLevel(partition: ReplicatedPartition, replica: Replica): Promise<boolean> {
    const { node } = replica;
    const source = sourceFor(partition, node);
    if (!node.isUp || replica.standing !== 'behind' || partition.replicaOn(node) !== replica) return false;
    if (source === undefined) return this.#bringBackFirst(partition, replica);
    // A partition that has ended is left to its children. While it lacks a quorum its end cannot be put into the map, so then it is
    // brought level all the same.
    const hasEnded = source.handles.log.state.get(partition.address)?.ending !== undefined;
    const isSettled = partition.commitLsn === partition.lastLsn && partition.state !== 'reads-only';
    if (hasEnded && isSettled) return false;
    // Taking back that end would take this partition's entries along: it comes first.
    if (hasVoidParent(node, partition.address, this.#parts.directory)) return false;
    const { handles } = node;
    // A copy may take long: what commits meanwhile must still be in the source's log at its end.
    const letGo = source.handles.log.hold();
    try {
      // A member to be may have rows of an earlier membership, so it begins anew.
      const isCopied = partition.learner === replica || this.#mustCopy.has(replica);
      const { maps } = this.#parts.directory;
      const positions = isCopied ? undefined : replayPositions(source, node, partition.address, maps);
      const from =
        positions ?? new Map([[partition.number, await this.#copy(partition, replica, source, hasEnded)]]);
      await this.#replayAndJoin(partition, replica, source, from);
      if (!node.isUp || node.handles !== handles) return false;
      this.#parts.log.info('replica level', {
        ...partition.address,
        node: node.id,
        lsn: partition.commitLsn,
        copied: positions === undefined,
      });
      return true;
    } catch (error) {
      await this.#blame(error, partition, source, node, handles);
      // What is queued for a replica that has joined cannot be called back.
      if (replica.isLive && node.isUp && partition.replicaOn(node) === replica) node.fail(error);
      return false;
    } finally {
      letGo();
    }
  }

  /**
   * No replica is level, though the process lives: the partition itself still knows what is committed and in flight, and a log that
   * reaches the commit LSN in this epoch lacks nothing else.
   */
  async #bringBackFirst(partition: ReplicatedPartition, replica: Replica): Promise<boolean> {
    const lsn = lsnOfThisLife(partition, replica.node);
    if (lsn === undefined || lsn < partition.commitLsn) return false;
    partition.retain();
    try {
      await this.#applyOwn(partition, replica.node, new Map([[partition.number, lsn]]));
      await this.#join(partition, replica, lsn);
      return true;
    } catch (error) {
      if (replica.node.isUp) replica.node.fail(error);
      return false;
    } finally {
      partition.release();
    }
  }

  async #blame(
    error: unknown,
    partition: ReplicatedPartition,
    source: StorageNode,
    target: StorageNode,
    handles: unknown,
  ): Promise<void> {
    this.#parts.log.warn('catch-up failed', { source: source.id, target: target.id, error: describe(error) });
    if (error instanceof NodeDownError || error instanceof SourceMovedError) return;
    if (error instanceof UnsoundRowError) {
      this.#parts.onBadRow(partition);
      return;
    }
    if (error instanceof BadSourceError)
      source.fail(new RingfoldError('corrupt-data', { what: 'rows' }, error));
    else if (source.isUp && !(await source.handles.log.verify(this.#rest))) source.fail(error);
    else if (target.isUp && target.handles === handles) target.fail(error);
  }

  /** Of a partition that has ended, what was before its end: that entry says who its children are, and is replayed. */
  async #copy(
    partition: ReplicatedPartition,
    replica: Replica,
    source: StorageNode,
    hasEnded: boolean,
  ): Promise<number> {
    const { node } = replica;
    // A copy of what may be out of date would be taken for a second witness to it.
    if (!partition.isWitnessed) throw new SourceMovedError('too few logs say what is true');
    // And it makes the node forget how this partition's ancestors ended, which the logs alone know until the map is written.
    if (this.#parts.directory.maps.isAhead(partition.address.container))
      throw new SourceMovedError('its map is not written yet');
    await this.#note(node, entryKinds.copying, partition.address, null);
    await this.#forgetAncestors(partition, node);
    if (this.#parts.settings.plantedFault !== 'copy-without-clearing') {
      await node.clearRows({ from: partition.from, to: partition.to });
    }
    const lsn = await copyRange(partition, source, node, this.#parts.memtables, hasEnded);
    checkIsWanted(partition, replica);
    // One that a move took the partition from has cleared its rows, perhaps before they were read.
    if (partition.replicaOn(source)?.standing !== 'level')
      throw new SourceMovedError('the source was moved away');
    const truth = source.handles.log.state.of(partition.address);
    const base: PartitionLogState = {
      ...partition.address,
      logEpoch: partition.epoch,
      lastLsn: lsn,
      baseLsn: lsn,
      epochs: truth.epochs.filter((stretch) => stretch.firstLsn <= lsn + 1),
      isCopying: false,
      copiedLsn: lsn,
      membership: truth.membership,
      ending: undefined,
    };
    await this.#note(node, entryKinds.base, partition.address, base);
    return lsn;
  }

  /**
   * The rows about to come are newer than anything the node's log says of the partitions this one came from. Those may still be needed
   * for other partitions that came of them; then this copy waits for its turn.
   */
  async #forgetAncestors(partition: ReplicatedPartition, node: StorageNode): Promise<void> {
    const { state } = node.handles.log;
    const { directory } = this.#parts;
    const ancestors = directory
      .ancestorsOf(partition)
      .filter((ancestor) => state.get(ancestor) !== undefined);
    if (ancestors.length === 0) return;
    for (const { container, physicalPartition } of ancestors) {
      const number = partitionNumber(container, physicalPartition);
      if (!isSettled(node, number, new Map(), (heir) => directory.isAwaited(node, heir)))
        throw new SourceMovedError('others need the log first');
    }
    await node.flushRows();
    for (const ancestor of ancestors) await this.#note(node, entryKinds.forget, ancestor, null);
  }

  async #replayAndJoin(
    partition: ReplicatedPartition,
    replica: Replica,
    source: StorageNode,
    positions: Map<number, number>,
  ): Promise<void> {
    partition.retain();
    try {
      await this.#replayRetained(partition, replica, source, positions);
    } finally {
      partition.release();
    }
  }

  async #replayRetained(
    partition: ReplicatedPartition,
    replica: Replica,
    source: StorageNode,
    positions: Map<number, number>,
  ): Promise<void> {
    const { node } = replica;
    const { settings } = this.#parts;
    const here = () => positions.get(partition.number) ?? -1;
    const stuckAfterMs = this.#parts.clock.monotonic() + settings.hungNodeMs;
    await this.#applyOwn(partition, node, positions);
    while (here() < partition.retainedFrom) {
      if (!source.isUp) throw new SourceMovedError('the source went down');
      const before = here();
      // As of now: what commits while the log is read may stand behind entries that were passed by as not committed.
      const through = partition.commitLsn;
      await replayLog({
        source,
        target: node,
        positions,
        limitOf: (number) => (number === partition.number ? through : Number.POSITIVE_INFINITY),
        withRows: true,
        checkIsWanted: () => checkIsWanted(partition, replica),
        rest: this.#rest,
        plantedFault: settings.plantedFault,
      });
      if (here() === before) await this.#waitForSource(replica, stuckAfterMs);
    }
    checkIsWanted(partition, replica);
    // From here on the node's log of this partition counts like the others'.
    await this.#note(node, entryKinds.epoch, partition.address, null, partition.epoch, here());
    await this.#applyOwn(partition, node, positions);
    checkIsWanted(partition, replica);
    await this.#join(partition, replica, here());
  }

  /** What the node's log has and its rows have not: through the positions, which it shares with the others, as far as it is committed. */
  async #applyOwn(
    partition: ReplicatedPartition,
    node: StorageNode,
    positions: ReadonlyMap<number, number>,
  ): Promise<void> {
    const { directory } = this.#parts;
    // Partitions this one came from may have had other keys too: what they were given counts as applied only with all of those.
    const targets = [...positions].map(([number, lsn]) => {
      const { from, to } = directory.keysOf(number) ?? partition;
      const through = number === partition.number ? Math.min(lsn, partition.commitLsn) : lsn;
      return { number, from, to, through };
    });
    // What was not mended when the node was opened, since nobody knew yet how far its log was right, is mended now.
    const reapplyBytes = node.wasStopped ? 0 : node.reapplyBytes;
    await applyOwnLog(node, targets, (number) => directory.isAwaited(node, number), reapplyBytes, this.#rest);
  }

  async #join(partition: ReplicatedPartition, replica: Replica, lsn: number): Promise<void> {
    const { node } = replica;
    const state = node.handles.log.state.of(partition.address);
    const appliedLsn = node.appliedLsns.get(partition.number) ?? state.baseLsn;
    // What the join itself commits is in a memtable that this replica is given, like everything after it.
    const settledLsn = partition.commitLsn;
    const missed = partition.join(replica, lsn, appliedLsn, this.#parts.memtables.active.generation);
    if (missed === undefined) throw new SourceMovedError('the partition moved on');
    const joinedAt = partition.commitLsn;
    await applyMissed(node, partition, missed, settledLsn);
    while (replica.durableLsn < joinedAt) {
      if (!node.isUp || replica.standing !== 'joining') throw new NodeDownError(node.id);
      await new Promise<void>((resolve) => this.#parts.scheduler.after(1, resolve));
    }
    if (replica.standing !== 'joining') throw new NodeDownError(node.id);
    replica.standing = 'level';
    node.mended.add(partition.number);
    partition.onDurable();
  }

  /** The source's log may be a little behind the commit LSN. One that never gets there cannot be replayed from: copy then. */
  async #waitForSource(replica: Replica, stuckAfterMs: number): Promise<void> {
    if (this.#parts.clock.monotonic() > stuckAfterMs) {
      this.#mustCopy.add(replica);
      throw new SourceMovedError('the source does not have what is missing');
    }
    await new Promise<void>((resolve) => this.#parts.scheduler.after(1, resolve));
  }

  async #note(
    node: StorageNode,
    kind:
      | typeof entryKinds.copying
      | typeof entryKinds.base
      | typeof entryKinds.forget
      | typeof entryKinds.epoch,
    address: PartitionAddress,
    body: unknown,
    epoch = 0,
    lsn = 0,
  ): Promise<void> {
    const { commit, log } = node.handles;
    const header = { ...nodeHeader(kind, epoch, this.#parts.clock.now()), ...address, lsn };
    await commit.note(encodeNote(header, body), () => log.state.note(header, body));
  }
}

/** While the node was catching up, the partition may have ended, or its replica been moved elsewhere. */
function checkIsWanted(partition: ReplicatedPartition, replica: Replica): void {
  if (partition.state === 'closed') throw new SourceMovedError('the partition ended');
  if (partition.replicaOn(replica.node) !== replica) throw new SourceMovedError('the replica was moved away');
}

/** The source is no longer one, through no fault of anybody. */
class SourceMovedError extends Error {}

function sourceFor(partition: ReplicatedPartition, target: StorageNode): StorageNode | undefined {
  return partition.replicas.find(
    (replica) => replica.standing === 'level' && replica.node !== target && replica.node.isUp,
  )?.node;
}

/** Through which LSN the node's own log of the partition is what the others have too. */
function commonWithOthers(
  partition: ReplicatedPartition,
  node: StorageNode,
  maps: PartitionMaps,
): number | undefined {
  const source = sourceFor(partition, node);
  if (source === undefined) return lsnOfThisLife(partition, node);
  return replayPositions(source, node, partition.address, maps)?.get(partition.number);
}

/** How far the node's log has the partition, if what it has is of the epoch that the partition has been serving in since it was recovered. */
function lsnOfThisLife(partition: ReplicatedPartition, node: StorageNode): number | undefined {
  if (partition.state !== 'serving' && partition.state !== 'frozen') return undefined;
  const state = node.handles.log.state.get(partition.address);
  if (state === undefined || state.isCopying || state.logEpoch !== partition.epoch) return undefined;
  return state.lastLsn;
}

/** Committed after the replay's last entry and before the join: in no log the replay read, and perhaps in no memtable any more. */
async function applyMissed(
  node: StorageNode,
  partition: ReplicatedPartition,
  missed: readonly InFlight[],
  lsn: number,
): Promise<void> {
  const rows = new Map<string, EngineWrite>();
  for (const item of missed) {
    for (const row of item.entry.rows) rows.set(row.key, { key: row.keyBytes, value: row.stored });
  }
  await node.writeRows([...rows.values(), appliedLsnWrite(partition.number, lsn)], true);
  node.appliedLsns.set(partition.number, lsn);
}
