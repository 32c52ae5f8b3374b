// Carries out what a change of throughput waits for: splits one physical partition after the other until there are enough, then lets the
// new setting take effect. Nothing is planned or remembered besides the pending change itself, so a server that was killed on the way
// goes on from the partitions it finds. A split that fails is tried again, ever less often, and can be seen to have failed.

import { type ThroughputOwner, textOfOwner } from '../catalog/throughput-owner.ts';
import type { ThroughputRecords } from '../catalog/throughput-records.ts';
import { RingfoldError } from '../errors/ringfold-error.ts';
import type { Log } from '../foundation/log.ts';
import { Rests } from '../foundation/rests.ts';
import { nextTurn, type Scheduler, settlesWithin } from '../foundation/scheduler.ts';
import { ringShareOf } from '../partitioning/ring-share.ts';
import type { ReplicatedPartitionStore } from '../replication/replicated-partition-store.ts';
import type { PartitionAddress } from '../storage/partition-store.ts';
import type { ScaleStep, SplitCandidate } from '../throughput/scale-plan.ts';
import { finishPending, nextPendingStep, type PendingChange } from '../throughput/throughput-state.ts';
import { StretchSplits } from './stretch-splits.ts';

export interface ScaleUpsParts {
  readonly store: Pick<ReplicatedPartitionStore, 'mapOf' | 'definitionOf' | 'splitPartition'>;
  readonly records: ThroughputRecords;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/** How a pending change is getting on, as far as this process knows. */
export interface ScaleUpProgress {
  readonly splitsDone: number;
  /** The physical partition being split now. */
  readonly splitting: PartitionAddress | undefined;
  /** In a row; 0 again after a split that went well. */
  readonly failures: number;
  readonly lastFailure: string | undefined;
}

const firstBackOffMs = 100;
const maxBackOffMs = 30_000;
/** Stopping waits so long for the split under way; one that cannot end is completed after the next start. */
const stopGraceMs = 2_000;
const atRest: ScaleUpProgress = { splitsDone: 0, splitting: undefined, failures: 0, lastFailure: undefined };

export class ScaleUps {
  readonly #parts: ScaleUpsParts;
  readonly #stretchSplits: StretchSplits;
  readonly #running = new Map<string, Promise<void>>();
  readonly #progress = new Map<string, ScaleUpProgress>();
  readonly #rests: Rests;

  constructor(parts: ScaleUpsParts) {
    this.#parts = parts;
    this.#stretchSplits = new StretchSplits(parts);
    this.#rests = new Rests(parts.scheduler);
  }

