import { Worker } from 'node:worker_threads';
import { systemScheduler } from '../../foundation/scheduler.ts';
import { type FileReads, noBytes, poolReads, type ReadDone } from './file-reads.ts';

/** Descriptor, position and length of each read, one after the other. */
export type ReadBatch = readonly number[];

/** For the first reads of a batch that have had no answer yet. */
export interface ReadReply {
  /** What was read, one behind the other, each as long as was asked for. */
  readonly bytes: ArrayBuffer;
  /** For each read how many bytes there were, or why there are none. */
  readonly outcomes: readonly (number | ReadFailure)[];
}

/** Only its text can be sent. */
export interface ReadFailure {
  readonly message: string;
  readonly code: string | undefined;
}

interface Request {
  readonly descriptor: number;
  readonly position: number;
  readonly length: number;
  readonly done: ReadDone;
}

/** So few reads at a time are cheaper in libuv's pool. Measured, CPU of one read with 1, 2, 4, 16 and 64 at a time: 20, 18, 16, 16 and 11 µs there, 42, 21, 12, 5 and 4 µs in a batch. */
const maxPoolReads = 2;
const maxBatchReads = 64;
const maxBatchBytes = 2 ** 20;

/**
 * Reads the files of one node, several at a time in a thread of its own: most of what a read costs, when the system has the bytes in
 * memory, is waking a thread and being woken. Reads that are asked for while others are under way are gathered. A disk that hangs holds
 * up nobody else.
 */
export class ReadThread implements FileReads {
  readonly #workerUrl: URL;
  #worker: Worker | undefined;
  /** Until it is ready, which takes a while, everything is read in the pool. */
  #isReady = false;
  #isClosed = false;
  #failure: Error | undefined;
  #isGathering = false;
  #waiting: Request[] = [];
  #inPool = 0;
  /** What the thread has not answered yet, in the order in which it will. */
  #inThread: Request[] = [];

  constructor(workerUrl: URL = new URL('./read-worker.js', import.meta.url)) {
    this.#workerUrl = workerUrl;
  }

  read(descriptor: number, position: number, length: number, done: ReadDone): void {
    this.#waiting.push({ descriptor, position, length, done });
    if (this.#inThread.length === 0) this.#gather();
  }

  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    // Behind everything that the present turn of the event loop leads to: who asks together is answered together.
    systemScheduler.after(0, this.#gathered);
  }

  readonly #gathered = (): void => {
    this.#isGathering = false;
    this.#next();
  };

  #next(): void {
    if (this.#inThread.length > 0 || this.#waiting.length === 0) return;
    if (this.#inPool + this.#waiting.length <= maxPoolReads) this.#readInPool();
    else if (!this.#isReady) {
      this.#begin();
      this.#readInPool();
    } else if (this.#inPool === 0) this.#readInThread();
  }

  #readInPool(): void {
    for (const { descriptor, position, length, done } of this.#waiting.splice(0)) {
      this.#inPool += 1;
      poolReads.read(descriptor, position, length, (error, bytes) => {
        this.#inPool -= 1;
        done(error, bytes);
        if (!this.#isGathering) this.#next();
      });
    }
  }

  #readInThread(): void {
    const waiting = this.#waiting;
    const batch: number[] = [];
    let bytes = 0;
    let count = 0;
    for (; count < waiting.length && count < maxBatchReads; count++) {
      const { descriptor, position, length } = waiting[count] as Request;
      if (count > 0 && bytes + length > maxBatchBytes) break;
      bytes += length;
      batch.push(descriptor, position, length);
    }
    this.#inThread = waiting.splice(0, count);
    // As long as somebody waits for a read the process goes on.
    this.#worker?.ref();
    this.#worker?.postMessage(batch);
  }

  #answer({ bytes, outcomes }: ReadReply): void {
    const answered = this.#inThread.splice(0, outcomes.length);
    let at = 0;
    for (let index = 0; index < answered.length; index++) {
      const { length, done } = answered[index] as Request;
      const outcome = outcomes[index] as number | ReadFailure;
      if (typeof outcome === 'number') done(null, Buffer.from(bytes, at, outcome));
      else done(errorOf(outcome), noBytes);
      at += length;
    }
    if (this.#inThread.length > 0) return;
    this.#worker?.unref();
    // Those who were just answered mostly ask for more, and that goes along.
    if (this.#waiting.length > 0) this.#gather();
  }

  #begin(): void {
    if (this.#worker !== undefined || this.#isClosed) return;
    const worker = new Worker(this.#workerUrl);
    worker.unref();
    worker.on('online', () => {
      this.#isReady = true;
    });
    worker.on('message', (reply: ReadReply) => this.#answer(reply));
    worker.on('error', (error) => {
      this.#failure = error;
    });
    // Not before: a read under way could otherwise reach whatever file gets its descriptor next.
    worker.on('exit', () => this.#end());
    this.#worker = worker;
  }

  #end(): void {
    const reason = new Error('the reading thread has ended', { cause: this.#failure });
    this.#worker = undefined;
    this.#isReady = false;
    for (const { done } of [...this.#inThread.splice(0), ...this.#waiting.splice(0)]) done(reason, noBytes);
  }

  /** What it has not answered is rejected. Does not wait for a disk that hangs. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const ended = this.#worker?.terminate();
    if (this.#inThread.length === 0) await ended;
  }
}

function errorOf({ message, code }: ReadFailure): NodeJS.ErrnoException {
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}
