// A fault domain: one directory with a superblock, a log and a row store. Any failure takes the whole node down and its
// handles are never written again; it comes back by being opened anew, or is rebuilt from the others.

import { RingfoldError } from '../errors/ringfold-error.ts';
import { type ByteString, bytesOf } from '../foundation/byte-string.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Log } from '../foundation/log.ts';
import type { NodeId } from '../partitioning/replica-set.ts';
import { readAppliedLsns } from './applied-lsns.ts';
import type { Disk } from './disk.ts';
import { GroupCommit, type GroupCommitSettings } from './log/group-commit.ts';
import { encodeNote, entryKinds } from './log/log-entry.ts';
import { heirsOf, nodeHeader, partitionAddress } from './log/log-state.ts';
import { NodeLog, type RowStoreProgress } from './log/node-log.ts';
import { checkLogFormat } from './log/open-segments.ts';
import type { TurnEnds } from './log/turn-ends.ts';
import { checkRunsFormat } from './runs/runs-format.ts';
import type { KeyRange, SortedRows, StorageEngine, WriteBatch } from './storage-engine.ts';
import { readSuperblock, type Superblock, type SuperblockReading, writeSuperblock } from './superblock.ts';

/** How a node reaches its directory. Each is asked anew whenever the node is opened. */
export interface StorageNodeParts {
  readonly nodeId: NodeId;
  /** The directory as it is now; makes one when there is none. */
  openDisk(): Promise<Disk>;
  /** Creates the row store when absent. */
  openEngine(): Promise<StorageEngine>;
  /** Removes the row store's files. */
  destroyEngine(): Promise<void>;
}

const rebuildMark = 'rebuilding';
const stopMark = 'stopped';

/** `opening`: its files are open, but it takes no part yet. */
export type NodeState = 'closed' | 'opening' | 'up' | 'down';

/** What an open node works with; gone when it goes down. */
export interface NodeHandles {
  readonly disk: Disk;
  readonly log: NodeLog;
  readonly commit: GroupCommit;
  readonly engine: StorageEngine;
}

export class StorageNode {
  readonly id: NodeId;
  readonly #parts: StorageNodeParts;
  readonly #clock: Clock;
  readonly #turnEnds: TurnEnds;
  readonly #events: Log;
  readonly #settings: GroupCommitSettings;
  readonly #onDown: (node: StorageNode) => void;
  #handles: NodeHandles | undefined;
  /** The row store of a node whose log failed: still good for reading as long as the memtables hold all it lacks. */
  #leftEngine: StorageEngine | undefined;
  #state: NodeState = 'closed';
  #downReason: unknown;
  #wasStopped = false;
  #isBroken = false;
  #rowBytes = 0;
  #rowWriteSince: number | undefined;
  /** What must end before the directory may be opened again. */
  #closing: Promise<void> = Promise.resolve();
  #rowWrites: Promise<void> = Promise.resolve();
  #opening: Promise<void> = Promise.resolve();
  freeBytes: number = Number.POSITIVE_INFINITY;
  /** The last memtable whose rows are in this node's row store. */
  appliedGeneration = 0;
  /** Partition number → LSN through which its rows are durable in the row store: what the log need not keep. */
  readonly appliedLsns: Map<number, number> = new Map();
  /** Partitions whose rows were made good from the log since the row store was opened. */
  readonly mended: Set<number> = new Set();

  constructor(
    parts: StorageNodeParts,
    clock: Clock,
    turnEnds: TurnEnds,
    events: Log,
    settings: GroupCommitSettings,
    onDown: (node: StorageNode) => void,
  ) {
    this.id = parts.nodeId;
    this.#parts = parts;
    this.#clock = clock;
    this.#turnEnds = turnEnds;
    this.#events = events;
    this.#settings = settings;
    this.#onDown = onDown;
  }

  get state(): NodeState {
    return this.#state;
  }

  get isUp(): boolean {
    return this.#state === 'up';
  }

  /** It went down because there was no room. */
  get isFull(): boolean {
    return this.#state === 'down' && isNoSpace(this.#downReason);
  }

  get downReason(): unknown {
    return this.#downReason;
  }

