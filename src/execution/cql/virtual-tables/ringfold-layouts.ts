import type { VirtualTableLayout } from './virtual-table-layout.ts';

// Keyspace `ringfold`: what drivers have no place for. The columns are described in docs/cql-virtual-tables.md.

const keyspaceName = { keyspace_name: 'text' };
const partition = { table_name: 'text', partition_id: 'int' };

export const ringfoldLayouts: Readonly<
  Record<'partitions' | 'nodes' | 'hotPartitions' | 'throughput' | 'operations', VirtualTableLayout>
> = {
  partitions: {
    name: 'partitions',
    comment: 'physical partitions: token ranges, replicas, sizes, budgets',
    partitionKey: keyspaceName,
    clustering: partition,
    regulars: {
      balance_ru: 'double',
      bank_ru: 'double',
      budget_ru: 'double',
      commit_lsn: 'bigint',
      first_token: 'bigint',
      last_token: 'bigint',
      level_replicas: 'list<int>',
      normalized_percent: 'double',
      parents: 'list<int>',
      replicas: 'list<int>',
      share: 'double',
      state: 'text',
      stored_bytes: 'bigint',
    },
  },
  nodes: {
    name: 'nodes',
    comment: 'storage nodes',
    partitionKey: { node_id: 'int' },
    regulars: {
      applied_generation: 'bigint',
      free_bytes: 'bigint',
      log_bytes: 'bigint',
      queued_bytes: 'bigint',
      reason: 'text',
      replicas: 'int',
      state: 'text',
    },
  },
  hotPartitions: {
    name: 'hot_partitions',
    comment: 'logical partitions that spend most, by physical partition',
    partitionKey: keyspaceName,
    clustering: { ...partition, place: 'int' },
    regulars: {
      is_hot: 'boolean',
      partition_key: 'text',
      share: 'double',
      share_at_least: 'double',
    },
  },
  throughput: {
    name: 'throughput',
    comment: 'what keyspaces and tables may spend',
    partitionKey: keyspaceName,
    clustering: { table_name: 'text' },
    regulars: {
      autoscale_level_ru: 'double',
      instant_maximum_ru: 'double',
      is_enforced: 'boolean',
      kind: 'text',
      minimum_ru: 'double',
      month_usd: 'double',
      normalized_percent: 'double',
      partition_count: 'int',
      pending: 'text',
      pending_partition_target: 'int',
      ru_per_second: 'double',
      shared_with: 'text',
      stored_bytes: 'bigint',
      usable_ru: 'double',
    },
  },
  operations: {
    name: 'operations',
    comment: 'requests of the last hour and what they were charged, by minute, kind and outcome',
    partitionKey: keyspaceName,
    clustering: { table_name: 'text', minute: 'timestamp', operation: 'text', status: 'text' },
    regulars: { charge_ru: 'double', requests: 'bigint' },
  },
};
