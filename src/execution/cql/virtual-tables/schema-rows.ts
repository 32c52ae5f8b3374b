// Definitions as rows of `system_schema`. Options that Cassandra writes only where they are not the default are null otherwise.

import { tableFlags } from '../../../catalog/cql/compact-storage.ts';
import type { Keyspace } from '../../../catalog/cql/cql-schema.ts';
import type {
  ColumnSchema,
  DroppedColumn,
  IndexSchema,
  TableOptionValues,
  TableSchema,
} from '../../../catalog/cql/table-schema.ts';
import type { CqlValue } from '../../../values/cql-codec.ts';
import { printCqlType, type UserType } from '../../../values/cql-type.ts';
import type { NamedRow } from './named-rows.ts';

export function keyspaceRow({ name, durableWrites, replication }: Keyspace): NamedRow {
  return { keyspace_name: name, durable_writes: durableWrites, replication: pairsOf(replication) };
}

export function tableRow(table: TableSchema): NamedRow {
  const { keyspace, name, id, options } = table;
  return {
    keyspace_name: keyspace,
    table_name: name,
    id,
    flags: [...tableFlags(table)],
    ...optionValues(options),
  };
}

export function columnRow(table: TableSchema, column: ColumnSchema): NamedRow {
  const { name, kind, position, type, descending } = column;
  const order = descending ? 'desc' : 'asc';
  return {
    keyspace_name: table.keyspace,
    table_name: table.name,
    column_name: name,
    clustering_order: kind === 'clustering' ? order : 'none',
    column_name_bytes: Buffer.from(name),
    kind,
    position,
    type: printCqlType(type),
  };
}

export function droppedColumnRow(
  table: TableSchema,
  { name, type, kind, droppedAt }: DroppedColumn,
): NamedRow {
  return {
    keyspace_name: table.keyspace,
    table_name: table.name,
    column_name: name,
    dropped_time: BigInt(Math.floor(droppedAt / 1_000)),
    kind,
    type: printCqlType(type),
  };
}

export function indexRow(table: TableSchema, { name, kind, options }: IndexSchema): NamedRow {
  return {
    keyspace_name: table.keyspace,
    table_name: table.name,
    index_name: name,
    kind,
    options: pairsOf(options),
  };
}

export function typeRow({ keyspace, name, fields }: UserType): NamedRow {
  return {
    keyspace_name: keyspace,
    type_name: name,
    field_names: fields.map((field) => field.name),
    field_types: fields.map((field) => printCqlType(field.type)),
  };
}

function optionValues(options: TableOptionValues): NamedRow {
  return {
    additional_write_policy: options.additionalWritePolicy,
    allow_auto_snapshot: options.allowAutoSnapshot ? null : false,
    bloom_filter_fp_chance: options.bloomFilterFpChance,
    caching: pairsOf(options.caching),
    // Written by servers that capture changes.
    cdc: null,
    comment: options.comment,
    compaction: pairsOf(options.compaction),
    compression: pairsOf(options.compression),
    crc_check_chance: options.crcCheckChance,
    // Of no effect any more, and shown because drivers read them.
    dclocal_read_repair_chance: 0,
    default_time_to_live: options.defaultTimeToLiveSeconds,
    extensions: Array.from(options.extensions, ([name, hex]) => [name, Buffer.from(hex, 'hex')]),
    gc_grace_seconds: options.gcGraceSeconds,
    incremental_backups: options.incrementalBackups ? null : false,
    max_index_interval: options.maxIndexInterval,
    memtable: options.memtable === 'default' ? null : options.memtable,
    memtable_flush_period_in_ms: options.memtableFlushPeriodMs,
    min_index_interval: options.minIndexInterval,
    read_repair: options.readRepair,
    read_repair_chance: 0,
    speculative_retry: options.speculativeRetry,
  };
}

function pairsOf(map: ReadonlyMap<string, string>): CqlValue {
  return [...map];
}