  /** Throws when the node is down: whoever uses a node looks first, or treats that as the node's failure. */
  get handles(): NodeHandles {
    if (this.#handles === undefined) throw new NodeDownError(this.id);
    return this.#handles;
  }

  /** How long the row store has not answered the write it was given. */
  get rowWaitingMs(): number {
    return this.#rowWriteSince === undefined ? 0 : this.#clock.monotonic() - this.#rowWriteSince;
  }

  /** The row store, for reading: also when only the log has failed. */
  get readableEngine(): StorageEngine | undefined {
    return this.#state === 'up' ? this.#handles?.engine : this.#leftEngine;
  }

  /** Opening closes the rows that can still be read, and without room it would only fail: then reads would be lost too. */
  async hasRoomToOpen(roomBytes: number): Promise<boolean> {
    if (!this.isFull || this.#leftEngine === undefined) return true;
    const disk = await this.#parts.openDisk();
    try {
      return (await disk.freeBytes()) >= roomBytes;
    } finally {
      await disk.close();
    }
  }

  /** The superblock as it stands. Throws when the log beside it is not of that node, or log or rows are of an unknown format. Changes nothing. */
  async identify(): Promise<SuperblockReading> {
    const disk = await this.#parts.openDisk();
    try {
      const reading = await readSuperblock(disk);
      if (reading.status === 'ok') await checkLogFormat(disk, reading.superblock);
      await checkRunsFormat(disk);
      return reading;
    } finally {
      await disk.close();
    }
  }

  async initialise(superblock: Superblock): Promise<void> {
    const disk = await this.#parts.openDisk();
    try {
      await writeSuperblock(disk, superblock);
    } finally {
      await disk.close();
    }
  }

  /** Whether the node was stopped in order: then its row store has lost nothing that it was given. */
  get wasStopped(): boolean {
    return this.#wasStopped;
  }

  /** Opens log and rows. Rejects, and leaves the node down, when anything is amiss. */
  open(superblock: Superblock): Promise<void> {
    return this.#alone(async (disk) => {
      if (await disk.read(rebuildMark))
        throw new RingfoldError('corrupt-data', { what: 'unfinished rebuild', node: this.id });
      this.#wasStopped = (await disk.read(stopMark)) !== undefined;
      if (this.#wasStopped) await disk.remove(stopMark);
      await this.#openHandles(disk, superblock);
    });
  }

  /** The node has been prepared and takes part from now on. */
  admit(generation: number): void {
    if (this.#handles === undefined) throw new NodeDownError(this.id);
    this.appliedGeneration = generation;
    this.#state = 'up';
  }

  /** What it has is damaged, and opening it again will not help. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  markBroken(): void {
    this.#isBroken = true;
  }

  /** One opening at a time, and none before what was open is closed: a disk that hangs may hold either up for long. */
  #alone(work: (disk: Disk) => Promise<void>): Promise<void> {
    const opening = this.#opening.then(async () => {
      this.fail(new Error('the node is opened anew'));
      await this.#closeAll();
      let disk: Disk | undefined;
      try {
        disk = await this.#parts.openDisk();
        await work(disk);
      } catch (error) {
        if (this.#handles === undefined) await disk?.close();
        else this.fail(error);
        this.#state = 'down';
        this.#downReason = error;
        if (isCorruption(error)) this.#isBroken = true;
        throw error;
      }
    });
    this.#opening = opening.catch(() => {});
    return opening;
  }

