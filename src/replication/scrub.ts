// Compares the level replicas of a partition row by row, at an equal applied LSN, and mends what can be decided: a row that fails
// its checksum has no vote, and the version that most of the others have is the truth.

import { RingfoldError } from '../errors/ringfold-error.ts';
import { BackgroundWork } from '../foundation/background-work.ts';
import { type ByteString, bytesOf, keyAfter } from '../foundation/byte-string.ts';
import type { Clock } from '../foundation/clock.ts';
import { Leisure } from '../foundation/leisure.ts';
import type { Log } from '../foundation/log.ts';
import { Rests } from '../foundation/rests.ts';
import { nextTurn, type Scheduler } from '../foundation/scheduler.ts';
import { isSound } from '../storage/log/stored-row.ts';
import type { EngineRow, KeyRange, RowIterator } from '../storage/storage-engine.ts';
import { describe, type NodeHandles, type StorageNode } from '../storage/storage-node.ts';
import type { PartitionCache } from './partition-cache.ts';
import type { PartitionDirectory } from './partition-directory.ts';
import type { Replica } from './replica.ts';
import type { ReplicatedPartition } from './replicated-partition.ts';
import type { RowApplier } from './row-applier.ts';
import type { StoreSettings } from './store-settings.ts';

export interface ScrubReport {
  readonly partitions: number;
  readonly rowsCompared: number;
  /** Rows of which some replica had another version, or none, or a damaged one. */
  readonly differences: number;
  readonly repaired: number;
  /** Rows that no majority decides; they were left alone. */
  readonly undecided: number;
  /** Partitions, or the rest of one, for which there was no moment at which their replicas had applied the same. */
  readonly skipped: number;
}

const batchRows = 64;
const batchBytes = 256 * 1024;
/** Rows compared in one go: the iterators are open for so long, and LevelDB keeps what they see. */
const rowsPerStretch = 2_000;
/** Rows of all replicas between two turns for others: well under a millisecond. */
const rowsPerTurn = 64;
const expectedRows = { maxRows: rowsPerStretch, maxBytes: rowsPerStretch * 1024 };
/** Of one core, in the background; and what it may do at once, which is what small stores take altogether. */
const backgroundShare = 1 / 500;
const unnoticedMs = 60;
/** Processor time, of all threads: of a piece of a log or of an index; of a row of one replica and of a byte in it. */
const workMs = { piece: 0.25, row: 1e-3, byte: 2e-6 } as const;

export interface ScrubParts {
  readonly applier: RowApplier;
  readonly cache: PartitionCache;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly directory: PartitionDirectory;
  readonly log: Log;
  readonly settings: StoreSettings;
}

interface Stretch {
  /** Where the next one begins; undefined at the end, or when there is nothing to compare with. */
  readonly next: ByteString | undefined;
  readonly doneMs: number;
}

type Counts = { -readonly [K in keyof ScrubReport]: number };

export class Scrub {
  readonly #parts: ScrubParts;
  readonly #beingMended = new Set<ReplicatedPartition>();
  readonly #mending: BackgroundWork;
  readonly #leisure: Leisure;
  readonly #rests: Rests;
  #passing: Promise<void> = Promise.resolve();

  constructor(parts: ScrubParts) {
    this.#parts = parts;
    this.#mending = new BackgroundWork(parts.log);
    this.#leisure = new Leisure(parts.clock, backgroundShare, unnoticedMs);
    this.#rests = new Rests(parts.scheduler);
  }

