import { RingfoldError } from '../../errors/ringfold-error.ts';
import type { Log } from '../../foundation/log.ts';
import { headerLine } from '../http/http-answer.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import { HttpRefusal } from '../http/http-refusal.ts';
import { BodyMemory, type ReadBody, readBody } from '../http/read-body.ts';
import { type AdminAccess, refuseBeyond } from './admin-access.ts';
import type { AdminContext } from './admin-context.ts';
import type { AdminResponse } from './admin-message.ts';
import { errorResponse } from './error-responses.ts';
import { findRoute, isOpenToAll } from './routes.ts';

/** A row that is put by hand is the largest thing anyone sends here. */
const maxBodyBytes = 2 ** 20;
const maxBytesInFlight = 64 * 2 ** 20;

/** Admin JSON over HTTP: for the command line and for operators. */
export class AdminServer {
  readonly #context: AdminContext;
  readonly #access: AdminAccess;
  readonly #log: Log;
  readonly #memory = new BodyMemory(maxBytesInFlight);

  constructor(context: AdminContext, access: AdminAccess, log: Log) {
    this.#context = context;
    this.#access = access;
    this.#log = log;
  }

  readonly answer = (exchange: HttpExchange): void => {
    void this.#answer(exchange);
  };

  async #answer(exchange: HttpExchange): Promise<void> {
    let answer: AdminResponse;
    try {
      answer = await this.#run(exchange);
    } catch (error) {
      const isFault = !(error instanceof RingfoldError || error instanceof HttpRefusal);
      const { method, url } = exchange.request;
      if (isFault) this.#log.warn('admin request failed', { method, url, error });
      answer = errorResponse(error);
    }
    if (exchange.isClosed) return;
    const isBytes = Buffer.isBuffer(answer.body);
    const body = Buffer.isBuffer(answer.body)
      ? answer.body
      : Buffer.from(`${JSON.stringify(answer.body, undefined, 2)}\n`);
    const headers = {
      'content-type': isBytes ? 'application/octet-stream' : 'application/json; charset=utf-8',
      ...answer.headers,
    };
    const lines = Object.entries(headers).map(([name, value]) => headerLine(name, value));
    exchange.answer({ status: answer.status, lines: lines.join(''), body });
  }

  async #run(exchange: HttpExchange): Promise<AdminResponse> {
    const { method, url, fields } = exchange.request;
    const rights = this.#access.rightsOf({ fields, ...exchange.peer });
    if (!isOpenToAll(url)) refuseBeyond(rights, method);
    const { handler, parameters } = findRoute(method, url);
    const { bytes: body, release } = await this.#bodyOf(exchange);
    const contentType = fields.get('content-type') ?? '';
    const headers = Object.fromEntries(fields);
    try {
      return await handler({ parameters, body, contentType, headers, rights }, this.#context);
    } finally {
      release();
    }
  }

  #bodyOf(exchange: HttpExchange): Promise<ReadBody> {
    return new Promise((resolve, reject) => {
      readBody(exchange, { maxBytes: maxBodyBytes, memory: this.#memory }, (body, failure) => {
        if (body === undefined) reject(failure);
        else resolve(body);
      });
    });
  }
}
