// Makes one run of several. Replicas mostly have the same runs, so the merges of several nodes are done as one: read from the first of
// them, every block checked, and written to all. One that fails, hangs or is no longer wanted is left out, and the others go on.

import type { Disk } from '../disk.ts';
import type { KeyRange } from '../storage-engine.ts';
import { IndexCache } from './index-cache.ts';
import { MergedCursors } from './merge-cursors.ts';
import { SharedOutput, unlessAborted } from './merge-output.ts';
import { BlockBuilder, type EncodedBlock } from './row-block.ts';
import { Run, type RunRecord } from './run.ts';
import { RunCursor } from './run-cursor.ts';
import { RunWriter, type WrittenRun } from './run-file.ts';

/** What is to be merged, as plain data: it may be done in another thread. */
export interface MergeJob {
  /** Newest first. */
  readonly inputs: readonly MergeInput[];
  readonly outputPath: string;
  readonly blockBytes: number;
  /** Nothing older is left that a removal could hide. */
  readonly dropRemovals: boolean;
}

export interface MergeInput {
  readonly record: RunRecord;
  readonly path: string;
  /** What of it is still to be seen, in key order. */
  readonly ranges: readonly KeyRange[];
}

/** Who does the merging: another thread, or whoever asks. */
export interface RunMerger {
  /** Undefined when it was cancelled. What it has written by then is for the caller to remove. */
  merge(job: MergeJob, cancel: AbortSignal): Promise<WrittenRun | undefined>;
}

/** One node's part in a merge that several do as one. */
export interface MergePart {
  readonly disk: Disk;
  readonly job: MergeJob;
  readonly cancel: AbortSignal;
  /** Called once, as soon as it is known: a part that is left out does not wait for the others. */
  settle(outcome: MergeOutcome): void;
}

export type MergeOutcome =
  | { readonly kind: 'merged'; readonly run: WrittenRun }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly error: unknown };

const appendBytes = 512 * 1024;

/** Jobs with the same key give the same run. */
export function contentKey({ inputs, blockBytes, dropRemovals }: MergeJob): string {
  const contents = inputs.map(({ record, ranges }) => [record.crc, record.sizeBytes, ranges]);
  return JSON.stringify([blockBytes, dropRemovals, contents]);
}

/** Merges in this thread, each node for itself. */
export function mergerOn(disk: Disk): RunMerger {
  return {
    merge: (job, cancel) =>
      new Promise((resolve, reject) => {
        const settle = (outcome: MergeOutcome): void => settleWith(outcome, resolve, reject);
        mergeTogether([{ disk, job, cancel, settle }]).catch(reject);
      }),
  };
}

/** Tells a caller who waits for the run. */
export function settleWith(
  outcome: MergeOutcome,
  resolve: (run: WrittenRun | undefined) => void,
  reject: (error: unknown) => void,
): void {
  if (outcome.kind === 'failed') reject(outcome.error);
  else resolve(outcome.kind === 'merged' ? outcome.run : undefined);
}

/** Settles each part, and resolves when nothing more is done for any of them. Their jobs have the same content key. */
export async function mergeTogether(parts: readonly MergePart[]): Promise<void> {
  const [source] = parts;
  if (source === undefined) return;
  const output = await SharedOutput.create(parts);
  const runs = new SourceRuns(source);
  try {
    const run = await writeMerged(source, runs, output);
    await runs.close();
    await output.finish(run);
  } catch (error) {
    // Nobody is left to write for, or the source cannot be read: then another one is read from, for those that remain.
    output.leave(source, error, runs.close());
    await mergeTogether(await output.takeBack());
  }
}

async function writeMerged(
  { job, cancel }: MergePart,
  source: SourceRuns,
  output: SharedOutput,
): Promise<WrittenRun> {
  const runs = await unlessAborted(source.open(), cancel);
  const cursors = runs.map((run, index) => new RunCursor(run, job.inputs[index]?.ranges ?? [], false));
  return writeRows(new MergedCursors(cursors, false), job, cancel, output);
}

/** The runs that are read from. */
class SourceRuns {
  readonly #part: MergePart;
  readonly #runs: Run[] = [];
  #opening: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(part: MergePart) {
    this.#part = part;
  }

  open(): Promise<readonly Run[]> {
    const opening = this.#openAll();
    this.#opening = opening.catch(() => {});
    return opening;
  }

  async #openAll(): Promise<readonly Run[]> {
    const { disk, job } = this.#part;
    const cache = new IndexCache(0);
    for (const { record, path } of job.inputs) {
      if (this.#isClosed) break;
      this.#runs.push(await Run.open(record, await disk.openReadFile(path), cache));
    }
    return this.#runs;
  }

  /** Waits for what is being opened. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#opening;
    await Promise.allSettled(this.#runs.map((run) => run.close()));
  }
}

async function writeRows(
  rows: MergedCursors,
  { blockBytes, dropRemovals }: MergeJob,
  cancel: AbortSignal,
  output: SharedOutput,
): Promise<WrittenRun> {
  const writer = new RunWriter(output);
  const builder = new BlockBuilder(blockBytes);
  let blocks: EncodedBlock[] = [];
  let pendingBytes = 0;
  const append = async (): Promise<void> => {
    await writer.append(blocks);
    blocks = [];
    pendingBytes = 0;
  };
  await unlessAborted(rows.load(), cancel);
  for (let row = rows.current; row !== undefined; row = rows.current) {
    if (!dropRemovals || !row.isRemoval) row.copyTo(builder);
    if (builder.isFull) {
      const block = builder.finish();
      blocks.push(block);
      pendingBytes += block.bytes.length;
      if (pendingBytes >= appendBytes) await append();
    }
    if (rows.advance()) await unlessAborted(rows.load(), cancel);
  }
  if (!builder.isEmpty) blocks.push(builder.finish());
  await append();
  return writer.finish();
}
