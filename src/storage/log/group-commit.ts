// Gathers what is to be logged while a write is under way, then writes all of it as one frame: no timer, no promise per
// entry. Entries come as stretches of shared buffers; neighbours are joined, so that a busy node writes one part per frame.
//
// A frame begins with the first turn of the event loop that brings nothing more: each connection that has sent something is a call of
// its own, so that a frame begun within the first would hold that one's entries alone, and clients that were answered together send their
// next requests together. A frame costs some 110 µs of CPU on each node, whatever it holds (bench/results/2026-11-16-nosql.md).

import type { Clock } from '../../foundation/clock.ts';
import type { NodeLog, RowStoreProgress } from './node-log.ts';
import type { TurnEnds } from './turn-ends.ts';

/**
 * Whoever has entries in a log and wants to know how far they are durable. The three LSNs are the group commit's own marks
 * on it: what was queued, what the frame under way holds, what is durable.
 */
export interface LogWriter {
  queuedLsn: number;
  writingLsn: number;
  durableLsn: number;
  isQueued: boolean;
  /** Folds what has become durable into the log's state. Called before `onDurable` of any writer. */
  fold(): void;
  onDurable(): void;
}

/** As long as turns bring more, a frame that could begin waits so long at most: less than a sync takes. */
const mostGatheringMs = 0.7;

export interface GroupCommitSettings {
  readonly segmentBytes: number;
  readonly skipSync: boolean;
  readonly writeOnAfterFailure: boolean;
}

interface Note {
  readonly fold: () => void;
  readonly done: (error: unknown) => void;
}

export class GroupCommit {
  readonly #log: NodeLog;
  readonly #clock: Clock;
  readonly #turnEnds: TurnEnds;
  readonly #settings: GroupCommitSettings;
  readonly #rows: RowStoreProgress;
  readonly #onFailure: (error: unknown) => void;
  #parts: Buffer[] = [];
  #writers: LogWriter[] = [];
  #notes: Note[] = [];
  /** Those of the frame under way. */
  #writtenNotes: readonly Note[] = [];
  #chunk: Buffer | undefined;
  #start = 0;
  #end = 0;
  #queuedBytes = 0;
  /** What was queued at the end of the turn before. */
  #gatheredBytes = 0;
  #writingSince: number | undefined;
  #isClosed = false;
  #idle: (() => void)[] = [];

  constructor(
    log: NodeLog,
    rows: RowStoreProgress,
    clock: Clock,
    turnEnds: TurnEnds,
    settings: GroupCommitSettings,
    onFailure: (error: unknown) => void,
  ) {
    this.#log = log;
    this.#rows = rows;
    this.#clock = clock;
    this.#turnEnds = turnEnds;
    this.#settings = settings;
    this.#onFailure = onFailure;
  }

  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  /** How long the write under way has not been answered. */
  get waitingMs(): number {
    return this.#writingSince === undefined ? 0 : this.#clock.monotonic() - this.#writingSince;
  }

  /** Queues an entry that stands in `chunk` from `start` to `end`. The bytes must not change until they are durable. */
  enqueue(chunk: Buffer, start: number, end: number, writer: LogWriter, lsn: number): void {
    if (this.#isClosed) return;
    if (this.#chunk === chunk && this.#end === start) this.#end = end;
    else {
      this.#cutPart();
      this.#chunk = chunk;
      this.#start = start;
      this.#end = end;
    }
    this.#queuedBytes += end - start;
    writer.queuedLsn = lsn;
    if (!writer.isQueued) {
      writer.isQueued = true;
      this.#writers.push(writer);
    }
    this.#startWriting();
  }

  /** Queues a node's own note; resolves when it is durable and folded. */
  note(entry: Buffer, fold: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) {
        reject(new Error('the log is closed'));
        return;
      }
      this.#cutPart();
      this.#parts.push(entry);
      this.#queuedBytes += entry.length;
      this.#notes.push({ fold, done: (error) => (error === undefined ? resolve() : reject(error)) });
      this.#startWriting();
    });
  }

  /** Nothing more is taken or told; what was queued is dropped. Resolves when no write is under way. */
  close(reason: unknown): Promise<void> {
    this.#isClosed = true;
    this.#parts = [];
    this.#chunk = undefined;
    this.#queuedBytes = 0;
    for (const writer of this.#writers) writer.isQueued = false;
    this.#writers = [];
    for (const note of [...this.#writtenNotes, ...this.#notes.splice(0)]) note.done(reason);
    return this.whenIdle();
  }

  whenIdle(): Promise<void> {
    if (this.#writingSince === undefined) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #cutPart(): void {
    if (this.#chunk !== undefined) this.#parts.push(this.#chunk.subarray(this.#start, this.#end));
    this.#chunk = undefined;
  }

  #startWriting(): void {
    if (this.#writingSince === undefined) this.#writeSoon();
  }

  #writeSoon(): void {
    this.#writingSince = this.#clock.monotonic();
    this.#gatheredBytes = 0;
    this.#turnEnds.add(this.#gather);
  }

  readonly #gather = (): void => {
    if (this.#queuedBytes !== this.#gatheredBytes && this.waitingMs < mostGatheringMs) {
      this.#gatheredBytes = this.#queuedBytes;
      this.#turnEnds.add(this.#gather);
    } else this.#write();
  };

  #write(): void {
    this.#writeFrame().then(
      () => this.#goOn(),
      (error: unknown) => {
        this.#becomeIdle();
        for (const note of this.#writtenNotes) note.done(error);
        this.#onFailure(error);
      },
    );
  }

  #goOn(): void {
    if (!this.#isClosed && this.#hasQueued) this.#writeSoon();
    else this.#becomeIdle();
  }

  get #hasQueued(): boolean {
    return this.#chunk !== undefined || this.#parts.length > 0;
  }

  async #writeFrame(): Promise<void> {
    if (this.#isClosed || !this.#hasQueued) return;
    this.#cutPart();
    const parts = this.#parts;
    const writers = this.#writers;
    const notes = this.#notes;
    this.#parts = [];
    this.#writers = [];
    this.#notes = [];
    this.#writtenNotes = notes;
    for (const writer of writers) {
      writer.writingLsn = writer.queuedLsn;
      writer.isQueued = false;
    }
    this.#writingSince = this.#clock.monotonic();
    try {
      await this.#log.append(parts, !this.#settings.skipSync);
    } catch (error) {
      if (!this.#settings.writeOnAfterFailure) {
        throw error;
      }
    }
    if (this.#isClosed) return;
    for (const part of parts) this.#queuedBytes -= part.length;
    this.#report(writers, notes);
    if (this.#log.activeSizeBytes >= this.#settings.segmentBytes)
      await this.#log.beginSegment(this.#clock.now(), this.#rows);
  }

  #report(writers: readonly LogWriter[], notes: readonly Note[]): void {
    for (const writer of writers) {
      writer.durableLsn = writer.writingLsn;
      writer.fold();
    }
    for (const note of notes) note.fold();
    this.#writtenNotes = [];
    for (const note of notes) note.done(undefined);
    for (const writer of writers) writer.onDurable();
  }

  #becomeIdle(): void {
    this.#writingSince = undefined;
    for (const wake of this.#idle.splice(0)) wake();
  }
}
