import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { encodeAnswer, headerLine, keepAliveSeconds } from './http-answer.ts';
import {
  type ExchangeCarrier,
  HttpExchange,
  type HttpListener,
  type HttpPeer,
  type Turn,
} from './http-exchange.ts';
import { HttpRefusal } from './http-refusal.ts';
import type { Outbox, Sender } from './outbox.ts';
import type { RequestHead } from './request-head.ts';
import { RequestReader } from './request-reader.ts';
import { reasonOf } from './status-reasons.ts';

/** How often connections are looked at, so that none of them needs a timer. */
export const beatMs = 5_000;
/** From the first byte of a request to its last. */
const requestBeats = 60_000 / beatMs;
const idleBeats = (keepAliveSeconds * 1_000) / beatMs;
/** For a client to hang up once its last answer is out, while we throw away what it still sends. */
const endingBeats = 2;
/** A client that takes nothing of its answers for so long is given up. */
const stalledMs = 120_000;
/** For a client to take a last answer that is longer than the network holds. */
const takingBeats = stalledMs / beatMs;
/** Requests that one connection may have sent before the first of them is answered. */
const maxTurns = 32;
const maxJoinedBytes = 64 * 1024;
const goAhead = Buffer.from('HTTP/1.1 100 Continue\r\n\r\n');

/** One client: its requests as they come, their answers in the same order. */
export class HttpConnection implements ExchangeCarrier, Sender {
  readonly #socket: Socket;
  readonly #listener: HttpListener;
  readonly #outbox: Outbox;
  readonly #reader: RequestReader;
  /** What is not yet sent, oldest first. */
  readonly #turns: Turn[] = [];
  /** Whose body is coming. */
  #receiving: HttpExchange | undefined;
  #peer: HttpPeer | undefined;
  /** Since the last thing that happened between requests. */
  #beats = 0;
  #isReading = false;
  /** The outbox has it send. */
  #isDue = false;
  #isHeld = false;
  /** The client takes answers more slowly than we have them. */
  #isChoked = false;
  /** Nothing more is read from it. */
  #isDeaf = false;
  /** The last answer is sent. */
  #isEnding = false;
  /** The client has sent all that it ever will. */
  #isHungUp = false;
  #isStopping = false;