  /** From now on, again and again. */
  start(): void {
    if (this.#parts.settings.scrubIntervalMs > 0) this.#passing = this.#passAgain();
  }

  async stop(): Promise<void> {
    this.#rests.end();
    await Promise.all([this.#passing, this.#mending.settle()]);
  }

  async #passAgain(): Promise<void> {
    for (;;) {
      await this.#rests.rest(this.#parts.settings.scrubIntervalMs);
      if (this.#rests.isOver) return;
      await this.#pass();
    }
  }

  async #pass(): Promise<void> {
    const { log, directory } = this.#parts;
    try {
      const report = await this.#runAtLeisure([...directory.all()]);
      if (report.differences > 0) log.warn('scrub found differences', { ...report });
    } catch (error) {
      log.warn('scrub failed', { reason: describe(error) });
    }
  }

  /** A bad row was met: all of the partition is compared at once, since where one is there may be more. */
  mend(partition: ReplicatedPartition): void {
    if (this.#beingMended.has(partition) || this.#rests.isOver) return;
    this.#beingMended.add(partition);
    const mending = this.run([partition]).then((report) => {
      this.#parts.log.warn('rows mended', { ...partition.address, ...report });
    });
    this.#mending.add(mending.finally(() => this.#beingMended.delete(partition)));
  }

  /** At once, as somebody asked for it. */
  run(partitions: readonly ReplicatedPartition[]): Promise<ScrubReport> {
    return this.#rows(partitions, () => nextTurn(this.#parts.scheduler));
  }

  /** Logs and rows, at a pace that leaves the machine to requests. */
  async #runAtLeisure(partitions: readonly ReplicatedPartition[]): Promise<ScrubReport> {
    const restAfter = async (doneMs: number): Promise<void> => {
      const restMs = this.#leisure.restAfter(doneMs);
      if (restMs > 0 && !this.#rests.isOver) await this.#rests.rest(restMs);
      else await nextTurn(this.#parts.scheduler);
    };
    for (const node of this.#parts.directory.nodes)
      if (!this.#rests.isOver) await this.#files(node, () => restAfter(workMs.piece));
    return this.#rows(partitions, restAfter);
  }

  async #files(node: StorageNode, rest: () => Promise<void>): Promise<void> {
    if (!node.isUp) return;
    const { handles } = node;
    const isStanding = (): boolean => node.isUp && node.handles === handles;
    try {
      const isSound = (await handles.engine.isIntact(rest)) && (await handles.log.verify(rest));
      if (!isSound && isStanding())
        node.fail(new RingfoldError('corrupt-data', { what: 'log or row store' }));
    } catch (error) {
      // A node that goes down meanwhile is looked at when it is back.
      if (isStanding()) throw error;
    }
  }

  async #rows(
    partitions: readonly ReplicatedPartition[],
    restAfter: (doneMs: number) => Promise<void>,
  ): Promise<ScrubReport> {
    const report: Counts = {
      partitions: 0,
      rowsCompared: 0,
      differences: 0,
      repaired: 0,
      undecided: 0,
      skipped: 0,
    };
    for (const partition of partitions) {
      report.partitions += 1;
      let from: ByteString | undefined = partition.from;
      while (from !== undefined && partition.state !== 'closed' && !this.#rests.isOver) {
        const stretch = await this.#stretch(partition, from, report);
        from = stretch.next;
        await restAfter(stretch.doneMs);
      }
    }
    return report;
  }

  async #stretch(partition: ReplicatedPartition, from: ByteString, report: Counts): Promise<Stretch> {
    const columns = await this.#parts.applier.atEqualLsn((generation) =>
      openColumns(partition, from, generation),
    );
    if (columns === undefined) {
      report.skipped += 1;
      return { next: undefined, doneMs: 0 };
    }
    try {
      const next = columns.length < 2 ? undefined : await this.#compare(columns, from, report);
      return { next, doneMs: columns.reduce((sum, column) => sum + column.readMs, 0) };
    } finally {
      await Promise.allSettled(columns.map((column) => column.close()));
    }
  }

  async #compare(
    columns: readonly Column[],
    from: ByteString,
    report: Counts,
  ): Promise<ByteString | undefined> {
    let last = from;
    for (let rows = 0; rows < rowsPerStretch; rows++) {
      for (const column of columns) if (column.isDry) await column.fetch();
      const alike = takeAlike(columns);
      if (alike !== undefined) report.rowsCompared += 1;
      const compared = alike ?? (await this.#compareNext(columns, report));
      if (compared === undefined) return undefined;
      last = compared;
      // What was read ahead is there at once, and would be gone through without a pause.
      if (rows % rowsPerTurn === rowsPerTurn - 1) await nextTurn(this.#parts.scheduler);
    }
    return keyAfter(last);
  }

  async #compareNext(columns: readonly Column[], report: Counts): Promise<ByteString | undefined> {
    const standing = columns.filter((column) => column.isStanding);
    const key = standing.reduce<ByteString | undefined>((lowest, column) => {
      const next = column.head?.key;
      return next !== undefined && (lowest === undefined || next < lowest) ? next : lowest;
    }, undefined);
    if (key === undefined || standing.length < 2) return undefined;
    report.rowsCompared += 1;
    const found = standing.map((column) => ({ node: column.node, row: column.take(key) }));
    const first = found[0]?.row;
    const keyBytes = bytesOf(key);
    // Of those that still stand; `takeAlike` looked at all.
    if (first !== undefined && isSound(keyBytes, first) && found.every(({ row }) => row?.equals(first)))
      return key;
    report.differences += 1;
    const rows = found.map(({ row }) => row);
    const truth = majority(keyBytes, rows);
    if (truth === undefined) {
      report.undecided += 1;
      return key;
    }
    for (const { node, row } of found) {
      const isRight = truth.row === undefined ? row === undefined : row?.equals(truth.row) === true;
      if (!isRight && (await repair(node, key, row, truth.row))) report.repaired += 1;
    }
    this.#parts.cache.evictRange(key, keyAfter(key));
    return key;
  }
}

/** What nearly every row is: the next of all, alike and sound. Undefined where it takes a closer look. */
function takeAlike(columns: readonly Column[]): ByteString | undefined {
  const next = columns[0]?.head;
  if (next === undefined) return undefined;
  for (const column of columns) {
    const { head } = column;
    if (!column.isStanding || head?.key !== next.key) return undefined;
    if (head !== next && !head.value.equals(next.value)) return undefined;
  }
  if (!isSound(bytesOf(next.key), next.value)) return undefined;
  for (const column of columns) column.take(next.key);
  return next.key;
}

/** A node that goes down meanwhile is mended when it returns. */
async function repair(
  node: StorageNode,
  key: ByteString,
  seen: Buffer | undefined,
  truth: Buffer | undefined,
): Promise<boolean> {
  try {
    return await node.repairRow(key, seen, truth);
  } catch (error) {
    if (node.isUp) throw error;
    return false;
  }
}

/** The version that more than half of those with a sound row, or none, agree on. */
function majority(
  key: Buffer,
  rows: readonly (Buffer | undefined)[],
): { readonly row: Buffer | undefined } | undefined {
  const votes = rows.filter((row) => row === undefined || isSound(key, row));
  for (const row of votes) {
    const agreeing = votes.filter((other) =>
      row === undefined ? other === undefined : other?.equals(row) === true,
    );
    if (agreeing.length * 2 > votes.length) return { row };
  }
  return undefined;
}

/** A replica that joined since the last memtable was applied is ahead of the others: it was given newer rows with the join. */
function openColumns(partition: ReplicatedPartition, from: ByteString, appliedGeneration: number): Column[] {
  return partition.levelReplicas
    .filter((replica) => replica.firstGeneration <= appliedGeneration)
    .map((replica) => new Column(replica, { from, to: partition.to }));
}

/** One replica's rows in order, with a head to compare. It stands as long as the replica is level on the row store it was opened on. */
class Column {
  readonly node: StorageNode;
  readonly #replica: Replica;
  readonly #handles: NodeHandles;
  readonly #iterator: RowIterator;
  #rows: EngineRow[] = [];
  #at = 0;
  #isDone = false;
  #readMs = 0;

  constructor(replica: Replica, range: KeyRange) {
    this.#replica = replica;
    this.node = replica.node;
    this.#handles = replica.node.handles;
    this.#iterator = this.#handles.engine.iterate(range, expectedRows);
  }

  get isStanding(): boolean {
    return this.#replica.standing === 'level' && this.node.isUp && this.node.handles === this.#handles;
  }

  get head(): EngineRow | undefined {
    return this.#rows[this.#at];
  }

  get isDry(): boolean {
    return this.#at >= this.#rows.length && !this.#isDone;
  }

  async fetch(): Promise<void> {
    try {
      this.#rows = this.isStanding ? await this.#iterator.next(batchRows, batchBytes) : [];
    } catch (error) {
      if (this.isStanding) this.node.fail(error);
      this.#rows = [];
    }
    this.#at = 0;
    this.#isDone = this.#rows.length === 0;
    for (const { value } of this.#rows) this.#readMs += workMs.row + value.length * workMs.byte;
  }

  /** What it has cost so far. */
  get readMs(): number {
    return this.#readMs;
  }

  /** The row under this key, if it is the head. */
  take(key: ByteString): Buffer | undefined {
    const head = this.head;
    if (head?.key !== key) return undefined;
    this.#at += 1;
    return head.value;
  }

  close(): Promise<void> {
    return this.#iterator.close();
  }
}
