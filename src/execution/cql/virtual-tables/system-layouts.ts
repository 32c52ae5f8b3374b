import { defaultTableOptions } from '../../../catalog/cql/default-table-options.ts';
import type { TableOptionValues } from '../../../catalog/cql/table-schema.ts';
import type { VirtualTableLayout } from './virtual-table-layout.ts';

// The tables of keyspace `system`, with Cassandra's columns. Most are of no use to anybody but Cassandra itself, and stay empty.

export const systemOptions: Partial<TableOptionValues> = {
  gcGraceSeconds: 0,
  memtableFlushPeriodMs: 3_600_000,
};

const estimates = { mean_partition_size: 'bigint', partitions_count: 'bigint' };
const peer = {
  data_center: 'text',
  host_id: 'uuid',
  preferred_ip: 'inet',
  rack: 'text',
  release_version: 'text',
  schema_version: 'uuid',
  tokens: 'set<text>',
};

export const systemLayouts: Readonly<
  Record<'local' | 'peers' | 'peersV2' | 'sizeEstimates' | 'tableEstimates' | 'indexInfo', VirtualTableLayout>
> = {
  local: {
    name: 'local',
    comment: 'information about the local node',
    partitionKey: { key: 'text' },
    regulars: {
      bootstrapped: 'text',
      broadcast_address: 'inet',
      broadcast_port: 'int',
      cluster_name: 'text',
      cql_version: 'text',
      data_center: 'text',
      gossip_generation: 'int',
      host_id: 'uuid',
      listen_address: 'inet',
      listen_port: 'int',
      native_protocol_version: 'text',
      partitioner: 'text',
      rack: 'text',
      release_version: 'text',
      rpc_address: 'inet',
      rpc_port: 'int',
      schema_version: 'uuid',
      tokens: 'set<text>',
      truncated_at: 'map<uuid, blob>',
    },
  },
  peers: {
    name: 'peers',
    comment: 'information about known peers in the cluster',
    partitionKey: { peer: 'inet' },
    regulars: { ...peer, rpc_address: 'inet' },
  },
  peersV2: {
    name: 'peers_v2',
    comment: 'information about known peers in the cluster',
    partitionKey: { peer: 'inet' },
    clustering: { peer_port: 'int' },
    regulars: { ...peer, native_address: 'inet', native_port: 'int', preferred_port: 'int' },
  },
  sizeEstimates: {
    name: 'size_estimates',
    comment: 'per-table primary range size estimates, table is deprecated in favor of table_estimates',
    partitionKey: { keyspace_name: 'text' },
    clustering: { table_name: 'text', range_start: 'text', range_end: 'text' },
    regulars: estimates,
  },
  tableEstimates: {
    name: 'table_estimates',
    comment: 'per-table range size estimates',
    partitionKey: { keyspace_name: 'text' },
    clustering: { table_name: 'text', range_type: 'text', range_start: 'text', range_end: 'text' },
    regulars: estimates,
  },
  indexInfo: {
    name: 'IndexInfo',
    comment: 'built column indexes',
    partitionKey: { table_name: 'text' },
    clustering: { index_name: 'text' },
    regulars: { value: 'blob' },
  },
};