  constructor(socket: Socket, listener: HttpListener, outbox: Outbox) {
    this.#socket = socket;
    this.#listener = listener;
    this.#outbox = outbox;
    this.#reader = new RequestReader({
      head: (head) => this.#begin(head),
      part: (bytes) => this.#receiving?.part(bytes),
      end: () => this.#complete(),
    });
    socket.on('data', (bytes: Buffer) => this.read(bytes));
    socket.on('end', () => this.#hangUp());
    socket.on('error', () => socket.destroy());
    socket.on('close', () =>
      this.#receiving?.fail(new HttpRefusal(400, 'The connection ended before the body did.')),
    );
    socket.on('drain', () => this.#drained());
    socket.on('timeout', () => socket.destroy());
  }

  get isClosed(): boolean {
    return this.#socket.destroyed;
  }

  get peer(): HttpPeer {
    this.#peer ??= peerOf(this.#socket);
    return this.#peer;
  }

  read(bytes: Buffer): void {
    if (this.#isDeaf) return;
    if (!this.#reader.isWithinRequest) this.#beats = 0;
    this.#feed(bytes);
  }

  isLastTurn(turn: Turn): boolean {
    return this.#isStopping && this.#turns.at(-1) === turn;
  }

  send(): void {
    if (this.#isReading || this.#isDue) return;
    this.#isDue = true;
    this.#outbox.add(this);
  }

  sendDue(): void {
    this.#isDue = false;
    this.#flush();
  }

  /** Answers what is being answered, then closes. */
  stop(): void {
    this.#isStopping = true;
    if (this.#turns.length === 0) this.#socket.destroySoon();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** To be called every `beatMs`. */
  beat(): void {
    this.#beats += 1;
    if (this.#isEnding) {
      if (this.#beats > (this.#socket.writableFinished ? endingBeats : takingBeats)) this.#socket.destroy();
    } else if (this.#isHeld || this.#isDeaf) {
      // It waits for us, or for its client to take answers.
      this.#beats = 0;
    } else if (this.#receiving !== undefined || this.#reader.isWithinRequest) {
      if (this.#beats > requestBeats) this.#refuse(new HttpRefusal(408, 'the request took too long to come'));
    } else if (this.#turns.length > 0) {
      this.#beats = 0;
    } else if (this.#beats > idleBeats) {
      this.#end();
    }
  }

  #begin(head: RequestHead): void {
    // Its sender is being told that nothing after the last answer was done.
    if (this.#turns.at(-1)?.isLast === true) return;
    const exchange = new HttpExchange(head, this);
    this.#receiving = exchange;
    this.#turns.push(exchange);
    if (this.#turns.length >= maxTurns) this.#hold();
    this.#listener(exchange);
  }

  #complete(): void {
    const exchange = this.#receiving;
    this.#receiving = undefined;
    this.#beats = 0;
    exchange?.end();
  }

  /** Without bytes, goes on with those it held back. All that is answered in one turn goes out together. */
  #feed(bytes: Buffer | undefined): void {
    this.#isReading = true;
    try {
      if (bytes === undefined) this.#reader.goOn();
      else this.#reader.push(bytes);
    } catch (error) {
      if (!(error instanceof HttpRefusal)) throw error;
      this.#refuse(error);
    } finally {
      this.#isReading = false;
    }
    this.send();
  }

  /** Nothing that comes later on this connection can be understood. */
  #refuse(refusal: HttpRefusal): void {
    this.#isDeaf = true;
    const exchange = this.#receiving;
    this.#receiving = undefined;
    if (exchange === undefined) this.#turns.push(refusalTurn(refusal));
    else exchange.fail(refusal);
    this.send();
  }

  #hangUp(): void {
    if (this.#isDeaf) return;
    this.#isHungUp = true;
    if (this.#reader.isWithinRequest && !this.#isHeld)
      this.#refuse(new HttpRefusal(400, 'the connection ended before the request did'));
    else this.#flush();
  }

  #flush(): void {
    const { bytes, isLast } = this.#takeReady();
    if (bytes.length > 0 && !this.#socket.destroyed) this.#write(bytes);
    if (isLast) {
      this.#end();
      return;
    }
    this.#goOn();
    const isDone = this.#turns.length === 0 && !this.#isHeld;
    if (isDone && (this.#isStopping || this.#isHungUp)) this.#socket.destroySoon();
  }

  #takeReady(): { readonly bytes: readonly Buffer[]; readonly isLast: boolean } {
    const [first] = this.#turns;
    // One request at a time, which is what nearly all connections carry.
    if (first?.bytes !== undefined && this.#turns.length === 1) {
      this.#turns.length = 0;
      return first as Turn & { readonly bytes: readonly Buffer[] };
    }
    const bytes: Buffer[] = [];
    for (;;) {
      const [turn] = this.#turns;
      if (turn?.takeContinue() === true && turn.bytes === undefined) bytes.push(goAhead);
      if (turn?.bytes === undefined) return { bytes, isLast: false };
      bytes.push(...turn.bytes);
      this.#turns.shift();
      if (turn.isLast) return { bytes, isLast: true };
    }
  }

  #write(bytes: readonly Buffer[]): void {
    const [first, ...more] = bytes;
    if (first === undefined) return;
    let hasRoom: boolean;
    if (more.length === 0) hasRoom = this.#socket.write(first);
    else if (more.every((part) => part.length <= maxJoinedBytes))
      hasRoom = this.#socket.write(Buffer.concat(bytes));
    else {
      this.#socket.cork();
      for (const part of bytes) this.#socket.write(part);
      this.#socket.uncork();
      hasRoom = !this.#socket.writableNeedDrain;
    }
    if (hasRoom || this.#isChoked) return;
    this.#isChoked = true;
    this.#socket.setTimeout(stalledMs);
    this.#hold();
  }

  #drained(): void {
    if (!this.#isChoked) return;
    this.#isChoked = false;
    this.#socket.setTimeout(0);
    this.#goOn();
  }

  #hold(): void {
    this.#isHeld = true;
    this.#reader.hold();
    this.#socket.pause();
  }

  #goOn(): void {
    if (!this.#isHeld || this.#isChoked || this.#turns.length >= maxTurns) return;
    this.#isHeld = false;
    this.#socket.resume();
    this.#feed(undefined);
  }

  /** What was not read would have the kernel take back the answer, so it is read until the client has gone, or for a while. */
  #end(): void {
    const isUnread = this.#receiving !== undefined || this.#reader.isWithinRequest;
    this.#isDeaf = true;
    this.#isEnding = true;
    this.#receiving = undefined;
    this.#turns.length = 0;
    this.#beats = 0;
    this.#socket.once('finish', () => {
      this.#beats = 0;
    });
    if (isUnread) this.#socket.resume().end();
    else this.#socket.destroySoon();
  }
}

function peerOf(socket: Socket): HttpPeer {
  return {
    isEncrypted: (socket as Partial<TLSSocket>).encrypted === true,
    remoteAddress: socket.remoteAddress ?? '',
    localAddress: socket.localAddress ?? '',
    localPort: socket.localPort ?? 0,
  };
}

/** What is not HTTP, or too long for it, is answered as far as it can be. */
function refusalTurn({ status, message }: HttpRefusal): Turn {
  const reason = reasonOf(status);
  const body = JSON.stringify({ code: reason.replaceAll(' ', ''), message: `${reason}: ${message}` });
  const answer = { status, lines: headerLine('content-type', 'application/json'), body };
  const bytes = encodeAnswer(answer, { isHead: false, isLast: true });
  return { bytes, isLast: true, takeContinue: () => false };
}
