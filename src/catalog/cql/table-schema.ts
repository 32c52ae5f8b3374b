// A CQL table as everybody sees it. Schemas are values: a change makes a new one, so whoever holds one can tell by identity whether
// the table is still what it was.

import type { CqlType } from '../../values/cql-type.ts';

export type ColumnKind = 'partition_key' | 'clustering' | 'static' | 'regular';

export interface ColumnSchema {
  readonly name: string;
  /** Belongs to this column of the table for ever (values/cql-row.ts). Columns of the primary key have 0: they stand in keys. */
  readonly id: number;
  readonly type: CqlType;
  readonly kind: ColumnKind;
  /** Within the partition key or the clustering columns; -1 for others. */
  readonly position: number;
  /** Of a clustering column: CLUSTERING ORDER BY … DESC. */
  readonly descending: boolean;
}

export interface TableSchema {
  readonly keyspace: string;
  readonly name: string;
  /** A UUID: `system_schema.tables.id`. */
  readonly id: string;
  /** The container's generation; TRUNCATE gives the table another. Undefined for a virtual table, which has no rows of its own. */
  readonly container: number | undefined;
  readonly partitionKey: readonly ColumnSchema[];
  readonly clustering: readonly ColumnSchema[];
  /** By name. */
  readonly statics: readonly ColumnSchema[];
  /** By name. */
  readonly regulars: readonly ColumnSchema[];
  /** All of them in the order of `SELECT *`: partition key, clustering, statics, regulars. */
  readonly columns: ReadonlyMap<string, ColumnSchema>;
  readonly options: TableOptionValues;
  readonly indexes: readonly IndexSchema[];
  readonly droppedColumns: readonly DroppedColumn[];
  /** What the next column gets. */
  readonly nextColumnId: number;
  readonly isCounter: boolean;
  /** WITH COMPACT STORAGE (compact-storage.ts). */
  readonly isCompact: boolean;
}

/** In the form in which `system_schema.tables` shows them, defaults filled in. Those of Cosmos are in the throughput records. */
export interface TableOptionValues {
  readonly additionalWritePolicy: string;
  readonly allowAutoSnapshot: boolean;
  readonly bloomFilterFpChance: number;
  readonly caching: ReadonlyMap<string, string>;
  readonly cdc: boolean;
  readonly comment: string;
  readonly compaction: ReadonlyMap<string, string>;
  readonly compression: ReadonlyMap<string, string>;
  readonly memtable: string;
  readonly crcCheckChance: number;
  readonly defaultTimeToLiveSeconds: number;
  /** Values as hex. */
  readonly extensions: ReadonlyMap<string, string>;
  readonly gcGraceSeconds: number;
  readonly incrementalBackups: boolean;
  readonly maxIndexInterval: number;
  readonly memtableFlushPeriodMs: number;
  readonly minIndexInterval: number;
  readonly readRepair: string;
  readonly speculativeRetry: string;
}

export interface IndexSchema {
  readonly name: string;
  /** As `system_schema.indexes` shows it. */
  readonly kind: 'KEYS' | 'COMPOSITES' | 'CUSTOM';
  /** `target` first; `class_name` for custom ones. */
  readonly options: ReadonlyMap<string, string>;
  readonly column: string;
  /** Which part of a collection: all of a simple or frozen column is `simple` or `full`. */
  readonly target: 'simple' | 'values' | 'keys' | 'entries' | 'full';
}

/** One of its name that is added again has its id, but shows no cells from before `droppedAt`. */
export interface DroppedColumn {
  readonly name: string;
  readonly id: number;
  readonly type: CqlType;
  readonly kind: 'static' | 'regular';
  /** Microseconds. */
  readonly droppedAt: number;
}

/** The keyspaces' own definitions; what is in them is in `CqlSchema`. */
export interface KeyspaceSchema {
  readonly name: string;
  /** As `system_schema.keyspaces` shows it, `class` fully qualified and first. */
  readonly replication: ReadonlyMap<string, string>;
  readonly durableWrites: boolean;
  /** Its tables are made by the server, and cannot be written or changed by anybody. */
  readonly isVirtual: boolean;
}
