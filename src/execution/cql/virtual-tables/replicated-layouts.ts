import type { TableOptionValues } from '../../../catalog/cql/table-schema.ts';
import type { VirtualTableLayout } from './virtual-table-layout.ts';

// The tables of `system_auth`, `system_traces` and `system_distributed`, with Cassandra's columns.

export const authOptions: Partial<TableOptionValues> = { gcGraceSeconds: 7_776_000 };
export const traceOptions: Partial<TableOptionValues> = { gcGraceSeconds: 0 };

export const authLayouts: Readonly<Record<'roles' | 'roleMembers', VirtualTableLayout>> = {
  roles: {
    name: 'roles',
    comment: 'role definitions',
    partitionKey: { role: 'text' },
    regulars: {
      can_login: 'boolean',
      is_superuser: 'boolean',
      member_of: 'set<text>',
      salted_hash: 'text',
    },
  },
  roleMembers: {
    name: 'role_members',
    comment: 'role memberships lookup table',
    partitionKey: { role: 'text' },
    clustering: { member: 'text' },
  },
};

export const emptyAuthLayouts: readonly VirtualTableLayout[] = [
  {
    name: 'role_permissions',
    comment: 'permissions granted to db roles',
    partitionKey: { role: 'text' },
    clustering: { resource: 'text' },
    regulars: { permissions: 'set<text>' },
  },
  {
    name: 'resource_role_permissons_index',
    comment: 'index of db roles with permissions granted on a resource',
    partitionKey: { resource: 'text' },
    clustering: { role: 'text' },
  },
  {
    name: 'network_permissions',
    comment: 'user network permissions',
    partitionKey: { role: 'text' },
    regulars: { dcs: 'frozen<set<text>>' },
  },
  {
    name: 'cidr_permissions',
    comment: 'user cidr permissions',
    partitionKey: { role: 'text' },
    regulars: { cidr_groups: 'frozen<set<text>>' },
  },
  {
    name: 'cidr_groups',
    comment: 'cidr groups to cidrs mapping',
    partitionKey: { cidr_group: 'text' },
    regulars: { cidrs: 'frozen<set<frozen<tuple<inet, smallint>>>>' },
  },
  {
    name: 'identity_to_role',
    comment: 'mtls authorized identities lookup table',
    partitionKey: { identity: 'text' },
    regulars: { role: 'text' },
  },
];

export const traceLayouts: Readonly<Record<'sessions' | 'events', VirtualTableLayout>> = {
  sessions: {
    name: 'sessions',
    comment: 'tracing sessions',
    partitionKey: { session_id: 'uuid' },
    regulars: {
      client: 'inet',
      command: 'text',
      coordinator: 'inet',
      coordinator_port: 'int',
      duration: 'int',
      parameters: 'map<text, text>',
      request: 'text',
      started_at: 'timestamp',
    },
  },
  events: {
    name: 'events',
    comment: 'tracing events',
    partitionKey: { session_id: 'uuid' },
    clustering: { event_id: 'timeuuid' },
    regulars: {
      activity: 'text',
      source: 'inet',
      source_elapsed: 'int',
      source_port: 'int',
      thread: 'text',
    },
  },
};

const byDay: Partial<TableOptionValues> = {
  defaultTimeToLiveSeconds: 2_592_000,
  compaction: new Map([
    ['class', 'org.apache.cassandra.db.compaction.TimeWindowCompactionStrategy'],
    ['compaction_window_size', '1'],
    ['compaction_window_unit', 'DAYS'],
    ['max_threshold', '32'],
    ['min_threshold', '4'],
  ]),
};

export const distributedLayouts: readonly VirtualTableLayout[] = [
  {
    name: 'repair_history',
    comment: 'Repair history',
    partitionKey: { keyspace_name: 'text', columnfamily_name: 'text' },
    clustering: { id: 'timeuuid' },
    regulars: {
      coordinator: 'inet',
      coordinator_port: 'int',
      exception_message: 'text',
      exception_stacktrace: 'text',
      finished_at: 'timestamp',
      parent_id: 'timeuuid',
      participants: 'set<inet>',
      participants_v2: 'set<text>',
      range_begin: 'text',
      range_end: 'text',
      started_at: 'timestamp',
      status: 'text',
    },
    options: byDay,
  },
  {
    name: 'parent_repair_history',
    comment: 'Repair history',
    partitionKey: { parent_id: 'timeuuid' },
    regulars: {
      columnfamily_names: 'set<text>',
      exception_message: 'text',
      exception_stacktrace: 'text',
      finished_at: 'timestamp',
      keyspace_name: 'text',
      options: 'map<text, text>',
      requested_ranges: 'set<text>',
      started_at: 'timestamp',
      successful_ranges: 'set<text>',
    },
    options: byDay,
  },
  {
    name: 'view_build_status',
    comment: 'Materialized View build status',
    partitionKey: { keyspace_name: 'text', view_name: 'text' },
    clustering: { host_id: 'uuid' },
    regulars: { status: 'text' },
  },
  {
    name: 'partition_denylist',
    comment: 'Partition keys which have been denied access',
    partitionKey: { ks_name: 'text', table_name: 'text' },
    clustering: { key: 'blob' },
  },
];
