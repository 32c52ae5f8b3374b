import { constants, open as openCallback } from 'node:fs';
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  stat,
  statfs,
  unlink,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { AppendFile, Disk, ReadFile } from '../disk.ts';
import { AppendOnlyFile } from './append-only-file.ts';
import { type FileReads, poolReads } from './file-reads.ts';
import { SyncedFile } from './synced-file.ts';

const openDescriptor = promisify(openCallback);

const newFile = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL;
const newLogFile = newFile | constants.O_DSYNC;

/** What `replace` writes before it renames. A crash may leave one; it means nothing and the next one writes over it. */
const temporarySuffix = '.new';

/** One storage node's directory on a real disk. Paths are relative to it, at most one folder deep. */
export class FileDisk implements Disk {
  readonly #directory: string;
  /** Kept open, so that its inode cannot be given to another directory while we compare by it. */
  readonly #handle: FileHandle;
  readonly #identity: string;
  readonly #fileIdentities = new Map<string, string>();
  readonly #reads: FileReads;

  private constructor(directory: string, handle: FileHandle, identity: string, reads: FileReads) {
    this.#directory = directory;
    this.#reads = reads;
    this.#handle = handle;
    this.#identity = identity;
  }

  /** The directory must be there: a node's directory is made by `create` alone, so that a lost mount is noticed. */
  static async open(directory: string, reads: FileReads = poolReads): Promise<FileDisk> {
    const handle = await open(directory, 'r');
    return new FileDisk(directory, handle, identityOf(await handle.stat({ bigint: true })), reads);
  }

  /** Makes the directory unless it is there. */
  static async create(directory: string, reads: FileReads = poolReads): Promise<FileDisk> {
    await mkdir(directory, { recursive: true });
    await syncFolder(dirname(directory));
    return FileDisk.open(directory, reads);
  }

  async list(folder: string): Promise<string[] | undefined> {
    const entries = await unlessMissing(readdir(join(this.#directory, folder), { withFileTypes: true }));
    return entries
      ?.filter((entry) => entry.isFile() && !entry.name.endsWith(temporarySuffix))
      .map((entry) => entry.name)
      .sort();
  }

  async read(path: string, maxBytes?: number): Promise<Buffer | undefined> {
    const target = join(this.#directory, path);
    return unlessMissing(maxBytes === undefined ? readFile(target) : readBeginning(target, maxBytes));
  }

  async sizeOf(path: string): Promise<number | undefined> {
    return (await unlessMissing(stat(join(this.#directory, path))))?.size;
  }

  async replace(path: string, content: Buffer): Promise<void> {
    const target = await this.#prepare(path);
    const temporary = target + temporarySuffix;
    const file = await open(temporary, 'w');
    let identity: string;
    try {
      await file.writeFile(content);
      await file.sync();
      identity = identityOf(await file.stat({ bigint: true }));
    } finally {
      await file.close();
    }
    // Nobody can say which file is there until the rename is over.
    this.#fileIdentities.delete(path);
    await rename(temporary, target);
    this.#fileIdentities.set(path, identity);
    await syncFolder(dirname(target));
  }

  async createAppendFile(path: string, isLog = false): Promise<AppendFile> {
    const target = await this.#prepare(path);
    const descriptor = await openDescriptor(target, isLog ? newLogFile : newFile);
    const file = isLog
      ? new SyncedFile(descriptor, this.#reads)
      : new AppendOnlyFile(descriptor, this.#reads);
    try {
      this.#fileIdentities.set(path, identityOf(await stat(target, { bigint: true })));
      await syncFolder(dirname(target));
    } catch (failure) {
      await file.close();
      throw failure;
    }
    return file;
  }

  async openReadFile(path: string): Promise<ReadFile> {
    const target = join(this.#directory, path);
    const file = new AppendOnlyFile(await openDescriptor(target, 'r'), this.#reads);
    try {
      this.#fileIdentities.set(path, identityOf(await stat(target, { bigint: true })));
    } catch (failure) {
      await file.close();
      throw failure;
    }
    return file;
  }

  async remove(path: string): Promise<void> {
    const target = join(this.#directory, path);
    // Not `rm`, which ends in a synchronous call: a large file takes the disk milliseconds.
    await unlink(target);
    this.#fileIdentities.delete(path);
    await syncFolder(dirname(target));
  }

  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#directory);
    return bavail * bsize;
  }

  async isIntact(path: string, minimumBytes: number): Promise<boolean> {
    const directory = await unlessMissing(stat(this.#directory, { bigint: true }));
    if (directory === undefined || identityOf(directory) !== this.#identity) return false;
    for (;;) {
      const known = this.#fileIdentities.get(path);
      const file = await unlessMissing(stat(join(this.#directory, path), { bigint: true }));
      // Replaced while it was looked at: what was seen may be either file.
      if (known !== this.#fileIdentities.get(path)) continue;
      if (file === undefined || file.size < minimumBytes) return false;
      return known === undefined || known === identityOf(file);
    }
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  /** Makes the folder a file is to stand in. Never the node's directory itself: were it gone, that must be noticed. */
  async #prepare(path: string): Promise<string> {
    const folder = dirname(path);
    if (folder !== '.') {
      const isNew = await mkdir(join(this.#directory, folder)).then(
        () => true,
        (error: unknown) => {
          if (hasCode(error, 'EEXIST')) return false;
          throw error;
        },
      );
      if (isNew) await syncFolder(this.#directory);
    }
    return join(this.#directory, path);
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function identityOf({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string {
  return `${dev}:${ino}`;
}

async function readBeginning(target: string, maxBytes: number): Promise<Buffer> {
  const file = await open(target, 'r');
  try {
    const bytes = Buffer.allocUnsafe(maxBytes);
    let length = 0;
    for (let read = -1; read !== 0 && length < maxBytes; length += read)
      read = (await file.read(bytes, length, maxBytes - length, length)).bytesRead;
    return bytes.subarray(0, length);
  } finally {
    await file.close();
  }
}

async function unlessMissing<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    // The second is what a path inside something that is no folder gives.
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return undefined;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
