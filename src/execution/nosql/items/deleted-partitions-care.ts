// Removes the items of logical partitions that were deleted by their key: some at a time, with rests, charged to nobody.

import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { BackgroundWork } from '../../../foundation/background-work.ts';
import { type ByteString, keyAfter } from '../../../foundation/byte-string.ts';
import type { Log } from '../../../foundation/log.ts';
import { Rests } from '../../../foundation/rests.ts';
import { whereverItIs } from '../../../routing/find-partition.ts';
import type { Outcome, Row } from '../../../storage/partition-store.ts';
import { decodeStoredItem } from '../../../values/stored-item.ts';
import { itemsOf } from '../item-keys.ts';
import type { NosqlParts } from '../nosql-parts.ts';
import { visibilityOf } from '../visibility.ts';
import { removalOperation } from './item-operation-kinds.ts';
import type { PartitionDeletion } from './partition-deletions.ts';

const page = { maxRows: 100, maxBytes: 2 ** 20, reverse: false };
const restMs = 5;
/** After something failed: too few replicas, a full disk. */
const retryMs = 1_000;

export class DeletedPartitionsCare {
  readonly #parts: NosqlParts;
  readonly #background: BackgroundWork;
  readonly #rests: Rests;
  #isRunning = false;

  constructor(parts: NosqlParts, log: Log) {
    this.#parts = parts;
    this.#background = new BackgroundWork(log);
    this.#rests = new Rests(parts.scheduler);
  }

  /** Goes on with what a stop or a crash left, and from now on with what comes. */
  start(): void {
    this.#parts.deletions.onAdded = () => this.#runIfIdle();
    this.#runIfIdle();
  }

  async stop(): Promise<void> {
    this.#parts.deletions.onAdded = () => {};
    this.#rests.end();
    await this.#background.settle();
  }

  #runIfIdle(): void {
    if (this.#isRunning || this.#rests.isOver) return;
    this.#isRunning = true;
    this.#background.add(this.#run());
  }

  async #run(): Promise<void> {
    const { deletions } = this.#parts;
    try {
      for (let next = deletions.first; next !== undefined && !this.#rests.isOver; next = deletions.first)
        if (!(await this.#carryOut(next))) await this.#rests.rest(retryMs);
    } finally {
      // In the turn in which none was found, so that one that is added in the next is not left lying.
      this.#isRunning = false;
    }
  }

  /** False if it has to be tried again. */
  async #carryOut(deletion: PartitionDeletion): Promise<boolean> {
    const { deletions, catalog } = this.#parts;
    try {
      // With the container all of it is gone.
      const isGone = catalog.containerOf(deletion.container) === undefined;
      if (!isGone && !(await this.#removeItems(deletion))) return false;
      await deletions.end(deletion);
      return true;
    } catch (error) {
      // Too few replicas, or a partition that moves all the time: neither stays so for ever.
      if (!(error instanceof RingfoldError)) throw error;
      return false;
    }
  }

  /** False if it has to be tried again. */
  async #removeItems(deletion: PartitionDeletion): Promise<boolean> {
    // What was ordered before the deletion is behind this, so that no scan misses it.
    if (!(await this.#remove(deletion, []))) return false;
    const { from: start, to } = itemsOf(deletion);
    for (let from = start; !this.#rests.isOver; ) {
      const found = await this.#scan(deletion, from, to);
      if (found === undefined) return false;
      const gone = found.rows.filter(
        ({ value }) => (decodeStoredItem(value).timestamp ?? 0) <= deletion.through,
      );
      if (gone.length > 0 && !(await this.#remove(deletion, gone))) return false;
      if (found.complete) return true;
      from = keyAfter(found.rows.at(-1)?.key ?? from);
      await this.#rests.rest(restMs);
    }
    return false;
  }

  async #scan(deletion: PartitionDeletion, from: ByteString, to: ByteString) {
    const { store } = this.#parts.throughput;
    const { outcome } = await whereverItIs(store, deletion, async (address) => {
      const scanned = await store.scan(address, { from, to, ...page });
      return scanned.kind === 'moved' ? undefined : { outcome: scanned };
    });
    return outcome.kind === 'read' && outcome.certainty === 'settled' ? outcome.page : undefined;
  }

  async #remove(deletion: PartitionDeletion, rows: readonly Row[]): Promise<boolean> {
    const { throughput, timestamps, catalog } = this.#parts;
    const { store, clock } = throughput;
    const container = catalog.containerOf(deletion.container);
    if (container === undefined) return false;
    const { outcome } = await whereverItIs(store, deletion, async (address) => {
      const operation = removalOperation({
        container,
        prefix: deletion.prefix,
        keys: new Set(rows.map(({ key }) => key)),
        timestamp: timestamps.next(clock.microseconds()),
        visibility: visibilityOf(this.#parts, container, deletion),
      });
      const settled = await new Promise<Outcome>((done) =>
        store.transact(address, deletion, operation, done),
      );
      return settled.kind === 'moved' ? undefined : { outcome: settled };
    });
    return outcome.kind === 'committed';
  }
}