export const emptySystemLayouts: readonly VirtualTableLayout[] = [
  {
    name: 'available_ranges',
    comment: 'available keyspace/ranges during bootstrap/replace that are ready to be served',
    partitionKey: { keyspace_name: 'text' },
    regulars: { ranges: 'set<blob>' },
  },
  {
    name: 'available_ranges_v2',
    comment: 'available keyspace/ranges during bootstrap/replace that are ready to be served',
    partitionKey: { keyspace_name: 'text' },
    regulars: { full_ranges: 'set<blob>', transient_ranges: 'set<blob>' },
  },
  {
    name: 'batches',
    comment: 'batches awaiting replay',
    partitionKey: { id: 'timeuuid' },
    regulars: { mutations: 'list<blob>', version: 'int' },
    options: { compaction: new Map([...defaultTableOptions.compaction, ['min_threshold', '2']]) },
  },
  {
    name: 'built_views',
    comment: 'built views',
    partitionKey: { keyspace_name: 'text' },
    clustering: { view_name: 'text' },
    regulars: { status_replicated: 'boolean' },
  },
  {
    name: 'compaction_history',
    comment: 'week-long compaction history',
    partitionKey: { id: 'timeuuid' },
    regulars: {
      bytes_in: 'bigint',
      bytes_out: 'bigint',
      columnfamily_name: 'text',
      compacted_at: 'timestamp',
      compaction_properties: 'frozen<map<text, text>>',
      keyspace_name: 'text',
      rows_merged: 'map<int, bigint>',
    },
    options: { defaultTimeToLiveSeconds: 604_800 },
  },
  {
    name: 'paxos',
    comment: 'in-progress paxos proposals',
    partitionKey: { row_key: 'blob' },
    clustering: { cf_id: 'uuid' },
    regulars: {
      in_progress_ballot: 'timeuuid',
      in_progress_read_ballot: 'timeuuid',
      most_recent_commit: 'blob',
      most_recent_commit_at: 'timeuuid',
      most_recent_commit_version: 'int',
      proposal: 'blob',
      proposal_ballot: 'timeuuid',
      proposal_version: 'int',
    },
    options: {
      compaction: new Map([
        ...defaultTableOptions.compaction,
        ['class', 'org.apache.cassandra.db.compaction.LeveledCompactionStrategy'],
      ]),
    },
  },
  {
    name: 'paxos_repair_history',
    comment: 'paxos repair history',
    partitionKey: { keyspace_name: 'text' },
    clustering: { table_name: 'text' },
    regulars: { points: 'frozen<list<frozen<tuple<blob, timeuuid>>>>' },
  },
  {
    name: 'peer_events',
    comment: 'events related to peers',
    partitionKey: { peer: 'inet' },
    regulars: { hints_dropped: 'map<timeuuid, int>' },
  },
  {
    name: 'peer_events_v2',
    comment: 'events related to peers',
    partitionKey: { peer: 'inet' },
    clustering: { peer_port: 'int' },
    regulars: { hints_dropped: 'map<timeuuid, int>' },
  },
  {
    name: 'prepared_statements',
    comment: 'prepared statements',
    partitionKey: { prepared_id: 'blob' },
    regulars: { logged_keyspace: 'text', query_string: 'text' },
  },
  {
    name: 'repairs',
    comment: 'repairs',
    partitionKey: { parent_id: 'timeuuid' },
    regulars: {
      cfids: 'set<uuid>',
      coordinator: 'inet',
      coordinator_port: 'int',
      last_update: 'timestamp',
      participants: 'set<inet>',
      participants_wp: 'set<text>',
      ranges: 'set<blob>',
      repaired_at: 'timestamp',
      started_at: 'timestamp',
      state: 'int',
    },
  },
  {
    name: 'sstable_activity',
    comment: 'historic sstable read rates',
    partitionKey: { keyspace_name: 'text', columnfamily_name: 'text', generation: 'int' },
    regulars: { rate_120m: 'double', rate_15m: 'double' },
  },
  {
    name: 'sstable_activity_v2',
    comment: 'historic sstable read rates',
    partitionKey: { keyspace_name: 'text', table_name: 'text', id: 'text' },
    regulars: { rate_120m: 'double', rate_15m: 'double' },
  },
  {
    name: 'top_partitions',
    comment: 'Stores the top partitions',
    partitionKey: { keyspace_name: 'text' },
    clustering: { table_name: 'text', top_type: 'text' },
    regulars: { last_update: 'timestamp', top: 'frozen<list<frozen<tuple<text, bigint>>>>' },
  },
  {
    name: 'transferred_ranges',
    comment: 'record of transferred ranges for streaming operation',
    partitionKey: { operation: 'text', keyspace_name: 'text' },
    clustering: { peer: 'inet' },
    regulars: { ranges: 'set<blob>' },
  },
  {
    name: 'transferred_ranges_v2',
    comment: 'record of transferred ranges for streaming operation',
    partitionKey: { operation: 'text', keyspace_name: 'text' },
    clustering: { peer: 'inet', peer_port: 'int' },
    regulars: { ranges: 'set<blob>' },
  },
  {
    name: 'view_builds_in_progress',
    comment: 'views builds current progress',
    partitionKey: { keyspace_name: 'text' },
    clustering: { view_name: 'text', start_token: 'text', end_token: 'text' },
    regulars: { keys_built: 'bigint', last_token: 'text' },
  },
];
