import { declaredAndHidden } from '../../../catalog/cql/compact-storage.ts';
import type {
  ColumnSchema,
  DroppedColumn,
  TableOptionValues,
  TableSchema,
} from '../../../catalog/cql/table-schema.ts';
import { isShownAsVirtual } from '../../../execution/cql/virtual-tables/system-keyspaces.ts';
import { type CqlType, isMultiCell, printCqlType } from '../../../values/cql-type.ts';
import { printDouble } from '../../../values/java-number-text.ts';
import { mapText, nameText, quoted } from './cql-text.ts';

const indent = '    ';

/**
 * To the letter as Cassandra has it. With internals also what only matters to who puts stored rows under the table again: its id, and
 * the columns that were dropped.
 */
export function printCreateTable(table: TableSchema, withInternals: boolean): string {
  const name = tableName(table);
  const isVirtual = isShownAsVirtual(table.keyspace);
  const lines = [
    `${isVirtual ? 'VIRTUAL' : 'CREATE'} TABLE ${name} (`,
    ...definitionLines(table, withInternals),
    `) WITH ${optionLines(table, withInternals, isVirtual).join(`\n${indent}AND `)};`,
  ];
  const warning = [
    '/*',
    `Warning: Table ${name} is a virtual table and cannot be recreated with CQL.`,
    'Structure, for reference:',
  ];
  const legacyWarning = [
    '/*',
    `Warning: Table ${name} omitted because it has constructs not compatible with CQL (was created via legacy API).`,
    'Approximate structure, for reference:',
    '(this should not be used to reproduce this schema)',
    '',
  ];
  const whole = isVirtual
    ? [...warning, ...lines, '*/']
    : table.isCompact
      ? [...legacyWarning, ...lines, '*/']
      : lines;
  return [...whole, ...(withInternals ? dropLines(table) : [])].join('\n');
}

function tableName({ keyspace, name }: TableSchema): string {
  return `${nameText(keyspace)}.${nameText(name)}`;
}

function definitionLines(table: TableSchema, withInternals: boolean): string[] {
  const { partitionKey, clustering } = table;
  const dropped = withInternals ? table.droppedColumns : [];
  const isSingle = partitionKey.length === 1 && clustering.length === 0 && !table.isCompact;
  // One that was dropped and is there again is first defined as it was, so that it can be dropped.
  const columns = columnsInOrder(table).filter(({ name }) => !dropped.some((column) => column.name === name));
  const definitions = [
    ...columns.map((column) =>
      isSingle && column.kind === 'partition_key' ? `${columnText(column)} PRIMARY KEY` : columnText(column),
    ),
    ...dropped.map(columnText),
    ...(isSingle ? [] : [primaryKeyText(table)]),
  ];
  return definitions.map((text, at) => `${indent}${text}${at === definitions.length - 1 ? '' : ','}`);
}

/** Among others than the key's, those of one cell come first. */
function columnsInOrder({ partitionKey, clustering, statics, regulars }: TableSchema): ColumnSchema[] {
  const simpleFirst = (columns: readonly ColumnSchema[]) => [
    ...columns.filter(({ type }) => !isMultiCell(type)),
    ...columns.filter(({ type }) => isMultiCell(type)),
  ];
  return [...partitionKey, ...clustering, ...simpleFirst(statics), ...simpleFirst(regulars)];
}

function columnText({ name, type, kind }: { name: string; type: CqlType; kind: string }): string {
  return `${nameText(name)} ${printCqlType(type)}${kind === 'static' ? ' static' : ''}`;
}

function primaryKeyText({ partitionKey, clustering }: TableSchema): string {
  const names = (columns: readonly ColumnSchema[]) => columns.map(({ name }) => nameText(name));
  const key = names(partitionKey).join(', ');
  const first = partitionKey.length > 1 ? `(${key})` : key;
  return `PRIMARY KEY (${[first, ...names(clustering)].join(', ')})`;
}

function optionLines(table: TableSchema, withInternals: boolean, isVirtual: boolean): string[] {
  const { id, options } = table;
  const clustering = declaredAndHidden(table).filter(({ kind }) => kind === 'clustering');
  const order = clustering.map(({ name, descending }) => `${nameText(name)} ${descending ? 'DESC' : 'ASC'}`);
  return [
    ...(table.isCompact ? ['COMPACT STORAGE'] : []),
    ...(withInternals ? [`ID = ${id}`] : []),
    ...(clustering.length === 0 ? [] : [`CLUSTERING ORDER BY (${order.join(', ')})`]),
    ...(isVirtual ? [`comment = ${quoted(options.comment)}`] : tableOptionLines(options)),
  ];
}

function tableOptionLines(options: TableOptionValues): string[] {
  return [
    `additional_write_policy = ${quoted(options.additionalWritePolicy)}`,
    `allow_auto_snapshot = ${options.allowAutoSnapshot}`,
    `bloom_filter_fp_chance = ${printDouble(options.bloomFilterFpChance)}`,
    `caching = ${mapText(options.caching)}`,
    `cdc = ${options.cdc}`,
    `comment = ${quoted(options.comment)}`,
    `compaction = ${mapText(options.compaction)}`,
    `compression = ${mapText(options.compression)}`,
    `memtable = ${quoted(options.memtable)}`,
    `crc_check_chance = ${printDouble(options.crcCheckChance)}`,
    `default_time_to_live = ${options.defaultTimeToLiveSeconds}`,
    `extensions = ${mapText(options.extensions, (hex) => `0x${hex}`)}`,
    `gc_grace_seconds = ${options.gcGraceSeconds}`,
    `incremental_backups = ${options.incrementalBackups}`,
    `max_index_interval = ${options.maxIndexInterval}`,
    `memtable_flush_period_in_ms = ${options.memtableFlushPeriodMs}`,
    `min_index_interval = ${options.minIndexInterval}`,
    `read_repair = ${quoted(options.readRepair)}`,
    `speculative_retry = ${quoted(options.speculativeRetry)}`,
  ];
}

function dropLines(table: TableSchema): string[] {
  return table.droppedColumns.flatMap(({ name, droppedAt }: DroppedColumn) => {
    const drop = `ALTER TABLE ${tableName(table)} DROP ${nameText(name)} USING TIMESTAMP ${droppedAt};`;
    const again = table.columns.get(name);
    return again === undefined ? [drop] : [drop, `ALTER TABLE ${tableName(table)} ADD ${columnText(again)};`];
  });
}
