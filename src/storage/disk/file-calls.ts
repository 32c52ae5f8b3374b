import { close, writev } from 'node:fs';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import type { FileReads } from './file-reads.ts';

/**
 * The calls made on one open file. Its first failure is its last call: after a failed write nobody knows what the file holds,
 * and after a failed sync the kernel may drop the pages and report success next time, so everything later is refused.
 */
export class FileCalls {
  readonly descriptor: number;
  readonly #reads: FileReads;
  #failure: unknown;
  #isClosed = false;
  #running = 0;
  #whenIdle: (() => void) | undefined;

  constructor(descriptor: number, reads: FileReads) {
    this.descriptor = descriptor;
    this.#reads = reads;
  }

  run<T>(start: (done: (error: Error | null, result: T) => void) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) throw new Error('the file is closed');
      if (this.#failure !== undefined) throw new Error('the file failed earlier', { cause: this.#failure });
      this.#running++;
      start((error, result) => {
        this.#running--;
        if (error !== null) {
          this.#failure = error;
          reject(error);
        } else resolve(result);
        if (this.#running === 0) this.#whenIdle?.();
      });
    });
  }

  /** Resolves with how many bytes they are. */
  append(parts: readonly Buffer[]): Promise<number> {
    const expected = parts.reduce((sum, part) => sum + part.length, 0);
    return this.run((done) => {
      writev(this.descriptor, parts, null, (error, written) => {
        if (error !== null || written === expected) done(error, written);
        // A disk that fills up takes what still fits; it says why only when it is asked for more.
        else writev(this.descriptor, parts, null, (reason) => done(reason ?? new Error('short write'), 0));
      });
    });
  }

  readAt(position: number, length: number): Promise<Buffer> {
    return this.run((done) => {
      this.#reads.read(this.descriptor, position, length, (error, bytes) => {
        if (error === null) {
          const isWhole = bytes.length === length;
          done(isWhole ? null : new RingfoldError('corrupt-data', { what: 'a file was cut off' }), bytes);
        } else if (error.code === 'EIO') {
          // The medium has lost what is there, and opening the file again does not bring it back.
          done(new RingfoldError('corrupt-data', { what: 'a file' }, error), bytes);
        } else done(error, bytes);
      });
    });
  }

  /** Waits for the calls under way: closing earlier would let them reach whatever file gets the descriptor next. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#running > 0) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve;
      });
    }
    await new Promise<void>((resolve, reject) => {
      close(this.descriptor, (error) => (error ? reject(error) : resolve()));
    });
  }
}