  async #openHandles(disk: Disk, superblock: Superblock): Promise<void> {
    const log = await NodeLog.open(disk, superblock, this.#wasStopped);
    const engine = await this.#parts.openEngine();
    try {
      this.#rowBytes = log.state.rowProgress.rowBytes;
      this.mended.clear();
      this.appliedLsns.clear();
      for (const [partition, lsn] of await readAppliedLsns(engine)) this.appliedLsns.set(partition, lsn);
      const rows = this.#progressOf(log);
      await log.beginSegment(this.#clock.now(), rows);
      const [clock, turnEnds] = [this.#clock, this.#turnEnds];
      const commit: GroupCommit = new GroupCommit(log, rows, clock, turnEnds, this.#settings, (error) => {
        if (this.#handles?.commit === commit) this.fail(error, true);
      });
      await this.#noteLostRows(log, commit);
      this.#handles = { disk, log, commit, engine };
    } catch (error) {
      await Promise.allSettled([log.close(), engine.close()]);
      throw error;
    }
    this.#rowWrites = Promise.resolve();
    this.#state = 'opening';
    this.#downReason = undefined;
  }

  /** Rows that neither the row store has nor the log can bring back: the row store was lost, or is another one. They are copied. */
  async #noteLostRows(log: NodeLog, commit: GroupCommit): Promise<void> {
    for (const [number, partition] of log.state.partitions) {
      const needed = Math.max(partition.copiedLsn, log.trimmedLsn(number));
      if (partition.isCopying || (this.appliedLsns.get(number) ?? 0) >= needed) continue;
      for (const heir of heirsOf(log.state, number)) {
        const header = { ...nodeHeader(entryKinds.copying, 0, this.#clock.now()), ...partitionAddress(heir) };
        await commit.note(encodeNote(header, null), () => log.state.note(header, null));
      }
    }
  }

  #progressOf(log: NodeLog): RowStoreProgress {
    const rowBytes = () => this.#rowBytes;
    return {
      get rowBytes() {
        return rowBytes();
      },
      isApplied: (partition, lsn) => {
        const state = log.state.partitions.get(partition);
        return state === undefined || state.isCopying || lsn <= (this.appliedLsns.get(partition) ?? 0);
      },
    };
  }

  /** Removes old segments that neither catch-up nor a row store that lost what it may lose would need. */
  async trimLog(keepBytes: number): Promise<void> {
    const { log, engine } = this.handles;
    await log.trim(keepBytes, engine.losable.bytes, this.#progressOf(log));
  }

  /** After an unclean stop, what a row store with holes was given in its last so many bytes is applied again. */
  get reapplyBytes(): number {
    const { bytes, withHoles } = this.handles.engine.losable;
    return withHoles ? bytes : 0;
  }

  /**
   * Begins anew with an empty log and no rows. `mark` notes in the new log, before anything else counts, that none of the node's
   * partitions is whole; until that is durable a file says so, and opening the node is refused.
   */
  rebuild(superblock: Superblock, mark: () => Promise<void>): Promise<void> {
    return this.#alone(async (disk) => {
      await disk.replace(rebuildMark, Buffer.from('rows and log are being made anew from other nodes\n'));
      await writeSuperblock(disk, superblock);
      await this.#parts.destroyEngine();
      for (const name of (await disk.list('log')) ?? []) await disk.remove(`log/${name}`);
      this.#wasStopped = false;
      await this.#openHandles(disk, superblock);
      await mark();
      await disk.remove(rebuildMark);
      this.#isBroken = false;
    });
  }

  /** Writes rows after all row writes asked for earlier. A failure takes the node down. */
  writeRows(batch: WriteBatch, sync: boolean): Promise<void> {
    for (const { key, value } of batch) this.#rowBytes += key.length + (value?.length ?? 0);
    return this.#afterRowWrites((engine) => engine.write(batch, sync));
  }

  /** A memtable's rows, and with the marks how far they bring the store. Durable. */
  writeSortedRows(slices: readonly SortedRows[], marks: WriteBatch): Promise<void> {
    for (const slice of slices)
      for (const { key, sizeBytes } of slice) this.#rowBytes += key.length + sizeBytes;
    for (const { key, value } of marks) this.#rowBytes += key.length + (value?.length ?? 0);
    return this.#afterRowWrites((engine) => engine.writeSorted(slices, marks));
  }

  /** Rows written so far are safe from whatever the row store's own journal may lose in a crash. */
  flushRows(): Promise<void> {
    return this.#afterRowWrites((engine) => engine.flush());
  }

  clearRows(range: KeyRange): Promise<void> {
    return this.#afterRowWrites((engine) => engine.clear(range));
  }

  /** Replaces a row, if it is still the one that was seen; true when it was. */
  async repairRow(key: ByteString, seen: Buffer | undefined, truth: Buffer | undefined): Promise<boolean> {
    let isRepaired = false;
    await this.#afterRowWrites(async (engine) => {
      const present = await engine.get(key);
      const isSame = seen === undefined ? present === undefined : present?.equals(seen) === true;
      if (!isSame) return;
      await engine.write([{ key: bytesOf(key), value: truth }], true);
      isRepaired = true;
    });
    return isRepaired;
  }

  #afterRowWrites(work: (engine: StorageEngine) => Promise<void>): Promise<void> {
    const handles = this.#handles;
    if (handles === undefined) return Promise.reject(new NodeDownError(this.id));
    const written = this.#rowWrites.then(async () => {
      if (this.#handles !== handles) throw new NodeDownError(this.id);
      this.#rowWriteSince = this.#clock.monotonic();
      try {
        await work(handles.engine);
      } catch (error) {
        if (this.#handles === handles) this.fail(error);
        throw error;
      } finally {
        this.#rowWriteSince = undefined;
      }
      // An answer that comes after the node went down is nobody's answer any more.
      if (this.#handles !== handles) throw new NodeDownError(this.id);
    });
    this.#rowWrites = written.catch(() => {});
    return written;
  }

  /** Takes the node down at once. Its handles are closed behind the scenes and never written again. */
  fail(reason: unknown, areRowsSound = false): void {
    const handles = this.#handles;
    if (handles === undefined) return;
    this.#handles = undefined;
    this.#state = 'down';
    this.#downReason = reason;
    if (isCorruption(reason)) this.#isBroken = true;
    this.#events.warn('node down', { node: this.id, reason: describe(reason) });
    this.#closing = closeLog(handles, reason);
    this.#closing.catch(() => {});
    this.#leftEngine = handles.engine;
    // For want of room a write is left out whole: what was there is as it was.
    if (!areRowsSound && !isNoSpace(reason)) this.forgetRows();
    this.#onDown(this);
  }

  /** The row store is no longer to be read. */
  forgetRows(): void {
    const engine = this.#leftEngine;
    this.#leftEngine = undefined;
    if (engine === undefined) return;
    const logClosed = this.#closing;
    // Either may hang or fail on a broken disk; the other is closed all the same.
    this.#closing = Promise.allSettled([logClosed, this.#rowWrites.then(() => engine.close())]).then(
      () => {},
    );
  }

  /** Stops taking writes, waits for those under way, and closes. */
  async stop(areRowsWhole: boolean): Promise<void> {
    const isMarked = areRowsWhole && (await this.#emptyJournal());
    const handles = this.#handles;
    this.#handles = undefined;
    this.#state = 'closed';
    if (handles !== undefined) {
      this.#leftEngine = handles.engine;
      this.#closing = closeLog(handles, new RingfoldError('stopping'));
    }
    await this.#closeAll();
    if (isMarked && handles !== undefined) await this.#leaveStopMark();
  }

  /** After a stop in order nothing is applied again, so no row may stand only where a damaged byte would pass it by unnoticed. */
  #emptyJournal(): Promise<boolean> {
    if (this.#handles?.engine.losable.withHoles !== true) return Promise.resolve(true);
    return this.flushRows().then(
      () => true,
      () => false,
    );
  }

  async #leaveStopMark(): Promise<void> {
    const disk = await this.#parts.openDisk();
    await disk.replace(stopMark, Buffer.from('stopped in order\n'));
    await disk.close();
  }

  async #closeAll(): Promise<void> {
    this.forgetRows();
    await this.#closing.catch(() => {});
  }
}

async function closeLog({ commit, log, disk }: NodeHandles, reason: unknown): Promise<void> {
  await commit.close(reason);
  await log.close();
  await disk.close();
}

/** The node went down while it was being used. */
export class NodeDownError extends Error {
  constructor(node: NodeId) {
    super(`storage node ${node} is down`);
    this.name = 'NodeDownError';
  }
}

export function isCorruption(error: unknown): boolean {
  return error instanceof RingfoldError && error.code === 'corrupt-data';
}

function isNoSpace(reason: unknown): boolean {
  if (!(reason instanceof Error)) return false;
  return (
    ('code' in reason && reason.code === 'ENOSPC') ||
    /no space left/i.test(reason.message) ||
    isNoSpace(reason.cause)
  );
}

export function describe(reason: unknown): string {
  if (reason instanceof RingfoldError) return `${reason.message} ${JSON.stringify(reason.details)}`;
  return reason instanceof Error ? reason.message : String(reason);
}
