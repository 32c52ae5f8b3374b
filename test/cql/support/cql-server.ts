// The server that a test file speaks to: a Ringfold of its own in this process, or the one that RINGFOLD_TEST_CQL names
// (host:port), so that the same files run on a real Apache Cassandra. Each file works in a keyspace of its own.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before } from 'node:test';
import { auth, Client, policies, type QueryOptions, type types } from 'cassandra-driver';
import { plainValue, typeText } from './plain-value.ts';

/** The errors of the native protocol, by the name a test calls them. */
const errorCodes = {
  server: 0x0000,
  protocol: 0x000a,
  credentials: 0x0100,
  unavailable: 0x1000,
  overloaded: 0x1001,
  function: 0x1400,
  syntax: 0x2000,
  unauthorized: 0x2100,
  invalid: 0x2200,
  configuration: 0x2300,
  exists: 0x2400,
  unprepared: 0x2500,
} as const;
export type ErrorName = keyof typeof errorCodes;

export type Values = readonly unknown[] | Readonly<Record<string, unknown>>;

/** Whether the tests run on a real Apache Cassandra instead of on Ringfold. */
export const isForeignServer: boolean = process.env['RINGFOLD_TEST_CQL'] !== undefined;

interface CqlOptions {
  /** Ringfold asks for a login on loopback only when it is told to. */
  readonly asksLogin?: boolean;
}

interface ClientOptions {
  readonly keyspace?: string;
  readonly withMetadata?: boolean;
  readonly user?: string;
  readonly password?: string;
  /** The driver asks again by itself when a server is overloaded, unless it is told not to. */
  readonly retries?: boolean;
}

export class Cql {
  readonly keyspace: string = `cql_${randomBytes(6).toString('hex')}`;
  #client: Client | undefined;
  #contactPoint = '';
  #stopServer: () => Promise<void> = async () => {};
  #names = 0;
  readonly #options: CqlOptions;

  constructor(options: CqlOptions = {}) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const foreign = process.env['RINGFOLD_TEST_CQL'];
    if (foreign === undefined) {
      const { startRingfold } = await import('../../../src/ringfold.ts');
      const settings = { alwaysAsksLogin: this.#options.asksLogin ?? false };
      const server = await startRingfold({ cql: { settings } });
      this.#stopServer = () => server.stop();
      this.#contactPoint = `127.0.0.1:${server.cqlPort}`;
    } else {
      this.#contactPoint = foreign;
    }
    this.#client = this.newClient();
    await this.#client.connect();
    await this.run(
      `CREATE KEYSPACE ${this.keyspace} WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}`,
    );
    await this.run(`USE ${this.keyspace}`);
  }

  async stop(): Promise<void> {
    if (isForeignServer) await this.run(`DROP KEYSPACE IF EXISTS ${this.keyspace}`);
    await this.#client?.shutdown();
    await this.#stopServer();
  }

