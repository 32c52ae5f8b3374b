// CREATE, ALTER and DROP of tables, types and indexes, as often wrong as right; few names, so that they meet again.

import type { RandomChoice } from './random-choice.ts';
import type { RandomStatement } from './random-statement.ts';
import { randomComposedType, scalar, scalarNames, type UserType } from './random-value.ts';

const users: readonly UserType[] = [
  { name: 'ua', fields: [{ name: 'f0', type: scalar('int') }] },
  { name: 'ub', fields: [{ name: 'f0', type: scalar('text') }] },
];
const columnNames = ['a', 'b', 'c', 'd', 'e', '"F"'] as const;

export function randomDefinition(choice: RandomChoice): RandomStatement {
  const text = choice.weighted([
    [5, () => createTable(choice)],
    [6, () => `ALTER TABLE ${ifThere(choice, 'IF EXISTS ')}${tableName(choice)} ${tableChange(choice)}`],
    [1, () => `DROP TABLE ${ifThere(choice, 'IF EXISTS ')}${tableName(choice)}`],
    [2, () => `CREATE TYPE ${ifThere(choice, 'IF NOT EXISTS ')}${typeName(choice)} (${typeFields(choice)})`],
    [2, () => `ALTER TYPE ${ifThere(choice, 'IF EXISTS ')}${typeName(choice)} ${typeChange(choice)}`],
    [1, () => `DROP TYPE ${ifThere(choice, 'IF EXISTS ')}${typeName(choice)}`],
    [3, () => createIndex(choice)],
    [
      1,
      () =>
        `DROP INDEX ${ifThere(choice, 'IF EXISTS ')}${choice.one(['i1', 'i2', 'ta_a_idx', 'tb_b_idx', 'ta_c_idx'])}`,
    ],
    [1, () => `TRUNCATE ${tableName(choice)}`],
    [1, () => refusedKind(choice)],
  ]);
  return { text };
}

/** What the catalog shows after a definition, without ids and what is only the server's own. */
export const catalogQueries: readonly string[] = [
  'SELECT table_name, column_name, clustering_order, kind, position, type FROM system_schema.columns WHERE keyspace_name = ?',
  'SELECT type_name, field_names, field_types FROM system_schema.types WHERE keyspace_name = ?',
  'SELECT table_name, index_name, kind, options FROM system_schema.indexes WHERE keyspace_name = ?',
  'SELECT table_name, column_name, kind, type FROM system_schema.dropped_columns WHERE keyspace_name = ?',
  `SELECT table_name, bloom_filter_fp_chance, caching, comment, compaction, compression, crc_check_chance, default_time_to_live,
   extensions, flags, gc_grace_seconds, max_index_interval, memtable_flush_period_in_ms, min_index_interval, speculative_retry,
   additional_write_policy, read_repair, cdc FROM system_schema.tables WHERE keyspace_name = ?`,
];

function tableName(choice: RandomChoice): string {
  return choice.one(['ta', 'tb', 'ta', 'tb', 'tz']);
}

function typeName(choice: RandomChoice): string {
  return choice.one(['ua', 'ub', 'ua', 'uz']);
}

function ifThere(choice: RandomChoice, words: string): string {
  return choice.happens(0.3) ? words : '';
}

function typeText(choice: RandomChoice): string {
  if (choice.happens(0.05))
    return choice.one(['nope', 'counter', "'org.apache.cassandra.db.marshal.Int32Type'", 'list<nope>']);
  if (choice.happens(0.05))
    return choice.one([
      'list<list<int>>',
      'set<counter>',
      'map<duration, int>',
      'vector<int, 0>',
      'frozen<int>',
      'set<ua>',
      'tuple<ua, int>',
    ]);
  if (choice.happens(0.6)) return choice.one(['int', 'text', 'int', 'bigint', ...scalarNames]);
  const { name, isFrozen } = randomComposedType(choice, users, 1);
  return !isFrozen && choice.happens(0.3) ? `frozen<${name}>` : name;
}

