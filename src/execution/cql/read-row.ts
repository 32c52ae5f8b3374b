import type { ColumnSchema } from '../../catalog/cql/table-schema.ts';

/** A row as selections and filters see it: live values only, as of the moment of the read. */
export interface ReadRow {
  /** In the form of the protocol: a collection of many cells as one value. Null where there is none. */
  value(column: ColumnSchema): Buffer | null;
  /** For writetime and ttl of a column that is one cell; undefined where there is none, or in a virtual table. */
  cell(column: ColumnSchema): CellTimes | undefined;
  /** For a column of many cells, in the order of its value. */
  cells(column: ColumnSchema): readonly CollectionCellTimes[];
}

export interface CellTimes {
  readonly timestamp: bigint;
  /** Seconds that are left; undefined for one that stays. */
  readonly ttlSeconds: number | undefined;
}

export interface CollectionCellTimes extends CellTimes {
  /** A map's key, a set's element, a field's number as two bytes; for a list nobody asks. */
  readonly key: Buffer;
}
