import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ByteString, bytesOf, emptyBytes } from '../../foundation/byte-string.ts';
import type { NodeId } from '../../partitioning/replica-set.ts';
import { FileDisk } from '../disk/file-disk.ts';
import type { Disk } from '../disk.ts';
import { isSound } from '../log/stored-row.ts';
import type { StorageEngine } from '../storage-engine.ts';
import type { StorageNodeParts } from '../storage-node.ts';
import { defaultLevelEngineOptions, LevelEngine } from './level-engine.ts';

/** A storage node's directory on a real disk: its files, and its rows in LevelDB in the folder `rows`. */
export class LevelNode implements StorageNodeParts {
  readonly nodeId: NodeId;
  readonly #directory: string;
  /** A disk that was opened is used until the node is closed for good; each holds one descriptor. */
  readonly #disks: FileDisk[] = [];

  constructor(nodeId: NodeId, directory: string) {
    this.nodeId = nodeId;
    this.#directory = directory;
  }

  async openDisk(): Promise<Disk> {
    const disk = await FileDisk.create(this.#directory);
    this.#disks.push(disk);
    return disk;
  }

  async openEngine(): Promise<StorageEngine> {
    const rows = join(this.#directory, 'rows');
    return (await holdsNoStore(rows))
      ? LevelEngine.create(rows, defaultLevelEngineOptions)
      : LevelEngine.open(rows, defaultLevelEngineOptions);
  }

  async destroyEngine(): Promise<void> {
    await rm(join(this.#directory, 'rows'), { recursive: true, force: true });
  }

  /** Once the store has stopped: closes what it never closes itself. */
  async close(): Promise<void> {
    await Promise.all(this.#disks.splice(0).map((disk) => disk.close()));
  }
}

export interface RowCheck {
  readonly rows: number;
  readonly unsound: number;
}

/** Reads every row of a node that nobody uses and holds it against its checksum. Bad media may end the process. */
export async function checkRows(directory: string): Promise<RowCheck> {
  const engine = await LevelEngine.open(join(directory, 'rows'), defaultLevelEngineOptions);
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

/** Tables or a write-ahead log without the file that names the current state are a store that was damaged, not a new one. */
async function holdsNoStore(rows: string): Promise<boolean> {
  try {
    const names = await readdir(rows);
    return !names.some((name) => name === 'CURRENT' || /\.(ldb|sst|log)$/.test(name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
    throw error;
  }
}
