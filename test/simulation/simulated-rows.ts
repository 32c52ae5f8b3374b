import { type ByteString, byteStringOf } from '../../src/foundation/byte-string.ts';
import { integerBetween } from '../../src/foundation/random.ts';
import { type SortedEntries, SortedMap } from '../../src/foundation/sorted-map.ts';
import type { WriteBatch } from '../../src/storage/storage-engine.ts';
import type { CrashKind } from './simulated-disk.ts';
import type { SimulatedMedium } from './simulated-medium.ts';

interface JournalBatch {
  readonly batch: WriteBatch;
  readonly sizeBytes: number;
  isSynced: boolean;
  /** It will not be found when the journal is read again. */
  isGone: boolean;
}

/**
 * The files of one node's row store across all lives of the process: tables, and before them a journal of batches. It
 * does what LevelDB was seen to do: after a failed append it acknowledges batches that the next opening does not find; a
 * flipped byte in the journal loses batches out of its middle; a flipped byte in a table is a wrong or a missing row.
 */
export class SimulatedRows {
  readonly kind = 'leveldb';
  readonly #medium: SimulatedMedium;
  readonly writeBufferBytes: number;
  #tables = new SortedMap<Buffer>();
  #journal: JournalBatch[] = [];
  #journalBytes = 0;
  #seen = new SortedMap<Buffer>();
  #appendsVanish = false;
  /** The row that was damaged last. */
  #wrong: { readonly key: ByteString; readonly value: Buffer } | undefined;
  isOpen = false;
  /** The folder has gone. Whoever has it open goes on reading and writing what nobody will find again. */
  isLost = false;
  /** How many of the next writes or reads fail. */
  failingWrites = 0;
  failingReads = 0;

  constructor(medium: SimulatedMedium, writeBufferBytes: number) {
    this.#medium = medium;
    this.writeBufferBytes = writeBufferBytes;
  }

  /** What a reader sees now. */
  get rows(): SortedMap<Buffer> {
    return this.#seen;
  }

  /** Reads the journal again and makes a table of what it finds, as LevelDB does. */
  open(): void {
    this.#appendsVanish = false;
    for (const { batch, isGone } of this.#journal) if (!isGone) applyTo(this.#tables, batch);
    this.#journal = [];
    this.#journalBytes = 0;
    this.#seen = copyOf(this.#tables.snapshot());
    this.isOpen = true;
  }

  write(given: WriteBatch, isSynced: boolean): void {
    const batch = given.map(({ key, value }) => ({
      key: Buffer.from(key),
      value: value && Buffer.from(value),
    }));
    const sizeBytes = batch.reduce((sum, { key, value }) => sum + key.length + (value?.length ?? 0), 12);
    applyTo(this.#seen, batch);
    this.#journal.push({ batch, sizeBytes, isSynced, isGone: this.#appendsVanish });
    this.#journalBytes += sizeBytes;
    if (isSynced) for (const earlier of this.#journal) earlier.isSynced = true;
    // LevelDB has one buffer being filled and one being written to a table.
    while (this.#journalBytes > 2 * this.writeBufferBytes) this.#flushOldest();
  }

  failAppend(): void {
    this.#appendsVanish = true;
  }

  destroy(): void {
    this.#tables = new SortedMap();
    this.#seen = new SortedMap();
    this.#journal = [];
    this.#journalBytes = 0;
    this.#appendsVanish = false;
  }

  crash(kind: CrashKind): void {
    this.isOpen = false;
    if (kind === 'process-killed') return;
    const firstUnsynced = this.#journal.findIndex(({ isSynced }) => !isSynced);
    if (firstUnsynced < 0) return;
    this.#journal.length = integerBetween(this.#medium.random, firstUnsynced, this.#journal.length);
  }

  /** A flipped byte in the journal: the batches behind it in its block are skipped by the next opening. */
  corruptJournal(): boolean {
    if (this.#journal.length === 0) return false;
    const first = integerBetween(this.#medium.random, 0, this.#journal.length - 1);
    const count = integerBetween(this.#medium.random, 1, 3);
    for (const batch of this.#journal.slice(first, first + count)) batch.isGone = true;
    return true;
  }

  /** A flipped byte in a table: the row has another value. */
  corruptRow(): boolean {
    const key = this.#anyKey(() => true);
    const value = key === undefined ? undefined : this.#tables.get(key);
    if (key === undefined || value === undefined || value.length === 0) return false;
    const wrong = Buffer.from(value);
    const at = integerBetween(this.#medium.random, 0, wrong.length - 1);
    wrong.writeUInt8(wrong.readUInt8(at) ^ (1 << integerBetween(this.#medium.random, 0, 7)), at);
    if (this.#seen.get(key) === value) this.#seen.set(key, wrong);
    this.#tables.set(key, wrong);
    this.#wrong = { key, value: wrong };
    return true;
  }

  /** A flipped byte in a table's index: the row is not found any more, and nothing says so. */
  loseRow(isCandidate: (key: ByteString) => boolean): ByteString | undefined {
    const key = this.#anyKey((each) => isCandidate(each) && this.#seen.get(each) === this.#tables.get(each));
    if (key === undefined) return undefined;
    this.#tables.delete(key);
    this.#seen.delete(key);
    return key;
  }

  /** Whether what was damaged is still what a reader, or the next opening, would find. */
  get isDamaged(): boolean {
    if (this.#journal.some(({ isGone }) => isGone)) return true;
    const wrong = this.#wrong;
    return wrong !== undefined && this.#tables.get(wrong.key) === wrong.value;
  }

  #anyKey(isCandidate: (key: ByteString) => boolean): ByteString | undefined {
    const keys: ByteString[] = [];
    const cursor = this.#tables.cursor('' as ByteString, undefined);
    for (let entry = cursor.next(); entry !== undefined; entry = cursor.next()) {
      if (isCandidate(entry.key)) keys.push(entry.key);
    }
    return keys[integerBetween(this.#medium.random, 0, keys.length - 1)];
  }

  /** Writes the buffers out as tables; nothing depends on the journal then. */
  flush(): void {
    while (this.#journal.length > 0) this.#flushOldest();
  }

  #flushOldest(): void {
    const oldest = this.#journal.shift();
    if (oldest === undefined) return;
    this.#journalBytes -= oldest.sizeBytes;
    // From the buffer in memory, not from the journal: what the journal lost is saved by this.
    applyTo(this.#tables, oldest.batch);
  }
}

function applyTo(rows: SortedMap<Buffer>, batch: WriteBatch): void {
  for (const { key, value } of batch) {
    if (value === undefined) rows.delete(byteStringOf(key));
    else rows.set(byteStringOf(key), value);
  }
}

function copyOf(rows: SortedEntries<Buffer>): SortedMap<Buffer> {
  const copy = new SortedMap<Buffer>();
  const cursor = rows.cursor('' as ByteString, undefined);
  for (let entry = cursor.next(); entry !== undefined; entry = cursor.next())
    copy.set(entry.key, entry.value);
  return copy;
}
