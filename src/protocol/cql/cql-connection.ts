import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { SchemaChange } from '../../catalog/cql/cql-schema.ts';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import type { ConnectedClient } from '../../execution/cql/virtual-tables/connected-client.ts';
import { chargeOfFailure } from '../../throughput/charged-failure.ts';
import { lz4, snappy } from './compression.ts';
import type { ConnectionSession } from './connection-session.ts';
import type { CqlContext } from './cql-context.ts';
import { errorMessageOf, isFault, readTimeout, writeTimeout } from './error-frames.ts';
import { Exchange } from './exchange.ts';
import { type Frame, FrameDecoder, type FrameFault } from './frame.ts';
import { type ErrorMessage, writeErrorMessage } from './messages/error-message.ts';
import { writeSchemaChangeEvent } from './messages/schema-change.ts';
import { newestVersion, type ProtocolVersion } from './protocol-version.ts';
import { checkTurn, handleRequest } from './request-handlers.ts';
import { type Request, readCustomPayload, readRequest, wantsTracing } from './requests/request.ts';
import { ResponseWriter } from './response-writer.ts';
import { SegmentDecoder } from './segment.ts';

/** A request that has not come whole and is smaller than this is no burden. */
const largeBytes = 256 * 1024;
/** Answers are handed to the socket at the latest when there are as many bytes of them. */
const flushBytes = 64 * 1024;
/** How often it is looked whether a request has taken too long. */
const sweepMs = 250;
/** A client that does not take its last answer gets this long. */
const closeGraceMs = 2_000;
/** Of the answers that requests in flight may come to, if they are like those before them. */
const expectedAnswerBytes = 32 * 2 ** 20;
/** What is expected of answers before there were any: then a client may not have many requests in flight. */
const unknownAnswerBytes = 2 ** 20;

/**
 * One client: reads frames, has each request served, writes the answers by stream. What can be answered at once is, and all answers of
 * a turn go to the socket together. It stops reading while the client does not read, while too many of its requests are in flight, and
 * while all clients together have sent too much: so memory is bounded, whatever a client does.
 */
export class CqlConnection {
  readonly session: ConnectionSession;
  readonly #socket: Socket;
  readonly #context: CqlContext;
  readonly #whenClosed: () => void;
  readonly #pending = new Set<Exchange>();
  readonly #goOn = (): void => this.#guarded(() => this.#work());
  #decoder: FrameDecoder | SegmentDecoder;
  #out: ResponseWriter | undefined;
  #answerBytes = unknownAnswerBytes;
  #isPaused = false;
  #isFlushPlanned = false;
  #isClosing = false;
  #isEnding = false;
  #isClosed = false;
  #cancelSweep: (() => void) | undefined;
  #requestCount = 0;
  #heldBytes = 0;

