import type { ByteString } from '../foundation/byte-string.ts';
import type { StoredRow } from './log/stored-row.ts';

/**
 * What a storage node asks of its row store: ordered bytes, atomic batches, and iterators that see one moment.
 * Rows can always be remade from logs and other replicas, so an engine is never the only truth.
 */
export interface StorageEngine {
  readonly losable: LosableRows;
  /** What it gives is what it was given, or it rejects: nobody need look at a row's own checksum. */
  readonly isChecked: boolean;
  /** The row as stored, or undefined. May see any batch that finished before the call or ends during it. */
  get(key: ByteString): Promise<Buffer | undefined>;
  /** True when it can say at once, from memory, that there is no such row now. False tells nothing, and is all that is heard once it is closed. */
  lacks(key: ByteString): boolean;
  /** All or nothing. With `sync`, what it resolves to survives a power cut (as far as the engine's word goes). */
  write(batch: WriteBatch, sync: boolean): Promise<void>;
  /**
   * The rows of a memtable in key order, and last of all how far they bring the store. Durable. They may come to be seen one after the
   * other, and a crash may leave part of them; the marks are there only when all of them are.
   */
  writeSorted(slices: readonly SortedRows[], marks: WriteBatch): Promise<void>;
  /** Sees exactly the rows there were when this call returned, whatever is written later. Who knows how much will be read may say so. */
  iterate(range: KeyRange, expected?: ExpectedRows): RowIterator;
  /** Removes every row of the range. Not atomic: a crash may leave some. */
  clear(range: KeyRange): Promise<void>;
  /** What was written so far no longer depends on anything that a crash could take out of the engine's own journal. */
  flush(): Promise<void>;
  /** About how many bytes the range takes; may not see the newest writes. */
  approximateSize(range: KeyRange): Promise<number>;
  /**
   * Whether everything it keeps on disk is still there, and what it would otherwise read only once reads as it was written. Waits for
   * `rest` between two pieces of work.
   */
  isIntact(rest: () => Promise<void>): Promise<boolean>;
  /** Waits for what is running, then frees everything. */
  close(): Promise<void>;
}

/** What an unclean stop may take away again. */
export interface LosableRows {
  /** At most what it was given in its last so many bytes. */
  readonly bytes: number;
  /** Also out of the middle of that, and of what it said to be durable: as LevelDB's journal does when a byte of it is bad. */
  readonly withHoles: boolean;
}

/** Rows for one atomic write. Built once and given to several engines, so an engine must not change it. */
export type WriteBatch = readonly EngineWrite[];

/** In key order, each key once. Given to several engines, which may keep what they make of it as long as it lives. */
export type SortedRows = readonly StoredRow[];

export interface EngineWrite {
  readonly key: Buffer;
  /** Undefined removes the row. */
  readonly value: Buffer | undefined;
}

/** From `from` (included) to `to` (excluded). */
export interface KeyRange {
  readonly from: ByteString;
  readonly to: ByteString;
  readonly reverse?: boolean;
}

/** A reader ends with whichever it reaches first. */
export interface ExpectedRows {
  readonly maxRows: number;
  readonly maxBytes: number;
}

export interface RowIterator {
  /** At most this many rows and, once one is there, about this many bytes; empty at the end. */
  next(maxRows: number, maxBytes: number): Promise<EngineRow[]>;
  /** Rows by their keys, within the range or not, of the same moment as those that it goes through. */
  getMany(keys: readonly ByteString[]): Promise<(Buffer | undefined)[]>;
  close(): Promise<void>;
}

export interface EngineRow {
  readonly key: ByteString;
  readonly value: Buffer;
}
