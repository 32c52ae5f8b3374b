import { type ByteString, hexOf } from '../../src/foundation/byte-string.ts';
import type { NodeId } from '../../src/partitioning/replica-set.ts';
import type { Disk } from '../../src/storage/disk.ts';
import type { MergeGroups } from '../../src/storage/runs/merge-groups.ts';
import type { RunEngineOptions } from '../../src/storage/runs/run-engine.ts';
import type { KeyRange, StorageEngine } from '../../src/storage/storage-engine.ts';
import type { StorageNodeParts } from '../../src/storage/storage-node.ts';
import { type CrashKind, SimulatedDisk } from './simulated-disk.ts';
import { SimulatedEngine } from './simulated-engine.ts';
import { type KeptAtCrash, SimulatedMedium } from './simulated-medium.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import { SimulatedRows } from './simulated-rows.ts';
import { SimulatedRuns } from './simulated-runs.ts';
import type { SimulatedTime } from './simulated-time.ts';
import { Violation } from './violation.ts';

const superblockPaths = ['superblock-a', 'superblock-b'];

/** What keeps a node's rows: one that does what LevelDB was seen to do, or runs. */
export type SimulatedRowStore = SimulatedRows | SimulatedRuns;

export type RowStoreOptions =
  | { readonly kind: 'leveldb'; readonly writeBufferBytes: number }
  | { readonly kind: 'runs'; readonly options: RunEngineOptions };

/** A storage node's directory on its hardware, across all lives of the process. */
export class SimulatedNode {
  readonly id: NodeId;
  readonly medium: SimulatedMedium;
  readonly disk: SimulatedDisk;
  readonly #rowStore: RowStoreOptions;
  #rows: SimulatedRowStore;
  #wasLost = false;

  constructor(id: NodeId, time: SimulatedTime, seed: number, rowStore: RowStoreOptions) {
    this.id = id;
    this.medium = new SimulatedMedium(time, seed);
    this.disk = new SimulatedDisk(this.medium);
    this.#rowStore = rowStore;
    this.#rows = this.#newRows();
  }

  get rows(): SimulatedRowStore {
    return this.#rows;
  }

  /** Lost, and not begun anew: a directory without a superblock. */
  get isEmpty(): boolean {
    return this.#wasLost && !superblockPaths.some((path) => this.disk.file(path) !== undefined);
  }

  get hasCorruptLog(): boolean {
    return this.disk.isCorrupt((path) => path.startsWith('log/'));
  }

  /** Whether something that was damaged is still to be mended. */
  get isDamaged(): boolean {
    return this.isEmpty || this.disk.isCorrupt((path) => !path.startsWith('rows/')) || this.#rows.isDamaged;
  }

  partsFor(process: SimulatedProcess, merges?: MergeGroups<Disk>): StorageNodeParts {
    if (this.#rows.kind === 'runs') merges?.addPlace();
    return {
      nodeId: this.id,
      openDisk: async () => this.disk.open(process),
      openEngine: () =>
        this.#rows.kind === 'runs'
          ? this.#rows.openEngine(process, merges)
          : SimulatedEngine.open(this.#rows, this.medium, process, () => this.#hasRoom()),
      destroyEngine: () =>
        this.#rows.kind === 'runs'
          ? this.#rows.destroy(process)
          : SimulatedEngine.destroy(this.#rows, this.medium, process),
    };
  }

  /** The directory is gone. Whoever has its files open goes on with them, and nobody will find them again. */
  lose(): void {
    this.disk.lose();
    this.#wasLost = true;
    if (this.#rows.kind === 'leveldb') this.#rows.isLost = true;
    this.#rows = this.#newRows();
  }

  failRowWrites(count: number): void {
    if (this.#rows.kind === 'runs') this.disk.failingRowWrites = count;
    else this.#rows.failingWrites = count;
  }

  failRowReads(count: number): void {
    if (this.#rows.kind === 'runs') this.disk.failingRowReads = count;
    else this.#rows.failingReads = count;
  }

  /** What a reader of the open row store would find. */
  async readRows(from: ByteString, to: ByteString): Promise<Map<ByteString, string>> {
    if (this.#rows.kind === 'leveldb') return rowsIn(this.#rows, from, to);
    return this.#rows.engine === undefined ? new Map() : readAll(this.#rows.engine, { from, to });
  }

  /** What the next process will find; nobody may have the row store open. Throws where that is damaged. */
  async readSavedRows(from: ByteString, to: ByteString): Promise<Map<ByteString, string>> {
    if (this.#rows.kind === 'leveldb') {
      this.#rows.open();
      this.#rows.isOpen = false;
      return rowsIn(this.#rows, from, to);
    }
    const engine = await this.#rows.openCopy();
    const rows = await readAll(engine, { from, to });
    for (const [key, value] of rows) {
      const found = await engine.get(key);
      if (found?.toString('hex') !== value) {
        throw new Violation('a row is found by its key as it is by a scan', `node ${this.id}: ${hexOf(key)}`);
      }
    }
    await engine.close();
    return rows;
  }

  crash(kind: CrashKind, kept: KeptAtCrash): void {
    this.medium.crash(kept);
    this.disk.crash(kind, kept);
    this.#rows.crash(kind);
  }

  /** Whatever ails the hardware is over. What it has lost by then stays lost. */
  recover(): void {
    this.medium.recover();
    this.disk.capacityBytes = Number.POSITIVE_INFINITY;
    this.disk.failingAppends = 0;
    this.disk.failingSyncs = 0;
    this.failRowWrites(0);
    this.failRowReads(0);
  }

  #newRows(): SimulatedRowStore {
    return this.#rowStore.kind === 'runs'
      ? new SimulatedRuns(this.medium, this.disk, this.#rowStore.options)
      : new SimulatedRows(this.medium, this.#rowStore.writeBufferBytes);
  }

  #hasRoom(): boolean {
    return this.disk.usedBytes < this.disk.capacityBytes;
  }
}

function rowsIn(stored: SimulatedRows, from: ByteString, to: ByteString): Map<ByteString, string> {
  const rows = new Map<ByteString, string>();
  const cursor = stored.rows.cursor(from, to);
  for (let row = cursor.next(); row !== undefined; row = cursor.next()) {
    rows.set(row.key, row.value.toString('hex'));
  }
  return rows;
}

async function readAll(engine: StorageEngine, range: KeyRange): Promise<Map<ByteString, string>> {
  const rows = new Map<ByteString, string>();
  const iterator = engine.iterate(range);
  for (let page = await iterator.next(50, 2_000); page.length > 0; page = await iterator.next(50, 2_000)) {
    for (const { key, value } of page) rows.set(key, value.toString('hex'));
  }
  await iterator.close();
  return rows;
}
