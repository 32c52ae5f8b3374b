// What one transaction does to one logical partition of a table, as plain data: everything that depends on the time, on chance or on
// the schema is in it, so it can be run again and means the same.

import type { RingfoldError } from '../../../errors/ringfold-error.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import type { CqlCell, Expiry, TombstoneCell } from '../../../values/cql-cell.ts';
import type { CqlRow } from '../../../values/cql-row.ts';
import type { CqlType } from '../../../values/cql-type.ts';
import type { Deletion } from '../../../values/deletion.ts';
import type { RangeTombstone } from '../../../values/range-tombstones.ts';

export interface PartitionWrite {
  /** Undefined in a table without clustering columns: a partition there is one row, and nothing is said of it but in that row. */
  readonly headerKey: ByteString | undefined;
  readonly nowSeconds: number;
  /** Tombstones from before it are forgotten where a row is rewritten. */
  readonly gcBeforeSecond: number;
  /** The table's columns, where some were dropped: cells of those are nobody's, and go. */
  readonly columnIds: readonly ColumnId[] | undefined;
  readonly deletion: Deletion | undefined;
  readonly rangeTombstones: readonly RangeTombstone[];
  readonly staticSteps: readonly RowStep[];
  /** Each row once. */
  readonly rows: readonly RowWrites[];
  /** All must hold, or nothing is written: those of the static row first, then in the order of rows. */
  readonly conditions: readonly RowCondition[] | undefined;
  /** Instead of all that was to be written: why it cannot be, which nobody is told unless the conditions hold. */
  readonly refusal?: RingfoldError;
}

export interface ColumnId {
  readonly id: number;
  /** Of one that was dropped and added again: what is not later than this goes too. */
  readonly droppedAt: bigint | undefined;
}

export interface RowWrites {
  /** In the store. */
  readonly key: ByteString;
  readonly clusteringKey: ByteString;
  readonly steps: readonly RowStep[];
  /** Instead of steps, where simple values of one row, with one time, are all that is written. */
  readonly plain?: PlainWrite;
}

export interface PlainWrite {
  /** The row as it is stored where there was none (`encodePlainRow`). A reader sees it: it does not only delete columns. */
  readonly stored: Buffer;
  /** Ascending. */
  readonly columnIds: readonly number[];
}

/** What one statement does to a row. Parts that must look at the row see it as it was before the transaction, and what came before. */
export type RowStep = readonly RowEdit[];

export type RowEdit = PlainEdit | LookingEdit | CounterEdit;

export interface PlainEdit {
  readonly kind: 'merge';
  readonly row: CqlRow;
}

export interface CounterEdit {
  readonly kind: 'add-counter';
  readonly columnId: number;
  readonly increment: bigint;
  readonly timestamp: bigint;
}

/** What it says depends on the row. */
export type LookingEdit =
  | {
      readonly kind: 'list-set';
      readonly columnId: number;
      readonly index: number;
      /** Undefined leaves the element as it is, if it is there. */
      readonly cell: CqlCell | undefined;
    }
  | {
      readonly kind: 'list-remove';
      readonly columnId: number;
      readonly index: number;
      readonly tombstone: TombstoneCell;
    }
  | {
      readonly kind: 'list-discard';
      readonly columnId: number;
      readonly values: readonly Buffer[];
      readonly tombstone: TombstoneCell;
    }
  | {
      readonly kind: 'add';
      readonly columnId: number;
      readonly type: CqlType;
      readonly value: Buffer;
      readonly timestamp: bigint;
      readonly expiry: Expiry | undefined;
    };

/** `row` is undefined for the static row. */
export interface RowCondition {
  readonly row: { readonly key: ByteString; readonly clusteringKey: ByteString } | undefined;
  readonly test: 'exists' | 'not-exists' | readonly ColumnTest[];
}

export type TestOperator = '=' | '!=' | '<' | '<=' | '>' | '>=' | 'CONTAINS' | 'CONTAINS KEY';

export interface ColumnTest {
  readonly columnId: number;
  /** Of the whole column. */
  readonly type: CqlType;
  readonly part:
    | { readonly kind: 'whole' }
    | { readonly kind: 'element'; readonly key: Buffer | null | 'unset' }
    | { readonly kind: 'field'; readonly index: number };
  readonly operator: TestOperator;
  /** One, or those of an IN, of which one must do. None where the one was not set. */
  readonly values: readonly (Buffer | null)[];
  readonly isUnset: boolean;
}

export interface WriteAnswer {
  readonly isApplied: boolean;
  /** What it is charged for: each row that was written, or looked at. */
  readonly works: readonly RowWork[];
  /** What conditions that did not hold were held against. */
  readonly current: CurrentRows | undefined;
}

export interface RowWork {
  readonly kind: 'upsert-item' | 'delete-item' | 'delete-range';
  /** 0 where there was no row that could be seen, or is none now. */
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  readonly columns: number;
}

/** Live cells only. */
export interface CurrentRows {
  readonly staticRow: CqlRow | undefined;
  /** Those of the conditions that exist, in the order of their keys. */
  readonly rows: readonly { readonly clusteringKey: ByteString; readonly row: CqlRow }[];
}
