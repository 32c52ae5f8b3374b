// Reads committed rows: memtables first, then the cache, then one level replica's row store. A point read may be answered
// as of any moment between its call and its answer; a scan joins the memtables and an iterator opened in the same instant, so it
// sees exactly one moment.

import { RingfoldError } from '../errors/ringfold-error.ts';
import { type ByteString, bytesOf, keyAfter } from '../foundation/byte-string.ts';
import { nextTurn, type Scheduler } from '../foundation/scheduler.ts';
import { positionEnd } from '../partitioning/logical-partition.ts';
import { LaidRow, valueBytesOf } from '../storage/laid-row.ts';
import {
  isSound,
  type StoredRow,
  UnsoundRowError,
  valueOfStored,
  valueRowOf,
} from '../storage/log/stored-row.ts';
import type { Row, RowPage, Scan } from '../storage/partition-store.ts';
import type { EngineRow, KeyRange, RowIterator, StorageEngine } from '../storage/storage-engine.ts';
import type { StorageNode } from '../storage/storage-node.ts';
import type { Memtables } from './memtables.ts';
import type { Fill, PartitionCache } from './partition-cache.ts';
import type { RangeNote } from './range-notes.ts';
import type { ReplicatedPartition } from './replicated-partition.ts';
import type { RowVisitor } from './row-visitor.ts';
import { WalkedBefore } from './walked-before.ts';

/** A page above this is not worth a place in the cache: it would push out too much else. */
const cacheablePageBytes = 256 * 1024;
const engineBatchBytes = 256 * 1024;
const engineBatchRows = 1_000;
/** Rows of a scan between two turns for others: about a millisecond. */
const rowsPerTurn = 250;

/** What a read meets and another replica makes up for; the reader goes on, somebody else mends. */
export interface ReadTrouble {
  /** The row store could not be read. */
  onBadNode(node: StorageNode, reason: unknown): void;
  /** A row failed its checksum. */
  onBadRow(partition: ReplicatedPartition): void;
}

export class RowReader {
  readonly #memtables: Memtables;
  readonly #cache: PartitionCache;
  readonly #scheduler: Scheduler;
  readonly #trouble: ReadTrouble;
  readonly #walked = new WalkedBefore();
  /** Rows of a node that is down may be read while the memtables still hold all that it lacks. */
  readonly #droppedGeneration: () => number;

  constructor(
    memtables: Memtables,
    cache: PartitionCache,
    scheduler: Scheduler,
    droppedGeneration: () => number,
    trouble: ReadTrouble,
  ) {
    this.#memtables = memtables;
    this.#cache = cache;
    this.#scheduler = scheduler;
    this.#droppedGeneration = droppedGeneration;
    this.#trouble = trouble;
  }

  readCached(key: ByteString): Buffer | null | undefined {
    const row = this.#memtables.get(key);
    return row === undefined ? this.#cache.readRow(key) : row.value;
  }

  /**
   * As `readCached`; null also where a row store can say at once that it has no such row. The cache does not hear of that: rows that
   * are written and never read would push out what is read.
   */
  readNow(partition: ReplicatedPartition, key: ByteString): Buffer | null | undefined {
    const cached = this.readCached(key);
    return cached === undefined && this.#isLacking(partition, key) ? null : cached;
  }

