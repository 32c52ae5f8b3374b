// A door with nothing behind it, for tests: statements are what the test says they are, and clients speak in frames.

import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import type { SchemaChange } from '../../catalog/cql/cql-schema.ts';
import { Roles } from '../../catalog/cql/roles.ts';
import type { CqlParts } from '../../execution/cql/cql-parts.ts';
import type { StatementAnswer, StatementRequest } from '../../execution/cql/statement-request.ts';
import { TraceSessions } from '../../execution/cql/trace-sessions.ts';
import type { ConnectedClient } from '../../execution/cql/virtual-tables/connected-client.ts';
import { assert } from '../../foundation/assert.ts';
import { systemClock } from '../../foundation/clock.ts';
import { type Log, silentLog } from '../../foundation/log.ts';
import { type Scheduler, systemScheduler } from '../../foundation/scheduler.ts';
import type { ParsedStatement } from '../../language/cql/cql-parser.ts';
import type { PreparedStatement } from '../../language/cql/prepared-statement.ts';
import type { SystemRecord } from '../../replication/system-records.ts';
import { fromHundredths } from '../../throughput/request-units.ts';
import { TimeUuids } from '../../values/time-uuids.ts';
import { serverCertificate } from '../tls/server-certificate.ts';
import type { BlockCompressor } from './block-compressor.ts';
import { lz4, snappy } from './compression.ts';
import { type CqlSettings, defaultCqlSettings } from './cql-context.ts';
import { CqlServer } from './cql-server.ts';
import { type DecodedResponse, decodeResponse, type ResponseFrame } from './decode-response.samples.ts';
import { encodeRequest, plainParameters } from './encode-request.samples.ts';
import { flagBits, headerLength } from './frame.ts';
import { PreparedStatements } from './prepared-statements.ts';
import type { ProtocolVersion } from './protocol-version.ts';
import { RequestMemory } from './request-memory.ts';
import type { QueryParameters } from './requests/query-parameters.ts';
import type { Request } from './requests/request.ts';
import { SegmentReader, segmentsOf } from './segment.ts';

export type StubStatement = Partial<PreparedStatement> & Pick<PreparedStatement, 'run'>;

/** By the name of the table of a SELECT; all else is answered with void. */
export type StubTables = Record<string, () => StubStatement>;

const free = fromHundredths(0);

export const voidAnswer: StatementAnswer = { kind: 'void', chargeRu: free, warnings: [] };

function recordsInMemory(): Parameters<typeof Roles.load>[0] {
  const records = new Map<string, Map<string, unknown>>();
  const of = (kind: string): Map<string, unknown> => {
    const found = records.get(kind) ?? new Map<string, unknown>();
    records.set(kind, found);
    return found;
  };
  return {
    readAll: async (kind: string) => new Map(of(kind)),
    put: async (changes: readonly SystemRecord[]) => {
      for (const { kind, id, value } of changes) {
        if (value === null) of(kind).delete(id);
        else of(kind).set(id, JSON.parse(JSON.stringify(value)));
      }
    },
  };
}

/** What was seen of a door's inside. */
interface Seen {
  readonly requests: StatementRequest[];
  readonly warnings: string[];
  readonly listeners: ((change: SchemaChange) => void)[];
}

export class TestDoor {
  readonly port: number;
  readonly roles: Roles;
  readonly traces: TraceSessions;
  readonly statements: PreparedStatements;
  readonly seen: Seen;
  readonly #server: CqlServer;

  private constructor(
    parts: Pick<TestDoor, 'port' | 'roles' | 'traces' | 'statements' | 'seen'>,
    server: CqlServer,
  ) {
    this.port = parts.port;
    this.roles = parts.roles;
    this.traces = parts.traces;
    this.statements = parts.statements;
    this.seen = parts.seen;
    this.#server = server;
  }

