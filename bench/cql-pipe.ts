// One connection of the load generator, with a fixed number of requests in flight: each answer is followed by the next request, and
// all that one read from the socket leads to goes out in one write. No promise and no object is made for a request.

import { connect, type Socket } from 'node:net';
import {
  errorText,
  executeFrame,
  opcodes,
  preparedIdOf,
  prepareFrame,
  queryFrame,
  startupFrame,
} from './cql-frames.ts';
import { ResponseReader } from './cql-response-reader.ts';
import type { Workload } from './cql-workload.ts';
import type { Latencies } from './measure.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** What the connections of one stretch of load share. */
export interface Stretch {
  readonly workload: Workload;
  readonly statementId: Buffer;
  readonly inFlight: number;
  /** In the clock of `performance.now`. */
  readonly deadlineMs: number;
  /** Which row the next request is about; undefined when there are no more. */
  readonly nextNumber: () => number | undefined;
  readonly latencies: Latencies;
  readonly tally: Tally;
}

export interface Tally {
  operations: number;
  errors: number;
  firstError: string | undefined;
}

interface Answer {
  readonly opcode: number;
  readonly body: Buffer;
}

const readBufferBytes = 256 * 1024;
const setupTimeoutMs = 60_000;

export class Pipe {
  readonly #socket: Socket;
  readonly #reader: ResponseReader = new ResponseReader(this);
  #failure: Error | undefined;
  #waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined;
  #flow: Flow | undefined;

  private constructor(address: Address) {
    this.#socket = connect({
      ...address,
      noDelay: true,
      // One buffer for all reads: Node would make one for each.
      onread: {
        buffer: Buffer.alloc(readBufferBytes),
        callback: (length, buffer) => {
          this.#flow?.beginTurn();
          this.#reader.push((buffer as Buffer).subarray(0, length));
          this.#flow?.endTurn();
          return true;
        },
      },
    });
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('close', () => this.#fail(new Error('the server closed the connection')));
  }

  /** Connected and past STARTUP. */
  static async open(address: Address): Promise<Pipe> {
    const pipe = new Pipe(address);
    await pipe.#ask(startupFrame(), opcodes.ready);
    return pipe;
  }

  async query(text: string): Promise<void> {
    await this.#ask(queryFrame(text), opcodes.result);
  }

  /** The id of the prepared statement. */
  async prepare(text: string): Promise<Buffer> {
    return Buffer.from(preparedIdOf(await this.#ask(prepareFrame(text), opcodes.result)));
  }

  /** Resolves when the last request of the stretch is answered. */
  run(stretch: Stretch): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure);
      this.#reader.expect(stretch.workload.expectedRows);
      const end = (error?: Error) => {
        this.#flow = undefined;
        this.#reader.wantBodies();
        if (error === undefined) resolve();
        else reject(error);
      };
      this.#flow = new Flow(stretch, this.#socket, end);
      this.#flow.begin();
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  onResponse(stream: number, problem: string | undefined): void {
    this.#flow?.answer(stream, problem);
  }

  onBody(opcode: number, body: Buffer): void {
    this.#waiting?.resolve({ opcode, body: Buffer.from(body) });
    this.#waiting = undefined;
  }

  async #ask(request: Buffer, expected: number): Promise<Buffer> {
    if (this.#failure !== undefined) throw this.#failure;
    const timer = setTimeout(() => this.#socket.destroy(new Error('no answer for a minute')), setupTimeoutMs);
    const answer = await new Promise<Answer>((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(request);
    }).finally(() => clearTimeout(timer));
    if (answer.opcode === expected) return answer.body;
    const problem = answer.opcode === opcodes.error ? errorText(answer.body, 0) : `opcode ${answer.opcode}`;
    throw new Error(`${request.toString('latin1', 13, 80)}: ${problem}`);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#waiting?.reject(this.#failure);
    this.#waiting = undefined;
    this.#flow?.end(this.#failure);
  }
}

/**
 * The requests of one stretch on one connection. They are encoded once, in a ring of twice as many as can be in flight, and only
 * stream and key are written anew. What is not yet sent is among the last so many in flight, so a place that comes round again has
 * been sent long ago.
 */
class Flow {
  readonly end: (error?: Error) => void;
  readonly #stretch: Stretch;
  readonly #socket: Socket;
  readonly #ring: Buffer;
  readonly #places: number;
  readonly #frameLength: number;
  readonly #firstValueAt: number;
  readonly #beganMs: Float64Array;
  #place = 0;
  #queued = 0;
  #open = 0;
  #nowMs = 0;

  constructor(stretch: Stretch, socket: Socket, end: (error?: Error) => void) {
    this.#stretch = stretch;
    this.#socket = socket;
    this.end = end;
    this.#places = stretch.inFlight * 2;
    const frames = Array.from({ length: this.#places }, (_, variant) =>
      executeFrame(stretch.statementId, stretch.workload.values(variant)),
    );
    this.#ring = Buffer.concat(frames.map(({ bytes }) => bytes));
    this.#frameLength = this.#ring.length / this.#places;
    this.#firstValueAt = frames[0]?.firstValueAt ?? 0;
    this.#beganMs = new Float64Array(stretch.inFlight);
  }

  /** However short the time is, so many requests are sent. */
  begin(): void {
    this.beginTurn();
    for (let stream = 0; stream < this.#stretch.inFlight; stream++) this.#request(stream);
    this.endTurn();
  }

  beginTurn(): void {
    this.#nowMs = performance.now();
  }

  answer(stream: number, problem: string | undefined): void {
    this.#open -= 1;
    const { tally, latencies } = this.#stretch;
    if (problem === undefined) {
      tally.operations += 1;
      latencies.add(this.#nowMs - (this.#beganMs[stream] ?? 0));
    } else {
      tally.errors += 1;
      tally.firstError ??= problem;
    }
    if (this.#nowMs < this.#stretch.deadlineMs) this.#request(stream);
  }

  endTurn(): void {
    if (this.#queued > 0) this.#send();
    else if (this.#open === 0) this.end();
  }

  #request(stream: number): void {
    const number = this.#stretch.nextNumber();
    if (number === undefined) return;
    const at = ((this.#place + this.#queued) % this.#places) * this.#frameLength;
    this.#ring.writeInt16BE(stream, at + 2);
    this.#stretch.workload.patch(this.#ring, at + this.#firstValueAt, number);
    this.#beganMs[stream] = this.#nowMs;
    this.#queued += 1;
    this.#open += 1;
  }

  #send(): void {
    const from = this.#place;
    const to = from + this.#queued;
    const beforeEnd = Math.min(to, this.#places);
    this.#write(from, beforeEnd);
    if (to > beforeEnd) this.#write(0, to - this.#places);
    this.#place = to % this.#places;
    this.#queued = 0;
  }

  #write(from: number, to: number): void {
    this.#socket.write(this.#ring.subarray(from * this.#frameLength, to * this.#frameLength));
  }
}
