// All keyspaces that are the server's own. They are made before the catalog, which lists them, and read it only when they are read.

import type { CqlSchema, Keyspace } from '../../../catalog/cql/cql-schema.ts';
import type { Roles } from '../../../catalog/cql/roles.ts';
import type { ThroughputParts } from '../../throughput-parts.ts';
import type { TraceSessions } from '../trace-sessions.ts';
import type { VirtualTable } from '../virtual-table.ts';
import type { ConnectedClient } from './connected-client.ts';
import { schemaTables, virtualSchemaTables } from './definition-tables.ts';
import { authTables, distributedTables, traceTables } from './replicated-tables.ts';
import { ringfoldTables } from './ringfold-tables.ts';
import { systemKeyspace } from './system-keyspaces.ts';
import { type HostFacts, systemTables } from './system-tables.ts';
import { systemViewsTables } from './system-views-tables.ts';

export interface VirtualTableParts {
  /** Asked at every read, and not before the catalog is there. */
  readonly schema: () => CqlSchema;
  readonly throughput: ThroughputParts;
  readonly roles: Pick<Roles, 'all'>;
  readonly traces: Pick<TraceSessions, 'sessions' | 'find'>;
  readonly clients: () => Iterable<ConnectedClient>;
  /** As `system_views.settings` shows them. */
  readonly settings: () => ReadonlyMap<string, string>;
  readonly clusterName: string;
  /** What clients are told in place of the address they dialled. */
  readonly broadcastAddress: string | undefined;
}

export interface VirtualTables {
  readonly keyspaces: readonly Keyspace[];
  /** By `keyspace.table`. */
  readonly tables: ReadonlyMap<string, VirtualTable>;
}

export function makeVirtualTables(parts: VirtualTableParts): VirtualTables {
  const { schema, throughput, clients, settings } = parts;
  const sizes = (container: number) => throughput.store.sizeOf(container);
  const cache = () => throughput.store.status().cache;
  const host = hostFacts(parts);
  const byKeyspace: Readonly<Record<string, readonly VirtualTable[]>> = {
    system: systemTables(schema, host, sizes),
    system_schema: schemaTables(schema),
    system_auth: authTables(parts.roles),
    system_distributed: distributedTables(),
    system_traces: traceTables(parts.traces),
    system_views: systemViewsTables({ schema, settings, clients, sizes, cache, host }),
    system_virtual_schema: virtualSchemaTables(schema),
    ringfold: ringfoldTables(schema, throughput),
  };
  return {
    keyspaces: Object.entries(byKeyspace).map(([name, tables]) =>
      systemKeyspace(
        name,
        tables.map((table) => table.schema),
      ),
    ),
    tables: new Map(
      Object.values(byKeyspace)
        .flat()
        .map((table) => [`${table.schema.keyspace}.${table.schema.name}`, table]),
    ),
  };
}

function hostFacts({ throughput, clusterName, broadcastAddress }: VirtualTableParts): HostFacts {
  const { clock, store, startedAtMs } = throughput;
  const uptimeMs = clock.monotonic() - startedAtMs;
  return {
    clusterName,
    hostId: hostIdOf(store.status().clusterId),
    startedAtSeconds: Math.floor((clock.now() - uptimeMs) / 1_000),
    broadcastAddress,
  };
}

/** The cluster's id, made to look like a UUID by chance (version 4): some clients look. */
function hostIdOf(clusterId: string): string {
  const hex = clusterId.padStart(32, '0').slice(-32);
  const groups = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20),
  ];
  return groups.join('-');
}
