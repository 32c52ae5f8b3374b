import type { TableOptionValues } from '../../../catalog/cql/table-schema.ts';
import type { VirtualTableLayout } from './virtual-table-layout.ts';

// The tables of keyspaces `system_schema` and `system_virtual_schema`, with Cassandra's columns.

export const schemaOptions: Partial<TableOptionValues> = {
  gcGraceSeconds: 604_800,
  memtableFlushPeriodMs: 3_600_000,
};

const textMap = 'frozen<map<text, text>>';
const textList = 'frozen<list<text>>';
const inKeyspace = { keyspace_name: 'text' };
const inTable = { table_name: 'text', column_name: 'text' };

const tableOptions = {
  additional_write_policy: 'text',
  allow_auto_snapshot: 'boolean',
  bloom_filter_fp_chance: 'double',
  caching: textMap,
  cdc: 'boolean',
  comment: 'text',
  compaction: textMap,
  compression: textMap,
  crc_check_chance: 'double',
  dclocal_read_repair_chance: 'double',
  default_time_to_live: 'int',
  extensions: 'frozen<map<text, blob>>',
  gc_grace_seconds: 'int',
  id: 'uuid',
  incremental_backups: 'boolean',
  max_index_interval: 'int',
  memtable: 'text',
  memtable_flush_period_in_ms: 'int',
  min_index_interval: 'int',
  read_repair: 'text',
  read_repair_chance: 'double',
  speculative_retry: 'text',
};

const column = {
  clustering_order: 'text',
  column_name_bytes: 'blob',
  kind: 'text',
  position: 'int',
  type: 'text',
};

export const schemaLayouts: Readonly<
  Record<
    | 'keyspaces'
    | 'tables'
    | 'columns'
    | 'columnMasks'
    | 'droppedColumns'
    | 'triggers'
    | 'views'
    | 'indexes'
    | 'types'
    | 'functions'
    | 'aggregates',
    VirtualTableLayout
  >
> = {
  keyspaces: {
    name: 'keyspaces',
    comment: 'keyspace definitions',
    partitionKey: inKeyspace,
    regulars: { durable_writes: 'boolean', replication: textMap },
  },
  tables: {
    name: 'tables',
    comment: 'table definitions',
    partitionKey: inKeyspace,
    clustering: { table_name: 'text' },
    regulars: { ...tableOptions, flags: 'frozen<set<text>>' },
  },
  columns: {
    name: 'columns',
    comment: 'column definitions',
    partitionKey: inKeyspace,
    clustering: inTable,
    regulars: column,
  },
  columnMasks: {
    name: 'column_masks',
    comment: 'column dynamic data masks',
    partitionKey: inKeyspace,
    clustering: inTable,
    regulars: {
      function_argument_nulls: 'frozen<list<boolean>>',
      function_argument_types: textList,
      function_argument_values: textList,
      function_keyspace: 'text',
      function_name: 'text',
    },
  },
  droppedColumns: {
    name: 'dropped_columns',
    comment: 'dropped column registry',
    partitionKey: inKeyspace,
    clustering: inTable,
    regulars: { dropped_time: 'timestamp', kind: 'text', type: 'text' },
  },
  triggers: {
    name: 'triggers',
    comment: 'trigger definitions',
    partitionKey: inKeyspace,
    clustering: { table_name: 'text', trigger_name: 'text' },
    regulars: { options: textMap },
  },
  views: {
    name: 'views',
    comment: 'view definitions',
    partitionKey: inKeyspace,
    clustering: { view_name: 'text' },
    regulars: {
      ...tableOptions,
      base_table_id: 'uuid',
      base_table_name: 'text',
      include_all_columns: 'boolean',
      where_clause: 'text',
    },
  },
  indexes: {
    name: 'indexes',
    comment: 'secondary index definitions',
    partitionKey: inKeyspace,
    clustering: { table_name: 'text', index_name: 'text' },
    regulars: { kind: 'text', options: textMap },
  },
  types: {
    name: 'types',
    comment: 'user defined type definitions',
    partitionKey: inKeyspace,
    clustering: { type_name: 'text' },
    regulars: { field_names: textList, field_types: textList },
  },
  functions: {
    name: 'functions',
    comment: 'user defined function definitions',
    partitionKey: inKeyspace,
    clustering: { function_name: 'text', argument_types: textList },
    regulars: {
      argument_names: textList,
      body: 'text',
      called_on_null_input: 'boolean',
      language: 'text',
      return_type: 'text',
    },
  },
  aggregates: {
    name: 'aggregates',
    comment: 'user defined aggregate definitions',
    partitionKey: inKeyspace,
    clustering: { aggregate_name: 'text', argument_types: textList },
    regulars: {
      final_func: 'text',
      initcond: 'text',
      return_type: 'text',
      state_func: 'text',
      state_type: 'text',
    },
  },
};

export const virtualSchemaLayouts: Readonly<Record<'keyspaces' | 'tables' | 'columns', VirtualTableLayout>> =
  {
    keyspaces: { name: 'keyspaces', comment: 'virtual keyspace definitions', partitionKey: inKeyspace },
    tables: {
      name: 'tables',
      comment: 'virtual table definitions',
      partitionKey: inKeyspace,
      clustering: { table_name: 'text' },
      regulars: { comment: 'text' },
    },
    columns: {
      name: 'columns',
      comment: 'virtual column definitions',
      partitionKey: inKeyspace,
      clustering: inTable,
      regulars: column,
    },
  };
