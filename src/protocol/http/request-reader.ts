import { HttpRefusal } from './http-refusal.ts';
import { checkTrailers, parseHead, type RequestHead } from './request-head.ts';

/** Session tokens of many partitions and long continuations are headers. */
const maxHeadBytes = 64 * 1024;
/** The size of a chunk, and what may be said of it, which nobody reads. */
const maxSizeLineBytes = 1_024;
const sizeLine =
  /^([\dA-Fa-f]{1,12})(?:;[!#$%&'*+\-.^_`|~\dA-Za-z]+(?:=(?:[!#$%&'*+\-.^_`|~\dA-Za-z]+|"[\x20\x21\x23-\x5b\x5d-\x7e]*"))?)*$/;
const methodStart = /^[A-Z]{1,20}(?: |$)/;
const longestMethod = 20;
const lineEnd = Buffer.from('\r\n');
const headEnd = Buffer.from('\r\n\r\n');
const nothing = Buffer.alloc(0);

export interface RequestEvents {
  head(head: RequestHead): void;
  /** Of the body of the request whose head came last. */
  part(bytes: Buffer): void;
  /** The request is complete. */
  end(): void;
}

type State = 'head' | 'body' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailers' | 'over';

/** Takes the bytes of one connection apart into requests. Throws `HttpRefusal` for what is none; nothing can be read after that. */
export class RequestReader {
  readonly #events: RequestEvents;
  #unread: Buffer = nothing;
  #at = 0;
  /** Up to where no end of what is being read was found. */
  #searched = 0;
  #state: State = 'head';
  /** Of the body or the chunk. */
  #bytesLeft = 0;
  #isLast = false;
  #isHeld = false;

  constructor(events: RequestEvents) {
    this.#events = events;
  }

  /** Whether a request has begun and not ended. */
  get isWithinRequest(): boolean {
    if (this.#state === 'over') return false;
    return this.#state !== 'head' || this.#at < this.#unread.length;
  }

  push(bytes: Buffer): void {
    if (this.#state === 'over') return;
    if (this.#at === this.#unread.length) this.#unread = bytes;
    else this.#unread = Buffer.concat([this.#unread.subarray(this.#at), bytes]);
    this.#searched = Math.max(0, this.#searched - this.#at);
    this.#at = 0;
    this.#run();
  }

  /** From within an event: what comes after this request stays unread. */
  hold(): void {
    this.#isHeld = true;
  }

  goOn(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#run();
  }

  #run(): void {
    while (this.#at < this.#unread.length) {
      if (this.#isHeld && this.#state === 'head') return;
      if (!this.#step()) return;
    }
    this.#unread = nothing;
    this.#at = 0;
    this.#searched = 0;
  }

  /** False if more bytes are needed. */
  #step(): boolean {
    switch (this.#state) {
      case 'head':
        return this.#readHead();
      case 'body':
      case 'chunk':
        return this.#readPart();
      case 'chunk-size':
        return this.#readSize();
      case 'chunk-end':
        return this.#readChunkEnd();
      case 'trailers':
        return this.#readTrailers();
      case 'over':
        this.#passTo(this.#unread.length);
        return true;
    }
  }

  #readHead(): boolean {
    // An empty line between requests is no harm, and some clients send one.
    if (this.#unread[this.#at] === 0x0d || this.#unread[this.#at] === 0x0a) return this.#skipEmptyLine();
    const end = this.#find(headEnd, maxHeadBytes, 431);
    if (end === undefined) {
      // Who speaks something else altogether is told at once, and not when their time is up.
      const start = this.#unread.toString('latin1', this.#at, this.#at + longestMethod + 1);
      if (!methodStart.test(start)) throw new HttpRefusal(400, 'this is no request of HTTP');
      return false;
    }
    const head = parseHead(this.#unread.toString('latin1', this.#at, end));
    this.#passTo(end + headEnd.length);
    const { bodyBytes, isKeptAlive } = head;
    this.#isLast = !isKeptAlive;
    if (bodyBytes === 'chunked') this.#state = 'chunk-size';
    else if (bodyBytes > 0) this.#expect('body', bodyBytes);
    this.#events.head(head);
    if (bodyBytes === 0) this.#end();
    return true;
  }

  #skipEmptyLine(): boolean {
    if (this.#unread[this.#at] === 0x0a) throw new HttpRefusal(400, 'a line has no end');
    if (this.#at + 1 >= this.#unread.length) return false;
    if (this.#unread[this.#at + 1] !== 0x0a) throw new HttpRefusal(400, 'a line has no end');
    this.#passTo(this.#at + lineEnd.length);
    return true;
  }

  #readPart(): boolean {
    const end = Math.min(this.#at + this.#bytesLeft, this.#unread.length);
    const part = this.#unread.subarray(this.#at, end);
    this.#bytesLeft -= part.length;
    this.#passTo(end);
    const isLast = this.#bytesLeft === 0;
    const wasChunk = this.#state === 'chunk';
    if (isLast && wasChunk) this.#state = 'chunk-end';
    this.#events.part(part);
    if (isLast && !wasChunk) this.#end();
    return true;
  }

  #readSize(): boolean {
    const end = this.#find(lineEnd, maxSizeLineBytes, 400);
    if (end === undefined) return false;
    const [, size] = sizeLine.exec(this.#unread.toString('latin1', this.#at, end)) ?? [];
    if (size === undefined) throw new HttpRefusal(400, 'this is no size of a chunk');
    const bytes = Number.parseInt(size, 16);
    if (bytes > 0) {
      this.#passTo(end + lineEnd.length);
      this.#expect('chunk', bytes);
    } else {
      // Its own line end begins the search, since the last chunk may be followed by nothing.
      this.#passTo(end);
      this.#state = 'trailers';
    }
    return true;
  }

  #readChunkEnd(): boolean {
    const isBegun = this.#unread[this.#at] === 0x0d;
    if (isBegun && this.#at + 1 >= this.#unread.length) return false;
    if (!isBegun || this.#unread[this.#at + 1] !== 0x0a)
      throw new HttpRefusal(400, 'a chunk is longer than its size');
    this.#passTo(this.#at + lineEnd.length);
    this.#state = 'chunk-size';
    return true;
  }

  #readTrailers(): boolean {
    const end = this.#find(headEnd, maxHeadBytes, 431);
    if (end === undefined) return false;
    checkTrailers(this.#unread.toString('latin1', this.#at, end), lineEnd.length);
    this.#passTo(end + headEnd.length);
    this.#end();
    return true;
  }

  #find(end: Buffer, maxBytes: number, status: number): number | undefined {
    const found = this.#unread.indexOf(end, Math.max(this.#at, this.#searched));
    if ((found < 0 ? this.#unread.length : found) - this.#at > maxBytes)
      throw new HttpRefusal(status, `more than ${maxBytes} bytes of headers`);
    if (found >= 0) return found;
    this.#searched = Math.max(this.#at, this.#unread.length - end.length + 1);
    return undefined;
  }

  /** Who said that a request is the last of its connection has nothing more to say. */
  #end(): void {
    this.#state = this.#isLast ? 'over' : 'head';
    this.#events.end();
  }

  #expect(state: 'body' | 'chunk', bytes: number): void {
    this.#state = state;
    this.#bytesLeft = bytes;
  }

  #passTo(at: number): void {
    this.#at = at;
    this.#searched = at;
  }
}
