// A death that spares the process: at a chosen write or sync everything a store does to its disks stops for ever, as a kill
// would stop it. What reached the files stays, no answer comes any more, and the directory can be opened by the next store.

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Scheduler } from '../../src/foundation/scheduler.ts';
import { systemScheduler } from '../../src/foundation/scheduler.ts';
import type { NodeId } from '../../src/partitioning/replica-set.ts';
import { FileDisk } from '../../src/storage/disk/file-disk.ts';
import type { AppendFile, Disk, ReadFile } from '../../src/storage/disk.ts';
import { mergerOn } from '../../src/storage/runs/merge-runs.ts';
import { defaultRunEngineOptions, RunEngine } from '../../src/storage/runs/run-engine.ts';
import type { StorageEngine } from '../../src/storage/storage-engine.ts';
import type { StorageNodeParts } from '../../src/storage/storage-node.ts';

/** How far the call at which the kill comes gets: not at all, half, or to its end without an answer. */
export type KillMoment = 'before' | 'within' | 'after';

/** Shared by all nodes of one store. */
export class Freezer {
  /** What writes or syncs, counted since `arm`. */
  calls = 0;
  isFrozen = false;
  /** The call that was cut. */
  cutCall = '';
  readonly frozen: Promise<void>;
  #tellFrozen: () => void = () => {};
  #at = Number.POSITIVE_INFINITY;
  #moment: KillMoment = 'before';
  readonly #running = new Set<Promise<unknown>>();

  constructor() {
    this.frozen = new Promise((resolve) => {
      this.#tellFrozen = resolve;
    });
  }

  /** Freezes at the call of this number from now on, beginning with 1. */
  arm(at: number, moment: KillMoment): void {
    this.calls = 0;
    this.#at = at;
    this.#moment = moment;
  }

  freeze(): void {
    this.isFrozen = true;
    this.#tellFrozen();
  }

  disarm(): void {
    this.#at = Number.POSITIVE_INFINITY;
  }

  /** Timers of a dead process never ring. */
  readonly scheduler: Scheduler = {
    after: (delayMs, task) => {
      const cancel = systemScheduler.after(delayMs, () => {
        if (!this.isFrozen) task();
      });
      this.frozen.then(cancel, cancel);
      return cancel;
    },
  };

  /** Something that changes the disk. */
  async change<T>(
    what: string,
    call: () => Promise<T>,
    half: () => Promise<void> = async () => {},
  ): Promise<T> {
    if (this.isFrozen) return never();
    this.calls++;
    if (this.calls !== this.#at) return this.look(call);
    this.isFrozen = true;
    this.cutCall = `${what} (${this.#moment})`;
    if (this.#moment === 'within') await this.#run(half);
    if (this.#moment === 'after') await this.#run(call);
    this.#tellFrozen();
    return never();
  }

  /** Something that only looks. */
  async look<T>(call: () => Promise<T>): Promise<T> {
    if (this.isFrozen) return never();
    try {
      const answer = await this.#run(call);
      return this.isFrozen ? await never() : answer;
    } catch (error) {
      if (this.isFrozen) return never();
      throw error;
    }
  }

  /** A kill waits for system calls that are running; so does whoever opens the directory next. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  async #run<T>(call: () => Promise<T>): Promise<T> {
    const running = call();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }
}

/** Merges come early, so that a sweep meets them. */
const engineOptions = { ...defaultRunEngineOptions, fanIn: 3 };

export class FrozenNode implements StorageNodeParts {
  readonly nodeId: NodeId;
  readonly #freezer: Freezer;
  readonly #directory: string;
  readonly #open = new Set<{ close(): Promise<void> }>();

  constructor(nodeId: NodeId, directory: string, freezer: Freezer) {
    this.nodeId = nodeId;
    this.#directory = directory;
    this.#freezer = freezer;
  }

  async openDisk(): Promise<Disk> {
    const freezer = this.#freezer;
    const disk = await freezer.look(() => this.#opened(FileDisk.create(this.#directory)));
    const change = <T>(what: string, call: () => Promise<T>, half?: () => Promise<void>) =>
      freezer.change(`node ${this.nodeId}: ${what}`, call, half);
    return {
      list: (folder) => freezer.look(() => disk.list(folder)),
      read: (path, maxBytes) => freezer.look(() => disk.read(path, maxBytes)),
      sizeOf: (path) => freezer.look(() => disk.sizeOf(path)),
      freeBytes: () => freezer.look(() => disk.freeBytes()),
      isIntact: (path, minimumBytes) => freezer.look(() => disk.isIntact(path, minimumBytes)),
      replace: (path, content) =>
        change(
          `replace ${path}`,
          () => disk.replace(path, content),
          // What a kill leaves before the rename.
          () => this.#writeHalf(`${path}.new`, content),
        ),
      createAppendFile: (path) => change(`create ${path}`, () => this.#createAppendFile(disk, path)),
      openReadFile: (path) => this.#openReadFile(disk, path),
      remove: (path) => change(`remove ${path}`, () => disk.remove(path)),
      close: () => freezer.look(() => this.#close(disk)),
    };
  }

  async #writeHalf(path: string, content: Buffer): Promise<void> {
    const target = join(this.#directory, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, halfOf(content));
  }

  async #createAppendFile(disk: Disk, path: string): Promise<AppendFile> {
    const file = await this.#opened(disk.createAppendFile(path));
    const freezer = this.#freezer;
    const change = (what: string, call: () => Promise<void>, half?: () => Promise<void>) =>
      freezer.change(`node ${this.nodeId}: ${what} ${path}`, call, half);
    return {
      append: (parts) =>
        change(
          'append to',
          () => file.append(parts),
          () => file.append([halfOf(Buffer.concat(parts))]),
        ),
      sync: () => change('sync', () => file.sync()),
      get sizeBytes() {
        return file.sizeBytes;
      },
      readAt: (position, length) => freezer.look(() => file.readAt(position, length)),
      close: () => freezer.look(() => this.#close(file)),
    };
  }

  async #openReadFile(disk: Disk, path: string): Promise<ReadFile> {
    const freezer = this.#freezer;
    const file = await freezer.look(() => this.#opened(disk.openReadFile(path)));
    return {
      readAt: (position, length) => freezer.look(() => file.readAt(position, length)),
      close: () => freezer.look(() => this.#close(file)),
    };
  }

  async openEngine(): Promise<StorageEngine> {
    const disk = await this.openDisk();
    return RunEngine.open(disk, mergerOn(disk), engineOptions);
  }

  destroyEngine(): Promise<void> {
    return this.#freezer.change(`node ${this.nodeId}: destroy rows`, () =>
      rm(join(this.#directory, 'rows'), { recursive: true, force: true }),
    );
  }

  /** Frees what the death of the process would have freed; writes nothing. */
  async release(): Promise<void> {
    await Promise.all([...this.#open].map((handle) => handle.close()));
  }

  /** Noted although nobody may hear of it any more. */
  async #opened<T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T> {
    const handle = await opening;
    this.#open.add(handle);
    return handle;
  }

  async #close(handle: { close(): Promise<void> }): Promise<void> {
    this.#open.delete(handle);
    await handle.close();
  }
}

function halfOf(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length >> 1);
}

function never(): Promise<never> {
  return new Promise(() => {});
}