  constructor(socket: Socket, session: ConnectionSession, context: CqlContext, whenClosed: () => void) {
    this.#socket = socket;
    this.session = session;
    this.#context = context;
    this.#whenClosed = whenClosed;
    this.#decoder = new FrameDecoder(context.settings.maxFrameBytes);
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    socket.on('drain', this.#goOn);
    // A client that has said its last may still read answers.
    socket.on('end', () => this.#ended());
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#closed());
  }

  describe(): ConnectedClient {
    const { remoteAddress, options, stage, keyspace, role } = this.session;
    const tls =
      this.#socket instanceof TLSSocket
        ? { protocol: this.#socket.getProtocol() ?? '', cipher: this.#socket.getCipher().standardName }
        : undefined;
    return {
      address: remoteAddress,
      port: this.#socket.remotePort ?? 0,
      options,
      isReady: stage === 'ready',
      keyspace,
      protocolVersion: this.#version,
      requestCount: this.#requestCount,
      role,
      tls,
    };
  }

  receive(chunk: Buffer): void {
    if (this.#isClosing) return;
    this.#guarded(() => {
      this.#decoder.push(chunk);
      this.#work();
      this.#countHeld(this.#decoder.heldBytes);
    });
  }

  tell(change: SchemaChange): void {
    if (this.#isClosing || this.session.stage !== 'ready' || !this.session.events.has('SCHEMA_CHANGE'))
      return;
    writeSchemaChangeEvent(this.#writer(this.#version), change);
    this.#planFlush();
  }

  /** Answers what is in flight, then ends. */
  close(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    // What still comes is thrown away: a socket that is closed with bytes unread takes its last answer back.
    this.#socket.resume();
    this.#endIfDone();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #work(): void {
    if (this.#isClosed) return;
    while (!this.#isClosing) {
      if (!this.#mayTake()) {
        this.#pause();
        break;
      }
      const next = this.#decoder.next();
      if (next === undefined) {
        this.#resume();
        break;
      }
      if ('fault' in next) this.#refuse(next);
      else this.#serve(next);
      if ((this.#out?.pendingBytes ?? 0) >= flushBytes) this.#flush();
    }
    this.#flush();
  }

  #countHeld(bytes: number): void {
    if (bytes === this.#heldBytes) return;
    const isEnough = this.#context.memory.hold(bytes - this.#heldBytes);
    this.#heldBytes = bytes;
    if (isEnough || bytes < largeBytes || this.#isClosing) return;
    const overloaded = new RingfoldError('too-much-in-flight', { retryAfterMs: 1_000 });
    const message = errorMessageOf(overloaded, { consistency: 'ONE', writeType: 'SIMPLE' });
    writeErrorMessage(this.#writer(this.#version), 0, message);
    this.#decoder = new FrameDecoder(0);
    this.#countHeld(0);
    this.close();
  }

  #mayTake(): boolean {
    const { settings, memory } = this.#context;
    if (this.#socket.writableLength > settings.maxUnreadBytes || memory.isFull) return false;
    const limit = Math.max(8, expectedAnswerBytes / this.#answerBytes);
    return this.#pending.size < Math.min(settings.maxInFlightRequests, limit);
  }

  #pause(): void {
    if (this.#context.memory.isFull) this.#context.memory.whenRoom(this.#goOn);
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#socket.pause();
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#socket.resume();
  }

  #serve(frame: Frame): void {
    const out = this.#writer(frame.version);
    const exchange = new Exchange(
      this.#context,
      this.session,
      out,
      frame.stream,
      wantsTracing(frame),
      frame.body.length,
    );
    this.#requestCount += 1;
    let request: Request;
    let running: void | Promise<void>;
    try {
      checkTurn(frame.opcode, exchange);
      exchange.customPayload = readCustomPayload(frame);
      request = readRequest(frame);
      running = handleRequest(request, exchange);
    } catch (error) {
      this.#fail(exchange, error);
      return;
    }
    if (running instanceof Promise) this.#await(exchange, request, running);
    else exchange.isAnswered = true;
    if (exchange.handshake !== undefined) this.#begin(exchange);
  }

  #await(exchange: Exchange, request: Request, running: Promise<void>): void {
    this.#pending.add(exchange);
    exchange.awaitedSinceMs = this.#context.clock.monotonic();
    this.#context.memory.take(exchange.requestBytes);
    this.#planSweep();
    this.#follow(exchange, request, running);
  }

  #follow(exchange: Exchange, request: Request, running: Promise<void>): void {
    running.then(
      () => this.#guarded(() => this.#settled(exchange, undefined)),
      (error: unknown) =>
        this.#guarded(() => {
          if (isOvertaken(exchange, error)) this.#serveAnew(exchange, request);
          else this.#settled(exchange, error);
        }),
    );
  }

  /** Its table was emptied, or dropped and perhaps made again, under it, and nothing happened: as if it came only now. */
  #serveAnew(exchange: Exchange, request: Request): void {
    exchange.servedAnew += 1;
    exchange.trace?.event('The table has become another; preparing the statement anew');
    let running: void | Promise<void>;
    try {
      running = handleRequest(request, exchange);
    } catch (error) {
      this.#settled(exchange, error);
      return;
    }
    if (running instanceof Promise) this.#follow(exchange, request, running);
    else this.#settled(exchange, undefined);
  }

  #settled(exchange: Exchange, error: unknown): void {
    this.#pending.delete(exchange);
    this.#context.memory.release(exchange.requestBytes);
    if (!exchange.isAnswered && error !== undefined) this.#fail(exchange, error);
    exchange.isAnswered = true;
    if (this.#isClosed) return;
    this.#planFlush();
    this.#endIfDone();
  }

  #fail(exchange: Exchange, error: unknown): void {
    if (isFault(error)) this.#context.log.warn('cql request failed', { error });
    this.#writeError(exchange, errorMessageOf(error, exchange), chargeOfFailure(error));
  }

  #writeError(exchange: Exchange, message: ErrorMessage, chargeRu: number): void {
    exchange.isAnswered = true;
    if (this.#isClosed) return;
    exchange.trace?.finish();
    exchange.out.abandon();
    writeErrorMessage(exchange.out, exchange.stream, message, exchange.prefix(chargeRu));
  }

  #refuse({ fault, version, stream, closes }: FrameFault): void {
    const message = errorMessageOf(fault, { consistency: 'ONE', writeType: 'SIMPLE' });
    writeErrorMessage(this.#writer(version), stream, message);
    if (closes) this.close();
  }

  /** STARTUP was taken and answered: from here on everything is as agreed. */
  #begin({ handshake, out, version }: Exchange): void {
    const { maxFrameBytes } = this.#context.settings;
    const compression = handshake?.compression;
    this.#flush();
    if (version >= 5) {
      const compressor = compression === 'lz4' ? lz4 : undefined;
      const segments = new SegmentDecoder(maxFrameBytes, compressor);
      segments.push(this.#decoder instanceof FrameDecoder ? this.#decoder.drain() : Buffer.alloc(0));
      this.#decoder = segments;
      out.useSegments(compressor);
    } else if (this.#decoder instanceof FrameDecoder) {
      this.#decoder.fixVersion(version);
      if (compression === undefined) return;
      const compressor = compression === 'lz4' ? lz4 : snappy;
      this.#decoder.useCompression(compressor);
      out.useCompression(compressor);
    }
  }

  get #version(): ProtocolVersion {
    return this.#out?.version ?? newestVersion;
  }

  /** Before STARTUP a client may try several versions. */
  #writer(version: ProtocolVersion): ResponseWriter {
    if (this.#out?.version === version) return this.#out;
    this.#flush();
    this.#out = new ResponseWriter(version);
    return this.#out;
  }

  #planFlush(): void {
    if (this.#isFlushPlanned) return;
    this.#isFlushPlanned = true;
    this.#context.scheduler.after(0, () => {
      this.#isFlushPlanned = false;
      // Requests that waited for this one's end go first, so that their answers go along.
      this.#guarded(() => (this.#isPaused ? this.#work() : this.#flush()));
    });
  }

