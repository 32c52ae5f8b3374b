// One keep-alive connection of the load generator, with a fixed number of requests in flight: each answer is followed by the next
// request, and all that one read from the socket leads to goes out in one write.

import { connect, type Socket } from 'node:net';
import type { Latencies } from './measure.ts';

/** What the connections of one stretch of load share. */
export interface HttpStretch {
  readonly inFlight: number;
  /** In the clock of `performance.now`. */
  readonly deadlineMs: number;
  /** Undefined when there are no more. */
  readonly next: () => Buffer | undefined;
  readonly expected: readonly number[];
  readonly latencies: Latencies;
  readonly tally: HttpTally;
}

export interface HttpTally {
  operations: number;
  errors: number;
  firstError: string | undefined;
}

const headEnd = Buffer.from('\r\n\r\n');
const lengthName = Buffer.from('content-length: ');
const nothing = Buffer.alloc(0);

export class HttpPipe {
  readonly #socket: Socket;
  #unread: Buffer = nothing;
  #stretch: HttpStretch | undefined;
  #end: (error?: Error) => void = () => {};
  #begunMs: number[] = [];
  #queued: Buffer[] = [];
  #nowMs = 0;

  private constructor(host: string, port: number) {
    this.#socket = connect({ host, port, noDelay: true });
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#socket.on('error', (error) => this.#end(error));
    this.#socket.on('close', () => this.#end(new Error('the server closed the connection')));
  }

  static open(host: string, port: number): Promise<HttpPipe> {
    return new Promise((resolve, reject) => {
      const pipe = new HttpPipe(host, port);
      pipe.#end = (error) => reject(error);
      pipe.#socket.once('connect', () => resolve(pipe));
    });
  }

  /** Resolves when the last request of the stretch is answered. */
  run(stretch: HttpStretch): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#stretch = stretch;
      this.#end = (error) => {
        this.#stretch = undefined;
        this.#end = () => {};
        if (error === undefined) resolve();
        else reject(error);
      };
      this.#nowMs = performance.now();
      for (let at = 0; at < stretch.inFlight; at++) this.#request(stretch);
      this.#flush();
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    const stretch = this.#stretch;
    if (stretch === undefined) return;
    this.#nowMs = performance.now();
    const bytes = this.#unread.length === 0 ? chunk : Buffer.concat([this.#unread, chunk]);
    let at = 0;
    for (;;) {
      const head = bytes.indexOf(headEnd, at);
      if (head < 0) break;
      const lengthAt = bytes.indexOf(lengthName, at);
      const isLong = lengthAt >= 0 && lengthAt < head;
      const length = isLong ? numberAt(bytes, lengthAt + lengthName.length) : 0;
      const end = head + headEnd.length + length;
      if (end > bytes.length) break;
      this.#answer(stretch, bytes, at, end);
      at = end;
    }
    this.#unread = at === bytes.length ? nothing : bytes.subarray(at);
    this.#flush();
    if (this.#begunMs.length === 0) this.#end();
  }

  #answer(stretch: HttpStretch, bytes: Buffer, at: number, end: number): void {
    const status = numberAt(bytes, at + 'HTTP/1.1 '.length);
    const begunMs = this.#begunMs.shift() ?? 0;
    if (stretch.expected.includes(status)) {
      stretch.tally.operations += 1;
      stretch.latencies.add(this.#nowMs - begunMs);
    } else {
      stretch.tally.errors += 1;
      stretch.tally.firstError ??= bytes.toString('latin1', at, Math.min(end, at + 2_000));
    }
    if (this.#nowMs < stretch.deadlineMs) this.#request(stretch);
  }

  #request(stretch: HttpStretch): void {
    const bytes = stretch.next();
    if (bytes === undefined) return;
    this.#queued.push(bytes);
    this.#begunMs.push(this.#nowMs);
  }

  #flush(): void {
    if (this.#queued.length === 0) return;
    const [first = nothing] = this.#queued;
    this.#socket.write(this.#queued.length === 1 ? first : Buffer.concat(this.#queued));
    this.#queued = [];
  }
}

function numberAt(bytes: Buffer, from: number): number {
  let number = 0;
  for (let at = from; ; at++) {
    const digit = (bytes[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) return number;
    number = number * 10 + digit;
  }
}
