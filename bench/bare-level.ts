// LevelDB by itself: one instance, no replicas, no log of ours, no cache in front, no checksums over rows. Set up as a storage node
// sets up its own.

// biome-ignore lint/style/noRestrictedImports: what the store adds to LevelDB can only be told from LevelDB itself.
import { ClassicLevel } from 'classic-level';
import { type ByteString, bytesOf } from '../src/foundation/byte-string.ts';
import { defaultLevelEngineOptions } from '../src/storage/level/level-engine.ts';
import type { SourceRow } from './row-source.ts';

export class BareLevel {
  readonly #level: ClassicLevel<Buffer, Buffer>;
  #waiting: { readonly row: SourceRow; readonly done: () => void }[] = [];
  #isWriting = false;

  private constructor(level: ClassicLevel<Buffer, Buffer>) {
    this.#level = level;
  }

  static async open(directory: string): Promise<BareLevel> {
    const { writeBufferBytes, blockCacheBytes, compression } = defaultLevelEngineOptions;
    const level = new ClassicLevel<Buffer, Buffer>(directory, {
      keyEncoding: 'buffer',
      valueEncoding: 'buffer',
      writeBufferSize: writeBufferBytes,
      cacheSize: blockCacheBytes,
      compression,
    });
    await level.open();
    return new BareLevel(level);
  }

  /** Whatever is asked for while a batch is under way goes into the next, with one sync. */
  write(row: SourceRow, done: () => void): void {
    this.#waiting.push({ row, done });
    if (this.#isWriting) return;
    this.#isWriting = true;
    queueMicrotask(() => {
      void this.#writeGroups();
    });
  }

  getSync(key: ByteString): Buffer | undefined {
    return this.#level.getSync(bytesOf(key));
  }

  get(key: ByteString): Promise<Buffer | undefined> {
    return this.#level.get(bytesOf(key));
  }

  async scan(from: ByteString, to: ByteString, maxRows: number): Promise<[Buffer, Buffer][]> {
    const range = { gte: bytesOf(from), lt: bytesOf(to) };
    const iterator = this.#level.iterator({ ...range, limit: maxRows, highWaterMarkBytes: 128 * 1024 });
    const rows = await iterator.nextv(maxRows);
    await iterator.close();
    return rows;
  }

  async close(): Promise<void> {
    await this.#level.close();
  }

  async #writeGroups(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      const batch = this.#level.batch();
      for (const { row } of group) batch.put(bytesOf(row.key), row.value);
      await batch.write({ sync: true });
      for (const { done } of group) done();
    }
    this.#isWriting = false;
  }
}
