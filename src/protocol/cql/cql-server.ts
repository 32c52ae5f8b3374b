import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';
import type { SchemaChange } from '../../catalog/cql/cql-schema.ts';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import type { ConnectedClient } from '../../execution/cql/virtual-tables/connected-client.ts';
import { plainAddress } from '../../execution/cql/virtual-tables/plain-address.ts';
import { settlesWithin } from '../../foundation/scheduler.ts';
import { isLoopback } from '../loopback.ts';
import { ConnectionSession } from './connection-session.ts';
import { CqlConnection } from './cql-connection.ts';
import type { CqlContext } from './cql-context.ts';

/** The first byte of a TLS handshake; a CQL frame begins with a version. */
const tlsHandshake = 0x16;
/** A client that has begun a TLS handshake gets this long to end it. */
const handshakeMs = 10_000;
/** Clients that are still reading their answers get this long when the server stops. */
const stopGraceMs = 1_000;

/** Listens for CQL clients: plain ones and those of TLS on the same port. */
export class CqlServer {
  readonly #context: CqlContext;
  readonly #secureContext: () => SecureContext | undefined;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Those that have not said anything yet. */
  readonly #silent = new Set<Socket>();
  readonly #connections = new Set<CqlConnection>();

  /** The secure context is asked for when the first client wants it; undefined refuses such clients. */
  constructor(context: CqlContext, secureContext: () => SecureContext | undefined) {
    this.#context = context;
    this.#secureContext = secureContext;
    this.#server = createServer({ allowHalfOpen: true, noDelay: true, keepAlive: true }, (socket) =>
      this.#accept(socket),
    );
    context.parts.catalog.whenChanged((change) => this.#tell(change));
  }

  /** As `system_views.clients` shows them. */
  clients(): ConnectedClient[] {
    return Array.from(this.#connections, (connection) => connection.describe());
  }

  /** The port it listens on. */
  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', (cause: NodeJS.ErrnoException) => {
        const reason =
          cause.code === 'EADDRINUSE' ? `port ${port} is in use` : `it cannot listen on ${host}:${port}`;
        const details = { setting: '--cql-port', source: 'the network', reason };
        reject(new RingfoldError('bad-setting', details, cause));
      });
      this.#server.listen(port, host, () => resolve((this.#server.address() as AddressInfo).port));
    });
  }

  /** Answers what is being served, then closes every connection. */
  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#silent) socket.destroy();
    for (const connection of this.#connections) connection.close();
    const isClosed = await settlesWithin(this.#context.scheduler, stopGraceMs, closed);
    if (!isClosed) for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    this.#silent.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#silent.delete(socket);
    });
    const destroy = (): void => {
      socket.destroy();
    };
    socket.on('error', destroy);
    // One that ends before it has said anything.
    socket.once('end', destroy);
    socket.once('data', (first: Buffer) => {
      this.#silent.delete(socket);
      socket.off('end', destroy);
      socket.pause();
      if (first[0] === tlsHandshake) {
        this.#secure(socket, first);
      } else {
        this.#connect(socket).receive(first);
        socket.resume();
      }
    });
  }

  #secure(socket: Socket, first: Buffer): void {
    const secureContext = this.#secureContext();
    if (secureContext === undefined) {
      socket.destroy();
      return;
    }
    socket.unshift(first);
    const secure = new TLSSocket(socket, { isServer: true, secureContext });
    const giveUp = this.#context.scheduler.after(handshakeMs, () => secure.destroy());
    secure.once('secure', giveUp);
    secure.once('close', () => {
      giveUp();
      socket.destroy();
    });
    this.#connect(secure);
  }

  #connect(socket: Socket): CqlConnection {
    const { localAddress = '127.0.0.1', localPort = 0, remoteAddress = '0.0.0.0' } = socket;
    const { settings } = this.#context;
    const session = new ConnectionSession(
      {
        localAddress: settings.broadcastAddress ?? plainAddress(localAddress),
        localPort,
        remoteAddress: plainAddress(remoteAddress),
      },
      settings.alwaysAsksLogin || !isLoopback(remoteAddress) || !isLoopback(localAddress),
    );
    const connection = new CqlConnection(socket, session, this.#context, () =>
      this.#connections.delete(connection),
    );
    this.#connections.add(connection);
    return connection;
  }

  #tell(change: SchemaChange): void {
    for (const connection of this.#connections) connection.tell(change);
  }
}
