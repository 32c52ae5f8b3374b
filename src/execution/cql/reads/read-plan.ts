// What a SELECT comes to: which partitions and rows are walked through, what is asked of each row, and what is made of those that stay.
// The language makes it, anew for each run, since bound values are in it; here it is carried out.

import type { ColumnSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import type { RingRange } from '../../../partitioning/ring-range.ts';
import type { ColumnSpec } from '../column-spec.ts';
import type { ReadRow } from '../read-row.ts';
import type { RowFilter } from './row-filter.ts';

export interface ReadPlan {
  readonly table: TableSchema;
  readonly columns: readonly ColumnSpec[];
  readonly target: ReadTarget;
  /** Ascending in key order and apart from one another; undefined is all rows. */
  readonly slices: readonly ClusteringSlice[] | undefined;
  readonly isReversed: boolean;
  readonly filter: RowFilter | undefined;
  /** A partition without rows is shown as one row, if it has static columns with values. */
  readonly showsStaticsAlone: boolean;
  /** One row of each partition, whichever comes first. */
  readonly isDistinct: boolean;
  /** Rows, or groups of rows. */
  readonly limit: number;
  readonly perPartitionLimit: number;
  readonly grouping: Grouping | undefined;
  readonly selection: RowSelection;
  /** One for each column of the result, where the selection is nothing but columns of each row by itself. */
  readonly plainColumns: readonly ColumnSchema[] | undefined;
  /** What the rows are sorted by once all are there; the walk's order unless told. */
  readonly sortKeyOf: ((row: ReadRow) => ByteString) | undefined;
  /** Eight bytes for this statement with these values; asked only where a page token is made or read. */
  fingerprint(): ByteString;
}

export const noLimit: number = 2 ** 31 - 1;

export type ReadTarget =
  /** In the order in which they are read. */
  | { readonly kind: 'partitions'; readonly keys: readonly (readonly Buffer[])[] }
  /** Stretches of ring, ascending. */
  | { readonly kind: 'ring'; readonly ranges: readonly RingRange[] };

/** Clustering keys from `from` (included) to `to` (excluded; undefined is the partition's end). */
export interface ClusteringSlice {
  readonly from: ByteString;
  readonly to: ByteString | undefined;
  /** `from` is the whole key of the one row that can be meant. */
  readonly isOneRow: boolean;
}

/** All rows are one group, or those of a partition that give the same bytes and follow one another are. */
export type Grouping = 'everything' | ((row: ReadRow) => ByteString);

/** What is made of rows (language/cql/expressions/selection.ts): the row given is only good for the call. */
export interface RowSelection {
  rowOf(row: ReadRow): (Buffer | null)[];
  add(row: ReadRow): void;
  takeGroup(): (Buffer | null)[];
}

/** How much a page may have. What it may not exceed ends it; what comes next is on the next one. */
export interface PageLimits {
  /** Of the result; `noLimit` where the client wants all in one. */
  readonly rows: number;
  readonly bytes: number;
  /** Stored rows that are looked at, whether they are in the result or not. */
  readonly examined: number;
}

export const onePage: PageLimits = {
  rows: noLimit,
  bytes: Number.POSITIVE_INFINITY,
  examined: Number.POSITIVE_INFINITY,
};

export function pageOf(pageSize: number | undefined): PageLimits {
  return pageSize === undefined || pageSize <= 0
    ? onePage
    : { rows: pageSize, bytes: 16 * 2 ** 20, examined: 10_000 };
}
