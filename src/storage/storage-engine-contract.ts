import { crc32 } from 'node:zlib';
import { assert } from '../foundation/assert.ts';
import type { ByteString } from '../foundation/byte-string.ts';
import type {
  EngineRow,
  ExpectedRows,
  KeyRange,
  LosableRows,
  RowIterator,
  SortedRows,
  StorageEngine,
  WriteBatch,
} from './storage-engine.ts';

/**
 * Wraps any engine and asserts, while tests run, what it promises and what its caller owes it: rows in order and
 * within their range, pages within their limits, one write at a time, batches left as they were, nothing after close.
 */
export class StorageEngineContract implements StorageEngine {
  readonly #engine: StorageEngine;
  #isOpen = true;
  #isWriting = false;
  #writes = 0;
  #running = 0;

  constructor(engine: StorageEngine) {
    this.#engine = engine;
  }

  async get(key: ByteString): Promise<Buffer | undefined> {
    const writes = this.#writes;
    const mayChange = this.#isWriting;
    const isLacking = this.lacks(key);
    const value = await this.#during(() => this.#engine.get(key));
    assert(value === undefined || Buffer.isBuffer(value), 'a row is a Buffer');
    const hasChanged = mayChange || writes !== this.#writes;
    assert(!isLacking || value === undefined || hasChanged, 'an engine does not have what it lacks');
    return value;
  }

  lacks(key: ByteString): boolean {
    const isLacking = this.#engine.lacks(key);
    assert(this.#isOpen || !isLacking, 'a closed engine knows nothing');
    return isLacking;
  }

  get isChecked(): boolean {
    return this.#engine.isChecked;
  }

  get losable(): LosableRows {
    return this.#engine.losable;
  }

  async write(batch: WriteBatch, sync: boolean): Promise<void> {
    assert(!this.#isWriting, 'the caller has one write in flight at a time');
    this.#isWriting = true;
    this.#writes += 1;
    const before = fingerprint(batch);
    try {
      await this.#during(() => this.#engine.write(batch, sync));
    } finally {
      this.#isWriting = false;
      assert(fingerprint(batch) === before, 'an engine does not change a batch');
    }
  }

  async writeSorted(slices: readonly SortedRows[], marks: WriteBatch): Promise<void> {
    assert(!this.#isWriting, 'the caller has one write in flight at a time');
    let last: ByteString | undefined;
    for (const { key } of slices.flat()) {
      assert(last === undefined || key > last, 'the caller gives rows in key order, each once');
      last = key;
    }
    this.#isWriting = true;
    this.#writes += 1;
    try {
      await this.#during(() => this.#engine.writeSorted(slices, marks));
    } finally {
      this.#isWriting = false;
    }
  }

  iterate(range: KeyRange, expected?: ExpectedRows): RowIterator {
    assert(this.#isOpen, 'a closed engine is not used');
    const iterator = this.#engine.iterate(range, expected);
    return new RowIteratorContract(iterator, range, (call) => this.#during(call));
  }

  async clear(range: KeyRange): Promise<void> {
    await this.#during(() => this.#engine.clear(range));
  }

  isIntact(rest: () => Promise<void>): Promise<boolean> {
    return this.#during(() => this.#engine.isIntact(rest));
  }

  flush(): Promise<void> {
    return this.#during(() => this.#engine.flush());
  }

  async approximateSize(range: KeyRange): Promise<number> {
    const sizeBytes = await this.#during(() => this.#engine.approximateSize(range));
    assert(Number.isFinite(sizeBytes) && sizeBytes >= 0, 'a size is a number of bytes');
    return sizeBytes;
  }

  async close(): Promise<void> {
    assert(this.#isOpen, 'an engine is closed once');
    this.#isOpen = false;
    await this.#engine.close();
    assert(this.#running === 0, 'close waits for what is running');
  }

  async #during<T>(call: () => Promise<T>): Promise<T> {
    assert(this.#isOpen, 'a closed engine is not used');
    this.#running++;
    try {
      return await call();
    } finally {
      this.#running--;
    }
  }
}

class RowIteratorContract implements RowIterator {
  readonly #iterator: RowIterator;
  readonly #range: KeyRange;
  readonly #during: <T>(call: () => Promise<T>) => Promise<T>;
  #last: ByteString | undefined;
  #hasEnded = false;
  #isReading = false;
  #isOpen = true;

  constructor(iterator: RowIterator, range: KeyRange, during: <T>(call: () => Promise<T>) => Promise<T>) {
    this.#iterator = iterator;
    this.#range = range;
    this.#during = during;
  }

  async next(maxRows: number, maxBytes: number): Promise<EngineRow[]> {
    assert(this.#isOpen, 'a closed iterator is not used');
    assert(!this.#isReading, 'the caller waits for a page before it asks for the next');
    assert(maxRows >= 1, 'a page may hold at least one row');
    this.#isReading = true;
    try {
      const rows = await this.#during(() => this.#iterator.next(maxRows, maxBytes));
      this.#check(rows, maxRows, maxBytes);
      return rows;
    } finally {
      this.#isReading = false;
    }
  }

  async getMany(keys: readonly ByteString[]): Promise<(Buffer | undefined)[]> {
    assert(this.#isOpen, 'a closed iterator is not used');
    const values = await this.#during(() => this.#iterator.getMany(keys));
    assert(values.length === keys.length, 'each key has an answer');
    return values;
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    await this.#iterator.close();
  }

  #check(rows: EngineRow[], maxRows: number, maxBytes: number): void {
    assert(rows.length === 0 || !this.#hasEnded, 'after the empty page every page is empty');
    assert(rows.length <= maxRows, 'a page has no more rows than asked for');
    this.#hasEnded = rows.length === 0;
    let sizeBytes = 0;
    for (const { key, value } of rows) {
      assert(sizeBytes === 0 || sizeBytes < maxBytes, 'a page ends once it has the bytes asked for');
      sizeBytes += key.length + value.length;
      assert(key >= this.#range.from && key < this.#range.to, 'a row is within the range');
      assert(this.#last === undefined || this.#follows(key, this.#last), 'rows come in order, each once');
      this.#last = key;
    }
  }

  #follows(key: ByteString, last: ByteString): boolean {
    return this.#range.reverse ? key < last : key > last;
  }
}

function fingerprint(batch: WriteBatch): number {
  let sum = batch.length;
  for (const { key, value } of batch) sum = addBytes(value, addBytes(key, sum));
  return sum;
}

/** Node's crc32 forgets the sum it was given when it meets certain empty Buffers, so those are added as text. */
function addBytes(bytes: Buffer | undefined, sum: number): number {
  if (bytes === undefined) return crc32('removed', sum);
  return bytes.length === 0 ? crc32('empty', sum) : crc32(bytes, sum);
}
