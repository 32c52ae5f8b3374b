import type { Scheduler } from '../../foundation/scheduler.ts';
import { contentKey, type MergeJob, type MergeOutcome, settleWith } from './merge-runs.ts';
import type { WrittenRun } from './run-file.ts';

/** So long a merge waits for the same one of other nodes. They get their runs within milliseconds of one another; it is in no hurry. */
const waitMs = 300;

export interface GroupMember<P> {
  readonly place: P;
  readonly job: MergeJob;
  readonly cancel: AbortSignal;
  settle(outcome: MergeOutcome): void;
}

interface Group<P> {
  readonly key: string;
  readonly members: Set<GroupMember<P>>;
  cancelTimer: () => void;
}

/** Brings together the merges of several nodes that will give the same run, so that they can be done as one. */
export class MergeGroups<P> {
  readonly #run: (members: readonly GroupMember<P>[]) => Promise<void>;
  readonly #scheduler: Scheduler;
  readonly #waiting = new Map<string, Group<P>>();
  /** How many may come: with all of them there is nothing to wait for. */
  #places = 0;

  /** `run` settles each member it is given. */
  constructor(run: (members: readonly GroupMember<P>[]) => Promise<void>, scheduler: Scheduler) {
    this.#run = run;
    this.#scheduler = scheduler;
  }

  addPlace(): void {
    this.#places += 1;
  }

  /** Undefined when it was cancelled. */
  merge(place: P, job: MergeJob, cancel: AbortSignal): Promise<WrittenRun | undefined> {
    return new Promise((resolve, reject) => {
      if (cancel.aborted) {
        resolve(undefined);
        return;
      }
      const key = contentKey(job);
      const group = this.#waiting.get(key) ?? this.#begin(key);
      // One that has begun is cancelled by whoever merges, and is over when nothing more is written for it.
      const onAbort = (): void => {
        if (this.#waiting.get(key) === group && group.members.delete(member))
          member.settle({ kind: 'cancelled' });
      };
      const member: GroupMember<P> = {
        place,
        job,
        cancel,
        settle: (outcome) => {
          cancel.removeEventListener('abort', onAbort);
          settleWith(outcome, resolve, reject);
        },
      };
      cancel.addEventListener('abort', onAbort);
      group.members.add(member);
      if (group.members.size >= this.#places) this.#start(group);
    });
  }

  #begin(key: string): Group<P> {
    const group: Group<P> = { key, members: new Set(), cancelTimer: () => {} };
    group.cancelTimer = this.#scheduler.after(waitMs, () => this.#start(group));
    this.#waiting.set(key, group);
    return group;
  }

  #start({ key, members, cancelTimer }: Group<P>): void {
    cancelTimer();
    this.#waiting.delete(key);
    if (members.size === 0) return;
    this.#run([...members]).catch((error) => {
      for (const member of members) member.settle({ kind: 'failed', error });
    });
  }
}
