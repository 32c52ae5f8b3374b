// The runs of a store: which there are, as the manifest on disk says, and which are still being read. Every change is durable first and
// then seen in one moment.

import { RingfoldError } from '../../errors/ringfold-error.ts';
import { type ByteString, emptyBytes } from '../../foundation/byte-string.ts';
import type { Disk } from '../disk.ts';
import type { KeyRange } from '../storage-engine.ts';
import { IndexCache } from './index-cache.ts';
import { Run, type RunRecord } from './run.ts';
import { RunWriter } from './run-file.ts';
import { RunList } from './run-list.ts';
import {
  decodeManifest,
  emptyManifest,
  encodeManifest,
  type Manifest,
  stillCleared,
  visibleRanges,
  withCleared,
} from './run-manifest.ts';
import type { SoughtKey } from './sought-key.ts';

const folder = 'rows';
export const manifestPath: string = `${folder}/manifest`;
const runName = /^\d{8,}\.run$/;
/** From the first key to above every key: no container has the generation FF FF FF FF. */
export const allKeys: KeyRange = { from: emptyBytes, to: '\xff\xff\xff\xff' as ByteString };

export function pathOfRun(number: number): string {
  return `${folder}/${String(number).padStart(8, '0')}.run`;
}

export class RunShelf {
  readonly disk: Disk;
  readonly #cache: IndexCache;
  readonly #openRuns: Set<Run>;
  #manifest: Manifest;
  #list: RunList;
  /** Changes of the manifest, one after the other. */
  #changing: Promise<void> = Promise.resolve();
  readonly #removals = new Set<Promise<void>>();
  #isOpen = true;

  private constructor(disk: Disk, cache: IndexCache, manifest: Manifest, runs: readonly Run[]) {
    this.disk = disk;
    this.#cache = cache;
    this.#openRuns = new Set(runs);
    this.#manifest = manifest;
    this.#list = this.#listOf(runs, manifest);
  }

  /** Opens the store in the folder `rows`, or makes one unless it is only to be read. Takes over the disk. */
  static async open(disk: Disk, indexCacheBytes: number, isReadOnly: boolean): Promise<RunShelf> {
    const runs: Run[] = [];
    try {
      const cache = new IndexCache(indexCacheBytes);
      const manifest = (await readManifest(disk)) ?? (await makeManifest(disk, isReadOnly));
      const opened = await Promise.allSettled(manifest.runs.map((record) => openRun(disk, record, cache)));
      for (const outcome of opened) if (outcome.status === 'fulfilled') runs.push(outcome.value);
      for (const outcome of opened) if (outcome.status === 'rejected') throw outcome.reason;
      if (!isReadOnly) await removeOthers(disk, manifest);
      return new RunShelf(disk, cache, manifest, runs);
    } catch (error) {
      await Promise.allSettled([...runs, disk].map((opened) => opened.close()));
      throw error;
    }
  }

  /** Newest first. */
  get records(): readonly RunRecord[] {
    return this.#manifest.runs;
  }

  /** The runs as they are now, to be released by whoever asks. */
  retain(): RunList {
    return this.#list.retain();
  }

  /** False when no run has anything under the key now. */
  mayHold(sought: SoughtKey): boolean {
    return this.#list.mayHold(sought);
  }

  /** Taken in memory: one that a crash leaves unused belongs to no file that counts. */
  takeNumber(): number {
    const number = this.#manifest.nextNumber;
    this.#manifest = { ...this.#manifest, nextNumber: number + 1 };
    return number;
  }

  /** Adds a run, newer than all others. `then` happens in the moment in which it is seen. */
  async add(fill: (writer: RunWriter) => Promise<void>, then: () => void): Promise<void> {
    const number = this.takeNumber();
    const file = await this.disk.createAppendFile(pathOfRun(number));
    let run: Run;
    try {
      const writer = new RunWriter(file);
      await fill(writer);
      const { sizeBytes, crc } = await writer.finish();
      run = await Run.open({ number, sequence: number, sizeBytes, crc }, file, this.#cache);
    } catch (error) {
      await file.close().catch(ignore);
      throw error;
    }
    this.#openRuns.add(run);
    await this.#change(({ runs, cleared }) => ({ runs: [run.record, ...runs], cleared }), run, then);
  }

  /** Puts what was merged in the place of its parts; without a record they are removed. */
  async replace(parts: readonly RunRecord[], merged: RunRecord | undefined): Promise<void> {
    const run = merged === undefined ? undefined : await openRun(this.disk, merged, this.#cache);
    if (run !== undefined) this.#openRuns.add(run);
    const numbers = new Set(parts.map(({ number }) => number));
    await this.#change(({ runs, cleared }) => {
      const at = runs.findIndex(({ number }) => numbers.has(number));
      const rest = runs.filter(({ number }) => !numbers.has(number));
      const after = merged === undefined ? rest : rest.toSpliced(at, 0, merged);
      return { runs: after, cleared: stillCleared(cleared, after) };
    }, run);
  }

