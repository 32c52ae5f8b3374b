import type { VirtualTableLayout } from './virtual-table-layout.ts';

// Tables of keyspace `system_views` about what the hosts of a Cassandra tell and send one another, with its columns. Here there is one
// host, and between the storage nodes inside it nothing of this kind is sent.

type Columns = NonNullable<VirtualTableLayout['regulars']>;

function columns(type: string, names: string): Columns {
  return Object.fromEntries(names.split(' ').map((name) => [name, type]));
}

/** When something came into each of its states. */
function timesOf(prefix: string, states: string): Columns {
  return Object.fromEntries(states.split(' ').map((state) => [`${prefix}_${state}_timestamp`, 'timestamp']));
}

/** What hosts say of themselves, each with the number of the word. Cassandra leaves room for more. */
const gossiped =
  'dc disk_usage host_id index_status internal_address_and_port internal_ip load native_address_and_port net_version rack release_version removal_coordinator rpc_address rpc_ready schema severity sstable_versions status status_with_port x1 x2 x3 x4 x5 x6 x7 x8 x9 x10 x_11_padding';

export const gossipInfoLayout: VirtualTableLayout = {
  name: 'gossip_info',
  comment: 'lists the gossip information for the cluster',
  partitionKey: { address: 'inet' },
  clustering: { port: 'int' },
  regulars: {
    ...columns('int', 'generation heartbeat tokens_version'),
    ...columns('text', `hostname ${gossiped}`),
    ...columns('int', gossiped.replaceAll(/\w+/g, '$&_version')),
  },
};

/** Always empty. */
export const clusterViewsLayouts: readonly VirtualTableLayout[] = [
  {
    name: 'internode_inbound',
    comment: '',
    partitionKey: { address: 'inet', port: 'int' },
    clustering: { dc: 'text', rack: 'text' },
    regulars: {
      ...columns(
        'bigint',
        'corrupt_frames_recovered corrupt_frames_unrecovered error_bytes error_count expired_bytes expired_count processed_bytes processed_count received_bytes received_count scheduled_bytes scheduled_count throttled_count throttled_nanos using_bytes using_reserve_bytes',
      ),
    },
  },
  {
    name: 'internode_outbound',
    comment: '',
    partitionKey: { address: 'inet', port: 'int' },
    clustering: { dc: 'text', rack: 'text' },
    regulars: {
      ...columns(
        'bigint',
        'active_connections connection_attempts error_bytes error_count expired_bytes expired_count overload_bytes overload_count pending_bytes pending_count sent_bytes sent_count successful_connection_attempts using_bytes using_reserve_bytes',
      ),
    },
  },
  {
    name: 'repair_jobs',
    comment: 'Repair job',
    partitionKey: { id: 'uuid' },
    regulars: {
      ...columns('boolean', 'completed'),
      ...columns('bigint', 'duration_millis'),
      ...columns('text', 'failure_cause keyspace_name status success_message table_name'),
      ...timesOf(
        'state',
        'failure init skipped snapshot_complete snapshot_start start stream_start success validation_complete validation_start',
      ),
      ...columns('timestamp', 'last_updated_at'),
      ...columns('frozen<list<text>>', 'participants ranges'),
      ...columns('timeuuid', 'repair_id session_id'),
    },
  },
  {
    name: 'repair_participates',
    comment: 'Repair participate summary',
    partitionKey: { id: 'timeuuid' },
    regulars: {
      ...columns('boolean', 'completed global incremental'),
      ...columns('bigint', 'duration_millis'),
      ...columns('text', 'failure_cause initiator preview_kind success_message'),
      ...timesOf('state', 'failure init skipped success'),
      ...columns('timestamp', 'last_updated_at repaired_at'),
      ...columns('frozen<list<text>>', 'ranges'),
      ...columns('frozen<set<text>>', 'tables'),
      ...columns('frozen<set<uuid>>', 'validations'),
    },
  },
  {
    name: 'repair_sessions',
    comment: 'Repair session',
    partitionKey: { id: 'timeuuid' },
    regulars: {
      ...columns('boolean', 'completed'),
      ...columns('bigint', 'duration_millis'),
      ...columns('text', 'failure_cause keyspace_name status success_message'),
      ...columns('frozen<set<uuid>>', 'jobs'),
      ...timesOf('state', 'failure init jobs_start skipped start success'),
      ...columns('timestamp', 'last_updated_at'),
      ...columns('frozen<list<text>>', 'participants ranges table_names'),
      ...columns('timeuuid', 'repair_id'),
    },
  },
  {
    name: 'repair_validations',
    comment: 'Repair validation',
    partitionKey: { id: 'uuid' },
    regulars: {
      ...columns(
        'bigint',
        'bytes_read duration_millis estimated_partitions estimated_total_bytes partitions_processed',
      ),
      ...columns('boolean', 'completed'),
      ...columns('text', 'failure_cause initiator keyspace_name status success_message table_name'),
      ...timesOf('state', 'accept failure init sending_trees skipped start success'),
      ...columns('timestamp', 'last_updated_at'),
      ...columns('float', 'progress_percentage'),
      ...columns('frozen<list<text>>', 'ranges'),
      ...columns('timeuuid', 'repair_id session_id'),
    },
  },
  {
    name: 'repairs',
    comment: 'Repair summary',
    partitionKey: { id: 'timeuuid' },
    regulars: {
      ...columns('int', 'command_id options_job_threads'),
      ...columns(
        'boolean',
        'completed options_force_repair options_ignore_unreplicated_keyspaces options_incremental options_optimise_streams options_primary_range options_pull_repair options_subrange_repair options_trace',
      ),
      ...columns('bigint', 'duration_millis'),
      ...columns(
        'text',
        'failure_cause keyspace_name options_parallelism options_preview_kind status success_message type',
      ),
      ...timesOf(
        'state',
        'failure init prepare_complete prepare_start repair_complete repair_start setup skipped start success',
      ),
      ...columns('timestamp', 'last_updated_at'),
      ...columns(
        'frozen<set<text>>',
        'options_column_families options_data_centers options_hosts options_ranges',
      ),
      ...columns('frozen<list<text>>', 'participants table_names'),
      ...columns('frozen<list<frozen<list<text>>>>', 'ranges unfiltered_ranges'),
      ...columns('frozen<set<timeuuid>>', 'sessions'),
    },
  },
  {
    name: 'sai_sstable_index_segments',
    comment: 'SSTable index segment metadata',
    partitionKey: { keyspace_name: 'text' },
    clustering: { index_name: 'text', sstable_name: 'text', segment_row_id_offset: 'bigint' },
    regulars: {
      ...columns('bigint', 'cell_count max_sstable_row_id min_sstable_row_id'),
      ...columns('text', 'column_name end_token max_term min_term start_token table_name'),
      ...columns('frozen<map<text, frozen<map<text, text>>>>', 'component_metadata'),
    },
  },
  {
    name: 'streaming',
    comment: '',
    partitionKey: { id: 'timeuuid' },
    regulars: {
      ...columns(
        'bigint',
        'bytes_received bytes_sent bytes_to_receive bytes_to_send duration_millis files_received files_sent files_to_receive files_to_send',
      ),
      ...columns('text', 'failure_cause operation status success_message'),
      ...columns('boolean', 'follower'),
      ...timesOf('status', 'failure init start success'),
      ...columns('timestamp', 'last_updated_at'),
      ...columns('frozen<list<text>>', 'peers'),
      ...columns('float', 'progress_percentage'),
    },
  },
];