  get client(): Client {
    assert.ok(this.#client !== undefined, 'the client is used inside a test');
    return this.#client;
  }

  /** Another client of the same server; whoever makes it shuts it down. */
  newClient(options: ClientOptions = {}): Client {
    const {
      keyspace,
      withMetadata = false,
      user = 'cassandra',
      password = 'cassandra',
      retries = true,
    } = options;
    return new Client({
      contactPoints: [this.#contactPoint],
      localDataCenter: 'datacenter1',
      authProvider: new auth.PlainTextAuthProvider(user, password),
      encoding: { map: Map, set: Set, useBigIntAsLong: true, useBigIntAsVarint: true },
      isMetadataSyncEnabled: withMetadata,
      policies: retries ? {} : { retry: new policies.retry.FallthroughRetryPolicy() },
      socketOptions: { readTimeout: 60_000 },
      ...(keyspace === undefined ? {} : { keyspace }),
    });
  }

  /** A statement with values is prepared, since only then does the driver know their types. */
  run(statement: string, values?: Values, options: QueryOptions = {}): Promise<types.ResultSet> {
    if (values === undefined) return this.client.execute(statement, undefined, options);
    return this.client.execute(statement, values as unknown[], { prepare: true, ...options });
  }

  /** Several statements, one after another. */
  async runAll(...statements: readonly string[]): Promise<void> {
    for (const statement of statements) await this.run(statement);
  }

  async rows(query: string, values?: Values, options: QueryOptions = {}): Promise<unknown[][]> {
    const { rows } = await this.run(query, values, options);
    return rows.map((row) => row.values().map(plainValue));
  }

  /** The first column of each row. */
  async column(query: string, values?: Values): Promise<unknown[]> {
    return (await this.rows(query, values)).map(([value]) => value);
  }

  /** The first column of the first row. */
  async value(query: string, values?: Values): Promise<unknown> {
    const [row] = await this.rows(query, values);
    assert.ok(row !== undefined, `there is a row: ${query}`);
    return row[0];
  }

  async columnNames(query: string, values?: Values): Promise<string[]> {
    return (await this.run(query, values)).columns.map(({ name }) => name);
  }

  async columnTypes(query: string): Promise<string[]> {
    return (await this.run(query)).columns.map(({ type }) => typeText(type));
  }

  /** All pages, each as the list of its rows. */
  async pages(query: string, fetchSize: number, values: Values = []): Promise<unknown[][][]> {
    const pages: unknown[][][] = [];
    let pageState: string | undefined;
    do {
      const options = pageState === undefined ? {} : { pageState };
      const result: types.ResultSet = await this.client.execute(query, values as unknown[], {
        prepare: true,
        fetchSize,
        ...options,
      });
      pages.push(result.rows.map((row) => row.values().map(plainValue)));
      pageState = result.pageState ?? undefined;
    } while (pageState !== undefined);
    return pages;
  }

  async warnings(statement: string, values?: Values): Promise<readonly string[]> {
    return (await this.run(statement, values)).info.warnings ?? [];
  }

  /** Checks that the rows are exactly these, in this order. */
  async answers(query: string, expected: readonly unknown[][], values?: Values): Promise<void> {
    assert.deepEqual(await this.rows(query, values), expected);
  }

  /** Checks that the rows are these in any order. */
  async answersInAnyOrder(query: string, expected: readonly unknown[][], values?: Values): Promise<void> {
    const sorted = (rows: readonly unknown[][]) =>
      [...rows].sort((a, b) => (sortText(a) < sortText(b) ? -1 : 1));
    assert.deepEqual(sorted(await this.rows(query, values)), sorted(expected));
  }

  /** Checks that the statement is answered with this error, whose text contains the given one. */
  async refuses(statement: string, error: ErrorName, text: string, values?: Values): Promise<void> {
    const failure: unknown = await this.run(statement, values).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(failure !== undefined, `it is refused: ${statement}`);
    assert.ok(failure instanceof Error);
    const { code } = failure as { code?: unknown };
    assert.deepEqual(
      { code, message: failure.message },
      { code: errorCodes[error], message: textWith(failure, text) },
    );
  }

  /** A name that no other test of this file uses. */
  name(prefix = 'n'): string {
    this.#names += 1;
    return `${prefix}${this.#names}`;
  }

  /** Makes a table of the keyspace and gives its name. */
  async table(columns: string, options = ''): Promise<string> {
    const name = this.name('t');
    await this.run(`CREATE TABLE ${name} (${columns}) ${options}`);
    return name;
  }

  /** Makes a user-defined type of the keyspace and gives its name. */
  async type(fields: string): Promise<string> {
    const name = this.name('u');
    await this.run(`CREATE TYPE ${name} (${fields})`);
    return name;
  }
}

/** What a file calls first: the server is there, and prepared, when its tests run, and gone after them. */
export function useCql(prepare: (cql: Cql) => Promise<void> = async () => {}, options: CqlOptions = {}): Cql {
  const cql = new Cql(options);
  before(async () => {
    await cql.start();
    await prepare(cql);
  });
  after(() => cql.stop());
  return cql;
}

/** The message itself if it contains the text, else the text: so a mismatch is shown as a difference of the two. */
function textWith({ message }: Error, text: string): string {
  return message.includes(text) ? message : text;
}

function sortText(row: readonly unknown[]): string {
  return JSON.stringify(row, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));
}
