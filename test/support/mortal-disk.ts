import { RingfoldError } from '../../src/errors/ringfold-error.ts';
import { assert } from '../../src/foundation/assert.ts';
import type { AppendFile, Disk, ReadFile } from '../../src/storage/disk.ts';

/** What a crash leaves of what was never synced: a killed process loses nothing of it, a power cut all of it. */
export type Crash = 'kill' | 'power cut';

/** Says when a disk dies: at this call that changes something, before or after it has had its effect. */
export interface Death {
  readonly atChange: number;
  readonly afterEffect: boolean;
}

/** Files in memory that can be looked at and changed from outside, and a disk that can die in the middle. */
export class MortalDisk implements Disk {
  /** Path → its bytes. */
  readonly files: Map<string, MortalFile>;
  readonly #death: Death | undefined;
  changes = 0;
  isDead = false;
  openFiles = 0;

  constructor(files: ReadonlyMap<string, Buffer> = new Map(), death?: Death) {
    this.files = new Map([...files].map(([path, bytes]) => [path, new MortalFile(this, Buffer.from(bytes))]));
    this.#death = death;
  }

  /** What the next process finds. */
  remains(crash: Crash): Map<string, Buffer> {
    return new Map([...this.files].map(([path, file]) => [path, file.remains(crash)]));
  }

  async list(folder: string): Promise<string[] | undefined> {
    this.#assertAlive();
    const paths = [...this.files.keys()].filter((path) => path.startsWith(`${folder}/`));
    return paths.length === 0 ? undefined : paths.map((path) => path.slice(folder.length + 1)).sort();
  }

  async read(path: string, maxBytes?: number): Promise<Buffer | undefined> {
    this.#assertAlive();
    return this.files.get(path)?.remains('kill').subarray(0, maxBytes);
  }

  async sizeOf(path: string): Promise<number | undefined> {
    this.#assertAlive();
    return this.files.get(path)?.sizeBytes;
  }

  /** Lets others have their turn: a store that changed its manifest for ever would otherwise never let a test end. */
  async replace(path: string, content: Buffer): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.change(() => this.files.set(path, new MortalFile(this, Buffer.from(content))));
  }

  async createAppendFile(path: string): Promise<AppendFile> {
    assert(!this.files.has(path), 'a file that is created is new');
    const file = new MortalFile(this, Buffer.alloc(0));
    this.change(() => this.files.set(path, file));
    return file.opened();
  }

  async openReadFile(path: string): Promise<ReadFile> {
    this.#assertAlive();
    const file = this.files.get(path);
    if (file === undefined) throw Object.assign(new Error(`no such file: ${path}`), { code: 'ENOENT' });
    return file.opened();
  }

  async remove(path: string): Promise<void> {
    if (!this.files.has(path)) throw Object.assign(new Error(`no such file: ${path}`), { code: 'ENOENT' });
    this.change(() => this.files.delete(path));
  }

  async freeBytes(): Promise<number> {
    this.#assertAlive();
    return Number.MAX_SAFE_INTEGER;
  }

  async isIntact(path: string, minimumBytes: number): Promise<boolean> {
    this.#assertAlive();
    const file = this.files.get(path);
    return file !== undefined && file.sizeBytes >= minimumBytes;
  }

  async close(): Promise<void> {}

  change(effect: () => void): void {
    this.#assertAlive();
    this.changes += 1;
    if (this.#death?.atChange !== this.changes) {
      effect();
      return;
    }
    if (this.#death.afterEffect) effect();
    this.isDead = true;
    throw new DeadDiskError();
  }

  #assertAlive(): void {
    if (this.isDead) throw new DeadDiskError();
  }
}

export class DeadDiskError extends Error {
  constructor() {
    super('the disk is dead');
    this.name = 'DeadDiskError';
  }
}

class MortalFile {
  readonly #disk: MortalDisk;
  #bytes: Buffer;
  #syncedBytes: number;

  /** What it is made with is durable. */
  constructor(disk: MortalDisk, bytes: Buffer) {
    this.#disk = disk;
    this.#bytes = bytes;
    this.#syncedBytes = bytes.length;
  }

  get sizeBytes(): number {
    return this.#bytes.length;
  }

  remains(crash: Crash): Buffer {
    return Buffer.from(crash === 'kill' ? this.#bytes : this.#bytes.subarray(0, this.#syncedBytes));
  }

  opened(): AppendFile {
    this.#disk.openFiles += 1;
    return new OpenedFile(this.#disk, this);
  }

  append(parts: readonly Buffer[]): void {
    this.#bytes = Buffer.concat([this.#bytes, ...parts]);
  }

  sync(): void {
    this.#syncedBytes = this.#bytes.length;
  }

  readAt(position: number, length: number): Buffer {
    if (position + length > this.#bytes.length)
      throw new RingfoldError('corrupt-data', { what: 'a file was cut off' });
    return Buffer.from(this.#bytes.subarray(position, position + length));
  }
}

class OpenedFile implements AppendFile {
  readonly #disk: MortalDisk;
  readonly #file: MortalFile;
  #isOpen = true;

  constructor(disk: MortalDisk, file: MortalFile) {
    this.#disk = disk;
    this.#file = file;
  }

  get sizeBytes(): number {
    return this.#file.sizeBytes;
  }

  /** A disk that dies after the effect has taken half of it. */
  async append(parts: readonly Buffer[]): Promise<void> {
    this.#assertOpen();
    const bytes = Buffer.concat(parts);
    const half = bytes.length >>> 1;
    this.#disk.change(() => this.#file.append([bytes.subarray(0, half)]));
    this.#file.append([bytes.subarray(half)]);
  }

  async sync(): Promise<void> {
    this.#assertOpen();
    this.#disk.change(() => this.#file.sync());
  }

  async readAt(position: number, length: number): Promise<Buffer> {
    this.#assertOpen();
    if (this.#disk.isDead) throw new DeadDiskError();
    return this.#file.readAt(position, length);
  }

  async close(): Promise<void> {
    if (this.#isOpen) this.#disk.openFiles -= 1;
    this.#isOpen = false;
  }

  #assertOpen(): void {
    if (!this.#isOpen) throw new Error('the file is closed');
  }
}
