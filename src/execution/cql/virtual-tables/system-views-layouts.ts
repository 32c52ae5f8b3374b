import type { VirtualTableLayout } from './virtual-table-layout.ts';

// Tables of keyspace `system_views`, with Cassandra's columns: those that tools ask for. What has no counterpart here stays empty.

const name = { name: 'text' };
const ofTable = { keyspace_name: 'text', table_name: 'text' };
const latency = {
  count: 'bigint',
  max_ms: 'double',
  p50th_ms: 'double',
  p99th_ms: 'double',
  per_second: 'double',
};
const histogram = { count: 'bigint', max: 'double', p50th: 'double', p99th: 'double' };
const mebibytes = { mebibytes: 'bigint' };

export const systemViewsLayouts: Readonly<
  Record<'settings' | 'clients' | 'caches' | 'diskUsage' | 'storageAttachedIndexes', VirtualTableLayout>
> = {
  settings: {
    name: 'settings',
    comment: 'current settings',
    partitionKey: name,
    regulars: { value: 'text' },
  },
  clients: {
    name: 'clients',
    comment: 'currently connected clients',
    partitionKey: { address: 'inet' },
    clustering: { port: 'int' },
    regulars: {
      client_options: 'frozen<map<text, text>>',
      connection_stage: 'text',
      driver_name: 'text',
      driver_version: 'text',
      hostname: 'text',
      keyspace_name: 'text',
      protocol_version: 'int',
      request_count: 'bigint',
      ssl_cipher_suite: 'text',
      ssl_enabled: 'boolean',
      ssl_protocol: 'text',
      username: 'text',
    },
  },
  caches: {
    name: 'caches',
    comment: 'system caches',
    partitionKey: name,
    regulars: {
      capacity_bytes: 'bigint',
      entry_count: 'int',
      hit_count: 'bigint',
      hit_ratio: 'double',
      recent_hit_rate_per_second: 'bigint',
      recent_request_rate_per_second: 'bigint',
      request_count: 'bigint',
      size_bytes: 'bigint',
    },
  },
  diskUsage: { name: 'disk_usage', comment: '', partitionKey: ofTable, regulars: mebibytes },
  storageAttachedIndexes: {
    name: 'sai_column_indexes',
    comment: 'Storage-attached column index metadata',
    partitionKey: { keyspace_name: 'text' },
    clustering: { index_name: 'text' },
    regulars: {
      analyzer: 'text',
      column_name: 'text',
      is_building: 'boolean',
      is_queryable: 'boolean',
      is_string: 'boolean',
      table_name: 'text',
    },
  },
};

export const emptySystemViewsLayouts: readonly VirtualTableLayout[] = [
  ...[
    'coordinator_read_latency',
    'coordinator_scan_latency',
    'coordinator_write_latency',
    'local_read_latency',
    'local_scan_latency',
    'local_write_latency',
  ].map((table) => ({ name: table, comment: '', partitionKey: ofTable, regulars: latency })),
  ...['rows_per_read', 'tombstones_per_read'].map((table) => ({
    name: table,
    comment: '',
    partitionKey: ofTable,
    regulars: histogram,
  })),
  ...['max_partition_size', 'max_sstable_size'].map((table) => ({
    name: table,
    comment: '',
    partitionKey: ofTable,
    regulars: mebibytes,
  })),
  {
    name: 'max_sstable_duration',
    comment: '',
    partitionKey: ofTable,
    regulars: { max_sstable_duration: 'bigint' },
  },
  ...['credentials', 'network_permissions', 'roles'].map((cache) => ({
    name: `${cache}_cache_keys`,
    comment: `keys in the ${cache.replace('_', ' ')} cache`,
    partitionKey: { role: 'text' },
  })),
  {
    name: 'jmx_permissions_cache_keys',
    comment: 'keys in the JMX permissions cache',
    partitionKey: { role: 'text' },
  },
  {
    name: 'permissions_cache_keys',
    comment: 'keys in the permissions cache',
    partitionKey: { role: 'text', resource: 'text' },
  },
  {
    name: 'batch_metrics',
    comment: 'Metrics specific to batch statements',
    partitionKey: name,
    regulars: { max: 'bigint', p50th: 'double', p999th: 'double', p99th: 'double' },
  },
  {
    name: 'cidr_filtering_metrics_counts',
    comment: 'Count metrics specific to CIDR filtering',
    partitionKey: name,
    regulars: { value: 'bigint' },
  },
  {
    name: 'cidr_filtering_metrics_latencies',
    comment: 'Latency metrics specific to CIDR filtering',
    partitionKey: name,
    regulars: { max: 'double', p50th: 'double', p95th: 'double', p999th: 'double', p99th: 'double' },
  },
  {
    name: 'cql_metrics',
    comment: 'Metrics specific to CQL prepared statement caching',
    partitionKey: name,
    regulars: { value: 'double' },
  },
  {
    name: 'pending_hints',
    comment: 'Pending hints that this node has for other nodes',
    partitionKey: { host_id: 'uuid' },
    regulars: {
      address: 'inet',
      dc: 'text',
      files: 'int',
      newest: 'timestamp',
      oldest: 'timestamp',
      port: 'int',
      rack: 'text',
      status: 'text',
    },
  },
  {
    name: 'queries',
    comment: 'Lists currently running queries',
    partitionKey: { thread_id: 'text' },
    regulars: { queued_micros: 'bigint', running_micros: 'bigint', task: 'text' },
  },
  {
    name: 'sai_sstable_indexes',
    comment: 'SSTable index metadata',
    partitionKey: { keyspace_name: 'text' },
    clustering: { index_name: 'text', sstable_name: 'text' },
    regulars: {
      cell_count: 'bigint',
      column_name: 'text',
      end_token: 'text',
      format_version: 'text',
      max_row_id: 'bigint',
      min_row_id: 'bigint',
      per_column_disk_size: 'bigint',
      per_table_disk_size: 'bigint',
      start_token: 'text',
      table_name: 'text',
    },
  },
  {
    name: 'snapshots',
    comment: 'available snapshots',
    partitionKey: name,
    clustering: ofTable,
    regulars: {
      created_at: 'timestamp',
      ephemeral: 'boolean',
      expires_at: 'timestamp',
      size_on_disk: 'bigint',
      true_size: 'bigint',
    },
  },
  {
    name: 'sstable_tasks',
    comment: 'current sstable tasks',
    partitionKey: { keyspace_name: 'text' },
    clustering: { table_name: 'text', task_id: 'timeuuid' },
    regulars: {
      completion_ratio: 'double',
      kind: 'text',
      progress: 'bigint',
      sstables: 'int',
      target_directory: 'text',
      total: 'bigint',
      unit: 'text',
    },
  },
  {
    name: 'system_logs',
    comment: 'Cassandra logs',
    partitionKey: { timestamp: 'timestamp' },
    clustering: { order_in_millisecond: 'int' },
    regulars: { level: 'text', logger: 'text', message: 'text' },
  },
  {
    name: 'system_properties',
    comment: 'Cassandra relevant system properties',
    partitionKey: name,
    regulars: { value: 'text' },
  },
  {
    name: 'thread_pools',
    comment: '',
    partitionKey: name,
    regulars: {
      active_tasks: 'int',
      active_tasks_limit: 'int',
      blocked_tasks: 'bigint',
      blocked_tasks_all_time: 'bigint',
      completed_tasks: 'bigint',
      pending_tasks: 'int',
    },
  },
];
