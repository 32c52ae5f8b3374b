import { fdatasync } from 'node:fs';
import { assert } from '../../foundation/assert.ts';
import type { AppendFile } from '../disk.ts';
import { FileCalls } from './file-calls.ts';
import type { FileReads } from './file-reads.ts';

/** A file that only grows. */
export class AppendOnlyFile implements AppendFile {
  readonly #calls: FileCalls;
  #sizeBytes = 0;
  #isAppending = false;

  /** Takes over a descriptor opened empty, for appending and reading. */
  constructor(descriptor: number, reads: FileReads) {
    this.#calls = new FileCalls(descriptor, reads);
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  async append(parts: readonly Buffer[]): Promise<void> {
    assert(!this.#isAppending, 'one append is in flight at a time');
    this.#isAppending = true;
    try {
      this.#sizeBytes += await this.#calls.append(parts);
    } finally {
      this.#isAppending = false;
    }
  }

  async sync(): Promise<void> {
    await this.#calls.run<void>((done) => fdatasync(this.#calls.descriptor, done));
  }

  readAt(position: number, length: number): Promise<Buffer> {
    return this.#calls.readAt(position, length);
  }

  close(): Promise<void> {
    return this.#calls.close();
  }
}
