import type { Consistency } from '../../execution/cql/statement-request.ts';
import type { RunningTrace, TraceStart } from '../../execution/cql/trace-sessions.ts';
import type { ConnectionSession } from './connection-session.ts';
import type { CqlContext } from './cql-context.ts';
import type { WriteType } from './messages/error-message.ts';
import type { ProtocolVersion } from './protocol-version.ts';
import type { ResponsePrefix, ResponseWriter } from './response-writer.ts';

/** The ways in which STARTUP changes a connection once it is answered. */
export interface HandshakeResult {
  readonly compression: 'lz4' | 'snappy' | undefined;
}

/** One request and its one answer. Whoever serves it writes the answer to `out`, in one go, now or later. */
export class Exchange {
  readonly context: CqlContext;
  readonly session: ConnectionSession;
  readonly version: ProtocolVersion;
  readonly stream: number;
  readonly out: ResponseWriter;
  readonly wantsTrace: boolean;
  readonly requestBytes: number;
  /** It is over: what comes late is not written. */
  isAnswered = false;
  /** Until it is known what the request does, it has all the time. */
  timeoutMs: number = Number.POSITIVE_INFINITY;
  /** By the monotonic clock: since when the answer is waited for. What is answered at once never looks at the clock. */
  awaitedSinceMs = 0;
  isWrite = false;
  /** How often it was begun again because its table had become another. */
  servedAnew = 0;
  consistency: Consistency = 'ONE';
  writeType: WriteType = 'SIMPLE';
  trace: RunningTrace | undefined;
  customPayload: ReadonlyMap<string, Buffer | null> | undefined;
  handshake: HandshakeResult | undefined;

  constructor(
    context: CqlContext,
    session: ConnectionSession,
    out: ResponseWriter,
    stream: number,
    wantsTrace: boolean,
    requestBytes: number,
  ) {
    this.context = context;
    this.session = session;
    this.out = out;
    this.version = out.version;
    this.stream = stream;
    this.wantsTrace = wantsTrace;
    this.requestBytes = requestBytes;
  }

  /** Only if the client asked for it. */
  beginTrace(request: TraceStart['request'], parameters: () => ReadonlyMap<string, string>): void {
    if (!this.wantsTrace || this.trace !== undefined) return;
    this.trace = this.context.parts.traces.begin({
      request,
      parameters: parameters(),
      client: this.session.remoteAddress,
      coordinator: this.session.localAddress,
      coordinatorPort: this.session.localPort,
    });
  }

  /** What goes before every RESULT and ERROR. */
  prefix(chargeRu: number, warnings?: readonly string[]): ResponsePrefix {
    if (this.trace === undefined && (warnings === undefined || warnings.length === 0)) return { chargeRu };
    return {
      chargeRu,
      ...(warnings === undefined ? {} : { warnings }),
      ...(this.trace === undefined ? {} : { tracingId: this.trace.id }),
    };
  }
}
