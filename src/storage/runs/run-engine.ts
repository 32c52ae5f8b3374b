// Rows in runs: files of rows in key order that are written once. What a memtable holds becomes a run, encoded once for all nodes; runs
// are merged behind the scenes. There is no journal: the node's log is one. docs/decisions/013-runs.md.

import { assert } from '../../foundation/assert.ts';
import { type ByteString, byteStringOf } from '../../foundation/byte-string.ts';
import { SortedMap } from '../../foundation/sorted-map.ts';
import type { Disk } from '../disk.ts';
import type {
  ExpectedRows,
  KeyRange,
  LosableRows,
  RowIterator,
  SortedRows,
  StorageEngine,
  WriteBatch,
} from '../storage-engine.ts';
import { encodedParts, encodedSlice, type PlainRow } from './encoded-rows.ts';
import { ExpectedReads } from './expected-reads.ts';
import type { RunMerger } from './merge-runs.ts';
import { RunCursor } from './run-cursor.ts';
import type { RunWriter } from './run-file.ts';
import { RunIterator } from './run-iterator.ts';
import type { RunList } from './run-list.ts';
import { visibleRanges } from './run-manifest.ts';
import { type MergeOptions, RunMerging } from './run-merging.ts';
import { allKeys, isCorruption, RunShelf } from './run-shelf.ts';
import { soughtKey } from './sought-key.ts';

export interface RunEngineOptions extends MergeOptions {
  /** Rows written one by one are gathered in memory up to so many bytes. */
  readonly unsavedBytes: number;
  readonly indexCacheBytes: number;
  /** With more runs than this, writes wait for a merge: reading would have to look into too many. */
  readonly maxRuns: number;
}

export const defaultRunEngineOptions: RunEngineOptions = {
  fanIn: 8,
  smallBytes: 64 * 1024,
  blockBytes: 4 * 1024,
  spareBytes: 256 * 2 ** 20,
  unsavedBytes: 4 * 2 ** 20,
  indexCacheBytes: 32 * 2 ** 20,
  maxRuns: 96,
};

export class RunEngine implements StorageEngine {
  readonly losable: LosableRows;
  readonly isChecked = true;
  readonly #shelf: RunShelf;
  readonly #options: RunEngineOptions;
  /** Absent where the store is only to be read. */
  readonly #merging: RunMerging | undefined;
  /** Rows that are in no run yet, null where removed. Lost in a crash; nobody was told that they are durable. */
  #unsaved = new SortedMap<Buffer | null>();
  #unsavedBytes = 0;
  #isWriting = false;
  #isOpen = true;
  #failure: unknown;
  readonly #expected = new ExpectedReads();
  readonly #resting = new Set<() => void>();
  /** What `close` waits for. */
  readonly #calls = new Set<Promise<unknown>>();

