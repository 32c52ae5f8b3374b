import { RingfoldError } from '../../src/errors/ringfold-error.ts';
import { integerBetween } from '../../src/foundation/random.ts';
import type { AppendFile, Disk, ReadFile } from '../../src/storage/disk.ts';
import { CallLine, ioError, type KeptAtCrash, type SimulatedMedium } from './simulated-medium.ts';
import type { SimulatedProcess } from './simulated-process.ts';

/** What a crash leaves of what was written and not synced. */
export type CrashKind = 'process-killed' | 'power-cut';

/**
 * The files of one storage node across all lives of the process. What is synced stays; a power cut takes all or part
 * of the rest, or leaves other bytes in its place. After a sync has failed, what it should have made durable never
 * will be, though later syncs succeed: that is how operating systems behave.
 */
export class SimulatedDisk {
  readonly #medium: SimulatedMedium;
  #files = new Map<string, SimulatedFile>();
  #folders = new Set<string>();
  /** Differs when the directory has been lost: handles opened before still write, to files nobody will find. */
  #directory = 0;
  capacityBytes: number = Number.POSITIVE_INFINITY;
  /** How many of the next appends or syncs fail; a failing append may leave part of itself. */
  failingAppends = 0;
  failingSyncs = 0;
  /** How many of the next changes to, or reads of, files in the folder `rows` fail. */
  failingRowWrites = 0;
  failingRowReads = 0;

  constructor(medium: SimulatedMedium) {
    this.#medium = medium;
  }

