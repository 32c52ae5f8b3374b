// `system_views.settings`: those of Cassandra's settings that say something here, with what they would be set to.

import { ringTokens } from '../../execution/cql/virtual-tables/ring-tokens.ts';
import { batchLimits } from '../../language/cql/writes/batch-warnings.ts';
import type { CqlSettings } from './cql-context.ts';

const switchedOn = [
  'allow_filtering_enabled',
  'alter_table_enabled',
  'compact_tables_enabled',
  'drop_keyspace_enabled',
  'drop_truncate_table_enabled',
  'group_by_enabled',
  'read_before_write_list_operations_enabled',
  'secondary_indexes_enabled',
  'simplestrategy_enabled',
  'start_native_transport',
  'use_statements_enabled',
  'user_timestamps_enabled',
  'vector_type_enabled',
];

const switchedOff = [
  'cdc_enabled',
  'dynamic_data_masking_enabled',
  'materialized_views_enabled',
  'sasi_indexes_enabled',
  'transient_replication_enabled',
  'user_defined_functions_enabled',
];

export function shownSettings(clusterName: string, settings: CqlSettings): Map<string, string> {
  const { alwaysAsksLogin, maxFrameBytes, readTimeoutMs, writeTimeoutMs } = settings;
  return new Map([
    ['cluster_name', clusterName],
    ['partitioner', 'org.apache.cassandra.dht.Murmur3Partitioner'],
    ['endpoint_snitch', 'SimpleSnitch'],
    ['num_tokens', `${ringTokens.length}`],
    ['authenticator.class_name', alwaysAsksLogin ? 'PasswordAuthenticator' : 'AllowAllAuthenticator'],
    ['authorizer.class_name', 'AllowAllAuthorizer'],
    ['role_manager.class_name', 'CassandraRoleManager'],
    ['default_secondary_index', 'legacy_local_table'],
    ['batch_size_warn_threshold', `${batchLimits.warnBytes / 1_024}KiB`],
    ['batch_size_fail_threshold', `${batchLimits.failBytes / 1_024}KiB`],
    ['unlogged_batch_across_partitions_warn_threshold', `${batchLimits.warnPartitions}`],
    ['native_transport_max_frame_size', `${maxFrameBytes}B`],
    ['read_request_timeout', `${readTimeoutMs}ms`],
    ['write_request_timeout', `${writeTimeoutMs}ms`],
    ...switchedOn.map((name) => [name, 'true'] as const),
    ...switchedOff.map((name) => [name, 'false'] as const),
  ]);
}
