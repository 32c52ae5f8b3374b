import { integerBetween, type Random } from '../../src/foundation/random.ts';
import type { Disk } from '../../src/storage/disk.ts';
import { MemoryDisk } from '../../src/storage/memory/memory-disk.ts';
import type { MergeGroups } from '../../src/storage/runs/merge-groups.ts';
import { mergerOn, type RunMerger } from '../../src/storage/runs/merge-runs.ts';
import { RunEngine, type RunEngineOptions } from '../../src/storage/runs/run-engine.ts';
import { decodeManifest, type Manifest } from '../../src/storage/runs/run-manifest.ts';
import { pathOfRun } from '../../src/storage/runs/run-shelf.ts';
import type { StorageEngine } from '../../src/storage/storage-engine.ts';
import type { SimulatedDisk } from './simulated-disk.ts';
import { CallLine, type SimulatedMedium } from './simulated-medium.ts';
import type { SimulatedProcess } from './simulated-process.ts';

const folder = 'rows';
const manifestPath = `${folder}/manifest`;

/** Small enough for runs of several levels, and for merges at any moment. */
export function runOptionsOf(random: Random): RunEngineOptions {
  const between = (low: number, high: number): number => integerBetween(random, low, high);
  return {
    fanIn: between(2, 4),
    smallBytes: between(400, 2_000),
    blockBytes: between(100, 400),
    unsavedBytes: between(300, 1_500),
    indexCacheBytes: between(0, 3_000),
    maxRuns: between(5, 10),
    spareBytes: between(0, 1_000),
  };
}

/** The runs of one node across all lives of the process: the real engine on files of the simulated disk. */
export class SimulatedRuns {
  readonly kind = 'runs';
  readonly #medium: SimulatedMedium;
  readonly #disk: SimulatedDisk;
  readonly #options: RunEngineOptions;
  #isOpen = false;
  #engine: StorageEngine | undefined;

  constructor(medium: SimulatedMedium, disk: SimulatedDisk, options: RunEngineOptions) {
    this.#medium = medium;
    this.#disk = disk;
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** As the store has it open, with what it keeps in memory only. */
  get engine(): StorageEngine | undefined {
    return this.#engine;
  }

  /** With `merges`, those of nodes with the same runs are done as one. */
  async openEngine(process: SimulatedProcess, merges?: MergeGroups<Disk>): Promise<StorageEngine> {
    // Nothing of a process that was killed is open any more, so it is the store that has forgotten one.
    if (this.#isOpen) throw new Error('invariant broken: two row stores are open in one folder');
    this.#isOpen = true;
    const disk = this.#disk.open(process, () => {
      this.#isOpen = false;
      this.#engine = undefined;
    });
    const mergerDisk = this.#disk.open(process);
    const merger: RunMerger =
      merges === undefined
        ? mergerOn(mergerDisk)
        : { merge: (job, cancel) => merges.merge(mergerDisk, job, cancel) };
    const engine = await RunEngine.open(disk, merger, this.#options);
    this.#engine = engine;
    return engine;
  }

  /** One file after the other: a crash in between leaves some. */
  async destroy(process: SimulatedProcess): Promise<void> {
    const line = new CallLine();
    const change = (effect: () => void): Promise<void> => this.#medium.call(process, line, true, effect);
    for (const name of this.#disk.list(folder) ?? []) {
      await change(() => this.#disk.remove(`${folder}/${name}`));
    }
    await change(() => this.#disk.removeFolder(folder));
  }

  crash(): void {
    this.#isOpen = false;
    this.#engine = undefined;
  }

  /** What the next process will find, whatever the present one has in memory. Throws where that is damaged. */
  async openCopy(): Promise<StorageEngine> {
    const copy = new MemoryDisk();
    for (const name of this.#disk.list(folder) ?? []) {
      const path = `${folder}/${name}`;
      const file = this.#disk.file(path);
      if (file !== undefined) await copy.replace(path, file.read(0, file.length));
    }
    return RunEngine.openReadOnly(copy, this.#options);
  }

  /** A flipped bit in a run. */
  corruptRun(): boolean {
    return this.#disk.corrupt(this.#isInUse());
  }

  corruptManifest(): boolean {
    return this.#disk.corrupt((path) => path === manifestPath);
  }

  loseManifest(): boolean {
    return this.#disk.loseFile((path) => path === manifestPath && this.#hasRuns());
  }

  cutRun(): boolean {
    return this.#disk.cut(this.#isInUse());
  }

  loseRun(): boolean {
    return this.#disk.loseFile(this.#isInUse());
  }

  /** Whether what was damaged is still what a reader, or the next opening, may come upon. */
  get isDamaged(): boolean {
    const manifest = this.#manifest();
    if (manifest === undefined) return this.#hasRuns();
    if (manifest === 'corrupt') return true;
    return manifest.runs.some(({ number }) => {
      const file = this.#disk.file(pathOfRun(number));
      return file === undefined || file.isCorrupt;
    });
  }

  #hasRuns(): boolean {
    return this.#disk.list(folder)?.some((name) => name.endsWith('.run')) === true;
  }

  #isInUse(): (path: string) => boolean {
    const manifest = this.#manifest();
    if (manifest === undefined || manifest === 'corrupt') return () => false;
    const paths = new Set(manifest.runs.map(({ number }) => pathOfRun(number)));
    return (path) => paths.has(path);
  }

  #manifest(): Manifest | 'corrupt' | undefined {
    const file = this.#disk.file(manifestPath);
    if (file === undefined) return undefined;
    try {
      return decodeManifest(file.read(0, file.length));
    } catch {
      return 'corrupt';
    }
  }
}
