import { RingfoldError } from '../../errors/ringfold-error.ts';
import { assert } from '../../foundation/assert.ts';
import type { AppendFile, Disk, ReadFile } from '../disk.ts';

/** A node's files in memory, for throw-away servers: as long as the server lives, and never full. */
export class MemoryDisk implements Disk {
  readonly #files = new Map<string, MemoryFile>();

  async list(folder: string): Promise<string[] | undefined> {
    const prefix = folder === '' ? '' : `${folder}/`;
    const names = [...this.#files.keys()]
      .filter((path) => path.startsWith(prefix) && !path.slice(prefix.length).includes('/'))
      .map((path) => path.slice(prefix.length))
      .sort();
    return names.length === 0 && folder !== '' ? undefined : names;
  }

  async read(path: string, maxBytes?: number): Promise<Buffer | undefined> {
    return this.#files.get(path)?.content().subarray(0, maxBytes);
  }

  async sizeOf(path: string): Promise<number | undefined> {
    return this.#files.get(path)?.sizeBytes;
  }

  async replace(path: string, content: Buffer): Promise<void> {
    const file = new MemoryFile();
    await file.append([content]);
    this.#files.set(path, file);
  }

  async createAppendFile(path: string): Promise<AppendFile> {
    assert(!this.#files.has(path), 'a file that is created is new');
    const file = new MemoryFile();
    this.#files.set(path, file);
    return file;
  }

  async openReadFile(path: string): Promise<ReadFile> {
    const file = this.#files.get(path);
    assert(file !== undefined, 'a file that is opened is there');
    return file;
  }

  async remove(path: string): Promise<void> {
    assert(this.#files.delete(path), 'a file that is removed is there');
  }

  async close(): Promise<void> {}

  async freeBytes(): Promise<number> {
    return Number.MAX_SAFE_INTEGER;
  }

  async isIntact(path: string, minimumBytes: number): Promise<boolean> {
    const file = this.#files.get(path);
    return file !== undefined && file.sizeBytes >= minimumBytes;
  }
}

class MemoryFile implements AppendFile {
  #bytes = Buffer.alloc(0);
  #sizeBytes = 0;

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  async append(parts: readonly Buffer[]): Promise<void> {
    const added = parts.reduce((sum, part) => sum + part.length, 0);
    if (this.#sizeBytes + added > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(4096, 2 * (this.#sizeBytes + added)));
      this.#bytes.copy(grown, 0, 0, this.#sizeBytes);
      this.#bytes = grown;
    }
    for (const part of parts) this.#sizeBytes += part.copy(this.#bytes, this.#sizeBytes);
  }

  async sync(): Promise<void> {}

  async readAt(position: number, length: number): Promise<Buffer> {
    if (position + length > this.#sizeBytes)
      throw new RingfoldError('corrupt-data', { what: 'a file was cut off' });
    return Buffer.from(this.#bytes.subarray(position, position + length));
  }

  content(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#sizeBytes));
  }

  async close(): Promise<void> {}
}
