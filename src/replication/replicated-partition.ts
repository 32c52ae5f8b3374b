// One physical partition while it is served: gives transactions their order, hands them to its replicas, and tells their
// outcome once enough logs have them. Everything it knows of a transaction in flight is here, beside the rows: memtables, cache and
// row stores hear of it only when it is committed.

import { RingfoldError } from '../errors/ringfold-error.ts';
import { assert } from '../foundation/assert.ts';
import type { ByteString } from '../foundation/byte-string.ts';
import type { Clock } from '../foundation/clock.ts';
import type { LogicalPartition } from '../partitioning/logical-partition.ts';
import { type EntryHeader, type EntryKind, encodeNote, entryKinds } from '../storage/log/log-entry.ts';
import { partitionNumber } from '../storage/log/log-state.ts';
import type { StoredRow } from '../storage/log/stored-row.ts';
import type {
  Certainty,
  DeclaredRows,
  Operation,
  OperationKind,
  Outcome,
  PartitionAddress,
  RowWrite,
} from '../storage/partition-store.ts';
import type { StorageNode } from '../storage/storage-node.ts';
import { Committed, later, refused, unknown } from './commit-outcome.ts';
import { DeclaredRowsView, noRows } from './declared-rows.ts';
import { type InFlight, InFlightQueue } from './in-flight.ts';
import type { LogArena } from './log-arena.ts';
import { Replica } from './replica.ts';
import type { RowReader } from './row-reader.ts';

/** Transactions that wait for a split, merge or move to be written, or for the row stores to catch up. */
const maxHeld = 100_000;

export type PartitionState = 'recovering' | 'reads-only' | 'serving' | 'frozen' | 'closed';

/** What all partitions of a store share. */
export interface PartitionSurroundings {
  readonly arena: LogArena;
  readonly clock: Clock;
  readonly reader: RowReader;
  readonly operationKinds: ReadonlyMap<string, OperationKind>;
  readonly maxInFlightBytes: number;
  readonly maxTransactionBytes: number;
  /** Fewer only when a test plants that fault. */
  quorumOf(memberCount: number): number;
  /** Why nothing may be written now, whatever the partition. */
  writeRefusal(): RingfoldError | undefined;
  /** The row stores are so far behind that new transactions wait for them; `resume` is called when they have caught up. */
  isBacklogged(): boolean;
  /** Rows have become part of the truth. */
  onCommit(partition: ReplicatedPartition, lsn: number, rows: readonly StoredRow[]): void;
  mapVersion(container: number): number;
  inFlightBytes: number;
}

