import { close, fdatasync, writev } from 'node:fs';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import { assert } from '../../foundation/assert.ts';
import type { AppendFile } from '../disk.ts';
import type { FileReads } from './file-reads.ts';

/**
 * A file that only grows. Its first failure is its last call: after a failed write nobody knows what the file holds,
 * and after a failed sync the kernel may drop the pages and report success next time, so everything later is refused.
 *
 * One writev and one fdatasync on a growing file. Measured with four files of 20 KB groups, CPU a group and median
 * time: 650–850 µs and 0.8–1.0 ms so; 690–770 and 0.9 with O_DSYNC, not worth a second meaning of `append`; 470–620
 * and 0.5–0.65 when the file is filled with zeros first.
 */
export class AppendOnlyFile implements AppendFile {
  readonly #descriptor: number;
  readonly #reads: FileReads;
  #sizeBytes = 0;
  #isAppending = false;
  #failure: unknown;
  #isClosed = false;
  #running = 0;
  #whenIdle: (() => void) | undefined;

  /** Takes over a descriptor opened empty, for appending and reading. */
  constructor(descriptor: number, reads: FileReads) {
    this.#descriptor = descriptor;
    this.#reads = reads;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  async append(parts: readonly Buffer[]): Promise<void> {
    assert(!this.#isAppending, 'one append is in flight at a time');
    this.#isAppending = true;
    try {
      await this.#call<void>((done) => {
        const expected = parts.reduce((sum, part) => sum + part.length, 0);
        writev(this.#descriptor, parts, null, (error, written) => {
          if (error === null && written === expected) this.#sizeBytes += written;
          if (error !== null || written === expected) done(error);
          // A disk that fills up takes what still fits; it says why only when it is asked for more.
          else writev(this.#descriptor, parts, null, (reason) => done(reason ?? new Error('short write')));
        });
      });
    } finally {
      this.#isAppending = false;
    }
  }

  async sync(): Promise<void> {
    await this.#call<void>((done) => fdatasync(this.#descriptor, done));
  }

  readAt(position: number, length: number): Promise<Buffer> {
    return this.#call((done) => {
      this.#reads.read(this.#descriptor, position, length, (error, bytes) => {
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
      close(this.#descriptor, (error) => (error ? reject(error) : resolve()));
    });
  }

  #call<T>(start: (done: (error: Error | null, result: T) => void) => void): Promise<T> {
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
}