  /** What is in the runs of this range is no longer seen. */
  async clear({ from, to }: KeyRange): Promise<void> {
    const before = this.takeNumber();
    await this.#change(({ runs, cleared }) => ({
      runs,
      cleared: stillCleared(withCleared(cleared, { from, to, before }), runs),
    }));
  }

  /** What of a run, of the range, is to be seen. */
  visible(range: KeyRange, run: RunRecord): readonly KeyRange[] {
    return visibleRanges(range, run.sequence, this.#manifest.cleared);
  }

  /** Whether the manifest says what it should, every file has its length, and what leads to the rows is sound; or true when `rest` says not to go on. */
  async isIntact(rest: () => Promise<boolean>): Promise<boolean> {
    if (!(await this.#isManifestSound())) return false;
    for (const record of this.records) {
      const verdict = await this.#look(record, rest);
      if (verdict !== 'sound') return verdict === 'unfinished';
    }
    return true;
  }

  /** Only this run stays where it is merged away meanwhile, until the next rest: a rested walk may take long. */
  async #look(record: RunRecord, rest: () => Promise<boolean>): Promise<'sound' | 'damaged' | 'unfinished'> {
    for (let slot = 0; ; ) {
      const list = this.retain();
      try {
        const run = list.runs.find((other) => other.record.number === record.number);
        if (run === undefined) return 'sound';
        if (slot === 0) {
          if (!(await this.disk.isIntact(pathOfRun(record.number), record.sizeBytes))) return 'damaged';
          await run.verifyRoot();
        }
        if (slot === run.slots) return 'sound';
        await run.verifySlot(slot++);
      } catch (error) {
        if (isCorruption(error)) return 'damaged';
        throw error;
      } finally {
        list.release();
      }
      if (!(await rest())) return 'unfinished';
    }
  }

  /** In line with the changes, so that none comes between reading and comparing. */
  #isManifestSound(): Promise<boolean> {
    const looked = this.#changing.then(async () => {
      if (!(await this.disk.isIntact(manifestPath, 1))) return false;
      const found = await readManifest(this.disk);
      const { runs, cleared } = this.#manifest;
      return found !== undefined && isSame(found, { ...found, runs, cleared });
    });
    this.#changing = looked.then(ignore, ignore);
    return looked.catch((error: unknown) => {
      if (isCorruption(error)) return false;
      throw error;
    });
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    await this.#changing;
    while (this.#removals.size > 0) await Promise.all(this.#removals);
    // Iterators that nobody closed keep their runs; what they read would be of a store that is no more.
    await Promise.allSettled([...this.#openRuns].map((run) => run.close()));
    await this.disk.close();
  }

  #change(
    next: (present: Manifest) => Pick<Manifest, 'runs' | 'cleared'>,
    added?: Run,
    then: () => void = ignore,
  ): Promise<void> {
    const changed = this.#changing.then(async () => {
      const wanted = { ...this.#manifest, ...next(this.#manifest) };
      await this.disk.replace(manifestPath, encodeManifest(wanted));
      this.#manifest = { ...wanted, nextNumber: this.#manifest.nextNumber };
      const before = this.#list;
      const byNumber = new Map(before.runs.map((run) => [run.record.number, run]));
      if (added !== undefined) byNumber.set(added.record.number, added);
      const runs = wanted.runs.map(({ number }) => byNumber.get(number) as Run);
      this.#list = this.#listOf(runs, this.#manifest);
      then();
      before.release();
    });
    this.#changing = changed.catch(ignore);
    return changed;
  }

  #listOf(runs: readonly Run[], { cleared }: Manifest): RunList {
    return new RunList(runs, cleared, (run) => this.#discard(run));
  }

  /**
   * Nobody reads the run any more, and the manifest does not have it. Should its file stay behind, the next opening removes it; once the
   * store is closed its folder may already be another's.
   */
  #discard(run: Run): void {
    this.#openRuns.delete(run);
    const closing = run.close();
    const removal = this.#isOpen
      ? closing.then(() => this.disk.remove(pathOfRun(run.record.number)))
      : closing;
    const tracked = removal.catch(ignore).then(() => {
      this.#removals.delete(tracked);
    });
    this.#removals.add(tracked);
  }
}

export function isCorruption(error: unknown): boolean {
  return error instanceof RingfoldError && error.code === 'corrupt-data';
}

async function readManifest(disk: Disk): Promise<Manifest | undefined> {
  const found = await disk.read(manifestPath);
  return found === undefined ? undefined : decodeManifest(found);
}

async function makeManifest(disk: Disk, isReadOnly: boolean): Promise<Manifest> {
  const names = (await disk.list(folder)) ?? [];
  // A store that has lost its head is not a place for a new one.
  if (isReadOnly || names.some((name) => runName.test(name))) {
    throw new RingfoldError('corrupt-data', { what: 'a row store without a manifest' });
  }
  await disk.replace(manifestPath, encodeManifest(emptyManifest));
  return emptyManifest;
}

function isSame(left: Manifest, right: Manifest): boolean {
  return encodeManifest(left).equals(encodeManifest(right));
}

async function openRun(disk: Disk, record: RunRecord, cache: IndexCache): Promise<Run> {
  const path = pathOfRun(record.number);
  const file = await disk.openReadFile(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new RingfoldError('corrupt-data', { missing: path }, error) : error;
  });
  return Run.open(record, file, cache);
}

/** Runs that were being written, or had been merged, when the process ended. */
async function removeOthers(disk: Disk, manifest: Manifest): Promise<void> {
  const known = new Set(manifest.runs.map(({ number }) => pathOfRun(number)));
  const paths = ((await disk.list(folder)) ?? [])
    .filter((name) => runName.test(name))
    .map((name) => `${folder}/${name}`);
  const others = paths.filter((path) => !known.has(path));
  if (others.length === 0) return;
  // The manifest may have been renamed into its place by a process that died before that was durable.
  await disk.replace(manifestPath, encodeManifest(manifest));
  for (const path of others) await disk.remove(path);
}

function ignore(): void {}
