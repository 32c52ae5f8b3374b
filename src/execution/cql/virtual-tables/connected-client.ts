/** A connection as `system_views.clients` shows it. */
export interface ConnectedClient {
  readonly address: string;
  readonly port: number;
  /** What it said in STARTUP. */
  readonly options: ReadonlyMap<string, string>;
  readonly isReady: boolean;
  readonly keyspace: string | undefined;
  readonly protocolVersion: number;
  readonly requestCount: number;
  /** Undefined where no login is asked. */
  readonly role: string | undefined;
  /** Undefined without TLS. */
  readonly tls: { readonly protocol: string; readonly cipher: string } | undefined;
}
