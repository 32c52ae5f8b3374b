// A catalog over a store in memory, and statements on it as text: for tests of definitions and of what needs a table.

import { CqlCatalog } from '../../src/catalog/cql/cql-catalog.ts';
import type { CqlSchema, Keyspace, SchemaChange } from '../../src/catalog/cql/cql-schema.ts';
import { Roles } from '../../src/catalog/cql/roles.ts';
import type { CqlParts } from '../../src/execution/cql/cql-parts.ts';
import { dropLeftovers } from '../../src/execution/cql/definitions/drop-leftovers.ts';
import type { StatementAnswer } from '../../src/execution/cql/statement-request.ts';
import { TraceSessions } from '../../src/execution/cql/trace-sessions.ts';
import { systemClock } from '../../src/foundation/clock.ts';
import { silentLog } from '../../src/foundation/log.ts';
import { SeededRandom } from '../../src/foundation/random.ts';
import { systemScheduler } from '../../src/foundation/scheduler.ts';
import { parseCql } from '../../src/language/cql/cql-parser.ts';
import {
  type DefinitionStatement,
  prepareDefinition,
} from '../../src/language/cql/definitions/prepare-definition.ts';
import {
  defaultThroughputOptions,
  type StartedThroughput,
  startThroughput,
} from '../../src/start-throughput.ts';
import { ServerTimestamps } from '../../src/values/server-timestamps.ts';
import { TimeUuids } from '../../src/values/time-uuids.ts';
import type { TestNode } from './breakable-node.ts';
import { TestCluster } from './memory-cluster.ts';

export class DefinedCql {
  readonly cluster: TestCluster;
  readonly parts: CqlParts;
  readonly changes: SchemaChange[] = [];
  readonly #throughput: StartedThroughput;
  #keyspace: string | undefined;

  private constructor(
    cluster: TestCluster,
    throughput: StartedThroughput,
    { catalog, roles }: { readonly catalog: CqlCatalog; readonly roles: Roles },
  ) {
    this.cluster = cluster;
    this.#throughput = throughput;
    const random = new SeededRandom(1);
    this.parts = {
      throughput: throughput.parts,
      catalog,
      timestamps: new ServerTimestamps(0),
      random,
      scheduler: systemScheduler,
      roles,
      traces: new TraceSessions(systemClock, new TimeUuids(Buffer.alloc(8))),
      virtualTables: new Map(),
    };
    catalog.whenChanged((change) => this.changes.push(change));
  }

  static async use(
    test: (cql: DefinedCql) => Promise<void>,
    { nodes, virtualKeyspaces = [], seed = 3 }: DefinedCqlOptions = {},
  ): Promise<void> {
    await TestCluster.use(nodes === undefined ? {} : { nodes }, async (cluster) => {
      const outside = { clock: systemClock, scheduler: systemScheduler, log: silentLog };
      const throughput = await startThroughput(cluster.store, defaultThroughputOptions, outside);
      try {
        const { records } = cluster.store;
        const catalog = await CqlCatalog.load({ records, virtualKeyspaces, random: new SeededRandom(seed) });
        await dropLeftovers(throughput.parts, catalog);
        const roles = await Roles.load(records);
        await test(new DefinedCql(cluster, throughput, { catalog, roles }));
      } finally {
        await throughput.stop();
      }
    });
  }

  get schema(): CqlSchema {
    return this.parts.catalog.schema;
  }

  get throughput(): StartedThroughput['parts'] {
    return this.#throughput.parts;
  }

  /** `USE` holds for the statements after it. */
  async run(text: string): Promise<StatementAnswer> {
    const { statement, markers } = parseCql(text);
    const context = { schema: this.schema, keyspace: this.#keyspace, parts: this.parts };
    const prepared = prepareDefinition(statement as DefinitionStatement, markers, context);
    const answer = await prepared.run({} as Parameters<typeof prepared.run>[0]);
    if (answer.kind === 'keyspace') this.#keyspace = answer.keyspace;
    return answer;
  }

  async runAll(...texts: readonly string[]): Promise<void> {
    for (const text of texts) await this.run(text);
  }
}

interface DefinedCqlOptions {
  readonly nodes?: readonly TestNode[];
  readonly virtualKeyspaces?: readonly Keyspace[];
  readonly seed?: number;
}
