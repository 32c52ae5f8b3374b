// Builds what CQL clients are served with, from the stored definitions up, and opens the door.

import { randomBytes } from 'node:crypto';
import { CqlCatalog } from './catalog/cql/cql-catalog.ts';
import { LoginChecks } from './catalog/cql/login-checks.ts';
import { isPassword } from './catalog/cql/password-hash.ts';
import { Roles } from './catalog/cql/roles.ts';
import type { CqlParts } from './execution/cql/cql-parts.ts';
import { dropLeftovers } from './execution/cql/definitions/drop-leftovers.ts';
import { nameOfPartition, nameOfTable, tableOf } from './execution/cql/named-partition.ts';
import { TablePurge } from './execution/cql/purging/table-purge.ts';
import { TraceSessions } from './execution/cql/trace-sessions.ts';
import type { ConnectedClient } from './execution/cql/virtual-tables/connected-client.ts';
import { makeVirtualTables } from './execution/cql/virtual-tables/make-virtual-tables.ts';
import { replayBatches } from './execution/cql/writes/batch-records.ts';
import type { ThroughputParts } from './execution/throughput-parts.ts';
import type { Clock } from './foundation/clock.ts';
import type { Log } from './foundation/log.ts';
import type { Random } from './foundation/random.ts';
import type { Scheduler } from './foundation/scheduler.ts';
import { prepareStatement } from './language/cql/prepare-statement.ts';
import type { ServedTables } from './protocol/admin/admin-context.ts';
import { type CqlContext, type CqlSettings, defaultCqlSettings } from './protocol/cql/cql-context.ts';
import { CqlServer } from './protocol/cql/cql-server.ts';
import { PreparedStatements } from './protocol/cql/prepared-statements.ts';
import { RequestMemory } from './protocol/cql/request-memory.ts';
import { shownSettings } from './protocol/cql/shown-settings.ts';
import type { ServerCertificate } from './protocol/tls/server-certificate.ts';
import type { PurgeOf } from './start-purging.ts';
import type { ServerTimestamps } from './values/server-timestamps.ts';
import { TimeUuids } from './values/time-uuids.ts';

export interface CqlOptions {
  readonly host: string;
  readonly port: number;
  readonly settings: Partial<CqlSettings>;
}

export interface StartedCql {
  readonly port: number;
  readonly tables: ServedTables;
  readonly purgeOf: PurgeOf;
  readonly stop: () => Promise<void>;
}

/** Bytes of requests in flight, over all connections. */
const maxRequestBytes = 256 * 2 ** 20;
const clusterName = 'Ringfold';

interface Surroundings {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly log: Log;
  readonly timestamps: ServerTimestamps;
  readonly certificate: ServerCertificate;
}

export async function startCql(
  throughput: ThroughputParts,
  options: CqlOptions,
  surroundings: Surroundings,
): Promise<StartedCql> {
  const { clock, scheduler, log, certificate } = surroundings;
  const settings: CqlSettings = { ...defaultCqlSettings, ...options.settings };
  const parts = await loadParts(throughput, settings, surroundings, () => server.clients());
  // Before anybody is served: nobody may read half a batch.
  await replayBatches(parts);
  const statements = new PreparedStatements(parts, prepareStatement);
  const memory = new RequestMemory(maxRequestBytes);
  const context: CqlContext = { parts, statements, memory, settings, clock, scheduler, log };
  const server = new CqlServer(context, certificate.secureContext);
  const port = await server.listen(options.host, options.port);
  return {
    port,
    tables: {
      kind: 'table',
      nameOf: (container) => nameOfTable(parts, container),
      nameOfPartition: (container, logicalPartition) => nameOfPartition(parts, container, logicalPartition),
    },
    purgeOf: (container, { nowSeconds, shortestGraceSeconds }) => {
      const table = tableOf(parts.catalog.schema, container);
      return table && new TablePurge(table, nowSeconds, shortestGraceSeconds);
    },
    stop: () => server.stop(),
  };
}

/** The virtual tables are made before the catalog, which lists them, and look into it when they are read. */
async function loadParts(
  throughput: ThroughputParts,
  settings: CqlSettings,
  { clock, scheduler, random, timestamps }: Surroundings,
  clients: () => Iterable<ConnectedClient>,
): Promise<CqlParts> {
  const { records } = throughput.store;
  const checks = new LoginChecks((password, stored) => isPassword(password, stored, scheduler));
  const roles = await Roles.load(records, checks);
  const traces = new TraceSessions(clock, new TimeUuids(randomBytes(8)));
  const { keyspaces: virtualKeyspaces, tables: virtualTables } = makeVirtualTables({
    schema: () => catalog.schema,
    throughput,
    roles,
    traces,
    clients,
    settings: () => shownSettings(clusterName, settings),
    clusterName,
    broadcastAddress: settings.broadcastAddress,
  });
  const catalog = await CqlCatalog.load({ records, virtualKeyspaces, random });
  await dropLeftovers(throughput, catalog);
  return { throughput, catalog, timestamps, random, scheduler, roles, traces, virtualTables };
}