  /** The memtables do not have the key in this very moment, so what one row store lacks is nowhere. */
  #isLacking(partition: ReplicatedPartition, key: ByteString): boolean {
    for (const replica of partition.replicas) {
      if (!replica.isReadable(this.#droppedGeneration())) continue;
      const engine = replica.node.readableEngine;
      if (engine !== undefined) return engine.lacks(key);
    }
    return false;
  }

  /** The cache hears of every commit, so where it knows a range it knows it as of now. */
  scanCached(scan: Scan): RowPage | undefined {
    return this.#cache.readRange(scan.from, scan.to, scan.maxRows, scan.maxBytes, scan.reverse);
  }

  /** As `scanCached`, of a whole range that is known: the rows are shown where they lie. Undefined, with none shown, unless it is. */
  visitCached({ from, to, reverse }: Scan, visitor: RowVisitor): boolean | undefined {
    return this.#cache.visitRange(from, to, reverse, visitor);
  }

  noteOf(key: ByteString): RangeNote | undefined {
    return this.#cache.noteOf(key);
  }

  keepNote({ from, to }: KeyRange, note: RangeNote): void {
    this.#cache.keepNote(from, to, note);
  }

  async read(partition: ReplicatedPartition, key: ByteString): Promise<Buffer | null> {
    const cached = this.readCached(key);
    if (cached !== undefined) return cached;
    const fill = this.#cache.beginFill(key, keyAfter(key));
    try {
      return await this.#fromSomeReplica(partition, async (engine) => {
        const stored = await engine.get(key);
        if (stored === undefined) {
          fill.complete([]);
          return null;
        }
        const value = soundValue(key, stored, engine.isChecked);
        fill.complete([{ key, value }]);
        return value;
      });
    } finally {
      fill.abandon();
    }
  }

  async scan(partition: ReplicatedPartition, scan: Scan): Promise<RowPage> {
    return this.#fromSomeReplica(partition, async (engine) => {
      // These three see the same moment because nothing can be committed or applied between them.
      const overlay = this.#memtables.collect(scan.from, scan.to, scan.reverse, scan.maxRows + 1);
      const iterator = engine.iterate(scan, scan);
      const fill = this.#isWorthCaching(scan) ? this.#cache.beginFill(scan.from, scan.to) : undefined;
      try {
        const page = await mergedPage(iterator, engine.isChecked, overlay, scan, this.#scheduler);
        if (fill !== undefined) completeFill(fill, scan, page);
        return page;
      } finally {
        fill?.abandon();
        await iterator.close();
      }
    });
  }

  /** A scan over many logical partitions is the second time only: filling takes time, and a fill so wide is asked at every commit. */
  #isWorthCaching({ from, to, reverse, mayRepeat = false }: Scan): boolean {
    if (isWithinOnePosition(from, to)) return true;
    return mayRepeat && !reverse && this.#walked.isAgain(from) && this.#cache.hasRoomForWalks;
  }

  /** About how many bytes the range takes in a row store. */
  sizeOf(partition: ReplicatedPartition, range: KeyRange): Promise<number> {
    return this.#fromSomeReplica(partition, (engine) => engine.approximateSize(range));
  }

  async #fromSomeReplica<T>(
    partition: ReplicatedPartition,
    read: (engine: StorageEngine) => Promise<T>,
  ): Promise<T> {
    let cause: unknown;
    for (const replica of partition.replicas) {
      const engine = replica.isReadable(this.#droppedGeneration()) ? replica.node.readableEngine : undefined;
      if (engine === undefined) continue;
      try {
        return await read(engine);
      } catch (error) {
        if (error instanceof UnsoundRowError) this.#trouble.onBadRow(partition);
        else if (replica.node.readableEngine === engine) this.#trouble.onBadNode(replica.node, error);
        cause = error;
      }
    }
    throw new RingfoldError('no-readable-replica', { ...partition.address }, cause);
  }
}

function completeFill(fill: Fill, scan: Scan, page: RowPage): void {
  const last = page.rows.at(-1);
  if (isWithinOnePosition(scan.from, scan.to)) {
    if (!page.complete || pageBytes(page) > cacheablePageBytes) return;
    fill.complete(scan.reverse ? page.rows.toReversed() : page.rows);
  } else if (page.complete) fill.complete(page.rows);
  else if (last !== undefined) fill.complete(page.rows, keyAfter(last.key));
}

function isWithinOnePosition(from: ByteString, to: ByteString): boolean {
  return from.length >= positionEnd && from.slice(0, positionEnd) === to.slice(0, positionEnd);
}

function soundValue(key: ByteString, stored: Buffer, isChecked: boolean): Buffer {
  if (!isChecked && !isSound(bytesOf(key), stored)) throw new UnsoundRowError();
  return valueOfStored(stored);
}

function soundRow(row: EngineRow, isChecked: boolean): Row {
  if (isChecked && row instanceof LaidRow) return valueRowOf(row);
  return { key: row.key, value: soundValue(row.key, row.value, isChecked) };
}

function pageBytes(page: RowPage): number {
  return page.rows.reduce((sum, row) => sum + row.key.length + valueBytesOf(row), 0);
}

/** The iterator's rows with the overlay's in their place, up to the scan's limits. */
async function mergedPage(
  iterator: RowIterator,
  isChecked: boolean,
  overlay: readonly StoredRow[],
  scan: Scan,
  scheduler: Scheduler,
): Promise<RowPage> {
  const rows: Row[] = [];
  let bytes = 0;
  let fromEngine: EngineRow[] = [];
  let engineAt = 0;
  let overlayAt = 0;
  let isEngineDone = false;
  const isBefore = (left: ByteString, right: ByteString) => (scan.reverse ? left > right : left < right);
  for (;;) {
    if (engineAt === fromEngine.length && !isEngineDone) {
      const wanted = Math.min(scan.maxRows - rows.length + 1, engineBatchRows);
      fromEngine = await iterator.next(wanted, Math.min(scan.maxBytes, engineBatchBytes));
      engineAt = 0;
      isEngineDone = fromEngine.length === 0;
    }
    const engineRow = fromEngine[engineAt];
    const overlayRow = overlay[overlayAt];
    if (engineRow === undefined && overlayRow === undefined) return { rows, complete: true };
    let next: Row | undefined;
    if (overlayRow !== undefined && (engineRow === undefined || !isBefore(engineRow.key, overlayRow.key))) {
      overlayAt += 1;
      if (engineRow?.key === overlayRow.key) engineAt += 1;
      const { value } = overlayRow;
      if (value !== null) next = { key: overlayRow.key, value };
    } else if (engineRow !== undefined) {
      engineAt += 1;
      next = soundRow(engineRow, isChecked);
    }
    if (next === undefined) continue;
    if (rows.length >= scan.maxRows || (rows.length > 0 && bytes >= scan.maxBytes))
      return { rows, complete: false };
    rows.push(next);
    bytes += next.key.length + valueBytesOf(next);
    // What is read ahead is there at once, and would be gone through without a pause.
    if (rows.length % rowsPerTurn === 0) await nextTurn(scheduler);
  }
}
