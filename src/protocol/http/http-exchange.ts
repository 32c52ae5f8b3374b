import { assert } from '../../foundation/assert.ts';
import { encodeAnswer, type HttpAnswer } from './http-answer.ts';
import type { RequestHead } from './request-head.ts';

/** Both ends of a connection, as far as they are known. */
export interface HttpPeer {
  readonly isEncrypted: boolean;
  readonly remoteAddress: string;
  readonly localAddress: string;
  readonly localPort: number;
}

/** Answers one request, whatever happens; nothing is thrown. Whoever wants the body says so before this returns. */
export type HttpListener = (exchange: HttpExchange) => void;

export interface BodySink {
  take(part: Buffer): void;
  end(): void;
  /** Instead of the end. */
  fail(error: unknown): void;
}

/** The connection, as its exchanges see it. */
export interface ExchangeCarrier {
  readonly peer: HttpPeer;
  readonly isClosed: boolean;
  /** Whether no request is wanted after this one. */
  isLastTurn(turn: Turn): boolean;
  /** Some exchange has something to send. */
  send(): void;
}

/** What is sent in the order in which it was asked for. */
export interface Turn {
  /** Undefined until it is known. */
  readonly bytes: readonly Buffer[] | undefined;
  /** Whether the connection ends with it. */
  readonly isLast: boolean;
  /** Whether the client waits to be told that it may send its body. Asked once, when everything before it is sent. */
  takeContinue(): boolean;
}

/** One request and its answer. */
export class HttpExchange implements Turn {
  readonly request: RequestHead;
  readonly #carrier: ExchangeCarrier;
  #sink: BodySink | undefined;
  #isComplete = false;
  #isContinueDue = false;
  bytes: readonly Buffer[] | undefined;
  isLast = false;

  constructor(request: RequestHead, carrier: ExchangeCarrier) {
    this.request = request;
    this.#carrier = carrier;
  }

  get peer(): HttpPeer {
    return this.#carrier.peer;
  }

  /** Nobody will hear the answer. */
  get isClosed(): boolean {
    return this.#carrier.isClosed;
  }

  /** The body goes there; its end too if there is none. */
  receive(sink: BodySink): void {
    assert(this.#sink === undefined && !this.#isComplete, 'a body is asked for once and at once');
    this.#sink = sink;
    if (!this.request.isWaiting || this.request.bodyBytes === 0) return;
    this.#isContinueDue = true;
    this.#carrier.send();
  }

  /** What comes later is thrown away. */
  ignoreRest(): void {
    this.#sink = undefined;
  }

  answer(answer: HttpAnswer): void {
    assert(this.bytes === undefined, 'a request is answered once');
    // A connection whose request was not read to its end cannot carry another.
    const isRead = this.#isComplete || this.request.bodyBytes === 0;
    this.isLast = !isRead || !this.request.isKeptAlive || this.#carrier.isLastTurn(this);
    this.bytes = encodeAnswer(answer, { isHead: this.request.method === 'HEAD', isLast: this.isLast });
    this.#carrier.send();
  }

  takeContinue(): boolean {
    const isDue = this.#isContinueDue;
    this.#isContinueDue = false;
    return isDue;
  }

  /** For the connection alone, as are those below. */
  part(bytes: Buffer): void {
    this.#sink?.take(bytes);
  }

  end(): void {
    this.#isComplete = true;
    const sink = this.#sink;
    this.#sink = undefined;
    sink?.end();
  }

  fail(error: unknown): void {
    const sink = this.#sink;
    this.#sink = undefined;
    sink?.fail(error);
  }
}
