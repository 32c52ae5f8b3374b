// Changes of a partition's shape while it is served: split, merge, and the replacement of one replica. Each is an entry in the
// partition's own log, then a new map. Writes wait for the last entry of a split or merge, and then go to its children; for a move they do
// not wait. What a crash leaves between entry and map is completed after recovery.

import { errorKinds } from '../errors/error-codes.ts';
import { RingfoldError } from '../errors/ringfold-error.ts';
import { assert } from '../foundation/assert.ts';
import { hexOf } from '../foundation/byte-string.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Log } from '../foundation/log.ts';
import type { PartitionMap } from '../partitioning/partition-map.ts';
import type { PhysicalPartition } from '../partitioning/physical-partition.ts';
import { haveSameMembers, type NodeId, replicaSet } from '../partitioning/replica-set.ts';
import type { RingPosition } from '../partitioning/ring-position.ts';
import { entryKinds } from '../storage/log/log-entry.ts';
import {
  type MembershipNote,
  type MergeNote,
  partitionNumber,
  type SplitNote,
} from '../storage/log/log-state.ts';
import type { RowWrite } from '../storage/partition-store.ts';
import type { StorageNode } from '../storage/storage-node.ts';
import type { CatchUp } from './catch-up.ts';
import type { PartitionDirectory } from './partition-directory.ts';
import { Replica } from './replica.ts';
import type { ReplicatedPartition } from './replicated-partition.ts';
import { type Ended, historyOf, succeedMerge, succeedSplit } from './succession.ts';

export interface MembershipParts {
  readonly directory: PartitionDirectory;
  readonly catchUp: CatchUp;
  /** The node no longer keeps the partition: its log says so and its rows are removed, in the background. */
  forget(node: StorageNode, partition: ReplicatedPartition): void;
  /** Everybody must know how far a partition without entries of its own has got. */
  noteLsn(partition: ReplicatedPartition): void;
  /** A little while, before something is tried again. Throws when the store stops: what the logs have is completed at its next start. */
  pause(): Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

export class Membership {
  readonly #parts: MembershipParts;
  readonly #queues = new Map<number, Promise<unknown>>();

  constructor(parts: MembershipParts) {
    this.#parts = parts;
  }