function createTable(choice: RandomChoice): string {
  const names = choice.shuffled(columnNames).slice(0, choice.integer(1, 5));
  const isCounter = choice.happens(0.1);
  const keyCount = choice.integer(1, Math.min(3, names.length));
  const columns = names.map((name, index) => {
    const isKey = index < keyCount;
    const type =
      isKey && choice.happens(0.85)
        ? choice.one(['int', 'text', 'uuid', 'duration'])
        : isCounter && !isKey
          ? 'counter'
          : typeText(choice);
    return `${name} ${type}${choice.happens(isKey ? 0.02 : 0.15) ? ' static' : ''}`;
  });
  if (choice.happens(0.03)) columns.push(`${names[0]} int`);
  const keys: string[] = names.slice(0, keyCount);
  if (choice.happens(0.04)) keys.push(choice.one(['zz', ...columnNames]));
  const [first = '', ...rest] = keys;
  const key =
    rest.length > 0 && choice.happens(0.3)
      ? `((${first}, ${rest[0]})${rest
          .slice(1)
          .map((name) => `, ${name}`)
          .join('')})`
      : `(${keys.join(', ')})`;
  const definition = choice.happens(0.95) ? `, PRIMARY KEY ${key}` : '';
  return `CREATE TABLE ${ifThere(choice, 'IF NOT EXISTS ')}${tableName(choice)} (${columns.join(', ')}${definition})${options(choice, rest)}`;
}

function options(choice: RandomChoice, clustering: readonly string[]): string {
  const parts: string[] = [];
  if (clustering.length > 0 && choice.happens(0.4)) {
    const ordered = choice.happens(0.85) ? clustering : choice.shuffled([...clustering, 'zz']).slice(1);
    if (ordered.length > 0)
      parts.push(
        `CLUSTERING ORDER BY (${ordered.map((name) => `${name} ${choice.one(['ASC', 'DESC'])}`).join(', ')})`,
      );
  }
  if (choice.happens(0.25)) parts.push(tableOption(choice));
  return parts.length === 0 ? '' : ` WITH ${parts.join(' AND ')}`;
}

function tableOption(choice: RandomChoice): string {
  return choice.one([
    "comment = 'it''s'",
    'gc_grace_seconds = 10',
    'gc_grace_seconds = -1',
    'default_time_to_live = 100',
    'default_time_to_live = -5',
    'default_time_to_live = 999999999',
    'bloom_filter_fp_chance = 0.1',
    'bloom_filter_fp_chance = 2',
    'bloom_filter_fp_chance = 0',
    "caching = {'keys': 'ALL', 'rows_per_partition': '10'}",
    "caching = {'keys': 'SOME'}",
    "caching = {'key': 'ALL'}",
    "compaction = {'class': 'LeveledCompactionStrategy'}",
    "compaction = {'class': 'SizeTieredCompactionStrategy', 'min_threshold': 1}",
    "compaction = {'class': 'Nope'}",
    "compaction = {'min_threshold': 3}",
    "compression = {'enabled': false}",
    "compression = {'class': 'LZ4Compressor', 'chunk_length_in_kb': 7}",
    "compression = {'sstable_compression': 'Nope'}",
    'crc_check_chance = 0.5',
    'crc_check_chance = 3',
    "speculative_retry = 'NONE'",
    "speculative_retry = 'often'",
    "speculative_retry = '10ms'",
    'memtable_flush_period_in_ms = 10',
    'min_index_interval = 0',
    'min_index_interval = 3000',
    'max_index_interval = 64',
    'cdc = true',
    "cdc = 'x'",
    "read_repair = 'NONE'",
    "read_repair = 'SOME'",
    "additional_write_policy = '5ms'",
    'nope = 1',
    "gc_grace_seconds = 'a'",
    "comment = {'a': 'b'}",
    "extensions = {'a': 0x01}",
    'compaction = 3',
    'COMPACT STORAGE',
    'CLUSTERING ORDER BY (zz ASC)',
  ]);
}

