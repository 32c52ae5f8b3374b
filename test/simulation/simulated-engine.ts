import { assert } from '../../src/foundation/assert.ts';
import { type ByteString, bytesOf } from '../../src/foundation/byte-string.ts';
import type { SortedCursor, SortedEntries } from '../../src/foundation/sorted-map.ts';
import type {
  EngineRow,
  EngineWrite,
  KeyRange,
  LosableRows,
  RowIterator,
  SortedRows,
  StorageEngine,
  WriteBatch,
} from '../../src/storage/storage-engine.ts';
import { CallLine, ioError, type SimulatedMedium } from './simulated-medium.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import type { SimulatedRows } from './simulated-rows.ts';

/** `clear` goes in steps of so many rows: a crash in between leaves some. */
const rowsPerClearing = 8;

/** A row store as one life of the process opened it. */
export class SimulatedEngine implements StorageEngine {
  readonly losable: LosableRows;
  readonly isChecked = false;
  readonly #rows: SimulatedRows;
  readonly #medium: SimulatedMedium;
  readonly #process: SimulatedProcess;
  readonly #hasRoom: () => boolean;
  readonly #writes = new CallLine();
  readonly #running = new Set<Promise<unknown>>();
  #isOpen = true;

  private constructor(
    rows: SimulatedRows,
    medium: SimulatedMedium,
    process: SimulatedProcess,
    hasRoom: () => boolean,
  ) {
    this.losable = { bytes: 2 * rows.writeBufferBytes, withHoles: true };
    this.#rows = rows;
    this.#medium = medium;
    this.#process = process;
    this.#hasRoom = hasRoom;
  }

  static open(
    rows: SimulatedRows,
    medium: SimulatedMedium,
    process: SimulatedProcess,
    hasRoom: () => boolean,
  ): Promise<SimulatedEngine> {
    return medium.call(process, new CallLine(), false, () => {
      // LevelDB holds a lock on its folder.
      if (rows.isOpen) throw ioError('EBUSY');
      rows.open();
      return new SimulatedEngine(rows, medium, process, hasRoom);
    });
  }

  static destroy(rows: SimulatedRows, medium: SimulatedMedium, process: SimulatedProcess): Promise<void> {
    return medium.call(process, new CallLine(), true, () => {
      if (rows.isOpen) throw ioError('EBUSY');
      rows.destroy();
    });
  }