  /** `chooseCut` is asked when it is this change's turn, for the partition as it is then. */
  split(
    container: number,
    physicalPartition: number,
    chooseCut: () => Promise<RingPosition>,
  ): Promise<PartitionMap> {
    return this.#inTurn(container, async () => {
      const partition = this.#changeable(container, physicalPartition);
      const at = await chooseCut();
      const { directory } = this.#parts;
      const { definition, map } = directory.containerMap(container);
      this.#mustBeSettled(container, map.partitions);
      // Throws when the cut is not possible, before anything is frozen.
      const next = map.split(physicalPartition, at, partition.lastLsn);
      directory.maps.mustFit({ definition, map: next }, [historyOf(ended(partition))]);
      const note: SplitNote = { children: [map.nextId, map.nextId + 1], at: hexOf(at) };
      this.#mustBeChangeable(partition);
      await this.#whileHeld('partition split', [partition], async () => {
        await partition.orderNote(entryKinds.split, note);
        this.#finishSplit(partition, note);
      });
      return this.#writeMap(container);
    });
  }

  #finishSplit(partition: ReplicatedPartition, note: SplitNote): void {
    const lsn = partition.lastLsn;
    for (const child of succeedSplit(this.#parts.directory, ended(partition), note)) {
      child.settleAt(partition.epoch, lsn);
      inherit(child, [partition], lsn, lsn);
      this.#parts.noteLsn(child);
      child.setState('serving');
    }
  }

  merge(container: number, leftId: number, rightId: number): Promise<PartitionMap> {
    return this.#inTurn(container, async () => {
      const left = this.#changeable(container, leftId);
      const right = this.#changeable(container, rightId);
      const { directory } = this.#parts;
      const { definition, map } = directory.containerMap(container);
      this.#mustBeSettled(container, map.partitions);
      const next = map.merge(leftId, rightId, left.lastLsn, right.lastLsn);
      directory.maps.mustFit({ definition, map: next }, [historyOf(ended(left)), historyOf(ended(right))]);
      const note: MergeNote = { left: leftId, right: rightId, child: map.nextId };
      await this.#whileHeld('partitions merged', [left, right], async () => {
        await Promise.all([left.orderNote(entryKinds.merge, note), right.orderNote(entryKinds.merge, note)]);
        this.#finishMerge(left, right, note);
      });
      return this.#writeMap(container);
    });
  }

  #finishMerge(left: ReplicatedPartition, right: ReplicatedPartition, note: MergeNote): void {
    const lsn = Math.max(left.lastLsn, right.lastLsn) + 1;
    const child = succeedMerge(this.#parts.directory, ended(left), ended(right), note);
    child.settleAt(Math.max(left.epoch, right.epoch), lsn);
    inherit(child, [left, right], undefined, lsn);
    this.#parts.noteLsn(child);
    child.setState('serving');
  }

  move(container: number, physicalPartition: number, from: NodeId, to: NodeId): Promise<PartitionMap> {
    return this.#inTurn(container, async () => {
      const partition = this.#changeable(container, physicalPartition);
      const members = partition.replicas.map((replica) => replica.node.id);
      const refusal = (reason: string) =>
        new RingfoldError('move-refused', { ...partition.address, from, to, reason });
      if (!members.includes(from)) throw refusal('the partition has no replica on the first node');
      if (members.includes(to)) throw refusal('the partition has a replica on the second node already');
      const target = this.#parts.directory.nodeOf(to);
      if (!target.isUp) throw refusal('the second node is down');
      const { map } = this.#parts.directory.containerMap(container);
      this.#mustBeSettled(container, mergeableWith(map, physicalPartition));
      const learner = partition.addLearner(target);
      if (
        !(await this.#parts.catchUp.bringLevel(partition, learner)) ||
        !partition.hasQuorum ||
        partition.state !== 'serving'
      ) {
        partition.dropLearner();
        this.#parts.forget(target, partition);
        throw refusal('the second node could not be brought level');
      }
      const note: MembershipNote = {
        members: members.map((member) => (member === from ? to : member)),
        generation: partition.generation + 1,
      };
      const next = partition.replicas.map((replica) => (replica.node.id === from ? learner : replica));
      // Writes go on: whatever commits from here on has quorums of both sets, so either map finds it.
      await partition.orderNote(entryKinds.membership, note, next);
      await this.#finishMove(partition, note, next);
      const moved = this.#parts.directory.containerMap(container).map;
      this.#parts.log.info('replica moved', {
        container,
        physicalPartition,
        from,
        to,
        mapVersion: moved.version,
      });
      return moved;
    });
  }

  async #finishMove(
    partition: ReplicatedPartition,
    note: MembershipNote,
    next: readonly Replica[],
  ): Promise<void> {
    const { container, physicalPartition } = partition.address;
    const { definition, map } = this.#parts.directory.containerMap(container);
    const changed = map.withReplicaSet(
      physicalPartition,
      replicaSet(note.members as readonly NodeId[], note.generation),
    );
    await this.#waitedOut(() => this.#parts.directory.maps.put({ definition, map: changed }));
    const former = partition.replicas.filter((replica) => !next.includes(replica));
    partition.replaceReplicas(next, note.generation);
    for (const replica of former) {
      replica.fallBehind();
      this.#parts.forget(replica.node, partition);
    }
  }

  /** The shares of throughput, which concern nobody here; but no map may be written over another. */
  changeShares(
    container: number,
    change: (map: PartitionMap) => { readonly map: PartitionMap; readonly others: readonly RowWrite[] },
  ): Promise<void> {
    return this.#inTurn(container, async () => {
      const { definition, map } = this.#parts.directory.containerMap(container);
      const { map: next, others } = change(map);
      await this.#parts.directory.maps.put({ definition, map: next }, others);
    });
  }

  // ── After a crash ───────────────────────────────────────────────────────────────────────────────────────────────

  /** One of two partitions was recovered with a merge as its last entry, and nothing has come of them yet. */
  completeMerge(partition: ReplicatedPartition, note: MergeNote): Promise<unknown> {
    const { container } = partition.address;
    return this.#inTurn(container, async () => {
      if (partition.state !== 'frozen') return;
      const left = this.#parts.directory.of(container, note.left);
      const right = this.#parts.directory.of(container, note.right);
      const other = partition === left ? right : left;
      if (other.state === 'serving') {
        other.setState('frozen');
        await other.orderNote(entryKinds.merge, note);
      }
      if (other.state !== 'frozen') return;
      this.#finishMerge(left, right, note);
      await this.#writeMap(container);
    });
  }

  /** Maps that recovery found in the logs are written as soon as those have them on quorums: until then they may yet be void. */
  writeMapsAhead(): Promise<unknown>[] {
    const { maps } = this.#parts.directory;
    const ready = maps.aheadContainers.filter((container) => this.#isCertain(container));
    return ready.map((container) => this.#inTurn(container, () => Promise.resolve()));
  }

  /** The partition was recovered with a replica set that the map does not know. */
  completeMove(partition: ReplicatedPartition, note: MembershipNote): Promise<unknown> {
    return this.#inTurn(partition.address.container, async () => {
      if (note.generation <= partition.generation) return;
      const next = note.members.map((member) => {
        const node = this.#parts.directory.nodeOf(member as NodeId);
        return partition.replicas.find((replica) => replica.node === node) ?? new Replica(partition, node);
      });
      await this.#finishMove(partition, note, next);
    });
  }

  /** The map as it is now, which the partitions' logs have already. */
  async #writeMap(container: number): Promise<PartitionMap> {
    const { directory } = this.#parts;
    await this.#waitedOut(() => directory.maps.catchUp(container));
    return directory.containerMap(container).map;
  }

  /** The change is in the partition's log already, so there is no way back: whatever refuses the map is waited out. */
  async #waitedOut(write: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        await write();
        return;
      } catch (error) {
        if (!(error instanceof RingfoldError) || !errorKinds[error.code].retry || error.code === 'stopping')
          throw error;
        await this.#parts.pause();
      }
    }
  }

  /**
   * Whether what came of partitions that ended since the map was written is served: then a quorum has their ends. Nodes that have to
   * be copied first wait for the map, so it is also enough that those which need no copy share a member with every quorum.
   */
  #isCertain(container: number): boolean {
    const { directory } = this.#parts;
    return directory.maps
      .endedSince(container)
      .flatMap(({ physicalPartition }) => directory.heirsOf(partitionNumber(container, physicalPartition)))
      .every((heir) => {
        const up = heir.replicas.filter(({ node }) => node.isUp).length;
        return !heir.isUnsettled || (heir.certainty === 'unsettled' && up >= heir.quorum);
      });
  }

  /** From the first line on writes to these partitions wait; how long they did is told. */
  async #whileHeld(
    event: string,
    partitions: readonly ReplicatedPartition[],
    change: () => Promise<void>,
  ): Promise<void> {
    const { clock, log, directory } = this.#parts;
    const since = clock.monotonic();
    for (const partition of partitions) partition.setState('frozen');
    await change();
    const heldMs = Math.round((clock.monotonic() - since) * 10) / 10;
    const { container } = partitions[0]?.address ?? {};
    const physicalPartitions = partitions.map(({ address }) => address.physicalPartition).join(' and ');
    const mapVersion = container === undefined ? undefined : directory.maps.get(container)?.map.version;
    log.info(event, { container, physicalPartitions, mapVersion, heldMs });
  }

  /** Each change is made from a map that is written. */
  #inTurn<T>(container: number, change: () => Promise<T>): Promise<T> {
    const turn = (this.#queues.get(container) ?? Promise.resolve()).then(async () => {
      if (this.#parts.directory.maps.isAhead(container)) {
        if (!this.#isCertain(container)) throw new RingfoldError('too-few-replicas', { container });
        await this.#writeMap(container);
      }
      return change();
    });
    const settled = turn.catch(() => {});
    this.#queues.set(container, settled);
    return turn;
  }

  #changeable(container: number, physicalPartition: number): ReplicatedPartition {
    this.#parts.directory.containerMap(container).map.partition(physicalPartition);
    const partition = this.#parts.directory.of(container, physicalPartition);
    this.#mustBeChangeable(partition);
    return partition;
  }

  /**
   * One that is not recovered yet may have ended, and its children have the numbers that would be given now; one half of a merge may wait
   * for the other, as both were.
   */
  #mustBeSettled(container: number, partitions: readonly PhysicalPartition[]): void {
    for (const { id } of partitions) {
      const { address, state } = this.#parts.directory.of(container, id);
      if (state === 'frozen') throw new RingfoldError('partition-busy', { ...address });
      if (state !== 'serving') throw new RingfoldError('too-few-replicas', { ...address });
    }
  }

  #mustBeChangeable(partition: ReplicatedPartition): void {
    if (partition.state === 'frozen') throw new RingfoldError('partition-busy', { ...partition.address });
    if (partition.state !== 'serving' || !partition.hasQuorum) {
      throw new RingfoldError('too-few-replicas', {
        ...partition.address,
        level: partition.levelReplicas.length,
      });
    }
  }
}

