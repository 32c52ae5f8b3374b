import { assert } from '../foundation/assert.ts';
import type { LogWriter } from '../storage/log/group-commit.ts';
import type { EntryHeader } from '../storage/log/log-entry.ts';
import type { StorageEngine } from '../storage/storage-engine.ts';
import type { StorageNode } from '../storage/storage-node.ts';
import type { ReplicatedPartition } from './replicated-partition.ts';

/**
 * - `level`: votes, is read from, counts towards the quorum.
 * - `joining`: gets every entry, but has not yet got through what it missed.
 * - `behind`: gets nothing; catch-up will bring it back.
 */
export type Standing = 'level' | 'joining' | 'behind';

/** One copy of a physical partition: how far its node's log has it, and what that allows. */
export class Replica implements LogWriter {
  readonly node: StorageNode;
  readonly #partition: ReplicatedPartition;
  standing: Standing = 'behind';
  queuedLsn = 0;
  writingLsn = 0;
  durableLsn = 0;
  isQueued = false;
  /** The row store it had when it was last level: another one, opened since, is not whole before it is level again. */
  #lastLevelRows: StorageEngine | undefined;
  /** Memtables before this one are no concern of its: catch-up has written their rows already. */
  firstGeneration: number = Number.POSITIVE_INFINITY;
  /** Ordered entries besides rows that are queued: the log's state must hear of each. */
  #notes: { readonly header: EntryHeader; readonly body: unknown }[] = [];
  /** Children that begin on this node when a split entry is durable on it. */
  #heirs: { readonly lsn: number; readonly begin: () => void }[] = [];

  constructor(partition: ReplicatedPartition, node: StorageNode) {
    this.#partition = partition;
    this.node = node;
  }

  get isLive(): boolean {
    return this.standing !== 'behind';
  }

  /** A replica that was level until its node's log failed can still be read while the memtables hold all that it lacks. */
  isReadable(droppedGeneration: number): boolean {
    if (this.standing === 'level') return true;
    const isTheSame = this.#lastLevelRows !== undefined && this.node.readableEngine === this.#lastLevelRows;
    return isTheSame && this.node.appliedGeneration >= droppedGeneration;
  }

  expectNote(header: EntryHeader, body: unknown): void {
    this.#notes.push({ header, body });
  }

  /** Runs `begin` once this log is durable through `lsn`: at once when it is already. */
  whenDurable(lsn: number, begin: () => void): void {
    if (this.durableLsn >= lsn) begin();
    else this.#heirs.push({ lsn, begin });
  }

  fold(): void {
    const { state } = this.node.handles.log;
    const partitionState = state.of(this.#partition.address);
    const { epoch } = this.#partition;
    assert(partitionState.logEpoch === epoch, 'entries of an epoch follow the note that began it');
    while (this.#notes[0] !== undefined && this.#notes[0].header.lsn <= this.durableLsn) {
      const note = this.#notes.shift();
      if (note === undefined) break;
      if (note.header.lsn > partitionState.lastLsn + 1) {
        state.advance(partitionState, epoch, partitionState.lastLsn + 1, note.header.lsn - 1);
      }
      state.order(note.header, note.body);
    }
    if (this.durableLsn > partitionState.lastLsn) {
      state.advance(partitionState, epoch, partitionState.lastLsn + 1, this.durableLsn);
    }
  }

  onDurable(): void {
    if (this.#heirs.length > 0) {
      const ready = this.#heirs.filter(({ lsn }) => lsn <= this.durableLsn);
      this.#heirs = this.#heirs.filter(({ lsn }) => lsn > this.durableLsn);
      for (const { begin } of ready) begin();
    }
    this.#partition.onDurable();
  }

  /** The node went down, or fell too far behind: what was queued is gone. */
  fallBehind(): void {
    if (this.standing === 'level') this.#lastLevelRows = this.node.readableEngine;
    this.standing = 'behind';
    this.isQueued = false;
    this.firstGeneration = Number.POSITIVE_INFINITY;
    this.#notes = [];
    this.#heirs = [];
  }
}
