// Keyspace `system`: one host that owns the whole ring, under the address by which each client reached it. Which storage nodes keep
// what is no business of drivers; it is in keyspace `ringfold`.

import type { CqlSchema, Keyspace } from '../../../catalog/cql/cql-schema.ts';
import type { StatementSession } from '../statement-request.ts';
import type { VirtualTable } from '../virtual-table.ts';
import { keyspacesAsked } from './definition-tables.ts';
import { emptyTable, type NamedRow, tableOfRows } from './named-rows.ts';
import { plainAddress } from './plain-address.ts';
import { ringTokens } from './ring-tokens.ts';
import { estimateRows, type TableSizes } from './size-estimates.ts';
import { isSystemKeyspace } from './system-keyspaces.ts';
import { emptySystemLayouts, systemLayouts, systemOptions } from './system-layouts.ts';
import { tableOf, type VirtualTableLayout } from './virtual-table-layout.ts';

const DATA_CENTER = 'datacenter1';
const PARTITIONER = 'org.apache.cassandra.dht.Murmur3Partitioner';
const CASSANDRA_VERSION = '5.0.5';
const CQL_VERSION = '3.4.7';

/** Between storage nodes there is no port: they are in this process. Cassandra's own is shown. */
const INTERNODE_PORT = 7_000;

export interface HostFacts {
  readonly clusterName: string;
  /** A UUID, the same after every start. */
  readonly hostId: string;
  readonly startedAtSeconds: number;
  /** What clients are told in place of the address they dialled. */
  readonly broadcastAddress: string | undefined;
}

export function systemTables(source: () => CqlSchema, host: HostFacts, sizes: TableSizes): VirtualTable[] {
  const schemaOf = (layout: VirtualTableLayout) => tableOf('system', layout, systemOptions);
  const estimates = (keyspace: Keyspace) => estimateRows(keyspace, sizes);
  const asked = (partitionKey: readonly Buffer[] | undefined) => [...keyspacesAsked(source(), partitionKey)];
  return [
    tableOfRows(schemaOf(systemLayouts.local), (session) => [localRow(session, host, source().version)]),
    emptyTable(schemaOf(systemLayouts.peers)),
    emptyTable(schemaOf(systemLayouts.peersV2)),
    tableOfRows(schemaOf(systemLayouts.sizeEstimates), async (_session, partitionKey) =>
      (await Promise.all(asked(partitionKey).map(estimates))).flat(),
    ),
    tableOfRows(schemaOf(systemLayouts.tableEstimates), async (_session, partitionKey) =>
      (await Promise.all(asked(partitionKey).map(estimates)))
        .flat()
        .flatMap((row) => ['primary', 'local_primary'].map((range_type) => ({ ...row, range_type }))),
    ),
    tableOfRows(schemaOf(systemLayouts.indexInfo), (_session, partitionKey) =>
      asked(partitionKey).flatMap(builtIndexRows),
    ),
    ...emptySystemLayouts.map((layout) => emptyTable(schemaOf(layout))),
  ];
}

function localRow(session: StatementSession, host: HostFacts, schemaVersion: string): NamedRow {
  const address = host.broadcastAddress ?? plainAddress(session.localAddress);
  return {
    key: 'local',
    bootstrapped: 'COMPLETED',
    broadcast_address: address,
    broadcast_port: INTERNODE_PORT,
    cluster_name: host.clusterName,
    cql_version: CQL_VERSION,
    data_center: DATA_CENTER,
    gossip_generation: host.startedAtSeconds,
    host_id: host.hostId,
    listen_address: address,
    listen_port: INTERNODE_PORT,
    native_protocol_version: '5',
    partitioner: PARTITIONER,
    rack: 'rack1',
    release_version: CASSANDRA_VERSION,
    rpc_address: address,
    rpc_port: session.localPort,
    schema_version: schemaVersion,
    tokens: ringTokens.map(String),
  };
}

/** Of `system_views.gossip_info`: what the host would say of itself. Nobody counts the words, since there is nobody else to hear them. */
export function gossipRow(session: StatementSession, host: HostFacts, schemaVersion: string): NamedRow {
  const address = host.broadcastAddress ?? plainAddress(session.localAddress);
  const status = `NORMAL,${ringTokens[0]}`;
  return {
    address,
    port: INTERNODE_PORT,
    generation: host.startedAtSeconds,
    hostname: address,
    dc: DATA_CENTER,
    host_id: host.hostId,
    native_address_and_port: `${address}:${session.localPort}`,
    rack: 'rack1',
    release_version: CASSANDRA_VERSION,
    rpc_address: address,
    rpc_ready: 'true',
    schema: schemaVersion,
    status,
    status_with_port: status,
  };
}

/** What is called a table there is a keyspace. */
function builtIndexRows({ name, tables }: Keyspace): NamedRow[] {
  if (isSystemKeyspace(name)) return [];
  return [...tables.values()].flatMap(({ indexes }) =>
    indexes.map((index) => ({ table_name: name, index_name: index.name })),
  );
}