/** Its neighbours on the same nodes. */
function mergeableWith({ partitions }: PartitionMap, id: number): readonly PhysicalPartition[] {
  const at = partitions.findIndex((each) => each.id === id);
  const { replicaSet } = partitions[at] ?? {};
  return partitions.filter(
    (each, index) =>
      Math.abs(index - at) === 1 && replicaSet !== undefined && haveSameMembers(each.replicaSet, replicaSet),
  );
}

function ended(partition: ReplicatedPartition): Ended {
  const level = partition.replicas.find((replica) => replica.isLive && replica.node.isUp);
  const epochs = level?.node.handles.log.state.get(partition.address)?.epochs ?? [];
  return { partition, lastLsn: partition.lastLsn, epochs };
}

/** A child's replicas stand where its parents' replicas on the same nodes do. */
function inherit(
  child: ReplicatedPartition,
  parents: readonly ReplicatedPartition[],
  lastLsn: number | undefined,
  startLsn: number,
): void {
  assert(parents.length > 0, 'a child has parents');
  for (const replica of child.replicas) {
    const elders = parents.map((parent) => parent.replicaOn(replica.node));
    if (!elders.every((elder) => elder?.standing === 'level')) continue;
    replica.standing = 'level';
    replica.queuedLsn = startLsn;
    // All rows of its parents are in the row store or in a memtable, so nothing of their log is waited for.
    replica.node.mended.add(child.number);
    // What is still queued for them there comes before anything of its own.
    let waiting = elders.length;
    for (const [index, elder] of elders.entries()) {
      if (elder === undefined) continue;
      replica.firstGeneration = Math.max(
        Number.isFinite(replica.firstGeneration) ? replica.firstGeneration : 0,
        elder.firstGeneration,
      );
      elder.whenDurable(lastLsn ?? parents[index]?.lastLsn ?? 0, () => {
        waiting -= 1;
        if (waiting === 0) replica.durableLsn = Math.max(replica.durableLsn, startLsn);
      });
    }
  }
}
