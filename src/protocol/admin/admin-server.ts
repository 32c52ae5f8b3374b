import type { ServerResponse } from 'node:http';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import type { Log } from '../../foundation/log.ts';
import { HttpRefusal } from '../http/http-refusal.ts';
import type { HttpRequest } from '../http/http-request.ts';
import { BodyMemory, type ReadBody, readBody } from '../http/read-body.ts';
import type { AdminContext } from './admin-context.ts';
import type { AdminResponse } from './admin-message.ts';
import { errorResponse } from './error-responses.ts';
import { findRoute } from './routes.ts';

/** A row that is put by hand is the largest thing anyone sends here. */
const maxBodyBytes = 2 ** 20;
const maxBytesInFlight = 64 * 2 ** 20;

/** Admin JSON over HTTP: for the command line and for operators. */
export class AdminServer {
  readonly #context: AdminContext;
  readonly #log: Log;
  readonly #memory = new BodyMemory(maxBytesInFlight);

  constructor(context: AdminContext, log: Log) {
    this.#context = context;
    this.#log = log;
  }

  readonly answer = (request: HttpRequest, response: ServerResponse): void => {
    void this.#answer(request, response);
  };

  async #answer(request: HttpRequest, response: ServerResponse): Promise<void> {
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
      ...(request.complete ? {} : { connection: 'close' }),
      ...answer.headers,
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  async #run(request: HttpRequest): Promise<AdminResponse> {
    const { handler, parameters } = findRoute(request.method ?? 'GET', request.url ?? '/');
    const { bytes: body, release } = await this.#bodyOf(request);
    const contentType = request.fields.get('content-type') ?? '';
    const headers = Object.fromEntries(request.fields);
    try {
      return await handler({ parameters, body, contentType, headers }, this.#context);
    } finally {
      release();
    }
  }

  #bodyOf(request: HttpRequest): Promise<ReadBody> {
    return new Promise((resolve, reject) => {
      readBody(request, { maxBytes: maxBodyBytes, memory: this.#memory }, (body, failure) => {
        if (body === undefined) reject(failure);
        else resolve(body);
      });
    });
  }
}