  /** `closed` is told when whoever opened it lets go of it. */
  open(process: SimulatedProcess, closed: () => void = () => {}): Disk {
    return new DiskHandle(this, this.#medium, process, this.#directory, closed);
  }

  get directory(): number {
    return this.#directory;
  }

  get usedBytes(): number {
    let bytes = 0;
    for (const file of this.#files.values()) bytes += file.length;
    return bytes;
  }

  /** Everything in the directory is gone, and the directory too. */
  lose(): void {
    this.#directory++;
    this.#files = new Map();
    this.#folders = new Set();
  }

  /** Flips a bit of synced content. False when there is none. */
  corrupt(isCandidate: (path: string) => boolean): boolean {
    const file = this.#files.get(this.#anyPath(isCandidate) ?? '');
    file?.flipBit(
      integerBetween(this.#medium.random, 0, file.syncedLength - 1),
      integerBetween(this.#medium.random, 0, 7),
    );
    return file !== undefined;
  }

  /** Cuts a file off. False when there is none with synced content. */
  cut(isCandidate: (path: string) => boolean): boolean {
    const file = this.#files.get(this.#anyPath(isCandidate) ?? '');
    file?.cut(integerBetween(this.#medium.random, 0, file.syncedLength - 1));
    return file !== undefined;
  }

  /** Removes a file. False when there is none with synced content. */
  loseFile(isCandidate: (path: string) => boolean): boolean {
    return this.#files.delete(this.#anyPath(isCandidate) ?? '');
  }

  #anyPath(isCandidate: (path: string) => boolean): string | undefined {
    const candidates = [...this.#files].filter(([path, file]) => isCandidate(path) && file.syncedLength > 0);
    return candidates[integerBetween(this.#medium.random, 0, candidates.length - 1)]?.[0];
  }

  /** Whether a file with a flipped bit is still there. */
  isCorrupt(isCandidate: (path: string) => boolean): boolean {
    return [...this.#files].some(([path, file]) => isCandidate(path) && file.isCorrupt);
  }

  crash(kind: CrashKind, kept: KeptAtCrash): void {
    if (kind === 'process-killed' || kept === 'all') return;
    const { random } = this.#medium;
    for (const file of this.#files.values()) {
      file.losePower(kept === 'none' ? 0 : random.next(), random.next(), random.next());
    }
  }

  list(folder: string): string[] | undefined {
    if (folder !== '' && !this.#folders.has(folder)) return undefined;
    const prefix = folder === '' ? '' : `${folder}/`;
    const names = [...this.#files.keys()]
      .filter((path) => path.startsWith(prefix))
      .map((path) => path.slice(prefix.length));
    return names.filter((name) => !name.includes('/')).sort();
  }

  file(path: string): SimulatedFile | undefined {
    return this.#files.get(path);
  }

  create(path: string, content: Buffer): SimulatedFile {
    const folder = folderOf(path);
    if (this.usedBytes + content.length > this.capacityBytes) throw ioError('ENOSPC');
    const fails = this.#failsRowWrite(path);
    // What fails last is to make the new name durable: then the file is there all the same.
    if (fails && this.#medium.random.next() < 0.5) throw ioError('EIO');
    const file = new SimulatedFile(path, content);
    this.#files.set(path, file);
    if (folder !== '') this.#folders.add(folder);
    if (fails) throw ioError('EIO');
    return file;
  }

  remove(path: string): void {
    if (this.#failsRowWrite(path)) throw ioError('EIO');
    if (!this.#files.delete(path)) throw ioError('ENOENT');
  }

  /** Only when it is empty. */
  removeFolder(folder: string): void {
    if (this.list(folder)?.length === 0) this.#folders.delete(folder);
  }

  /** What reading the file meets besides its bytes. */
  beforeRead(path: string): void {
    if (this.failingRowReads === 0 || !isOfRows(path)) return;
    this.failingRowReads--;
    throw ioError('EIO');
  }

  append(file: SimulatedFile, parts: readonly Buffer[]): void {
    const content = Buffer.concat(parts);
    const room = this.capacityBytes - this.usedBytes;
    if (this.failingAppends > 0 || this.#failsRowWrite(file.path)) {
      this.failingAppends = Math.max(0, this.failingAppends - 1);
      file.append(content.subarray(0, integerBetween(this.#medium.random, 0, content.length)));
      throw ioError('EIO');
    }
    if (room < content.length) {
      file.append(content.subarray(0, Math.max(0, room)));
      throw ioError('ENOSPC');
    }
    file.append(content);
  }

  sync(file: SimulatedFile, length: number): void {
    if (this.failingSyncs > 0 || this.#failsRowWrite(file.path)) {
      this.failingSyncs = Math.max(0, this.failingSyncs - 1);
      file.failSync(length);
      throw ioError('EIO');
    }
    file.sync(length);
  }

  #failsRowWrite(path: string): boolean {
    if (this.failingRowWrites === 0 || !isOfRows(path)) return false;
    this.failingRowWrites--;
    return true;
  }
}

export class SimulatedFile {
  readonly path: string;
  #bytes: Buffer;
  #length: number;
  #syncedLength: number;
  /** A stretch that a failed sync has given up; undefined when all is well. */
  #forsaken: { readonly from: number; readonly to: number } | undefined;
  #isCorrupt = false;

  constructor(path: string, content: Buffer) {
    this.path = path;
    this.#bytes = Buffer.from(content);
    this.#length = content.length;
    this.#syncedLength = content.length;
  }

  get length(): number {
    return this.#length;
  }

  get syncedLength(): number {
    return this.#syncedLength;
  }

  get isCorrupt(): boolean {
    return this.#isCorrupt;
  }

  append(content: Buffer): void {
    const length = this.#length + content.length;
    if (length > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(1024, length * 2));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    content.copy(this.#bytes, this.#length);
    this.#length = length;
  }

  sync(length: number): void {
    this.#syncedLength = Math.max(this.#syncedLength, Math.min(length, this.#length));
  }

  failSync(length: number): void {
    if (length > this.#syncedLength) this.#forsaken = { from: this.#syncedLength, to: length };
  }

  read(from: number, to: number): Buffer {
    return Buffer.from(this.#bytes.subarray(from, Math.min(to, this.#length)));
  }

  flipBit(at: number, bit: number): void {
    this.#isCorrupt = true;
    this.#bytes.writeUInt8(this.#bytes.readUInt8(at) ^ (1 << bit), at);
  }

  cut(length: number): void {
    this.#isCorrupt = true;
    this.#length = length;
    this.#syncedLength = length;
  }

  /** Of the unsynced tail a part stays, chosen by three chances: how much, whether zeros stand after it, how many. */
  losePower(howMuch: number, whetherZeros: number, howManyZeros: number): void {
    if (this.#forsaken !== undefined) {
      this.#bytes.fill(0, this.#forsaken.from, Math.min(this.#forsaken.to, this.#length));
      this.#forsaken = undefined;
    }
    const tail = this.#length - this.#syncedLength;
    // A third of the time all of it is gone, a third of the time all is there.
    const kept = howMuch < 1 / 3 ? 0 : howMuch > 2 / 3 ? tail : Math.floor(tail * (howMuch * 3 - 1));
    const zeros = whetherZeros < 0.3 ? Math.floor((tail - kept) * howManyZeros) : 0;
    const end = this.#syncedLength + kept;
    this.#bytes.fill(0, end, end + zeros);
    this.#length = end + zeros;
    this.#syncedLength = this.#length;
  }
}

class DiskHandle implements Disk {
  readonly #disk: SimulatedDisk;
  readonly #medium: SimulatedMedium;
  readonly #process: SimulatedProcess;
  readonly #directory: number;
  readonly #closed: () => void;
  readonly #line = new CallLine();

  constructor(
    disk: SimulatedDisk,
    medium: SimulatedMedium,
    process: SimulatedProcess,
    directory: number,
    closed: () => void,
  ) {
    this.#disk = disk;
    this.#medium = medium;
    this.#process = process;
    this.#directory = directory;
    this.#closed = closed;
  }

  list(folder: string): Promise<string[] | undefined> {
    return this.#call(false, () => (this.#isThere() ? this.#disk.list(folder) : undefined));
  }

  read(path: string, maxBytes?: number): Promise<Buffer | undefined> {
    return this.#call(false, () => {
      this.#disk.beforeRead(path);
      const file = this.#isThere() ? this.#disk.file(path) : undefined;
      return file?.read(0, Math.min(file.length, maxBytes ?? file.length));
    });
  }

  sizeOf(path: string): Promise<number | undefined> {
    return this.#call(false, () => (this.#isThere() ? this.#disk.file(path)?.length : undefined));
  }

  replace(path: string, content: Buffer): Promise<void> {
    return this.#call(true, () => {
      if (!this.#isThere()) throw ioError('ENOENT');
      this.#disk.create(path, content);
    });
  }

  createAppendFile(path: string): Promise<AppendFile> {
    return this.#call(true, () => {
      if (!this.#isThere()) throw ioError('ENOENT');
      if (this.#disk.file(path) !== undefined) throw ioError('EEXIST');
      const file = this.#disk.create(path, Buffer.alloc(0));
      return new AppendFileHandle(this.#disk, file, this.#medium, this.#process);
    });
  }

  openReadFile(path: string): Promise<ReadFile> {
    return this.#call(false, () => {
      this.#disk.beforeRead(path);
      const file = this.#isThere() ? this.#disk.file(path) : undefined;
      if (file === undefined) throw ioError('ENOENT');
      return new AppendFileHandle(this.#disk, file, this.#medium, this.#process);
    });
  }

  remove(path: string): Promise<void> {
    return this.#call(true, () => {
      if (!this.#isThere()) throw ioError('ENOENT');
      this.#disk.remove(path);
    });
  }

  async close(): Promise<void> {
    this.#closed();
  }

  freeBytes(): Promise<number> {
    return this.#call(false, () => Math.max(0, this.#disk.capacityBytes - this.#disk.usedBytes));
  }

  isIntact(path: string, minimumBytes: number): Promise<boolean> {
    return this.#call(false, () => {
      const file = this.#disk.file(path);
      return this.#isThere() && file !== undefined && file.length >= minimumBytes;
    });
  }

  #isThere(): boolean {
    return this.#disk.directory === this.#directory;
  }

  #call<T>(isChange: boolean, effect: () => T): Promise<T> {
    return this.#medium.call(this.#process, this.#line, isChange, effect);
  }
}

class AppendFileHandle implements AppendFile {
  readonly #disk: SimulatedDisk;
  readonly #file: SimulatedFile;
  readonly #medium: SimulatedMedium;
  readonly #process: SimulatedProcess;
  readonly #line = new CallLine();
  #sizeBytes = 0;

  constructor(disk: SimulatedDisk, file: SimulatedFile, medium: SimulatedMedium, process: SimulatedProcess) {
    this.#disk = disk;
    this.#file = file;
    this.#medium = medium;
    this.#process = process;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  append(parts: readonly Buffer[]): Promise<void> {
    return this.#call(true, () => {
      this.#disk.append(this.#file, parts);
      for (const part of parts) this.#sizeBytes += part.length;
    });
  }

  sync(): Promise<void> {
    const covered = this.#file.length;
    return this.#call(true, () => this.#disk.sync(this.#file, covered));
  }

  readAt(position: number, length: number): Promise<Buffer> {
    return this.#call(false, () => {
      this.#disk.beforeRead(this.#file.path);
      if (position + length > this.#file.length)
        throw new RingfoldError('corrupt-data', { what: 'a file was cut off' });
      return this.#file.read(position, position + length);
    });
  }

  async close(): Promise<void> {
    await this.#call(false, () => {});
  }

  #call<T>(isChange: boolean, effect: () => T): Promise<T> {
    return this.#medium.call(this.#process, this.#line, isChange, effect);
  }
}

function isOfRows(path: string): boolean {
  return folderOf(path) === 'rows';
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
