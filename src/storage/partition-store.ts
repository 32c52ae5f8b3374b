import type { RingfoldError } from '../errors/ringfold-error.ts';
import type { ByteString } from '../foundation/byte-string.ts';
import type { LogicalPartition } from '../partitioning/logical-partition.ts';

/**
 * The one seam between what a request means and where rows are kept. Everything that changes data is `transact`
 * on one logical partition. The embedded store and the one on Apache Cassandra both keep these promises
 * (test/contract/partition-store.contract.ts):
 *
 * - Order is promised per logical partition: transactions on it happen one after another, in the order of their calls.
 * - A read that begins after a transaction was reported committed sees it. No read sees a transaction in part, nor
 *   one that is neither committed nor going to be.
 * - A scan sees one moment of each logical partition.
 */
export interface PartitionStore {
  /** Calls `done` exactly once, never before this call returns. */
  transact(
    address: PartitionAddress,
    logicalPartition: LogicalPartition,
    operation: Operation,
    done: (outcome: Outcome) => void,
  ): void;
  /** The settled row if memory knows it, null if memory knows there is none, undefined if the disk must be asked. */
  readCached(address: PartitionAddress, key: ByteString): Buffer | null | undefined;
  /** As `scan`, when memory alone can answer. */
  scanCached(address: PartitionAddress, scan: Scan): RowPage | undefined;
  read(address: PartitionAddress, key: ByteString): Promise<ReadOutcome>;
  scan(address: PartitionAddress, scan: Scan): Promise<ScanOutcome>;
  /** The last LSN of the partition that is settled; undefined when it is not there any more. */
  committedLsn(address: PartitionAddress): number | undefined;
  /** What became of a transaction whose outcome was unknown. */
  settle(transactionId: TransactionId): Settlement;
}

/** A physical partition of a container. The container is named by its generation: one that is dropped and made again has another. */
export interface PartitionAddress {
  readonly container: number;
  readonly physicalPartition: number;
}

/** Opaque outside the store. */
export type TransactionId = string;

/** A position in a physical partition's history; opaque, compared only by the store that gave it. */
export type SessionMark = string;

/** `kept` and `dropped` are for ever; `undecided` is asked again. */
export type Settlement = 'kept' | 'dropped' | 'undecided';

export type Outcome =
  | {
      readonly kind: 'committed';
      readonly mark: SessionMark;
      /** Where the transaction stands, or, if it wrote nothing, what it rests on. */
      readonly lsn: number;
      readonly answer: unknown;
    }
  /** Nothing happened. */
  | { readonly kind: 'refused'; readonly error: RingfoldError }
  /** It may have happened, or may yet: `settle` tells. */
  | { readonly kind: 'unknown'; readonly transactionId: TransactionId }
  /** Nothing happened: the physical partition has split, merged or gone. The caller takes the map of that version. */
  | { readonly kind: 'moved'; readonly mapVersion: number };

/**
 * What a transaction does, as data: a kind that names a pure function known to the store, its body, and the rows it
 * must see. It may be run again, on another thread or after a lost race, so time, ids and chance are in the body.
 */
export interface Operation {
  readonly kind: string;
  readonly body: unknown;
  readonly reads: DeclaredReads;
}

export interface DeclaredReads {
  readonly keys: readonly ByteString[];
  /** Every row of these ranges is read, so they must be small. */
  readonly ranges: readonly { readonly from: ByteString; readonly to: ByteString }[];
}

export const readsNothing: DeclaredReads = Object.freeze({ keys: [], ranges: [] });

/**
 * The pure function behind an operation's kind. `lsn` is where the transaction will stand in its physical partition's history if it
 * writes: it rises with every transaction there, and goes on rising through splits and merges.
 */
export type OperationKind = (body: unknown, rows: DeclaredRows, lsn: number) => Decision;

/** What a transaction reads: the rows as ordered so far, its own predecessors in flight included. */
export interface DeclaredRows {
  get(key: ByteString): Buffer | null;
  range(index: number): readonly Row[];
}

export type Decision =
  | { readonly kind: 'write'; readonly writes: readonly RowWrite[]; readonly answer?: unknown }
  | { readonly kind: 'refuse'; readonly error: RingfoldError };

export interface RowWrite {
  readonly key: ByteString;
  /** Null removes the row. */
  readonly value: Uint8Array | null;
}

export interface Row {
  readonly key: ByteString;
  readonly value: Buffer;
}

/** Rows from `from` (included) to `to` (excluded), in key order. */
export interface Scan {
  readonly from: ByteString;
  readonly to: ByteString;
  readonly maxRows: number;
  /** The page ends with the row that passes this. */
  readonly maxBytes: number;
  readonly reverse: boolean;
  /** Somebody may well ask again: when that happens, rows of many logical partitions too are remembered. Those of one always may be. */
  readonly mayRepeat?: boolean;
}

export interface RowPage {
  readonly rows: readonly Row[];
  /** Whether the range holds nothing beyond these rows. */
  readonly complete: boolean;
}

/**
 * How far an answer can be relied upon. With too few replicas for a quorum a store may still answer reads: `unsettled` ones have every
 * acknowledged write, but may show one that was never acknowledged and will be gone; `stale` ones may lack acknowledged writes.
 */
export type Certainty = 'settled' | 'unsettled' | 'stale';

export type ReadOutcome =
  | {
      readonly kind: 'read';
      readonly value: Buffer | null;
      readonly mark: SessionMark;
      readonly certainty: Certainty;
    }
  | { readonly kind: 'moved'; readonly mapVersion: number }
  | { readonly kind: 'refused'; readonly error: RingfoldError };

export type ScanOutcome =
  | {
      readonly kind: 'read';
      readonly page: RowPage;
      readonly mark: SessionMark;
      readonly certainty: Certainty;
    }
  | { readonly kind: 'moved'; readonly mapVersion: number }
  | { readonly kind: 'refused'; readonly error: RingfoldError };
