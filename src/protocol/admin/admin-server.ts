import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import type { Log } from '../../foundation/log.ts';
import type { Scheduler } from '../../foundation/scheduler.ts';
import type { AdminContext } from './admin-context.ts';
import { type AdminResponse, HttpRefusal } from './admin-message.ts';
import { errorResponse } from './error-responses.ts';
import { findRoute } from './routes.ts';

/** A row that is put by hand is the largest thing anyone sends here. */
const maxBodyBytes = 2 ** 20;
/** A client that is still reading its answer gets this long when the server stops. */
const stopGraceMs = 2_000;

/** Admin JSON over HTTP: for the command line, for operators, and until the doors exist for anyone who wants to try it. */
export class AdminServer {
  readonly #context: AdminContext;
  readonly #log: Log;
  readonly #scheduler: Scheduler;
  readonly #http: Server;
  #isStopping = false;

  constructor(context: AdminContext, log: Log, scheduler: Scheduler) {
    this.#context = context;
    this.#log = log;
    this.#scheduler = scheduler;
    this.#http = createServer((request, response) => void this.#answer(request, response));
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
    this.#http.closeIdleConnections();
    const cancel = this.#scheduler.after(stopGraceMs, () => this.#http.closeAllConnections());
    await closed;
    cancel();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let answer: AdminResponse;
    try {
      answer = await this.#run(request);
    } catch (error) {
      const isFault = !(error instanceof RingfoldError || error instanceof HttpRefusal);
      if (isFault)
        this.#log.warn('admin request failed', { method: request.method, url: request.url, error });
      answer = errorResponse(error);
    }
    if (response.destroyed) return;
    const isBytes = Buffer.isBuffer(answer.body);
    const body = Buffer.isBuffer(answer.body)
      ? answer.body
      : Buffer.from(`${JSON.stringify(answer.body, undefined, 2)}\n`);
    response.writeHead(answer.status, {
      'content-length': body.length,
      'content-type': isBytes ? 'application/octet-stream' : 'application/json; charset=utf-8',
      // A connection whose request was not read to its end cannot carry another.
      ...(this.#isStopping || !request.complete ? { connection: 'close' } : {}),
      ...answer.headers,
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  async #run(request: IncomingMessage): Promise<AdminResponse> {
    const { handler, parameters } = findRoute(request.method ?? 'GET', request.url ?? '/');
    const body = await readBody(request);
    const contentType = request.headers['content-type'] ?? '';
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, value?.toString()]),
    );
    return await handler({ parameters, body, contentType, headers }, this.#context);
  }
}

function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let sizeBytes = 0;
    const take = (part: Buffer): void => {
      sizeBytes += part.length;
      parts.push(part);
      if (sizeBytes <= maxBodyBytes) return;
      // Left unread rather than destroyed, so that the refusal still reaches the client.
      request.off('data', take);
      request.pause();
      reject(new HttpRefusal(413, `The body is larger than ${maxBodyBytes} bytes.`));
    };
    request.on('data', take);
    request.once('end', () => resolve(Buffer.concat(parts)));
    request.once('error', reject);
  });
}
