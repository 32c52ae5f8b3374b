import type { AppendFile } from '../disk.ts';
import type { MergePart } from './merge-runs.ts';
import type { WrittenRun } from './run-file.ts';

/** The merge is no longer wanted. */
class MergeCancelledError extends Error {
  constructor() {
    super('the merge was cancelled');
    this.name = 'MergeCancelledError';
  }
}

/** The work's answer; or, when that is no longer wanted, a rejection at once, whatever becomes of the work. */
export function unlessAborted<T>(work: Promise<T>, cancel: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(new MergeCancelledError());
    if (cancel.aborted) onAbort();
    cancel.addEventListener('abort', onAbort, { once: true });
    const end = (): void => cancel.removeEventListener('abort', onAbort);
    work.then(resolve, reject).finally(end);
  });
}

/** One node's file. */
class Target {
  readonly part: MergePart;
  file: AppendFile | undefined;
  isLeft = false;

  constructor(part: MergePart) {
    this.part = part;
  }

  /** Its owner is told when nothing more is done for it: what is under way has ended, and the file is closed. Nobody else waits for that. */
  leave(error: unknown, underWay: Promise<unknown>): void {
    if (this.isLeft) return;
    this.isLeft = true;
    const isCancelled = error instanceof MergeCancelledError;
    underWay
      .catch(() => {})
      .then(() => this.file?.close())
      .catch(() => {})
      .finally(() => this.part.settle(isCancelled ? { kind: 'cancelled' } : { kind: 'failed', error }));
  }
}

/** One file for whoever writes, and the same bytes in a file of each node that takes part. */
export class SharedOutput implements Pick<AppendFile, 'append' | 'sync' | 'sizeBytes'> {
  readonly #targets: readonly Target[];
  #sizeBytes = 0;

  private constructor(parts: readonly MergePart[]) {
    this.#targets = parts.map((part) => new Target(part));
  }

  static async create(parts: readonly MergePart[]): Promise<SharedOutput> {
    const output = new SharedOutput(parts);
    await output.#each(async (target) => {
      const { disk, job } = target.part;
      target.file = await disk.createAppendFile(job.outputPath);
    });
    return output;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  async append(parts: readonly Buffer[]): Promise<void> {
    await this.#each(async ({ file }) => file?.append(parts));
    this.#checkAnyIsLeft();
    for (const part of parts) this.#sizeBytes += part.length;
  }

  async sync(): Promise<void> {
    await this.#each(async ({ file }) => file?.sync());
    this.#checkAnyIsLeft();
  }

  /** All of it is durable: whoever was not left out has the run. */
  async finish(run: WrittenRun): Promise<void> {
    await this.#each(async ({ file, part }) => {
      await file?.close();
      part.settle({ kind: 'merged', run });
    });
  }

  /** The part's owner is told once what is `underWay` for it has ended. */
  leave(part: MergePart, error: unknown, underWay: Promise<unknown>): void {
    this.#targets.find((target) => target.part === part)?.leave(error, underWay);
  }

  /** Takes away again what was written, and says whom it was for. */
  async takeBack(): Promise<MergePart[]> {
    await this.#each(async ({ file, part }) => {
      await file?.close();
      await part.disk.remove(part.job.outputPath);
    });
    return this.#targets.filter(({ isLeft }) => !isLeft).map(({ part }) => part);
  }

  /** Does it for all that are left; one that fails or is cancelled is left out from then on. */
  async #each(work: (target: Target) => Promise<unknown>): Promise<void> {
    await Promise.all(
      this.#targets.map(async (target) => {
        if (target.isLeft) return;
        const underWay = work(target);
        await unlessAborted(underWay, target.part.cancel).catch((error) => target.leave(error, underWay));
      }),
    );
  }

  #checkAnyIsLeft(): void {
    if (this.#targets.every(({ isLeft }) => isLeft)) throw new MergeCancelledError();
  }
}
