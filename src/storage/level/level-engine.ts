import { access, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ClassicLevel, type Iterator as LevelCursor, type Snapshot } from 'classic-level';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import { assert } from '../../foundation/assert.ts';
import { type ByteString, byteStringOf, bytesOf } from '../../foundation/byte-string.ts';
import type {
  EngineRow,
  KeyRange,
  LosableRows,
  RowIterator,
  SortedRows,
  StorageEngine,
  WriteBatch,
} from '../storage-engine.ts';
import { GroupedReads } from './grouped-reads.ts';
import { translated } from './level-failure.ts';

export interface LevelEngineOptions {
  /**
   * Rows gathered in memory before LevelDB writes a table. Its own write-ahead log holds up to twice as much,
   * which recovery must be able to apply again (design.md §5.4).
   */
  readonly writeBufferBytes: number;
  /** How large a table may grow. Larger ones are fewer to merge. */
  readonly maxTableBytes: number;
  /** Uncompressed blocks kept in memory. Small, since the partition cache stands in front. */
  readonly blockCacheBytes: number;
  readonly compression: boolean;
}

/**
 * Measured under a steady load of commits on four nodes: with buffer and tables of 8 and 2 MB LevelDB stops for up to 9.5 s (its level 0
 * is full) and costs 70 µs of CPU a commit; with 32 and 8 MB it stops for 0.2 s and costs 48; 64 and 16 MB bring nothing more. More
 * is more to hold in memory, four times over, and more to apply again after a crash. Compression costs one to three µs a row.
 */
export const defaultLevelEngineOptions: LevelEngineOptions = {
  writeBufferBytes: 32 * 2 ** 20,
  maxTableBytes: 8 * 2 ** 20,
  blockCacheBytes: 8 * 2 ** 20,
  compression: true,
};

/** How much an iterator reads in one visit to the thread pool; turning it into rows takes the event loop about 1 ms. */
const readAheadBytes = 128 * 1024;

/** The journal holds two buffers, and what the last batch put beyond them. */
const journalSlackBytes = 8 * 2 ** 20;

type Level = ClassicLevel<Buffer, Buffer>;

/** Rows in LevelDB. What it says is not the truth by itself: it can lose and corrupt rows silently (design.md §5). */
export class LevelEngine implements StorageEngine {
  readonly losable: LosableRows;
  readonly isChecked = false;
  readonly #directory: string;
  readonly #level: Level;
  readonly #reads: GroupedReads;
  #isOpen = true;
  #isWriting = false;
  #failure: unknown;

  private constructor(directory: string, level: Level, options: LevelEngineOptions) {
    this.losable = { bytes: 2 * options.writeBufferBytes + journalSlackBytes, withHoles: true };
    this.#directory = directory;
    this.#level = level;
    this.#reads = new GroupedReads((keys) => level.getMany(keys));
  }

  /** Makes a new store; refuses a directory that has one. */
  static async create(directory: string, options: LevelEngineOptions): Promise<LevelEngine> {
    return LevelEngine.#open(directory, options, { createIfMissing: true, errorIfExists: true });
  }

  /** Opens a store that must be there. */
  static async open(directory: string, options: LevelEngineOptions): Promise<LevelEngine> {
    // Asked beforehand, because LevelDB leaves a directory with a lock and a log behind when it finds no store.
    try {
      await access(join(directory, 'CURRENT'));
    } catch (cause) {
      throw new RingfoldError('corrupt-data', { directory, missing: 'CURRENT' }, cause);
    }
    return LevelEngine.#open(directory, options, { createIfMissing: false, errorIfExists: false });
  }

  /** For what can be made anew: nobody is told whether it was there. */
  static async openOrCreate(directory: string, options: LevelEngineOptions): Promise<LevelEngine> {
    return LevelEngine.#open(directory, options, { createIfMissing: true, errorIfExists: false });
  }

