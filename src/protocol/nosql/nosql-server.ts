import { randomUUID } from 'node:crypto';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import type { Log } from '../../foundation/log.ts';
import { DateLine } from '../http/date-line.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import { HttpRefusal } from '../http/http-refusal.ts';
import { BodyMemory, readBody } from '../http/read-body.ts';
import { isLoopback } from '../loopback.ts';
import { readAccount } from './account.ts';
import type { Authorization } from './authorization.ts';
import { corsHeaders, preflightHeaders } from './cross-origin.ts';
import { errorResponse } from './error-responses.ts';
import type { NosqlContext } from './nosql-context.ts';
import type { NosqlRequest, NosqlResponse } from './nosql-message.ts';
import { refuseUnpermitted } from './refuse-unpermitted.ts';
import { parseResourcePath } from './resource-path.ts';
import { responseHeaders } from './response-headers.ts';
import { findRoute } from './routes.ts';

/** An item or a batch of 2 MB, and what is written around it. */
const maxBodyBytes = 2.5 * 2 ** 20;
/** Over all connections. */
const maxBytesInFlight = 256 * 2 ** 20;
const nothing = Buffer.alloc(0);
const guid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** Answers requests of the NoSQL API: who sent it, what it means, whether it is allowed, what became of it. */
export class NosqlServer {
  readonly #context: NosqlContext;
  readonly #authorization: Authorization;
  readonly #log: Log;
  readonly #memory = new BodyMemory(maxBytesInFlight);
  readonly #dateLine = new DateLine();

  constructor(context: NosqlContext, authorization: Authorization, log: Log) {
    this.#context = context;
    this.#authorization = authorization;
    this.#log = log;
  }

  readonly answer = (carried: HttpExchange): void => {
    const exchange = new Exchange(carried, this.#context, this.#dateLine);
    const { request } = carried;
    if (request.method === 'OPTIONS') {
      exchange.send({
        status: 204,
        headers: preflightHeaders(request, this.#context.settings.allowedOrigins),
        body: undefined,
      });
    } else if (request.bodyBytes !== 0) {
      readBody(carried, { maxBytes: maxBodyBytes, memory: this.#memory }, (body, failure) => {
        if (body === undefined) this.#fail(exchange, failure);
        else this.#run(exchange, body.bytes, body.release);
      });
    } else {
      this.#run(exchange, nothing, undefined);
    }
  };

  /** In the same turn where nothing is waited for. */
  #run(exchange: Exchange, body: Buffer, release: (() => void) | undefined): void {
    let answer: NosqlResponse | Promise<NosqlResponse>;
    try {
      answer = this.#handle(exchange, body);
    } catch (error) {
      release?.();
      this.#fail(exchange, error);
      return;
    }
    if (!(answer instanceof Promise)) {
      release?.();
      exchange.send(answer);
      return;
    }
    answer.then(
      (response) => {
        release?.();
        exchange.send(response);
      },
      (error: unknown) => {
        release?.();
        this.#fail(exchange, error);
      },
    );
  }

  #handle(exchange: Exchange, body: Buffer): NosqlResponse | Promise<NosqlResponse> {
    const { carried, activityId } = exchange;
    const { url, method, fields: headers } = carried.request;
    const path = parseResourcePath(url);
    const principal = this.#authorization.principalOf(
      method,
      path,
      headers,
      () => isLoopback(carried.peer.remoteAddress) && isLoopback(carried.peer.localAddress),
    );
    const asked: NosqlRequest = {
      method: method === 'HEAD' ? 'GET' : method,
      path,
      headers,
      body,
      principal,
      activityId,
      origin: originOf(carried),
    };
    if (path.type === undefined) {
      if (asked.method !== 'GET') throw new HttpRefusal(405, 'The account can only be read.');
      return readAccount(asked.origin, this.#context.settings);
    }
    const { need, handler } = findRoute(asked.method, path, headers);
    refuseUnpermitted(asked, need, this.#context);
    return handler(asked, this.#context);
  }

  #fail(exchange: Exchange, error: unknown): void {
    const { carried, activityId } = exchange;
    const { method, url } = carried.request;
    if (!(error instanceof RingfoldError || error instanceof HttpRefusal))
      this.#log.warn('NoSQL request failed', { method, url, activityId, error });
    exchange.send(errorResponse(error, activityId));
  }
}

/** One request and its answer. */
class Exchange {
  readonly carried: HttpExchange;
  readonly activityId: string;
  readonly #context: NosqlContext;
  readonly #dateLine: DateLine;
  readonly #startedAtMs: number;

  constructor(carried: HttpExchange, context: NosqlContext, dateLine: DateLine) {
    this.carried = carried;
    this.#context = context;
    this.#dateLine = dateLine;
    this.#startedAtMs = context.parts.throughput.clock.monotonic();
    const given = carried.request.fields.get('x-ms-activity-id');
    this.activityId = given !== undefined && guid.test(given) ? given : randomUUID();
  }

  send({ status, headers, body }: NosqlResponse): void {
    if (this.carried.isClosed) return;
    const { clock } = this.#context.parts.throughput;
    const { fields } = this.carried.request;
    const durationMs = clock.monotonic() - this.#startedAtMs;
    let lines = responseHeaders(this.activityId, fields.get('x-ms-version'), durationMs, headers, body);
    const origin = fields.get('origin');
    if (origin !== undefined) lines += corsHeaders(origin, this.#context.settings.allowedOrigins);
    this.carried.answer({ status, lines: lines + this.#dateLine.at(clock.now()), body });
  }
}

/** What the client dialled, as far as it says. */
function originOf({ request, peer }: HttpExchange): string {
  const scheme = peer.isEncrypted ? 'https' : 'http';
  return `${scheme}://${request.fields.get('host') ?? `${peer.localAddress}:${peer.localPort}`}`;
}
