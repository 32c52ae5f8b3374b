// Walks over all rows, slowly, and removes what may go. All that it changes is a transaction like any other, decided on the rows as they
// are then, so replicas agree, and a crash leaves less purged but nothing wrong. Nobody is charged for it; it works a small part of
// the time, and not while clients want more than a partition's request units.

import { BackgroundWork } from '../foundation/background-work.ts';
import { type ByteString, keyAfter } from '../foundation/byte-string.ts';
import { type Clock, secondsNow } from '../foundation/clock.ts';
import type { Log } from '../foundation/log.ts';
import { Rests } from '../foundation/rests.ts';
import type { Scheduler } from '../foundation/scheduler.ts';
import { keyRangeOf, type LogicalPartition, logicalPartitionIn } from '../partitioning/logical-partition.ts';
import type { PartitionKeyDefinition } from '../partitioning/partition-key.ts';
import type { PartitionMap } from '../partitioning/partition-map.ts';
import type { PhysicalPartition } from '../partitioning/physical-partition.ts';
import type { Operation, PartitionAddress, PartitionStore } from '../storage/partition-store.ts';
import type { ContainerPurge } from './container-purge.ts';

export interface PurgeSettings {
  /** Between two passes; 0 for none at all. */
  readonly intervalMs: number;
  readonly rowsPerTurn: number;
  readonly bytesPerTurn: number;
  /** It rests so many times as long as it works. */
  readonly restFactor: number;
}

export const defaultPurgeSettings: PurgeSettings = {
  intervalMs: 3_600_000,
  rowsPerTurn: 500,
  bytesPerTurn: 256 * 1024,
  restFactor: 30,
};

type PurgedStore = Pick<PartitionStore, 'scan' | 'transact' | 'committedLsn'> & {
  containers(): readonly number[];
  mapOf(container: number): PartitionMap | undefined;
  definitionOf(container: number): PartitionKeyDefinition | undefined;
};

export interface PurgeParts {
  readonly store: PurgedStore;
  /** Undefined for a container in which nothing ever goes by itself. */
  readonly purgeOf: (container: number, nowSeconds: number) => ContainerPurge | undefined;
  /** Whether clients have spent all the request units of the physical partition. */
  readonly isExhausted: (address: PartitionAddress) => boolean;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly settings: PurgeSettings;
}

/** What the last walk over a physical partition found: until another write, nothing can be due before that second. */
interface Walked {
  readonly lsn: number | undefined;
  readonly dueSecond: number;
}

/** Clients that go on and on are let go first for so long, in waits of a second. */
const mostWaits = 60;
const waitMs = 1_000;

export class PurgePass {
  readonly #parts: PurgeParts;
  readonly #background: BackgroundWork;
  #walked = new Map<string, Walked>();
  readonly #rests: Rests;

  constructor(parts: PurgeParts) {
    this.#parts = parts;
    this.#background = new BackgroundWork(parts.log);
    this.#rests = new Rests(parts.scheduler);
  }

  /** From now on, again and again. */
  start(): void {
    const { intervalMs } = this.#parts.settings;
    if (intervalMs === 0) return;
    this.#background.add(
      this.#rests
        .rest(intervalMs)
        .then(() => this.run())
        .finally(() => {
          if (!this.#rests.isOver) this.start();
        }),
    );
  }

  async stop(): Promise<void> {
    this.#rests.end();
    await this.#background.settle();
  }

  /** One pass over everything. */
  async run(): Promise<void> {
    const { store, purgeOf, clock } = this.#parts;
    const known = this.#walked;
    this.#walked = new Map();
    for (const container of store.containers()) {
      const nowSeconds = secondsNow(clock);
      const purge = purgeOf(container, nowSeconds);
      if (purge !== undefined) await this.#walkContainer(container, purge, nowSeconds, known);
    }
  }