export class ReplicatedPartition {
  readonly address: PartitionAddress;
  readonly number: number;
  /** Its rows' keys are from `from` (included) to `to` (excluded). */
  readonly from: ByteString;
  readonly to: ByteString;
  /** It was made with its container: a node that knows nothing of it has all of its empty log. */
  readonly isOriginal: boolean;
  readonly #surroundings: PartitionSurroundings;
  #replicas: readonly Replica[];
  /** The members of the replica set to be, from the entry of a move until the map is written: all that commits has a quorum of both. */
  #nextReplicas: readonly Replica[] | undefined;
  #learner: Replica | undefined;
  #generation: number;
  #epoch = 0;
  #state: PartitionState = 'recovering';
  #isWitnessed = false;
  #lastLsn = 0;
  #commitLsn = 0;
  #isCommitting = false;
  readonly #inFlight = new InFlightQueue();
  /** The newest ordered version of each row in flight, in its stored form. */
  readonly #pending = new Map<ByteString, { readonly lsn: number; readonly row: StoredRow }>();
  /** Transactions that wait behind one whose rows are being read from disk, by logical partition. */
  readonly #loading = new Map<ByteString, (() => void)[]>();
  #held: (() => void)[] = [];
  #waiting: { readonly lsn: number; readonly done: () => void }[] = [];
  /** Committed entries kept for replicas that are catching up, oldest first. */
  #retained: InFlight[] | undefined;
  #retainers = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    address: PartitionAddress,
    keys: { readonly from: ByteString; readonly to: ByteString },
    nodes: readonly StorageNode[],
    generation: number,
    isOriginal: boolean,
    surroundings: PartitionSurroundings,
  ) {
    this.address = address;
    this.number = partitionNumber(address.container, address.physicalPartition);
    this.from = keys.from;
    this.to = keys.to;
    this.isOriginal = isOriginal;
    this.#surroundings = surroundings;
    this.#replicas = nodes.map((node) => new Replica(this, node));
    this.#generation = generation;
  }

  get replicas(): readonly Replica[] {
    return this.#replicas;
  }

  /** Members and, during a move, the member to be. */
  get allReplicas(): readonly Replica[] {
    return this.#learner === undefined ? this.#replicas : [...this.#replicas, this.#learner];
  }

  get nextReplicas(): readonly Replica[] | undefined {
    return this.#nextReplicas;
  }

  get learner(): Replica | undefined {
    return this.#learner;
  }

  get generation(): number {
    return this.#generation;
  }

  get epoch(): number {
    return this.#epoch;
  }

  get state(): PartitionState {
    return this.#state;
  }

  get lastLsn(): number {
    return this.#lastLsn;
  }

  get commitLsn(): number {
    return this.#commitLsn;
  }

  get quorum(): number {
    return this.#surroundings.quorumOf(this.#replicas.length);
  }

  get maxTransactionBytes(): number {
    return this.#surroundings.maxTransactionBytes;
  }

  get levelReplicas(): Replica[] {
    return this.#replicas.filter((replica) => replica.standing === 'level');
  }

  get hasQuorum(): boolean {
    const next = this.#nextReplicas;
    return this.#hasQuorumOf(this.#replicas) && (next === undefined || this.#hasQuorumOf(next));
  }

  #hasQuorumOf(replicas: readonly Replica[]): boolean {
    let level = 0;
    for (const replica of replicas) if (replica.standing === 'level') level += 1;
    return level >= this.quorum;
  }

  /** It waits for enough nodes to be recovered with. */
  get isUnsettled(): boolean {
    return this.#state === 'recovering' || this.#state === 'reads-only';
  }

  /** So many logs were looked at that nothing acknowledged can be missing. */
  get isWitnessed(): boolean {
    return this.#isWitnessed;
  }

  get certainty(): Certainty {
    if (this.#state === 'serving' || this.#state === 'frozen') return 'settled';
    // As many as share a member with every quorum.
    const needed = this.#replicas.length - this.quorum + 1;
    return this.levelReplicas.length >= needed ? 'unsettled' : 'stale';
  }

  replicaOn(node: StorageNode): Replica | undefined {
    return this.allReplicas.find((replica) => replica.node === node);
  }

  // ── Life ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** What recovery found: everything through `lsn` is committed, and on the level replicas. */
  settleAt(epoch: number, lsn: number, isWitnessed = true): void {
    assert(this.#inFlight.size === 0, 'a partition is recovered with nothing in flight');
    this.#isWitnessed = isWitnessed;
    this.#epoch = epoch;
    this.#lastLsn = lsn;
    this.#commitLsn = lsn;
  }

  setState(state: PartitionState): void {
    this.#state = state;
    if (state !== 'frozen' && state !== 'recovering') this.resume();
  }

  /** What was held is tried again, in its order. */
  resume(): void {
    if (this.#held.length > 0) for (const again of this.#held.splice(0)) again();
  }

  /** A node of its replica set, or the learner's, went down. */
  onNodeDown(node: StorageNode): void {
    const replica = this.replicaOn(node);
    if (replica === undefined) return;
    replica.fallBehind();
    this.#loseHopeOfQuorum();
  }

  /** What waits for a quorum that cannot be had any more is unknown; it stays in line, and may yet commit. */
  #loseHopeOfQuorum(): void {
    const live = (replicas: readonly Replica[]) => replicas.filter((replica) => replica.isLive).length;
    const next = this.#nextReplicas;
    if (live(this.#replicas) >= this.quorum && (next === undefined || live(next) >= this.quorum)) {
      this.onDurable();
      return;
    }
    this.#tellUnknown();
    // What waited for a split, or for room, is refused: nothing happened to it.
    this.resume();
  }

  /** The store has stopped: nobody is left without an answer. */
  abandon(): void {
    this.#tellUnknown();
    this.#state = 'recovering';
    this.resume();
  }

  #tellUnknown(): void {
    for (const item of this.#inFlight.toArray()) {
      const outcome = unknown(this.address, item.header.epoch, item.header.lsn);
      if (item.done !== undefined) later(item.done, outcome);
      for (const follower of item.followers ?? []) later(follower.done, outcome);
      item.done = undefined;
      item.followers = undefined;
    }
  }

  // ── Transactions ────────────────────────────────────────────────────────────────────────────────────────────────

  transact(logicalPartition: LogicalPartition, operation: Operation, done: (outcome: Outcome) => void): void {
    // Whoever comes after one that is loading stays behind it, also when both have to wait.
    const queue = this.#loading.get(logicalPartition.prefix);
    if (queue !== undefined) {
      queue.push(() => this.transact(logicalPartition, operation, done));
      return;
    }
    const obstacle = this.#obstacle();
    if (obstacle === 'hold') {
      this.#held.push(() => this.transact(logicalPartition, operation, done));
      return;
    }
    if (obstacle !== undefined) {
      later(done, obstacle);
      return;
    }
    const { reads } = operation;
    if (reads.keys.length === 0 && reads.ranges.length === 0) {
      this.#decide(operation, noRows, done);
      return;
    }
    const view = new DeclaredRowsView(reads, this.#surroundings.reader, this);
    if (view.isWhole) this.#decide(operation, view, done);
    else this.#load(view, logicalPartition.prefix, operation, done);
  }

  /** For changes that must not be left half done: an unknown outcome is waited out, and a refusal is the only failure. */
  transactDurably(
    logicalPartition: LogicalPartition,
    operation: Operation,
    done: () => void,
    failed: (error: RingfoldError) => void,
  ): void {
    this.transact(logicalPartition, operation, (outcome) => {
      if (outcome.kind === 'committed') done();
      else if (outcome.kind === 'refused') failed(outcome.error);
      else if (outcome.kind === 'unknown') this.#whenCommitted(this.#lastLsn, done);
      else failed(new RingfoldError('internal-error', { what: 'the system partition moved' }));
    });
  }

  #whenCommitted(lsn: number, done: () => void): void {
    if (this.#commitLsn >= lsn) done();
    else this.#waiting.push({ lsn, done });
  }

  #obstacle(): Outcome | 'hold' | undefined {
    if (this.#state === 'closed') {
      return { kind: 'moved', mapVersion: this.#surroundings.mapVersion(this.address.container) };
    }
    const refusal = this.#surroundings.writeRefusal();
    if (refusal !== undefined) return { kind: 'refused', error: refusal };
    const mustWait =
      this.#state === 'frozen' || (this.#state === 'serving' && this.#surroundings.isBacklogged());
    if (mustWait && this.hasQuorum && this.#held.length < maxHeld) return 'hold';
    if (this.#state === 'frozen' && this.hasQuorum) return refused('partition-busy', this.address);
    if (this.#state !== 'serving' || !this.hasQuorum) {
      return refused('too-few-replicas', {
        ...this.address,
        level: this.levelReplicas.length,
        needed: this.quorum,
      });
    }
    if (mustWait || this.#surroundings.inFlightBytes > this.#surroundings.maxInFlightBytes)
      return refused('too-much-in-flight', this.address);
    return undefined;
  }

  /** Nothing is ordered on the logical partition until the rows are there, so they are still true then. */
  #load(
    view: DeclaredRowsView,
    prefix: ByteString,
    operation: Operation,
    done: (outcome: Outcome) => void,
  ): void {
    const queue: (() => void)[] = [];
    this.#loading.set(prefix, queue);
    view.load().then(
      () => {
        this.#loading.delete(prefix);
        const obstacle = this.#obstacle();
        if (obstacle === 'hold')
          queue.unshift(() => this.#held.push(() => this.#decideIfServing(view, operation, done)));
        else if (obstacle !== undefined) done(obstacle);
        else this.#decide(operation, view, done);
        for (const next of queue) next();
      },
      (error) => {
        this.#loading.delete(prefix);
        done({ kind: 'refused', error: asRefusal(error) });
        for (const next of queue) next();
      },
    );
  }

  #decideIfServing(view: DeclaredRowsView, operation: Operation, done: (outcome: Outcome) => void): void {
    const obstacle = this.#obstacle();
    if (obstacle === undefined) this.#decide(operation, view, done);
    else if (obstacle === 'hold') this.#held.push(() => this.#decideIfServing(view, operation, done));
    else later(done, obstacle);
  }

  #decide(operation: Operation, rows: DeclaredRows, done: (outcome: Outcome) => void): void {
    const kind = this.#surroundings.operationKinds.get(operation.kind);
    assert(kind !== undefined, 'every operation kind is known to the store');
    const decision = kind(operation.body, rows, this.#lastLsn + 1);
    if (decision.kind === 'refuse') {
      this.#answerInOrder({ kind: 'refused', error: decision.error }, done);
    } else if (decision.writes.length === 0) {
      this.#answerInOrder(new Committed(this.address, this.#lastLsn, decision.answer), done);
    } else {
      this.#orderRows(decision.writes, decision.answer, done);
    }
  }

  /** The answer rests on what is in flight, so it waits for that to commit. */
  #answerInOrder(outcome: Outcome, done: (outcome: Outcome) => void): void {
    const last = this.#inFlight.last;
    if (last === undefined) {
      later(done, outcome);
      return;
    }
    last.followers ??= [];
    last.followers.push({ outcome, done });
  }

  #orderRows(writes: readonly RowWrite[], answer: unknown, done: (outcome: Outcome) => void): void {
    const header = this.#nextHeader(entryKinds.rows);
    const entry = this.#surroundings.arena.encodeRows(header, writes);
    const transactionBytes = entry.end - entry.start;
    const limitBytes = this.maxTransactionBytes;
    if (transactionBytes > limitBytes) {
      later(done, refused('transaction-too-large', { transactionBytes, limitBytes }));
      return;
    }
    this.#lastLsn = header.lsn;
    for (const row of entry.rows) this.#pending.set(row.key, { lsn: header.lsn, row });
    this.#handOut({
      header,
      entry,
      note: undefined,
      answer,
      done,
      onCommit: undefined,
      followers: undefined,
    });
  }

  /** Orders a split, a merge or a membership; resolves when it is committed, however late. */
  orderNote(kind: EntryKind, body: unknown, nextReplicas?: readonly Replica[]): Promise<number> {
    return new Promise((resolve) => {
      const header = this.#nextHeader(kind);
      const chunk = encodeNote(header, body);
      this.#lastLsn = header.lsn;
      this.#nextReplicas = nextReplicas;
      const entry = { chunk, start: 0, end: chunk.length, rows: [] };
      const onCommit = () => resolve(header.lsn);
      this.#handOut({
        header,
        entry,
        note: body,
        answer: undefined,
        done: undefined,
        onCommit,
        followers: undefined,
      });
    });
  }

  #nextHeader(kind: EntryKind): EntryHeader {
    return {
      kind,
      container: this.address.container,
      physicalPartition: this.address.physicalPartition,
      generation: this.#generation,
      epoch: this.#epoch,
      lsn: this.#lastLsn + 1,
      timeMs: this.#surroundings.clock.now(),
    };
  }

  #handOut(item: InFlight): void {
    this.#inFlight.push(item);
    this.#surroundings.inFlightBytes += item.entry.end - item.entry.start;
    for (const replica of this.#replicas) if (replica.isLive) enqueue(item, replica);
    if (this.#learner?.isLive) enqueue(item, this.#learner);
  }

  // ── Commit ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Some replica's log has got further, or a replica has gone. */
  onDurable(): void {
    // Whoever is told of a commit may cause the next: that one waits until this one's outcome has been told.
    if (this.#isCommitting) return;
    this.#isCommitting = true;
    try {
      let item = this.#inFlight.first;
      for (
        let lsn = this.#committableLsn();
        item !== undefined && item.header.lsn <= lsn;
        item = this.#inFlight.first
      ) {
        this.#inFlight.dropFirst();
        this.#commit(item);
        if (item.header.lsn === lsn) lsn = this.#committableLsn();
      }
    } finally {
      this.#isCommitting = false;
    }
  }

  #committableLsn(): number {
    const lsn = this.#quorumLsn(this.#replicas);
    return this.#nextReplicas === undefined ? lsn : Math.min(lsn, this.#quorumLsn(this.#nextReplicas));
  }

  /** What as many as a quorum have at least: the third highest of four. */
  #quorumLsn(replicas: readonly Replica[]): number {
    const quorum = this.#surroundings.quorumOf(replicas.length);
    let best = 0;
    for (const candidate of replicas) {
      if (!candidate.isLive || candidate.durableLsn <= best) continue;
      let having = 0;
      for (const other of replicas) if (other.isLive && other.durableLsn >= candidate.durableLsn) having += 1;
      if (having >= quorum) best = candidate.durableLsn;
    }
    return best;
  }

  #commit(item: InFlight): void {
    const { lsn } = item.header;
    this.#commitLsn = lsn;
    this.#surroundings.inFlightBytes -= item.entry.end - item.entry.start;
    this.#retained?.push(item);
    for (const { key } of item.entry.rows) if (this.#pending.get(key)?.lsn === lsn) this.#pending.delete(key);
    this.#surroundings.onCommit(this, lsn, item.entry.rows);
    item.onCommit?.();
    if (item.done !== undefined) item.done(new Committed(this.address, lsn, item.answer));
    if (this.#waiting.length > 0) this.#wakeWaiting();
    if (item.followers !== undefined) for (const follower of item.followers) follower.done(follower.outcome);
  }

  #wakeWaiting(): void {
    const ready = this.#waiting.filter(({ lsn }) => lsn <= this.#commitLsn);
    this.#waiting = this.#waiting.filter(({ lsn }) => lsn > this.#commitLsn);
    for (const { done } of ready) done();
  }

  /** The row as ordered so far: null when removed, undefined when nothing in flight touches it. */
  pendingRow(key: ByteString): Buffer | null | undefined {
    return this.#pending.get(key)?.row.value;
  }

  pendingRows(from: ByteString, to: ByteString): Map<ByteString, Buffer | null> {
    const found = new Map<ByteString, Buffer | null>();
    for (const [key, { row }] of this.#pending) if (key >= from && key < to) found.set(key, row.value);
    return found;
  }

  // ── Replicas that come and go ───────────────────────────────────────────────────────────────────────────────────

  /** Recovery and catch-up of one partition exclude each other: both write to the logs of its replicas. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  /** From now on what commits is kept, so that a replica which is catching up can be handed the rest in one step. */
  retain(): void {
    this.#retainers += 1;
    this.#retained ??= [];
  }

  release(): void {
    this.#retainers -= 1;
    if (this.#retainers === 0) this.#retained = undefined;
  }

  get retainedFrom(): number {
    return (this.#retained?.[0]?.header.lsn ?? this.#commitLsn + 1) - 1;
  }

  /**
   * The replica, whose log is durable through `lsn` and whose rows are there through `appliedLsn`, gets everything from there on. Returns the committed entries that its row store
   * has not got; undefined when the partition no longer has all of them, and catch-up must replay further.
   */
  join(replica: Replica, lsn: number, appliedLsn: number, activeGeneration: number): InFlight[] | undefined {
    assert(this.#retained !== undefined, 'catch-up asks a partition to retain before it joins');
    if (Math.min(lsn, appliedLsn) < this.retainedFrom) return undefined;
    const missed = this.#retained.filter((item) => item.header.lsn > appliedLsn);
    replica.durableLsn = lsn;
    replica.queuedLsn = lsn;
    replica.standing = 'joining';
    replica.firstGeneration = activeGeneration;
    for (const item of [...this.#retained, ...this.#inFlight.toArray()])
      if (item.header.lsn > lsn) enqueue(item, replica);
    this.onDurable();
    return missed;
  }

  addLearner(node: StorageNode): Replica {
    assert(this.#learner === undefined, 'one replica moves at a time');
    this.#learner = new Replica(this, node);
    return this.#learner;
  }

  dropLearner(): void {
    this.#learner?.fallBehind();
    this.#learner = undefined;
  }

  /** The membership entry is committed: the learner is a member, and the one it replaces is not. */
  replaceReplicas(replicas: readonly Replica[], generation: number): void {
    this.#replicas = replicas;
    this.#nextReplicas = undefined;
    this.#learner = undefined;
    this.#generation = generation;
    this.onDurable();
  }
}

function enqueue(item: InFlight, replica: Replica): void {
  const { chunk, start, end } = item.entry;
  if (item.header.kind !== entryKinds.rows) replica.expectNote(item.header, item.note);
  replica.node.handles.commit.enqueue(chunk, start, end, replica, item.header.lsn);
}

function asRefusal(error: unknown): RingfoldError {
  return error instanceof RingfoldError ? error : new RingfoldError('no-readable-replica', {}, error);
}