  #flush(): void {
    const out = this.#out;
    if (out === undefined || this.#isClosed) return;
    const { pendingBytes } = out;
    const pieces = out.take();
    if (pieces.length === 0) return;
    // An average that forgets: an eighth of it is the newest.
    this.#answerBytes += (pendingBytes / Math.max(1, out.takenCount) - this.#answerBytes) / 8;
    if (pieces.length > 1) this.#socket.cork();
    for (const piece of pieces) this.#socket.write(piece);
    if (pieces.length > 1) this.#socket.uncork();
    // The kernel has copied all of it.
    if (this.#socket.writableLength === 0) out.reuse();
  }

  #planSweep(): void {
    this.#cancelSweep ??= this.#context.scheduler.after(sweepMs, () => {
      this.#cancelSweep = undefined;
      this.#sweep();
      if (this.#pending.size > 0) this.#planSweep();
    });
  }

  /** Answers for those that took too long. They stay counted until they end. */
  #sweep(): void {
    const now = this.#context.clock.monotonic();
    for (const exchange of this.#pending) {
      if (exchange.isAnswered || exchange.awaitedSinceMs + exchange.timeoutMs > now) continue;
      this.#writeError(exchange, exchange.isWrite ? writeTimeout(exchange) : readTimeout(exchange), 0);
    }
    this.#flush();
  }

  /** The client will send no more; it may still read. */
  #ended(): void {
    if (this.#isEnding) this.#socket.destroySoon();
    else this.close();
  }

  #endIfDone(): void {
    if (!this.#isClosing || this.#isClosed || this.#isEnding || this.#pending.size > 0) return;
    this.#isEnding = true;
    this.#flush();
    this.#socket.end();
    if (this.#socket.readableEnded) this.#socket.destroySoon();
    const cancel = this.#context.scheduler.after(closeGraceMs, () => this.#socket.destroy());
    this.#socket.once('close', cancel);
  }

  /** Whatever goes wrong in here is this client's connection's end, and nobody else's. */
  #guarded(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#context.log.warn('cql connection failed', { error });
      this.#socket.destroy();
    }
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#isClosing = true;
    for (const exchange of this.#pending) exchange.isAnswered = true;
    this.#cancelSweep?.();
    this.#context.memory.forget(this.#goOn);
    this.#countHeld(0);
    this.#whenClosed();
  }
}

/** Each time is another TRUNCATE or DROP that came between. */
const maxServedAnew = 10;

function isOvertaken({ isAnswered, servedAnew }: Exchange, error: unknown): boolean {
  return (
    error instanceof RingfoldError &&
    error.code === 'container-not-found' &&
    !isAnswered &&
    servedAnew < maxServedAnew
  );
}
