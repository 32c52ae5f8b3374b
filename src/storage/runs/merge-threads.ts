import { Worker } from 'node:worker_threads';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import { systemScheduler } from '../../foundation/scheduler.ts';
import { type GroupMember, MergeGroups } from './merge-groups.ts';
import type { MergeJob, MergeOutcome, RunMerger } from './merge-runs.ts';
import type { WrittenRun } from './run-file.ts';

export interface MergeRequest {
  readonly id: number;
  readonly parts: readonly RequestPart[];
}

export interface RequestPart {
  readonly directory: string;
  readonly job: MergeJob;
  /** One number: not 0 when this part is no longer wanted. Shared, since the thread is busy and takes no messages. */
  readonly cancelled: Int32Array;
}

/** What became of one part. */
export interface MergeReply {
  readonly id: number;
  readonly part: number;
  readonly outcome: PlainOutcome;
}

/** An outcome as it can be sent: of an error only its text and its code. */
export type PlainOutcome =
  | Exclude<MergeOutcome, { readonly kind: 'failed' }>
  | { readonly kind: 'failed'; readonly message: string; readonly code: string | undefined };

/** Merges of more than this many bytes have a thread of their own: they take seconds to minutes, and new runs come several a second. */
const largeBytes = 256 * 2 ** 20;

/** The threads in which the runs of all nodes of a process are merged. Each is begun with its first merge. */
export class MergeThreads {
  readonly #small = new MergeThread();
  readonly #large = new MergeThread();
  readonly #groups: MergeGroups<string> = new MergeGroups((members) => this.#run(members), systemScheduler);
  readonly #directories = new Set<string>();

  mergerFor(directory: string): RunMerger {
    // A node that is opened again comes again.
    if (!this.#directories.has(directory)) this.#groups.addPlace();
    this.#directories.add(directory);
    return {
      merge: (job, cancel): Promise<WrittenRun | undefined> => this.#groups.merge(directory, job, cancel),
    };
  }

  async #run(members: readonly GroupMember<string>[]): Promise<void> {
    const bytes = members[0]?.job.inputs.reduce((sum, { record }) => sum + record.sizeBytes, 0) ?? 0;
    (bytes > largeBytes ? this.#large : this.#small).run(members);
  }

  async close(): Promise<void> {
    await Promise.all([this.#small.close(), this.#large.close()]);
  }
}

class MergeThread {
  /** Members that are not settled yet, by their request and their place in it. */
  readonly #waiting = new Map<number, Map<number, GroupMember<string>>>();
  #worker: Worker | undefined;
  #nextId = 1;

  run(members: readonly GroupMember<string>[]): void {
    const id = this.#nextId++;
    const parts: RequestPart[] = [];
    const waiting = new Map<number, GroupMember<string>>();
    for (const [index, member] of members.entries()) {
      const flag = new CancelFlag(member.cancel);
      parts.push({ directory: member.place, job: member.job, cancelled: flag.value });
      waiting.set(index, {
        ...member,
        settle: (outcome) => {
          flag.release();
          member.settle(outcome);
        },
      });
    }
    this.#waiting.set(id, waiting);
    (this.#worker ?? this.#begin()).postMessage({ id, parts } satisfies MergeRequest);
  }

  #begin(): Worker {
    const worker = new Worker(new URL('./merge-worker.js', import.meta.url));
    // A merge never keeps the process alive.
    worker.unref();
    worker.on('message', ({ id, part, outcome }: MergeReply) => {
      const waiting = this.#waiting.get(id);
      const member = waiting?.get(part);
      waiting?.delete(part);
      if (waiting?.size === 0) this.#waiting.delete(id);
      member?.settle(outcomeFrom(outcome));
    });
    worker.on('error', (error) => this.#end(worker, error));
    worker.on('exit', () => this.#end(worker, new Error('the merging thread has ended')));
    this.#worker = worker;
    return worker;
  }

  #end(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const members = [...this.#waiting.values()].flatMap((waiting) => [...waiting.values()]);
    this.#waiting.clear();
    for (const member of members) member.settle({ kind: 'failed', error });
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }
}

/** What a signal says, where another thread can see it. */
class CancelFlag {
  readonly value = new Int32Array(new SharedArrayBuffer(4));
  readonly #signal: AbortSignal;
  readonly #raise = (): void => {
    Atomics.store(this.value, 0, 1);
  };

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    if (signal.aborted) this.#raise();
    signal.addEventListener('abort', this.#raise);
  }

  release(): void {
    this.#signal.removeEventListener('abort', this.#raise);
  }
}

function outcomeFrom(plain: PlainOutcome): MergeOutcome {
  if (plain.kind !== 'failed') return plain;
  const { message, code } = plain;
  if (code === 'corrupt-data') return { kind: 'failed', error: new RingfoldError(code, { what: message }) };
  return { kind: 'failed', error: Object.assign(new Error(message), code === undefined ? {} : { code }) };
}
