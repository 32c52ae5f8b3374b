import type { CqlCatalog } from '../../catalog/cql/cql-catalog.ts';
import type { Roles } from '../../catalog/cql/roles.ts';
import type { Random } from '../../foundation/random.ts';
import type { Scheduler } from '../../foundation/scheduler.ts';
import type { ServerTimestamps } from '../../values/server-timestamps.ts';
import type { ThroughputParts } from '../throughput-parts.ts';
import type { TraceSessions } from './trace-sessions.ts';
import type { VirtualTable } from './virtual-table.ts';

/** All that CQL statements run with; made once, at the start. */
export interface CqlParts {
  readonly throughput: ThroughputParts;
  readonly catalog: CqlCatalog;
  /** For writes without a timestamp of the client's. */
  readonly timestamps: ServerTimestamps;
  readonly random: Random;
  readonly scheduler: Scheduler;
  readonly roles: Roles;
  readonly traces: TraceSessions;
  /** By `keyspace.table`. */
  readonly virtualTables: ReadonlyMap<string, VirtualTable>;
}