  async #walkContainer(
    container: number,
    purge: ContainerPurge,
    nowSeconds: number,
    known: ReadonlyMap<string, Walked>,
  ): Promise<void> {
    const { store } = this.#parts;
    // By their ids: one that is split or merged meanwhile is walked over in the next pass.
    for (const partition of store.mapOf(container)?.partitions ?? []) {
      if (this.#rests.isOver) return;
      const name = `${container}/${partition.id}`;
      const before = known.get(name);
      const lsn = store.committedLsn({ container, physicalPartition: partition.id });
      const isIdle = before !== undefined && before.lsn === lsn && before.dueSecond > nowSeconds;
      const walked = isIdle
        ? before
        : { lsn, ...(await this.#walk(container, partition, purge, nowSeconds)) };
      if (walked.dueSecond > nowSeconds) this.#walked.set(name, walked);
    }
  }

  async #walk(
    container: number,
    { id, range }: PhysicalPartition,
    purge: ContainerPurge,
    nowSeconds: number,
  ): Promise<Pick<Walked, 'dueSecond'>> {
    const { store, settings, clock } = this.#parts;
    const definition = store.definitionOf(container);
    const unfinished = { dueSecond: nowSeconds };
    if (definition === undefined) return unfinished;
    const address = { container, physicalPartition: id };
    const partitions = new PartitionVisit(purge, (partition, operation) =>
      this.#transact(address, partition, operation),
    );
    const { from: start, to } = keyRangeOf(container, range);
    let dueSecond = Number.POSITIVE_INFINITY;
    for (let from = start; ; ) {
      if (!(await this.#mayWork(address))) return unfinished;
      const startedMs = clock.monotonic();
      const outcome = await store.scan(address, {
        from,
        to,
        maxRows: settings.rowsPerTurn,
        maxBytes: settings.bytesPerTurn,
        reverse: false,
      });
      // What may lack writes is no ground to forget anything.
      if (outcome.kind !== 'read' || outcome.certainty !== 'settled') return unfinished;
      const { rows, complete } = outcome.page;
      for (const row of rows) {
        if (!partitions.isAt(row.key))
          await partitions.enter(logicalPartitionIn(container, row.key, definition));
        const due = purge.dueSecond(row);
        if (due <= nowSeconds) partitions.note(row.key);
        else if (due < dueSecond) dueSecond = due;
      }
      await (complete ? partitions.leave() : partitions.purgeNoted());
      if (partitions.hasFailed) return unfinished;
      if (complete) return { dueSecond: partitions.hasPurged ? nowSeconds : dueSecond };
      from = keyAfter(rows.at(-1)?.key ?? from);
      await this.#rests.rest(Math.max(1, settings.restFactor * (clock.monotonic() - startedMs)));
    }
  }

  async #mayWork(address: PartitionAddress): Promise<boolean> {
    for (let wait = 0; wait < mostWaits && !this.#rests.isOver; wait++) {
      if (!this.#parts.isExhausted(address)) return true;
      await this.#rests.rest(waitMs);
    }
    return false;
  }

  /** Whether it is sure to have happened. */
  #transact(
    address: PartitionAddress,
    logicalPartition: LogicalPartition,
    operation: Operation,
  ): Promise<boolean> {
    return new Promise((resolve) => {
      this.#parts.store.transact(address, logicalPartition, operation, ({ kind }) =>
        resolve(kind === 'committed'),
      );
    });
  }
}

/** The walk through logical partitions, of which one is at hand at a time. */
class PartitionVisit {
  readonly #purge: ContainerPurge;
  readonly #transact: (partition: LogicalPartition, operation: Operation) => Promise<boolean>;
  #inside: LogicalPartition | undefined;
  #noted: ByteString[] = [];
  /** Some of the partition at hand could not be purged. */
  #isIncomplete = false;
  hasFailed = false;
  hasPurged = false;

  constructor(
    purge: ContainerPurge,
    transact: (partition: LogicalPartition, operation: Operation) => Promise<boolean>,
  ) {
    this.#purge = purge;
    this.#transact = transact;
  }

  isAt(key: ByteString): boolean {
    return this.#inside !== undefined && key.startsWith(this.#inside.prefix);
  }

  async enter(partition: LogicalPartition): Promise<void> {
    await this.leave();
    this.#inside = partition;
    this.#isIncomplete = false;
  }

  note(key: ByteString): void {
    this.#noted.push(key);
  }

  async leave(): Promise<void> {
    if (this.#inside === undefined) return;
    await this.purgeNoted();
    const last = this.#isIncomplete ? undefined : this.#purge.lastOperation(this.#inside);
    if (last !== undefined) await this.#run(last);
  }

  async purgeNoted(): Promise<void> {
    if (this.#inside === undefined || this.#noted.length === 0) return;
    await this.#run(this.#purge.operation(this.#inside, this.#noted.splice(0)));
  }

  async #run(operation: Operation): Promise<void> {
    if (this.#inside === undefined) return;
    this.hasPurged = true;
    if (await this.#transact(this.#inside, operation)) return;
    this.#isIncomplete = true;
    this.hasFailed = true;
  }
}