  private constructor(shelf: RunShelf, merger: RunMerger | undefined, options: RunEngineOptions) {
    this.losable = { bytes: options.unsavedBytes, withHoles: false };
    this.#shelf = shelf;
    this.#options = options;
    if (merger === undefined) return;
    this.#merging = new RunMerging(shelf, merger, options, (error) => {
      this.#failure ??= error;
    });
    this.#merging.consider();
  }

  /** Opens the store in the folder `rows`, or makes one where there is none. Takes over the disk. */
  static async open(disk: Disk, merger: RunMerger, options: RunEngineOptions): Promise<RunEngine> {
    return new RunEngine(await RunShelf.open(disk, options.indexCacheBytes, false), merger, options);
  }

  /** Opens a store that must be there, to be read; nothing about it is changed. */
  static async openReadOnly(disk: Disk, options: RunEngineOptions): Promise<RunEngine> {
    return new RunEngine(await RunShelf.open(disk, options.indexCacheBytes, true), undefined, options);
  }

  async get(key: ByteString): Promise<Buffer | undefined> {
    this.#assertOpen();
    const unsaved = this.#unsaved.get(key);
    if (unsaved !== undefined) return unsaved ?? undefined;
    return this.#whileOpen(this.#find(key));
  }

  async #find(key: ByteString): Promise<Buffer | undefined> {
    const list = this.#shelf.retain();
    try {
      return await find(list, key);
    } finally {
      list.release();
    }
  }

  /** The filters of most runs say so. */
  lacks(key: ByteString): boolean {
    if (!this.#isOpen) return false;
    const unsaved = this.#unsaved.get(key);
    if (unsaved !== undefined) return unsaved === null;
    return !this.#shelf.mayHold(soughtKey(key));
  }

  write(batch: WriteBatch, sync: boolean): Promise<void> {
    return this.#alone(async () => {
      for (const { key, value } of batch) {
        const text = byteStringOf(key);
        assert(text < allKeys.to, 'a key is below the end of all keys');
        // Copied, since a value is often a slice of something much larger.
        this.#unsaved.set(text, value === undefined ? null : Buffer.from(value));
        this.#unsavedBytes += key.length + (value?.length ?? 0);
      }
      if (sync || this.#unsavedBytes >= this.#options.unsavedBytes) await this.#save();
    });
  }

  writeSorted(slices: readonly SortedRows[], marks: WriteBatch): Promise<void> {
    return this.#alone(async () => {
      await this.#save();
      const first = new SortedMap<Buffer | null>();
      for (const { key, value } of marks) first.set(byteStringOf(key), value ?? null);
      const lastMark = first.floor(allKeys.to)?.key;
      const firstRow = slices.find((slice) => slice.length > 0)?.[0]?.key;
      const isInOrder = lastMark === undefined || firstRow === undefined || lastMark < firstRow;
      assert(isInOrder, 'marks stand before all rows');
      const lastRow = slices.findLast((slice) => slice.length > 0)?.at(-1)?.key;
      assert(lastRow === undefined || lastRow < allKeys.to, 'a key is below the end of all keys');
      await this.#addRun(async (writer) => {
        await this.#append(writer, first);
        // One slice at a time: whoever is first to encode one does it for all nodes, and each takes part of a millisecond.
        for (const slice of slices) await writer.append(encodedSlice(slice, this.#options.blockBytes));
      });
    });
  }

  iterate(range: KeyRange, expected?: ExpectedRows): RowIterator {
    this.#assertOpen();
    const list = this.#shelf.retain();
    const reverse = range.reverse ?? false;
    const share = expected === undefined ? 0 : this.#expected.shareOf(list.runs, range, expected);
    const cursors = list.runs.map((run) => {
      const ranges = visibleRanges(range, run.record.sequence, list.cleared);
      return new RunCursor(run, ranges, reverse, Math.ceil(share * run.record.sizeBytes));
    });
    const unsaved = this.#unsaved.size === 0 ? undefined : this.#unsaved.snapshot();
    const iterator = new RunIterator(cursors, unsaved?.cursor(range.from, range.to, reverse), reverse);
    let isClosed = false;
    return {
      next: async (maxRows, maxBytes) => {
        this.#assertOpen();
        assert(!isClosed, 'a closed iterator is not used');
        return this.#whileOpen(iterator.next(maxRows, maxBytes));
      },
      getMany: async (keys) => {
        this.#assertOpen();
        assert(!isClosed, 'a closed iterator is not used');
        const rowOf = async (key: ByteString): Promise<Buffer | undefined> => {
          const newest = unsaved?.get(key);
          return newest === undefined ? find(list, key) : (newest ?? undefined);
        };
        return this.#whileOpen(Promise.all(keys.map(rowOf)));
      },
      close: async () => {
        if (isClosed) return;
        isClosed = true;
        list.release();
        this.#expected.note(range, iterator.rows, iterator.sizeBytes);
      },
    };
  }

  /** At once, whatever its size: what was written before is no longer seen, and left out of the next merge. */
  clear(range: KeyRange): Promise<void> {
    return this.#alone(async () => {
      if (range.from >= range.to) return;
      await this.#save();
      await this.#shelf.clear(range);
      this.#merging?.considerCleared();
    });
  }

  flush(): Promise<void> {
    return this.#alone(() => this.#save());
  }

  async approximateSize(range: KeyRange): Promise<number> {
    this.#assertOpen();
    return this.#whileOpen(sizeOf(this.#shelf.retain(), range));
  }

  async isIntact(rest: () => Promise<void>): Promise<boolean> {
    this.#assertOpen();
    if (isCorruption(this.#failure)) return false;
    return this.#whileOpen(this.#shelf.isIntact(() => this.#restUnlessClosing(rest)));
  }

  /** False when the store is being closed, which wakes whoever rests. */
  async #restUnlessClosing(rest: () => Promise<void>): Promise<boolean> {
    // Nobody would wake it any more.
    if (!this.#isOpen) return false;
    await new Promise<void>((resolve, reject) => {
      const wake = (): void => {
        this.#resting.delete(wake);
        resolve();
      };
      this.#resting.add(wake);
      rest().then(wake, (error) => {
        this.#resting.delete(wake);
        reject(error);
      });
    });
    return this.#isOpen;
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    for (const wake of this.#resting) wake();
    const merging = this.#merging?.close();
    while (this.#calls.size > 0) await Promise.allSettled(this.#calls);
    await merging;
    await this.#shelf.close();
  }

  /** Writes what is in memory only. */
  async #save(): Promise<void> {
    if (this.#unsaved.size === 0) return;
    await this.#addRun(
      (writer) => this.#append(writer, this.#unsaved),
      () => {
        this.#unsaved = new SortedMap();
        this.#unsavedBytes = 0;
      },
    );
  }

  async #addRun(fill: (writer: RunWriter) => Promise<void>, then: () => void = () => {}): Promise<void> {
    await this.#merging?.belowLimit(this.#options.maxRuns);
    await this.#shelf.add(fill, then);
    this.#merging?.consider();
  }

  async #append(writer: RunWriter, rows: SortedMap<Buffer | null>): Promise<void> {
    for (const blocks of encodedParts(entriesOf(rows), this.#options.blockBytes)) await writer.append(blocks);
  }

  /** One at a time: the caller gathers while a write is under way. Its first failure is the last write. */
  async #alone(work: () => Promise<void>): Promise<void> {
    this.#assertOpen();
    assert(this.#merging !== undefined, 'a store that was opened to be read is not written');
    // A merge may have failed meanwhile: what it met is what the node is told.
    if (this.#failure !== undefined) throw this.#failure;
    assert(!this.#isWriting, 'one write is in flight at a time');
    this.#isWriting = true;
    try {
      await this.#whileOpen(work());
    } catch (error) {
      this.#failure ??= error;
      throw error;
    } finally {
      this.#isWriting = false;
    }
  }

  #whileOpen<T>(call: Promise<T>): Promise<T> {
    this.#calls.add(call);
    const end = (): void => {
      this.#calls.delete(call);
    };
    call.then(end, end);
    return call;
  }

  #assertOpen(): void {
    assert(this.#isOpen, 'a closed engine is not used');
  }
}

async function find(list: RunList, key: ByteString): Promise<Buffer | undefined> {
  const sought = soughtKey(key);
  for (const run of list.runs) {
    if (list.isCleared(key, run.record.sequence)) continue;
    const looking = run.get(sought);
    if (looking === undefined) continue;
    const found = await looking;
    if (found !== undefined) return found ?? undefined;
  }
  return undefined;
}

/** Releases the list. */
async function sizeOf(list: RunList, range: KeyRange): Promise<number> {
  try {
    let sizeBytes = 0;
    for (const run of list.runs) {
      for (const part of visibleRanges(range, run.record.sequence, list.cleared))
        sizeBytes += await run.sizeOf(part);
    }
    return sizeBytes;
  } finally {
    list.release();
  }
}

function* entriesOf(rows: SortedMap<Buffer | null>): Generator<PlainRow> {
  const cursor = rows.cursor(allKeys.from, undefined);
  for (let row = cursor.next(); row !== undefined; row = cursor.next()) yield row;
}
