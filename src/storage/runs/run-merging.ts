// Merges the runs of one store behind the scenes.

import { type MergePlan, type MergePolicy, planMerge } from './merge-plan.ts';
import type { MergeJob, RunMerger } from './merge-runs.ts';
import type { RunRecord } from './run.ts';
import type { WrittenRun } from './run-file.ts';
import type { RunList } from './run-list.ts';
import { visibleRanges } from './run-manifest.ts';
import { allKeys, pathOfRun, type RunShelf } from './run-shelf.ts';

export interface MergeOptions extends MergePolicy {
  /** What is read at once to find a row. */
  readonly blockBytes: number;
  /** A merge that would leave less room than this on the disk, or than it takes itself, waits. */
  readonly spareBytes: number;
}

export class RunMerging {
  readonly #shelf: RunShelf;
  readonly #merger: RunMerger;
  readonly #options: MergeOptions;
  readonly #onFailure: (error: unknown) => void;
  readonly #merges = new Map<MergePlan, Promise<void>>();
  readonly #closing = new AbortController();
  #reclaiming: Promise<void> | undefined;
  /** Something was cleared, and it was not looked yet whether that is most of a run. */
  #mayReclaim = true;

  /** After a failure nothing more is merged. */
  constructor(
    shelf: RunShelf,
    merger: RunMerger,
    options: MergeOptions,
    onFailure: (error: unknown) => void,
  ) {
    this.#shelf = shelf;
    this.#merger = merger;
    this.#options = options;
    this.#onFailure = onFailure;
  }

  /** Called when there are new runs. */
  consider(): void {
    if (this.#closing.signal.aborted) return;
    const plan = planMerge(this.#shelf.records, this.#options, this.#merges.keys());
    if (plan === undefined) this.#considerReclaiming();
    else this.#start(plan);
  }

  /** Called when something was cleared. */
  considerCleared(): void {
    this.#mayReclaim = true;
    this.consider();
  }

  /** Waits until there are fewer runs than this, as long as any are being merged. */
  async belowLimit(maxRuns: number): Promise<void> {
    while (this.#shelf.records.length >= maxRuns && this.#merges.size > 0) {
      await Promise.race(this.#merges.values());
    }
  }

  /** Cancels what is under way. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#merges.values(), this.#reclaiming]);
  }

  #start(plan: MergePlan): void {
    const merge = this.#merge(plan)
      .catch((error: unknown) => {
        // Without room the runs stay as they are; it is tried again when there is something new.
        if (isNoSpace(error)) return false;
        this.#closing.abort();
        this.#onFailure(error);
        return false;
      })
      .then((isDone) => {
        this.#merges.delete(plan);
        if (isDone) this.consider();
      });
    this.#merges.set(plan, merge);
    this.consider();
  }

  async #merge({ inputs, isOldest }: MergePlan): Promise<boolean> {
    const inputBytes = inputs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const spareBytes = Math.min(this.#options.spareBytes, inputBytes);
    if ((await this.#shelf.disk.freeBytes()) < inputBytes + spareBytes) return false;
    const number = this.#shelf.takeNumber();
    const size = await this.#mergeFiles({
      inputs: inputs.map((record) => ({
        record,
        path: pathOfRun(record.number),
        ranges: this.#shelf.visible(allKeys, record),
      })),
      outputPath: pathOfRun(number),
      blockBytes: this.#options.blockBytes,
      dropRemovals: isOldest,
    });
    if (size === undefined) return false;
    const { sequence } = inputs[0] as RunRecord;
    const { sizeBytes, crc } = size;
    await this.#shelf.replace(inputs, size.rows === 0 ? undefined : { number, sequence, sizeBytes, crc });
    if (size.rows === 0) await this.#removeFile(pathOfRun(number));
    return true;
  }

  /** Leaves no file behind when it does not get to its end. */
  async #mergeFiles(job: MergeJob): Promise<WrittenRun | undefined> {
    let size: WrittenRun | undefined;
    try {
      size = await this.#merger.merge(job, this.#closing.signal);
      return size;
    } finally {
      if (size === undefined) await this.#removeFile(job.outputPath);
    }
  }

  /** Of a file that does not count; should it stay behind, the next opening removes it. */
  async #removeFile(path: string): Promise<void> {
    await this.#shelf.disk.remove(path).catch(() => {});
  }

  /** A run of which more than half was cleared is written anew by itself, so that its room is had again. */
  #considerReclaiming(): void {
    if (!this.#mayReclaim || this.#merges.size > 0 || this.#reclaiming !== undefined) return;
    this.#mayReclaim = false;
    const list = this.#shelf.retain();
    this.#reclaiming = mostlyCleared(list)
      .finally(() => {
        list.release();
        this.#reclaiming = undefined;
      })
      .then((plan) => {
        const isCurrent = plan?.inputs.every((run) => this.#shelf.records.includes(run)) === true;
        if (plan === undefined || this.#closing.signal.aborted) return;
        // There may be another one; and when this one has been merged meanwhile, it is looked again.
        this.#mayReclaim = true;
        if (isCurrent && this.#merges.size === 0) this.#start(plan);
      }, this.#onFailure);
  }
}

async function mostlyCleared(list: RunList): Promise<MergePlan | undefined> {
  for (const run of list.runs) {
    const { record } = run;
    if (!list.cleared.some(({ before }) => before > record.sequence)) continue;
    let visibleBytes = 0;
    for (const range of visibleRanges(allKeys, record.sequence, list.cleared))
      visibleBytes += await run.sizeOf(range);
    const hiddenBytes = (await run.sizeOf(allKeys)) - visibleBytes;
    // What is hidden inside a data block is not counted, so one that was written anew is not written again.
    if (hiddenBytes > visibleBytes) return { inputs: [record], isOldest: run === list.runs.at(-1) };
  }
  return undefined;
}

function isNoSpace(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOSPC';
}