  static async open(
    tables: StubTables,
    settings: Partial<CqlSettings> = {},
    memory: RequestMemory = new RequestMemory(2 ** 26),
    scheduler: Scheduler = systemScheduler,
  ): Promise<TestDoor> {
    const seen: Seen = { requests: [], warnings: [], listeners: [] };
    const records = recordsInMemory();
    const roles = await Roles.load(records);
    const traces = new TraceSessions(systemClock, new TimeUuids(Buffer.alloc(8, 7)));
    const catalog = {
      schema: { version: '', keyspaces: new Map() },
      whenChanged: (listener: (change: SchemaChange) => void) => seen.listeners.push(listener),
    };
    const parts = { catalog, roles, traces } as unknown as CqlParts;
    const log: Log = {
      ...silentLog,
      warn: (event, fields) => seen.warnings.push(`${event} ${fields?.['error']}`),
    };
    const statements = new PreparedStatements(parts, (parsed) => stubOf(parsed, tables, seen.requests));
    const { secureContext } = await serverCertificate({
      records,
      files: undefined,
      hosts: [],
      clock: systemClock,
      log,
    });
    const server = new CqlServer(
      {
        parts,
        statements,
        memory,
        settings: { ...defaultCqlSettings, ...settings },
        clock: systemClock,
        scheduler,
        log,
      },
      secureContext,
    );
    const port = await server.listen('127.0.0.1', 0);
    return new TestDoor({ port, roles, traces, statements, seen }, server);
  }

  get clients(): ConnectedClient[] {
    return this.#server.clients();
  }

  tell(change: SchemaChange): void {
    for (const listener of this.seen.listeners) listener(change);
  }

  async connect(
    version: ProtocolVersion = 4,
    options: ReadonlyMap<string, string> = new Map(),
  ): Promise<TestClient> {
    const client = await TestClient.open(this.port, version);
    await client.start(options);
    return client;
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }
}

function stubOf(
  { statement, markers }: ParsedStatement,
  tables: StubTables,
  requests: StatementRequest[],
): PreparedStatement {
  const table = statement.kind === 'select' ? tables[statement.table.name]?.() : undefined;
  const variables = markers.map(({ name }, at) => ({
    keyspace: 'ks',
    table: 't',
    name: name ?? `v${at}`,
    type: { kind: 'text' as const },
  }));
  return {
    variables,
    partitionKeyIndexes: [],
    resultColumns: undefined,
    warnings: [],
    isCurrent: () => true,
    ...table,
    run: (request) => {
      requests.push(request);
      if (statement.kind === 'use') return { ...voidAnswer, kind: 'keyspace', keyspace: statement.keyspace };
      return table?.run(request) ?? voidAnswer;
    },
  };
}

type Answer = DecodedResponse & { readonly frame: ResponseFrame };

/** A client that speaks in whole requests or in bytes, and waits for answers by stream. */
export class TestClient {
  readonly version: ProtocolVersion;
  readonly socket: Socket;
  readonly #answers = new Map<number, Answer[]>();
  readonly #waiting = new Map<number, ((answer: Answer | undefined) => void)[]>();
  #bytes: Buffer = Buffer.alloc(0);
  #segments: SegmentReader | undefined;
  #compressor: typeof lz4 | undefined;
  #bodyCompressor: BlockCompressor | undefined;
  #isClosed = false;
  #nextStream = 0;

