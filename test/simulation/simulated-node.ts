import type { NodeId } from '../../src/partitioning/replica-set.ts';
import type { StorageNodeParts } from '../../src/storage/storage-node.ts';
import { type CrashKind, SimulatedDisk } from './simulated-disk.ts';
import { SimulatedEngine } from './simulated-engine.ts';
import { type KeptAtCrash, SimulatedMedium } from './simulated-medium.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import { SimulatedRows } from './simulated-rows.ts';
import type { SimulatedTime } from './simulated-time.ts';

const superblockPaths = ['superblock-a', 'superblock-b'];

/** A storage node's directory on its hardware, across all lives of the process. */
export class SimulatedNode {
  readonly id: NodeId;
  readonly medium: SimulatedMedium;
  readonly disk: SimulatedDisk;
  readonly #writeBufferBytes: number;
  #rows: SimulatedRows;
  #wasLost = false;

  constructor(id: NodeId, time: SimulatedTime, seed: number, writeBufferBytes: number) {
    this.id = id;
    this.medium = new SimulatedMedium(time, seed);
    this.disk = new SimulatedDisk(this.medium);
    this.#writeBufferBytes = writeBufferBytes;
    this.#rows = new SimulatedRows(this.medium, writeBufferBytes);
  }

  get rows(): SimulatedRows {
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
    return this.isEmpty || this.disk.isCorrupt(() => true) || this.#rows.isDamaged;
  }

  partsFor(process: SimulatedProcess): StorageNodeParts {
    return {
      nodeId: this.id,
      openDisk: async () => this.disk.open(process),
      openEngine: () => SimulatedEngine.open(this.#rows, this.medium, process, () => this.#hasRoom()),
      destroyEngine: () => SimulatedEngine.destroy(this.#rows, this.medium, process),
    };
  }

  /** The directory is gone. Whoever has its files open goes on with them, and nobody will find them again. */
  lose(): void {
    this.disk.lose();
    this.#wasLost = true;
    this.#rows.isLost = true;
    this.#rows = new SimulatedRows(this.medium, this.#writeBufferBytes);
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
    this.#rows.failingWrites = 0;
    this.#rows.failingReads = 0;
  }

  #hasRoom(): boolean {
    return this.disk.usedBytes < this.disk.capacityBytes;
  }
}