  get(key: ByteString): Promise<Buffer | undefined> {
    return this.#call(new CallLine(), false, () => {
      this.#failOnceIfAsked();
      return this.#rows.rows.get(key);
    });
  }

  /** As filters do, it does not always know. */
  lacks(key: ByteString): boolean {
    const isKnown = key.charCodeAt(key.length - 1) % 4 !== 0 && this.#rows.failingReads === 0;
    return this.#isOpen && isKnown && this.#rows.rows.get(key) === undefined;
  }

  write(batch: WriteBatch, sync: boolean): Promise<void> {
    return this.#call(this.#writes, true, () => this.#write(batch, sync));
  }

  /** In steps, as LevelDB takes it: a crash in between leaves some. */
  async writeSorted(slices: readonly SortedRows[], marks: WriteBatch): Promise<void> {
    for (const slice of slices) {
      const batch = slice.map(({ keyBytes, stored }) => ({ key: keyBytes, value: stored }));
      await this.write(batch, false);
    }
    await this.write(marks, true);
  }

  iterate(range: KeyRange): RowIterator {
    assert(this.#isOpen, 'a closed engine is not used');
    return new SimulatedIterator(this.#rows.rows.snapshot(), range, (effect) =>
      this.#call(new CallLine(), false, () => {
        this.#failOnceIfAsked();
        return effect();
      }),
    );
  }

  async clear(range: KeyRange): Promise<void> {
    for (;;) {
      const isEmpty = await this.#call(this.#writes, true, () => {
        const batch: EngineWrite[] = [];
        const cursor = this.#rows.rows.snapshot().cursor(range.from, range.to);
        for (
          let row = cursor.next();
          row !== undefined && batch.length < rowsPerClearing;
          row = cursor.next()
        ) {
          batch.push({ key: bytesOf(row.key), value: undefined });
        }
        if (batch.length > 0) this.#write(batch, false);
        return batch.length < rowsPerClearing;
      });
      if (isEmpty) return;
    }
  }

  flush(): Promise<void> {
    return this.#call(this.#writes, true, () => {
      this.#failWriteIfAsked();
      this.#rows.flush();
    });
  }

  isIntact(): Promise<boolean> {
    return this.#call(new CallLine(), false, () => !this.#rows.isLost);
  }

  approximateSize(range: KeyRange): Promise<number> {
    return this.#call(new CallLine(), false, () => {
      let sizeBytes = 0;
      const cursor = this.#rows.rows.cursor(range.from, range.to);
      for (let row = cursor.next(); row !== undefined; row = cursor.next()) {
        sizeBytes += row.key.length + row.value.length;
      }
      return sizeBytes;
    });
  }

  async close(): Promise<void> {
    assert(this.#isOpen, 'an engine is closed once');
    this.#isOpen = false;
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
    // A dead disk does not keep LevelDB from letting go of its folder; a hung one does.
    await this.#medium.call(this.#process, new CallLine(), false, () => {}).catch(() => {});
    this.#rows.isOpen = false;
  }

  #write(batch: WriteBatch, sync: boolean): void {
    this.#failWriteIfAsked();
    this.#rows.write(batch, sync);
  }

  #failWriteIfAsked(): void {
    const hasRoom = this.#hasRoom();
    if (this.#rows.failingWrites === 0 && hasRoom) return;
    this.#rows.failingWrites = Math.max(0, this.#rows.failingWrites - 1);
    this.#rows.failAppend();
    throw ioError(hasRoom ? 'EIO' : 'ENOSPC');
  }

  #failOnceIfAsked(): void {
    if (this.#rows.failingReads === 0) return;
    this.#rows.failingReads--;
    throw ioError('EIO');
  }

  #call<T>(line: CallLine, isChange: boolean, effect: () => T): Promise<T> {
    if (!this.#isOpen) return Promise.reject(new Error('the engine is closed'));
    const call = this.#medium.call(this.#process, line, isChange, effect);
    this.#running.add(call);
    const end = (): void => {
      this.#running.delete(call);
    };
    call.then(end, end);
    return call;
  }
}

class SimulatedIterator implements RowIterator {
  readonly #rows: SortedEntries<Buffer>;
  readonly #cursor: SortedCursor<Buffer>;
  readonly #call: <T>(effect: () => T) => Promise<T>;
  #isOpen = true;

  constructor(
    rows: SortedEntries<Buffer>,
    { from, to, reverse }: KeyRange,
    call: <T>(effect: () => T) => Promise<T>,
  ) {
    this.#rows = rows;
    this.#cursor = rows.cursor(from, to, reverse);
    this.#call = call;
  }

  getMany(keys: readonly ByteString[]): Promise<(Buffer | undefined)[]> {
    if (!this.#isOpen) return Promise.reject(new Error('the iterator is closed'));
    return this.#call(() => keys.map((key) => this.#rows.get(key)));
  }

  next(maxRows: number, maxBytes: number): Promise<EngineRow[]> {
    if (!this.#isOpen) return Promise.reject(new Error('the iterator is closed'));
    return this.#call(() => {
      const rows: EngineRow[] = [];
      let sizeBytes = 0;
      while (rows.length < maxRows && sizeBytes < maxBytes) {
        const row = this.#cursor.next();
        if (row === undefined) break;
        rows.push({ key: row.key, value: row.value });
        sizeBytes += row.key.length + row.value.length;
      }
      return rows;
    });
  }

  async close(): Promise<void> {
    this.#isOpen = false;
  }
}
