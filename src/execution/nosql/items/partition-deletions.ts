// Logical partitions that are deleted by their partition key. From one moment on everything in them that was written before it is gone
// for everybody; then it is removed in the background. The moment is on record before it counts, so a crash takes nothing back.

import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { type ByteString, byteStringFromHex, hexOf } from '../../../foundation/byte-string.ts';
import type { LogicalPartition } from '../../../partitioning/logical-partition.ts';
import type { RingPosition } from '../../../partitioning/ring-position.ts';
import type { SystemRecords } from '../../../replication/system-records.ts';

export interface PartitionDeletion {
  readonly container: number;
  readonly prefix: ByteString;
  readonly ringPosition: RingPosition;
  /** Timestamps up to this one are gone. */
  readonly through: number;
}

const kind = 'nosql-partition-deletion';
/** Each is in memory until its items are removed. */
const maxPending = 10_000;
/** The service's own: too many at a time. */
const tooMany = 1032;

type Records = Pick<SystemRecords, 'readAll' | 'put'>;

export class PartitionDeletions {
  readonly #records: Records;
  readonly #pending = new Map<number, Map<ByteString, PartitionDeletion>>();
  #count = 0;
  #lastTurn: Promise<void> = Promise.resolve();
  /** Called when there is something to remove. */
  onAdded: () => void = () => {};

  private constructor(records: Records) {
    this.#records = records;
  }

  static async load(records: Records): Promise<PartitionDeletions> {
    const deletions = new PartitionDeletions(records);
    for (const value of (await records.readAll(kind)).values()) deletions.#add(decoded(value));
    return deletions;
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** Items of the logical partition that were written at this timestamp or before are gone; 0 where none was deleted. */
  deletedThrough(container: number, prefix: ByteString): number {
    if (this.isEmpty) return 0;
    return this.#pending.get(container)?.get(prefix)?.through ?? 0;
  }

  /** One whose items are to be removed; undefined when there is none. */
  get first(): PartitionDeletion | undefined {
    for (const ofContainer of this.#pending.values())
      for (const deletion of ofContainer.values()) return deletion;
    return undefined;
  }

  async delete(
    { container }: ContainerDefinition,
    { prefix, ringPosition }: LogicalPartition,
    through: number,
  ): Promise<void> {
    if (this.#count >= maxPending) {
      throw new RingfoldError('forbidden', {
        reason: 'Too many partition keys are being deleted: try again when their items are removed.',
        substatus: tooMany,
      });
    }
    const deletion = { container, prefix, ringPosition, through };
    await this.#inTurn(async () => {
      await this.#records.put([{ kind, id: idOf(deletion), value: encoded(deletion) }]);
      this.#add(deletion);
    });
    this.onAdded();
  }

  /** All its items are removed; it stays if it was deleted once more. */
  end(deletion: PartitionDeletion): Promise<void> {
    const { container, prefix } = deletion;
    return this.#inTurn(async () => {
      const ofContainer = this.#pending.get(container);
      if (ofContainer?.get(prefix) !== deletion) return;
      await this.#records.put([{ kind, id: idOf(deletion), value: null }]);
      ofContainer.delete(prefix);
      if (ofContainer.size === 0) this.#pending.delete(container);
      this.#count--;
    });
  }

  /** So that the end of one deletion never removes the record of the next. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#lastTurn.then(work);
    this.#lastTurn = turn.catch(() => {});
    return turn;
  }

  #add(deletion: PartitionDeletion): void {
    const { container, prefix, through } = deletion;
    const ofContainer = this.#pending.get(container) ?? new Map<ByteString, PartitionDeletion>();
    this.#pending.set(container, ofContainer);
    const known = ofContainer.get(prefix);
    if (known === undefined) this.#count++;
    if (known === undefined || known.through < through) ofContainer.set(prefix, deletion);
  }
}

function idOf({ prefix }: PartitionDeletion): string {
  return hexOf(prefix);
}

function encoded({ container, prefix, ringPosition, through }: PartitionDeletion): unknown {
  return { container, prefix: hexOf(prefix), ringPosition: hexOf(ringPosition), through };
}

function decoded(value: unknown): PartitionDeletion {
  const { container, prefix, ringPosition, through } = value as Record<string, unknown>;
  if (
    typeof container !== 'number' ||
    typeof prefix !== 'string' ||
    typeof ringPosition !== 'string' ||
    typeof through !== 'number'
  )
    throw new RingfoldError('corrupt-data', { reason: 'a record of a deleted partition key' });
  return {
    container,
    prefix: byteStringFromHex(prefix),
    ringPosition: byteStringFromHex(ringPosition) as RingPosition,
    through,
  };
}