function tableChange(choice: RandomChoice): string {
  const name = () => choice.one([...columnNames, 'zz']);
  const added = () => `${name()} ${typeText(choice)}${choice.happens(0.15) ? ' static' : ''}`;
  return choice.weighted([
    [4, () => `ADD ${ifThere(choice, 'IF NOT EXISTS ')}${added()}`],
    [1, () => `ADD (${added()}, ${added()})`],
    [4, () => `DROP ${ifThere(choice, 'IF EXISTS ')}${name()}`],
    [1, () => `DROP (${name()}, ${name()})`],
    [1, () => `DROP ${name()} USING TIMESTAMP 5`],
    [2, () => `RENAME ${ifThere(choice, 'IF EXISTS ')}${name()} TO ${name()}`],
    [2, () => `WITH ${tableOption(choice)}`],
    [1, () => `ALTER ${name()} TYPE ${typeText(choice)}`],
  ]);
}

function typeFields(choice: RandomChoice): string {
  return choice
    .times(
      choice.integer(1, 3),
      (index) => `${choice.happens(0.05) ? 'f0' : `f${index}`} ${typeText(choice)}`,
    )
    .join(', ');
}

function typeChange(choice: RandomChoice): string {
  const field = () => choice.one(['f0', 'f1', 'f2', 'f3']);
  return choice.weighted([
    [3, () => `ADD ${ifThere(choice, 'IF NOT EXISTS ')}${field()} ${typeText(choice)}`],
    [2, () => `RENAME ${ifThere(choice, 'IF EXISTS ')}${field()} TO ${field()}`],
    [1, () => `RENAME ${field()} TO ${field()} AND ${field()} TO ${field()}`],
    [1, () => `ALTER ${field()} TYPE ${typeText(choice)}`],
  ]);
}

function createIndex(choice: RandomChoice): string {
  const name = choice.one([...columnNames, 'zz']);
  const target = choice.happens(0.7) ? name : `${choice.one(['keys', 'values', 'entries', 'full'])}(${name})`;
  const using = choice.one([
    '',
    '',
    " USING 'sai'",
    " USING 'StorageAttachedIndex'",
    " USING 'nope'",
    " USING 'legacy_local_table'",
  ]);
  const withOptions = choice.one([
    '',
    '',
    '',
    " WITH OPTIONS = {'a': 'b'}",
    " WITH OPTIONS = {'case_sensitive': 'false'}",
    " WITH OPTIONS = {'similarity_function': 'cosine'}",
  ]);
  return `CREATE ${choice.happens(0.1) ? 'CUSTOM ' : ''}INDEX ${ifThere(choice, 'IF NOT EXISTS ')}${choice.one(['', '', 'i1', 'i2'])} ON ${tableName(choice)} (${target})${using}${withOptions}`;
}

function refusedKind(choice: RandomChoice): string {
  return choice.one([
    'DROP MATERIALIZED VIEW zz',
    'DROP FUNCTION zz',
    'DROP AGGREGATE zz',
    'DROP TRIGGER zz ON ta',
    'DROP KEYSPACE j_zz',
    'DROP MATERIALIZED VIEW IF EXISTS zz',
    'DROP FUNCTION IF EXISTS zz',
    'ALTER KEYSPACE j_zz WITH durable_writes = true',
    "CREATE KEYSPACE j_zz WITH replication = {'class': 'Nope'}",
    "CREATE KEYSPACE j_zz WITH replication = {'replication_factor': 1}",
    "CREATE KEYSPACE j_zz WITH replication = {'class': 'SimpleStrategy'}",
    "CREATE KEYSPACE j_zz WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 'x'}",
    "CREATE KEYSPACE j_zz WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1, 'a': 1}",
    "CREATE KEYSPACE j_zz WITH replication = {'class': 'NetworkTopologyStrategy', 'nope': 1}",
    "CREATE KEYSPACE j_zz WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1} AND nope = 1",
    'USE j_zz',
  ]);
}