  constructor(socket: Socket, version: ProtocolVersion) {
    this.version = version;
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#isClosed = true;
      for (const waiting of this.#waiting.values()) for (const done of waiting) done(undefined);
    });
  }

  static open(port: number, version: ProtocolVersion): Promise<TestClient> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(new TestClient(socket, version)));
      socket.once('error', reject);
    });
  }

  static openSecurely(port: number, version: ProtocolVersion): Promise<TestClient> {
    return new Promise((resolve, reject) => {
      const socket = connectSecurely({ port, host: '127.0.0.1', rejectUnauthorized: false }, () =>
        resolve(new TestClient(socket, version)),
      );
      socket.once('error', reject);
    });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** STARTUP and its answer; then compression and segments are in use. */
  async start(options: ReadonlyMap<string, string> = new Map()): Promise<Answer> {
    const answer = await this.ask({
      kind: 'startup',
      options: new Map([['CQL_VERSION', '3.0.0'], ...options]),
    });
    if (answer.what.startsWith('error')) return answer;
    const compression = options.get('COMPRESSION');
    if (this.version >= 5) {
      this.#compressor = compression === 'lz4' ? lz4 : undefined;
      this.#segments = new SegmentReader(this.#compressor);
    } else if (compression !== undefined) {
      this.#bodyCompressor = compression === 'lz4' ? lz4 : snappy;
    }
    return answer;
  }

  async query(text: string, parameters: Partial<QueryParameters> = {}): Promise<Answer> {
    return await this.ask({ kind: 'query', text, parameters: { ...plainParameters, ...parameters } });
  }

  async ask(request: Request, flags = 0): Promise<Answer> {
    const stream = this.#nextStream++ & 0x7fff;
    this.send(request, stream, flags);
    const answer = await this.answer(stream);
    assert(answer !== undefined, 'the connection is open');
    return answer;
  }

  send(request: Request, stream: number, flags = 0): void {
    const frame = encodeRequest(this.version, stream, request);
    frame.writeUInt8(frame.readUInt8(1) | flags, 1);
    this.write(frame);
  }

  /** Whole frames; in segments where those are in use. */
  write(frames: Buffer): void {
    if (this.#segments === undefined) this.socket.write(frames);
    else for (const piece of segmentsOf(frames, [frames.length], this.#compressor)) this.socket.write(piece);
  }

  /** Undefined when the connection has ended without. */
  answer(stream: number): Promise<Answer | undefined> {
    const there = this.#answers.get(stream)?.shift();
    if (there !== undefined || this.#isClosed) return Promise.resolve(there);
    return new Promise((resolve) => {
      this.#waiting.set(stream, [...(this.#waiting.get(stream) ?? []), resolve]);
    });
  }

  closed(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isClosed) resolve();
      else this.socket.once('close', () => resolve());
    });
  }

  close(): void {
    this.socket.destroy();
  }

  #receive(chunk: Buffer): void {
    if (this.#segments === undefined) {
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
    } else {
      this.#segments.push(chunk);
      for (let next = this.#segments.next(); next !== undefined; next = this.#segments.next()) {
        assert(typeof next !== 'string', 'segments are whole');
        this.#bytes = Buffer.concat([this.#bytes, next.payload]);
      }
    }
    while (this.#bytes.length >= headerLength) {
      const length = headerLength + this.#bytes.readInt32BE(5);
      if (this.#bytes.length < length) break;
      this.#deliver(this.#bytes.subarray(0, length));
      this.#bytes = this.#bytes.subarray(length);
    }
  }

  #deliver(bytes: Buffer): void {
    const flags = bytes.readUInt8(1);
    const sent = bytes.subarray(headerLength);
    const isCompressed = (flags & flagBits.compressed) !== 0;
    const body = isCompressed ? this.#bodyCompressor?.decompressBody(Buffer.from(sent), 2 ** 28) : sent;
    assert(Buffer.isBuffer(body), 'the body can be read');
    const frame: ResponseFrame = {
      version: (bytes.readUInt8(0) & 0x7f) as ProtocolVersion,
      flags,
      stream: bytes.readInt16BE(2),
      opcode: bytes.readUInt8(4),
      body,
    };
    const answer = { ...decodeResponse(frame), frame };
    const [first, ...rest] = this.#waiting.get(frame.stream) ?? [];
    if (first === undefined) {
      this.#answers.set(frame.stream, [...(this.#answers.get(frame.stream) ?? []), answer]);
    } else {
      this.#waiting.set(frame.stream, rest);
      first(answer);
    }
  }
}