  static async #open(
    directory: string,
    options: LevelEngineOptions,
    existence: { readonly createIfMissing: boolean; readonly errorIfExists: boolean },
  ): Promise<LevelEngine> {
    const level: Level = new ClassicLevel(directory, {
      keyEncoding: 'buffer',
      valueEncoding: 'buffer',
      ...existence,
      writeBufferSize: options.writeBufferBytes,
      maxFileSize: options.maxTableBytes,
      cacheSize: options.blockCacheBytes,
      compression: options.compression,
    });
    try {
      await level.open();
    } catch (failure) {
      throw translated(failure, false);
    }
    return new LevelEngine(directory, level, options);
  }

  async get(key: ByteString): Promise<Buffer | undefined> {
    this.#assertOpen();
    try {
      return await this.#reads.read(key);
    } catch (failure) {
      throw translated(failure, true);
    }
  }

  /** It has filters, but does not show them. */
  lacks(): boolean {
    return false;
  }

  /** One at a time: the caller gathers while a write is under way, so a second would only queue for its lock. */
  async write(batch: WriteBatch, sync: boolean): Promise<void> {
    this.#assertWritable();
    assert(!this.#isWriting, 'one write is in flight at a time');
    this.#isWriting = true;
    // A chained batch copies each row once, straight into LevelDB: 18 µs of CPU a row for four engines, against 58
    // for an array of operations, which abstract-level clones and the binding then reads property by property.
    const chained = this.#level.batch();
    for (const { key, value } of batch) {
      if (value === undefined) chained.del(key);
      else chained.put(key, value);
    }
    try {
      await this.#guard(chained.write({ sync }));
    } finally {
      this.#isWriting = false;
    }
  }

  async writeSorted(slices: readonly SortedRows[], marks: WriteBatch): Promise<void> {
    for (const slice of slices) {
      const batch = slice.map(({ keyBytes, stored }) => ({ key: keyBytes, value: stored }));
      await this.write(batch, false);
    }
    await this.write(marks, true);
  }

  iterate(range: KeyRange): RowIterator {
    this.#assertOpen();
    // Taken inside this call, not at the first read.
    const snapshot = this.#level.snapshot();
    const cursor = this.#level.iterator({
      gte: bytesOf(range.from),
      lt: bytesOf(range.to),
      reverse: range.reverse ?? false,
      highWaterMarkBytes: readAheadBytes,
      snapshot,
    });
    return new LevelIterator(this.#level, cursor, snapshot);
  }

  async clear(range: KeyRange): Promise<void> {
    this.#assertWritable();
    await this.#guard(this.#level.clear({ gte: bytesOf(range.from), lt: bytesOf(range.to) }));
  }

  /** Compacting any range, however empty, first writes the buffer out as a table, and the table is synced. */
  async flush(): Promise<void> {
    this.#assertWritable();
    const nowhere = Buffer.alloc(1);
    await this.#guard(this.#level.compactRange(nowhere, nowhere));
  }

  async approximateSize(range: KeyRange): Promise<number> {
    this.#assertOpen();
    return this.#level.approximateSize(bytesOf(range.from), bytesOf(range.to));
  }

  /**
   * Whether every table that LevelDB works with is there in its full length. Tables are mapped: reading beyond the end of one that was
   * cut off kills the process, so this is looked at before rows are read in bulk.
   */
  async isIntact(): Promise<boolean> {
    this.#assertOpen();
    // A table may be dropped by a compaction while its file is looked for; one that is still listed afterwards is missing.
    for (let attempt = 0; attempt < 3; attempt++) {
      const missing = await this.#findMissing();
      if (missing === undefined) return true;
      const isListed = missing === 0 || this.#tables().some(({ number }) => number === missing);
      if (isListed && attempt === 2) return false;
    }
    return true;
  }

  async #findMissing(): Promise<number | undefined> {
    if ((await sizeOf(join(this.#directory, 'CURRENT'))) === undefined) return 0;
    for (const { number, sizeBytes } of this.#tables()) {
      const name = String(number).padStart(6, '0');
      const found =
        (await sizeOf(join(this.#directory, `${name}.ldb`))) ??
        (await sizeOf(join(this.#directory, `${name}.sst`)));
      if (found === undefined || found < sizeBytes) return number;
    }
    return undefined;
  }

  /** LevelDB lists them as ` number:size[first .. last]`, one a line. */
  #tables(): { readonly number: number; readonly sizeBytes: number }[] {
    const listed = this.#level.getProperty('leveldb.sstables');
    return [...listed.matchAll(/^ (\d+):(\d+)\[/gm)].map(([, number, size]) => ({
      number: Number(number),
      sizeBytes: Number(size),
    }));
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    await this.#reads.drain();
    await this.#level.close();
  }

  #assertOpen(): void {
    assert(this.#isOpen, 'a closed engine is not used');
  }

  // After a failed append LevelDB goes on acknowledging batches that a crash would take away, so the first failure
  // must be the last write.
  #assertWritable(): void {
    this.#assertOpen();
    if (this.#failure !== undefined) throw new Error('an earlier write failed', { cause: this.#failure });
  }

  async #guard(write: Promise<void>): Promise<void> {
    try {
      await write;
    } catch (failure) {
      this.#failure = translated(failure, false);
      throw this.#failure;
    }
  }
}

class LevelIterator implements RowIterator {
  readonly #level: Level;
  readonly #snapshot: Snapshot;
  readonly #cursor: LevelCursor<Level, Buffer, Buffer>;
  /** Read but not yet handed out, from `#at` on: the read-ahead is fixed when the cursor is made, a page is not. */
  #ready: [Buffer, Buffer][] = [];
  #at = 0;

  constructor(level: Level, cursor: LevelCursor<Level, Buffer, Buffer>, snapshot: Snapshot) {
    this.#level = level;
    this.#cursor = cursor;
    this.#snapshot = snapshot;
  }

  async next(maxRows: number, maxBytes: number): Promise<EngineRow[]> {
    if (this.#at === this.#ready.length) {
      this.#ready = await this.#read(maxRows);
      this.#at = 0;
    }
    const rows: EngineRow[] = [];
    let sizeBytes = 0;
    while (rows.length < maxRows && (rows.length === 0 || sizeBytes < maxBytes)) {
      const entry = this.#ready[this.#at];
      if (entry === undefined) break;
      this.#at++;
      const [key, value] = entry;
      rows.push({ key: byteStringOf(key), value });
      sizeBytes += key.length + value.length;
    }
    return rows;
  }

  async #read(maxRows: number): Promise<[Buffer, Buffer][]> {
    try {
      return await this.#cursor.nextv(maxRows);
    } catch (failure) {
      throw translated(failure, true);
    }
  }

  async getMany(keys: readonly ByteString[]): Promise<(Buffer | undefined)[]> {
    try {
      return await this.#level.getMany(keys.map(bytesOf), { snapshot: this.#snapshot });
    } catch (failure) {
      throw translated(failure, true);
    }
  }

  async close(): Promise<void> {
    this.#ready = [];
    this.#at = 0;
    await this.#cursor.close();
    await this.#snapshot.close();
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch {
    // Whatever the reason, the file cannot be used.
    return undefined;
  }
}
