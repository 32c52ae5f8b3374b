import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import type { Scheduler } from '../../foundation/scheduler.ts';
import { beatMs, HttpConnection } from './http-connection.ts';
import type { HttpListener } from './http-exchange.ts';
import { Outbox } from './outbox.ts';
import { beginsHttp2, refuseHttp2 } from './refuse-http2.ts';

/** The first byte of a TLS handshake; a request of HTTP begins with a letter. */
const tlsHandshake = 0x16;
/** A client that has connected gets this long to say something, and one that has begun a TLS handshake to end it. */
const handshakeMs = 10_000;
/** A client that is still reading its answer gets this long when the server stops. */
const stopGraceMs = 2_000;

/** One port for everything that comes by HTTP, plain or TLS. Whose a request is, its path says; this only carries. */
export class HttpFrontDoor {
  readonly #listener: HttpListener;
  readonly #secureContext: () => SecureContext | undefined;
  readonly #scheduler: Scheduler;
  readonly #outbox: Outbox;
  readonly #server: Server;
  /** Sockets of which it is not known yet what they speak. */
  readonly #silent = new Set<Socket>();
  readonly #connections = new Set<HttpConnection>();
  #cancelBeat: (() => void) | undefined;
  #isStopping = false;

  /** The secure context is asked for when the first client wants it; undefined refuses such clients. */
  constructor(listener: HttpListener, secureContext: () => SecureContext | undefined, scheduler: Scheduler) {
    this.#listener = listener;
    this.#secureContext = secureContext;
    this.#scheduler = scheduler;
    this.#outbox = new Outbox(scheduler);
    // Whoever has sent all they want still gets their answers.
    this.#server = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => this.#accept(socket));
  }

  /** The port it listens on. */
  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', (cause: NodeJS.ErrnoException) => {
        const reason =
          cause.code === 'EADDRINUSE' ? `port ${port} is in use` : `it cannot listen on ${host}:${port}`;
        reject(new RingfoldError('bad-setting', { setting: '--port', source: 'the network', reason }, cause));
      });
      this.#server.listen(port, host, () => resolve((this.#server.address() as AddressInfo).port));
    });
  }

  /** Answers what is being answered, then closes every connection. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#silent) socket.destroy();
    for (const connection of this.#connections) connection.stop();
    const cancel = this.#scheduler.after(stopGraceMs, () => {
      for (const connection of this.#connections) connection.destroy();
    });
    await closed;
    cancel();
    this.#cancelBeat?.();
  }

  #serve(socket: Socket, first: Buffer | undefined): void {
    const connection = new HttpConnection(socket, this.#listener, this.#outbox);
    this.#connections.add(connection);
    socket.once('close', () => this.#connections.delete(connection));
    this.#cancelBeat ??= this.#scheduler.after(beatMs, this.#beat);
    if (first !== undefined) connection.read(first);
    if (this.#isStopping) connection.stop();
  }

  /** Only while there are connections to look at. */
  readonly #beat = (): void => {
    for (const connection of this.#connections) connection.beat();
    this.#cancelBeat = this.#connections.size === 0 ? undefined : this.#scheduler.after(beatMs, this.#beat);
  };

  #accept(socket: Socket): void {
    this.#silent.add(socket);
    const destroy = (): void => {
      socket.destroy();
    };
    const giveUp = this.#scheduler.after(handshakeMs, destroy);
    const isHeard = (): void => {
      giveUp();
      this.#silent.delete(socket);
    };
    socket.once('close', isHeard);
    socket.once('end', destroy);
    socket.on('error', destroy);
    socket.once('data', (first: Buffer) => {
      if (beginsHttp2(first)) {
        socket.unshift(first);
        refuseHttp2(socket);
        return;
      }
      isHeard();
      socket.off('close', isHeard);
      socket.off('end', destroy);
      if (first[0] === tlsHandshake) {
        socket.pause();
        socket.unshift(first);
        this.#secure(socket);
      } else {
        socket.off('error', destroy);
        this.#serve(socket, first);
      }
    });
  }

  #secure(socket: Socket): void {
    const secureContext = this.#secureContext();
    if (secureContext === undefined) {
      socket.destroy();
      return;
    }
    const secure = new TLSSocket(socket, { isServer: true, secureContext, ALPNCallback: chooseProtocol });
    const destroy = (): void => {
      secure.destroy();
    };
    this.#silent.add(secure);
    const giveUp = this.#scheduler.after(handshakeMs, destroy);
    secure.on('error', destroy);
    secure.once('close', () => {
      giveUp();
      this.#silent.delete(secure);
      socket.destroy();
    });
    secure.once('secure', () => {
      if (secure.alpnProtocol === 'h2') {
        refuseHttp2(secure);
        return;
      }
      giveUp();
      this.#silent.delete(secure);
      secure.off('error', destroy);
      this.#serve(secure, undefined);
    });
  }
}

/** Who knows nothing but HTTP/2 is let in, to be told so: a handshake that fails does not say why. */
function chooseProtocol({ protocols }: { readonly protocols: readonly string[] }): string | undefined {
  return ['http/1.1', 'h2'].find((protocol) => protocols.includes(protocol));
}
