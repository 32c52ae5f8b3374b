import type { StatementSession } from '../../execution/cql/statement-request.ts';
import type { EventType } from './requests/request.ts';

export type ConnectionStage = 'established' | 'authenticating' | 'ready';

/** What a connection has become by what its client said. */
export class ConnectionSession implements StatementSession {
  readonly localAddress: string;
  readonly localPort: number;
  readonly remoteAddress: string;
  /** Before it is ready nothing but the handshake is served. */
  readonly asksLogin: boolean;
  stage: ConnectionStage = 'established';
  /** What it said in STARTUP. */
  options: ReadonlyMap<string, string> = new Map();
  keyspace: string | undefined;
  role: string | undefined;
  readonly events: Set<EventType> = new Set();
  /** Cassandra says it once for each connection. */
  hasWarnedOfUse = false;

  constructor(
    addresses: Pick<StatementSession, 'localAddress' | 'localPort' | 'remoteAddress'>,
    asksLogin: boolean,
  ) {
    this.localAddress = addresses.localAddress;
    this.localPort = addresses.localPort;
    this.remoteAddress = addresses.remoteAddress;
    this.asksLogin = asksLogin;
  }
}
