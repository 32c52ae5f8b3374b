// A store in memory with a keyspace `ks`, and any statement on it as text: for tests of what statements write.

import { CqlCatalog } from '../../src/catalog/cql/cql-catalog.ts';
import { Roles } from '../../src/catalog/cql/roles.ts';
import type { CqlParts } from '../../src/execution/cql/cql-parts.ts';
import type { StatementAnswer, StatementRequest } from '../../src/execution/cql/statement-request.ts';
import { TraceSessions } from '../../src/execution/cql/trace-sessions.ts';
import { cqlOperationKinds } from '../../src/execution/cql/writes/cql-operation-kinds.ts';
import { systemClock } from '../../src/foundation/clock.ts';
import { silentLog } from '../../src/foundation/log.ts';
import { SeededRandom } from '../../src/foundation/random.ts';
import { systemScheduler } from '../../src/foundation/scheduler.ts';
import { parseCql } from '../../src/language/cql/cql-parser.ts';
import { prepareStatement } from '../../src/language/cql/prepare-statement.ts';
import type { PreparedStatement } from '../../src/language/cql/prepared-statement.ts';
import { ReplicatedPartitionStore } from '../../src/replication/replicated-partition-store.ts';
import { defaultStoreSettings } from '../../src/replication/store-settings.ts';
import { defaultThroughputOptions, startThroughput } from '../../src/start-throughput.ts';
import { basicOperationKinds } from '../../src/storage/operation-kinds.ts';
import { ServerTimestamps } from '../../src/values/server-timestamps.ts';
import { TimeUuids } from '../../src/values/time-uuids.ts';
import { rowsOfAnswer } from './answer-rows.ts';
import { type TestNode, testNodes } from './breakable-node.ts';

const outside = { clock: systemClock, scheduler: systemScheduler, log: silentLog };

export class WrittenCql {
  readonly parts: CqlParts;

  private constructor(parts: CqlParts) {
    this.parts = parts;
  }

  static async use(
    test: (cql: WrittenCql) => Promise<void>,
    nodes: readonly TestNode[] = testNodes(4),
  ): Promise<void> {
    const random = new SeededRandom(5);
    const store = await ReplicatedPartitionStore.open({
      ...outside,
      nodes,
      random,
      operationKinds: new Map([...basicOperationKinds, ...cqlOperationKinds]),
      settings: { ...defaultStoreSettings, scrubIntervalMs: 0, reserveFreeBytes: 0 },
      rebuild: [],
      forceRecover: false,
    });
    const throughput = await startThroughput(store, defaultThroughputOptions, outside);
    try {
      const catalog = await CqlCatalog.load({ records: store.records, virtualKeyspaces: [], random });
      const cql = new WrittenCql({
        throughput: throughput.parts,
        catalog,
        timestamps: new ServerTimestamps(0),
        random,
        scheduler: systemScheduler,
        roles: await Roles.load(store.records),
        traces: new TraceSessions(systemClock, new TimeUuids(Buffer.alloc(8))),
        virtualTables: new Map(),
      });
      if (!catalog.schema.keyspaces.has('ks')) {
        await cql.run(
          "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
        );
      }
      await test(cql);
    } finally {
      await throughput.stop();
      await store.stop();
    }
  }

  prepare(text: string): PreparedStatement {
    const { parts } = this;
    return prepareStatement(parseCql(text), { schema: parts.catalog.schema, keyspace: undefined, parts });
  }

  request(request: Partial<StatementRequest>): StatementRequest {
    return requestOf(request);
  }

  async run(text: string, request: Partial<StatementRequest> = {}): Promise<StatementAnswer> {
    return await this.prepare(text).run(requestOf(request));
  }

  async runAll(...texts: readonly string[]): Promise<void> {
    for (const text of texts) await this.run(text);
  }

  /** Rows as hex, column by column. */
  async rows(text: string, request: Partial<StatementRequest> = {}): Promise<(string | null)[][]> {
    return hexOf(rowsOfAnswer(await this.run(text, request)));
  }
}

export function hexOf(rows: readonly (readonly (Buffer | null)[])[]): (string | null)[][] {
  return rows.map((row) => row.map((value) => value?.toString('hex') ?? null));
}

function requestOf(request: Partial<StatementRequest>): StatementRequest {
  return {
    values: [],
    consistency: 'LOCAL_QUORUM',
    serialConsistency: 'SERIAL',
    pageSize: undefined,
    pagingState: null,
    timestamp: undefined,
    nowInSeconds: undefined,
    session: {
      keyspace: undefined,
      role: undefined,
      localAddress: '127.0.0.1',
      localPort: 9042,
      remoteAddress: '127.0.0.1',
    },
    trace: undefined,
    ...request,
  };
}
