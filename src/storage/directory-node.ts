import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ByteString, bytesOf, emptyBytes } from '../foundation/byte-string.ts';
import type { NodeId } from '../partitioning/replica-set.ts';
import { FileDisk } from './disk/file-disk.ts';
import { ReadThread } from './disk/read-thread.ts';
import type { Disk } from './disk.ts';
import { isSound } from './log/stored-row.ts';
import type { MergeThreads } from './runs/merge-threads.ts';
import { defaultRunEngineOptions, RunEngine } from './runs/run-engine.ts';
import type { StorageEngine } from './storage-engine.ts';
import type { StorageNodeParts } from './storage-node.ts';

/** What keeps a node's rows: runs of our own, or LevelDB. */
export type RowStoreKind = 'runs' | 'leveldb';

/** A storage node's directory on a real disk: its files, and its rows in the folder `rows`. */
export class DirectoryNode implements StorageNodeParts {
  readonly nodeId: NodeId;
  readonly #directory: string;
  readonly #newKind: RowStoreKind;
  readonly #mergeThreads: MergeThreads;
  /** For the rows; what is read of the log is read in order, and seldom. */
  readonly #readThread = new ReadThread();
  /** A disk that was opened is used until the node is closed for good; each holds one descriptor. */
  readonly #disks: FileDisk[] = [];

  /** A row store that is there stays what it is; one that is made is of `newKind`. */
  constructor(nodeId: NodeId, directory: string, newKind: RowStoreKind, mergeThreads: MergeThreads) {
    this.nodeId = nodeId;
    this.#directory = directory;
    this.#newKind = newKind;
    this.#mergeThreads = mergeThreads;
  }

  async openDisk(): Promise<Disk> {
    const disk = await FileDisk.create(this.#directory);
    this.#disks.push(disk);
    return disk;
  }

  async openEngine(): Promise<StorageEngine> {
    const kind = await kindOfRows(this.#directory);
    if ((kind ?? this.#newKind) === 'runs') {
      const disk = await FileDisk.create(this.#directory, this.#readThread);
      return RunEngine.open(disk, this.#mergeThreads.mergerFor(this.#directory), defaultRunEngineOptions);
    }
    const { defaultLevelEngineOptions, LevelEngine } = await loadLevelEngine();
    const rows = rowsOf(this.#directory);
    return kind === undefined
      ? LevelEngine.create(rows, defaultLevelEngineOptions)
      : LevelEngine.open(rows, defaultLevelEngineOptions);
  }

  async destroyEngine(): Promise<void> {
    await rm(rowsOf(this.#directory), { recursive: true, force: true });
  }

  /** Once the store has stopped: closes what it never closes itself. */
  async close(): Promise<void> {
    await Promise.all([...this.#disks.splice(0), this.#readThread].map((opened) => opened.close()));
  }
}

export interface RowCheck {
  readonly rows: number;
  readonly unsound: number;
}

/** Reads every row of a node that nobody uses and holds it against its checksum. Bad media may end the process. */
export async function checkRows(directory: string): Promise<RowCheck> {
  const engine =
    (await kindOfRows(directory)) === 'leveldb'
      ? await openLevelEngine(directory)
      : await RunEngine.openReadOnly(await FileDisk.open(directory), defaultRunEngineOptions);
  let rows = 0;
  let unsound = 0;
  try {
    // No key begins with FF FF FF FF: that would be the last generation, which no container gets.
    const iterator = engine.iterate({ from: emptyBytes, to: '\xff\xff\xff\xff' as ByteString });
    for (
      let page = await iterator.next(1_000, 2 ** 20);
      page.length > 0;
      page = await iterator.next(1_000, 2 ** 20)
    ) {
      rows += page.length;
      unsound += page.filter(({ key, value }) => !isSound(bytesOf(key), value)).length;
    }
    await iterator.close();
  } finally {
    await engine.close();
  }
  return { rows, unsound };
}

function rowsOf(directory: string): string {
  return join(directory, 'rows');
}

/**
 * Undefined where there are no rows yet. The file that names a store's present state decides, whatever else lies there. Files of a store
 * without it are a store that was damaged, not a new one, and are left to it to refuse.
 */
async function kindOfRows(directory: string): Promise<RowStoreKind | undefined> {
  let names: string[];
  try {
    names = await readdir(rowsOf(directory));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  if (names.includes('manifest')) return 'runs';
  if (names.includes('CURRENT')) return 'leveldb';
  if (names.some((name) => name.endsWith('.run'))) return 'runs';
  return names.some((name) => /\.(ldb|sst|log)$/.test(name)) ? 'leveldb' : undefined;
}

async function openLevelEngine(directory: string): Promise<StorageEngine> {
  const { defaultLevelEngineOptions, LevelEngine } = await loadLevelEngine();
  return LevelEngine.open(rowsOf(directory), defaultLevelEngineOptions);
}

/** Only where its rows are: LevelDB is forty modules and a library, which every other start does without. */
function loadLevelEngine(): Promise<typeof import('./level/level-engine.ts')> {
  return import('./level/level-engine.ts');
}
