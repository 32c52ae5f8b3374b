import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MemoryEngine } from './memory/memory-engine.ts';
import type { StorageEngine } from './storage-engine.ts';

/** Where an index is kept: what is there can be made anew from the rows, so nothing is lost with it. */
export interface IndexDirectory {
  /** Opens what is there, or makes it. */
  open(): Promise<StorageEngine>;
  /** Of what is closed. */
  destroy(): Promise<void>;
}

/**
 * Measured with 21 rows an item, on a loaded machine: LevelDB takes 12 µs of the main thread and 140 µs in all for an item, and 0.8 KB;
 * our runs 116 and 176 µs, and 2.2 KB, since they sort and encode on the main thread (docs/decisions/019-item-index.md).
 */
export class LevelIndexDirectory implements IndexDirectory {
  readonly #directory: string;

  constructor(dataDirectory: string) {
    this.#directory = join(dataDirectory, 'index');
  }

  async open(): Promise<StorageEngine> {
    // Loaded here, since a server in memory has no need of it.
    const { LevelEngine } = await import('./level/level-engine.ts');
    return LevelEngine.openOrCreate(this.#directory, options);
  }

  async destroy(): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true });
  }
}

/** An item brings 4 to 25 rows in no order, so what merging costs follows from how many of them are merged at once. */
const options = {
  writeBufferBytes: 32 * 2 ** 20,
  maxTableBytes: 16 * 2 ** 20,
  blockCacheBytes: 16 * 2 ** 20,
  compression: true,
};

/** Of a server that keeps everything in memory. */
export class MemoryIndexDirectory implements IndexDirectory {
  async open(): Promise<StorageEngine> {
    return new MemoryEngine();
  }

  async destroy(): Promise<void> {}
}
