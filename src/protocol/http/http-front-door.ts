import {
  createServer,
  type OutgoingHttpHeader,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import type { Scheduler } from '../../foundation/scheduler.ts';
import { HttpRequest } from './http-request.ts';
import { keepAliveSeconds } from './send-answer.ts';

/** Answers one request, whatever happens; nothing is thrown. */
export type HttpListener = (request: HttpRequest, response: ServerResponse) => void;

/** The first byte of a TLS handshake; a request of HTTP begins with a letter. */
const tlsHandshake = 0x16;
/** A client that has connected gets this long to say something, and one that has begun a TLS handshake to end it. */
const handshakeMs = 10_000;
/** From the first byte of a request to its last. */
const requestMs = 60_000;
/** A client that takes nothing of its answer, or has been silent within a request, for so long is given up. */
const stalledMs = 120_000;
/** Session tokens of many partitions and long continuations are headers. */
const maxHeaderBytes = 64 * 1024;
/** A client that is still reading its answer gets this long when the server stops. */
const stopGraceMs = 2_000;
const idleCheckMs = 20;

/** One port for everything that comes by HTTP, plain or TLS. Whose a request is, its path says; this only carries. */
export class HttpFrontDoor {
  readonly #secureContext: () => SecureContext | undefined;
  readonly #scheduler: Scheduler;
  readonly #http: Server;
  /** Sockets that node:http does not know yet. */
  readonly #silent = new Set<Socket>();
  #isStopping = false;

  /** The secure context is asked for when the first client wants it; undefined refuses such clients. */
  constructor(listener: HttpListener, secureContext: () => SecureContext | undefined, scheduler: Scheduler) {
    this.#secureContext = secureContext;
    this.#scheduler = scheduler;
    this.#http = createServer(
      {
        maxHeaderSize: maxHeaderBytes,
        keepAliveTimeout: keepAliveSeconds * 1_000,
        headersTimeout: requestMs,
        requestTimeout: requestMs,
        noDelay: true,
        IncomingMessage: HttpRequest,
      },
      (request, response) => {
        if (this.#isStopping) response.shouldKeepAlive = false;
        listener(request, response);
      },
    );
    this.#http.timeout = stalledMs;
    this.#http.on('clientError', refuseUnreadable);
    // Node's own listener is given sockets once it is known what they speak.
    const [serve] = this.#http.listeners('connection') as ((socket: Socket) => void)[];
    this.#http.removeAllListeners('connection');
    this.#http.on('connection', (socket: Socket) =>
      this.#accept(socket, (known) => serve?.call(this.#http, known)),
    );
  }

  /** The port it listens on. */
  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#http.once('error', (cause: NodeJS.ErrnoException) => {
        const reason =
          cause.code === 'EADDRINUSE' ? `port ${port} is in use` : `it cannot listen on ${host}:${port}`;
        reject(new RingfoldError('bad-setting', { setting: '--port', source: 'the network', reason }, cause));
      });
      this.#http.listen(port, host, () => resolve((this.#http.address() as AddressInfo).port));
    });
  }

  /** Answers what is being answered, then closes every connection. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const closed = new Promise<void>((resolve) => this.#http.close(() => resolve()));
    for (const socket of this.#silent) socket.destroy();
    const cancel = this.#scheduler.after(stopGraceMs, () => this.#http.closeAllConnections());
    // A connection that was busy is idle only when its answer has gone out, and nobody tells when that is.
    let cancelCheck = (): void => {};
    const closeIdle = (): void => {
      this.#http.closeIdleConnections();
      cancelCheck = this.#scheduler.after(idleCheckMs, closeIdle);
    };
    closeIdle();
    await closed;
    cancelCheck();
    cancel();
  }

  #accept(socket: Socket, serve: (socket: Socket) => void): void {
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
    socket.on('error', destroy);
    socket.once('data', (first: Buffer) => {
      isHeard();
      socket.off('close', isHeard);
      socket.pause();
      socket.unshift(first);
      if (first[0] === tlsHandshake) {
        this.#secure(socket, serve);
      } else {
        // From here on node:http destroys what fails, and says so to `clientError`.
        socket.off('error', destroy);
        serve(socket);
        socket.resume();
      }
    });
  }

  #secure(socket: Socket, serve: (socket: Socket) => void): void {
    const secureContext = this.#secureContext();
    if (secureContext === undefined) {
      socket.destroy();
      return;
    }
    const secure = new TLSSocket(socket, { isServer: true, secureContext, ALPNProtocols: ['http/1.1'] });
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
      giveUp();
      this.#silent.delete(secure);
      secure.off('error', destroy);
      serve(secure);
    });
  }
}

/** What is not HTTP, or too long for it, is answered as far as it can be. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  const status = statusOf(error.code);
  if (status === undefined || !socket.writable) {
    socket.destroy();
    return;
  }
  const reason = STATUS_CODES[status] ?? '';
  const body = JSON.stringify({ code: reason.replaceAll(' ', ''), message: `${reason}: ${error.message}` });
  const headers: readonly OutgoingHttpHeader[] = [
    `HTTP/1.1 ${status} ${reason}`,
    'connection: close',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`);
}

function statusOf(code: string | undefined): number | undefined {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return 431;
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 408;
    default:
      return code?.startsWith('HPE_') === true ? 400 : undefined;
  }
}
