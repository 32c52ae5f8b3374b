import type { CqlSchema, Keyspace } from '../../../catalog/cql/cql-schema.ts';
import type { CacheStatistics } from '../../../replication/partition-cache.ts';
import type { VirtualTable } from '../virtual-table.ts';
import { clusterViewsLayouts, gossipInfoLayout } from './cluster-views-layouts.ts';
import type { ConnectedClient } from './connected-client.ts';
import { keyspacesAsked } from './definition-tables.ts';
import { emptyTable, type NamedRow, tableOfRows } from './named-rows.ts';
import { plainAddress } from './plain-address.ts';
import type { TableSizes } from './size-estimates.ts';
import { isSystemKeyspace } from './system-keyspaces.ts';
import { gossipRow, type HostFacts } from './system-tables.ts';
import { emptySystemViewsLayouts, systemViewsLayouts } from './system-views-layouts.ts';
import { tableOf, type VirtualTableLayout } from './virtual-table-layout.ts';

export interface SystemViewsParts {
  readonly schema: () => CqlSchema;
  readonly settings: () => ReadonlyMap<string, string>;
  readonly clients: () => Iterable<ConnectedClient>;
  readonly sizes: TableSizes;
  readonly cache: () => CacheStatistics;
  readonly host: HostFacts;
}

const bytesPerMebibyte = 2 ** 20;
const storageAttached = /(^|\.)StorageAttachedIndex$|^sai$/i;

export function systemViewsTables(parts: SystemViewsParts): VirtualTable[] {
  const { schema, settings, clients, sizes, cache, host } = parts;
  const schemaOf = (layout: VirtualTableLayout) => tableOf('system_views', layout);
  return [
    tableOfRows(schemaOf(systemViewsLayouts.settings), () =>
      Array.from(settings(), ([name, value]) => ({ name, value })),
    ),
    tableOfRows(schemaOf(systemViewsLayouts.clients), () => Array.from(clients(), clientRow)),
    tableOfRows(schemaOf(systemViewsLayouts.caches), () => [cacheRow(cache())]),
    tableOfRows(schemaOf(systemViewsLayouts.diskUsage), () => diskUsageRows(schema(), sizes)),
    tableOfRows(schemaOf(systemViewsLayouts.storageAttachedIndexes), (_session, partitionKey) =>
      [...keyspacesAsked(schema(), partitionKey)].flatMap(storageAttachedIndexRows),
    ),
    tableOfRows(schemaOf(gossipInfoLayout), (session) => [gossipRow(session, host, schema().version)]),
    ...[...emptySystemViewsLayouts, ...clusterViewsLayouts].map((layout) => emptyTable(schemaOf(layout))),
  ];
}

function clientRow(client: ConnectedClient): NamedRow {
  const { options, tls } = client;
  return {
    address: plainAddress(client.address),
    port: client.port,
    client_options: [...options],
    connection_stage: client.isReady ? 'ready' : 'establishing',
    driver_name: options.get('DRIVER_NAME') ?? null,
    driver_version: options.get('DRIVER_VERSION') ?? null,
    hostname: plainAddress(client.address),
    keyspace_name: client.keyspace ?? null,
    protocol_version: client.protocolVersion,
    request_count: BigInt(client.requestCount),
    ssl_cipher_suite: tls?.cipher ?? null,
    ssl_enabled: tls !== undefined,
    ssl_protocol: tls?.protocol ?? null,
    username: client.role ?? 'anonymous',
  };
}

/** There is one cache, of rows. */
function cacheRow({ hits, misses, rows, sizeBytes, limitBytes }: CacheStatistics): NamedRow {
  const requests = hits + misses;
  return {
    name: 'rows',
    capacity_bytes: BigInt(limitBytes),
    entry_count: rows,
    hit_count: BigInt(hits),
    hit_ratio: requests === 0 ? null : hits / requests,
    request_count: BigInt(requests),
    size_bytes: BigInt(sizeBytes),
  };
}

async function diskUsageRows(schema: CqlSchema, sizes: TableSizes): Promise<NamedRow[]> {
  const tables = [...schema.keyspaces.values()].flatMap((keyspace) => [...keyspace.tables.values()]);
  const rows = tables.map(async ({ keyspace, name, container }) => ({
    keyspace_name: keyspace,
    table_name: name,
    mebibytes: BigInt(container === undefined ? 0 : Math.ceil((await sizes(container)) / bytesPerMebibyte)),
  }));
  return Promise.all(rows);
}

function storageAttachedIndexRows({ name, tables }: Keyspace): NamedRow[] {
  if (isSystemKeyspace(name)) return [];
  return [...tables.values()].flatMap((table) =>
    table.indexes
      .filter(({ options }) => storageAttached.test(options.get('class_name') ?? ''))
      .map((index) => ({
        keyspace_name: name,
        index_name: index.name,
        analyzer: 'NoOpAnalyzer',
        column_name: index.column,
        is_building: false,
        is_queryable: true,
        is_string: ['text', 'ascii'].includes(table.columns.get(index.column)?.type.kind ?? ''),
        table_name: table.name,
      })),
  );
}
