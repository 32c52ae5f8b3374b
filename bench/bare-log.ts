// What durability costs without a database: entries gathered while a write is under way, then one write and one fdatasync, to one
// file or to several. An entry is answered when three of four files have it, or the one file. Nothing is kept in memory, checked or
// read back.

import { closeSync, fdatasync, openSync, rmSync, write } from 'node:fs';
import { join } from 'node:path';
import { assert } from '../src/foundation/assert.ts';
import type { SourceRow } from './row-source.ts';

/** Far more than waits at once, so that a file which stalls for a while is not written over. */
const ringBytes = 64 * 2 ** 20;
/** As long as the header of one of the store's entries with its row header and checksum. */
const entryOverheadBytes = 55;

interface LogFile {
  readonly path: string;
  readonly descriptor: number;
  durableThrough: number;
  isWriting: boolean;
}

interface Waiting {
  readonly end: number;
  readonly done: () => void;
}

export class BareLog {
  readonly #ring = Buffer.alloc(ringBytes);
  readonly #files: readonly LogFile[];
  /** Bytes queued since the beginning; its place in the ring is the rest of the division by its length. */
  #queuedThrough = 0;
  #waiting: Waiting[] = [];
  #isWakePlanned = false;

  constructor(directory: string, fileCount: number) {
    this.#files = Array.from({ length: fileCount }, (_, index) => {
      const path = join(directory, `bare-${fileCount}-${index}.log`);
      return { path, descriptor: openSync(path, 'w'), durableThrough: 0, isWriting: false };
    });
  }

  write({ key, value }: SourceRow, done: () => void): void {
    const length = entryOverheadBytes + key.length + value.length;
    let at = this.#queuedThrough % ringBytes;
    if (at + length > ringBytes) {
      this.#queuedThrough += ringBytes - at;
      at = 0;
    }
    this.#ring.write(key, at + entryOverheadBytes, 'latin1');
    this.#ring.set(value, at + entryOverheadBytes + key.length);
    this.#queuedThrough += length;
    this.#waiting.push({ end: this.#queuedThrough, done });
    this.#wake();
  }

  close(): void {
    for (const { path, descriptor } of this.#files) {
      closeSync(descriptor);
      rmSync(path);
    }
  }

  #wake(): void {
    if (this.#isWakePlanned) return;
    this.#isWakePlanned = true;
    queueMicrotask(() => {
      this.#isWakePlanned = false;
      for (const file of this.#files) this.#writeGroup(file);
    });
  }

  #writeGroup(file: LogFile): void {
    if (file.isWriting || file.durableThrough === this.#queuedThrough) return;
    assert(
      this.#queuedThrough - file.durableThrough < ringBytes,
      'no file is behind by more than the ring holds',
    );
    file.isWriting = true;
    const at = file.durableThrough % ringBytes;
    const length = Math.min(this.#queuedThrough - file.durableThrough, ringBytes - at);
    write(file.descriptor, this.#ring, at, length, null, (writeError) => {
      if (writeError !== null) throw writeError;
      fdatasync(file.descriptor, (syncError) => {
        if (syncError !== null) throw syncError;
        file.isWriting = false;
        file.durableThrough += length;
        this.#answer();
        this.#writeGroup(file);
      });
    });
  }

  #answer(): void {
    const durable = this.#files.map((file) => file.durableThrough).sort((left, right) => right - left);
    const through = durable[this.#files.length === 1 ? 0 : this.#files.length - 2] ?? 0;
    const answered = this.#waiting.findIndex(({ end }) => end > through);
    for (const { done } of this.#waiting.splice(0, answered < 0 ? this.#waiting.length : answered)) done();
  }
}