  /** Goes on with what was pending when the server ended. */
  resume(): void {
    for (const owner of this.#parts.records.owners()) this.start(owner);
  }

  /** Does nothing for an owner whose change is being carried out already, or who has none. */
  start(owner: ThroughputOwner): void {
    const id = textOfOwner(owner);
    if (this.#rests.isOver || this.#running.has(id) || this.#pendingOf(owner) === undefined) return;
    const run = this.#run(owner)
      .catch((error) => {
        this.#parts.log.warn('scale-up failed', { owner: id, reason: String(error) });
        return 'cut off' as const;
      })
      .then((ending) => {
        this.#running.delete(id);
        this.#progress.delete(id);
        // The next change may have come while this one was ending.
        if (ending === 'finished') this.start(owner);
      });
    this.#running.set(id, run);
  }

  progressOf(owner: ThroughputOwner): ScaleUpProgress {
    return this.#progress.get(textOfOwner(owner)) ?? atRest;
  }

  async stop(): Promise<void> {
    this.#rests.end();
    await settlesWithin(this.#parts.scheduler, stopGraceMs, Promise.all(this.#running.values()));
  }

  async #run(owner: ThroughputOwner): Promise<'finished' | 'cut off'> {
    const unsplittable = new Set<number>();
    for (;;) {
      const pending = this.#pendingOf(owner);
      if (this.#rests.isOver) return 'cut off';
      // A container that was dropped meanwhile has nothing pending any more.
      if (pending === undefined) return 'finished';
      const step = this.#nextStep(owner, pending, unsplittable);
      if (step.kind === 'split') {
        await this.#split(owner, step.physicalPartition, unsplittable);
        // Where everything is in memory a split takes no turn at all, and requests are to go on in between.
        await nextTurn(this.#parts.scheduler);
        continue;
      }
      if (step.kind === 'stuck') {
        this.#parts.log.warn('no partition can be split further', { owner: textOfOwner(owner) });
      }
      await this.#tried(owner, () => this.#finish(owner));
    }
  }

  async #split(owner: ThroughputOwner, id: number, unsplittable: Set<number>): Promise<void> {
    const note = (splitting: PartitionAddress): void => this.#note(owner, { splitting });
    await this.#tried(owner, async () => {
      try {
        if (owner.kind === 'database') {
          await this.#stretchSplits.split(owner.database, id, note);
        } else {
          note({ container: owner.container, physicalPartition: id });
          await this.#parts.store.splitPartition(owner.container, id, 'midpoint');
        }
        this.#note(owner, { splitsDone: this.progressOf(owner).splitsDone + 1 });
      } catch (error) {
        if (!(error instanceof RingfoldError)) throw error;
        // Somebody else was quicker; the next step is found from the map as it is now.
        if (error.code === 'partition-not-found' || error.code === 'container-not-found') return;
        if (error.code !== 'split-refused') throw error;
        unsplittable.add(id);
      }
    });
  }

  /** After a failure it waits, so that whoever tries again does so later. */
  async #tried(owner: ThroughputOwner, attempt: () => Promise<void>): Promise<void> {
    try {
      await attempt();
      this.#note(owner, { splitting: undefined, failures: 0, lastFailure: undefined });
    } catch (error) {
      const failures = this.progressOf(owner).failures + 1;
      const lastFailure = error instanceof RingfoldError ? error.code : String(error);
      this.#note(owner, { splitting: undefined, failures, lastFailure });
      this.#parts.log.warn('split for throughput failed', {
        owner: textOfOwner(owner),
        failures,
        lastFailure,
      });
      await this.#rests.rest(Math.min(firstBackOffMs * 2 ** (failures - 1), maxBackOffMs));
    }
  }

  #finish(owner: ThroughputOwner): Promise<void> {
    const { records } = this.#parts;
    return records.inTurn(owner, async () => {
      const record = records.of(owner);
      if (record?.state.pending === undefined) return;
      await records.put(owner, { ...record, state: finishPending(record.state) });
    });
  }

  #nextStep(owner: ThroughputOwner, pending: PendingChange, unsplittable: ReadonlySet<number>): ScaleStep {
    const candidates = this.#candidatesOf(owner);
    // One that was dropped meanwhile has nothing left to split.
    return candidates.length === 0 ? { kind: 'done' } : nextPendingStep(pending, candidates, unsplittable);
  }

  /** Physical partitions of a container; of a database, stretches of the ring. */
  #candidatesOf(owner: ThroughputOwner): SplitCandidate[] {
    const { store, records } = this.#parts;
    if (owner.kind === 'database') {
      const stretches = records.of(owner)?.stretches;
      return (stretches?.list ?? []).map(({ id }) => ({ id, ringShare: stretches?.widthOf(id) ?? 0 }));
    }
    const definition = store.definitionOf(owner.container);
    if (definition === undefined) return [];
    return (store.mapOf(owner.container)?.partitions ?? []).map(({ id, range }) => ({
      id,
      ringShare: ringShareOf(range, definition.hashKind),
    }));
  }

  #pendingOf(owner: ThroughputOwner): PendingChange | undefined {
    return this.#parts.records.of(owner)?.state.pending;
  }

  #note(owner: ThroughputOwner, changed: Partial<ScaleUpProgress>): void {
    this.#progress.set(textOfOwner(owner), { ...this.progressOf(owner), ...changed });
  }
}
