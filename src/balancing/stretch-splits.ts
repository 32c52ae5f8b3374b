// Splits a stretch of a shared database: first every container that shares is cut in the middle of it, one after the other, then the
// stretch itself. What was cut stays cut, so one that was cut off on the way goes on from there.

import { databaseOwner } from '../catalog/throughput-owner.ts';
import { stretchesIn, type ThroughputRecords } from '../catalog/throughput-records.ts';
import { RingfoldError } from '../errors/ringfold-error.ts';
import type { PhysicalPartition } from '../partitioning/physical-partition.ts';
import { ringBoundaryAt, ringPlaceOf } from '../partitioning/ring-share.ts';
import { isSamePlace } from '../partitioning/shared-stretches.ts';
import type { ReplicatedPartitionStore } from '../replication/replicated-partition-store.ts';
import type { PartitionAddress } from '../storage/partition-store.ts';

export interface StretchSplitsParts {
  readonly store: Pick<ReplicatedPartitionStore, 'mapOf' | 'definitionOf' | 'splitPartition'>;
  readonly records: ThroughputRecords;
}

export class StretchSplits {
  readonly #parts: StretchSplitsParts;

  constructor(parts: StretchSplitsParts) {
    this.#parts = parts;
  }

  /** Throws `split-refused` for a stretch that is too narrow, and what a split of a container fails with. */
  async split(
    database: string,
    stretch: number,
    whenSplitting: (address: PartitionAddress) => void,
  ): Promise<void> {
    const { records } = this.#parts;
    const owner = databaseOwner(database);
    const uncuttable = new Set<number>();
    for (;;) {
      const record = records.of(owner);
      if (record === undefined || !stretchesIn(record).has(stretch)) return;
      // Before any container is cut for it.
      if (!stretchesIn(record).canSplit(stretch))
        throw new RingfoldError('split-refused', { database, stretch });
      const middle = stretchesIn(record).middleOf(stretch);
      const uncut = this.#uncut(database, middle, uncuttable);
      if (uncut !== undefined) {
        whenSplitting(uncut);
        await this.#cut(uncut, middle, uncuttable);
        continue;
      }
      // Looked at again in its turn: a container may have been made meanwhile.
      const isSplit = await records.inTurn(owner, async () => {
        const current = records.of(owner);
        if (current === undefined || !stretchesIn(current).has(stretch)) return true;
        if (this.#uncut(database, middle, uncuttable) !== undefined) return false;
        await records.put(owner, { ...current, stretches: stretchesIn(current).split(stretch) });
        return true;
      });
      if (isSplit) return;
    }
  }

  /** A partition, of any container that shares, in which the place lies with some of it on both sides. */
  #uncut(database: string, place: number, uncuttable: ReadonlySet<number>): PartitionAddress | undefined {
    const { store, records } = this.#parts;
    for (const container of records.sharing(database)) {
      const map = store.mapOf(container);
      const definition = store.definitionOf(container);
      if (map === undefined || definition === undefined || uncuttable.has(container)) continue;
      const isAcross = ({ range }: PhysicalPartition): boolean => {
        const [from, to] = [range.min, range.max].map((end) => ringPlaceOf(end, definition.hashKind));
        if (from === undefined || to === undefined) return false;
        return from < place && to > place && !isSamePlace(from, place) && !isSamePlace(to, place);
      };
      const across = map.partitions.find(isAcross);
      if (across !== undefined) return { container, physicalPartition: across.id };
    }
    return undefined;
  }

  async #cut(address: PartitionAddress, place: number, uncuttable: Set<number>): Promise<void> {
    const { store } = this.#parts;
    const { container, physicalPartition } = address;
    const definition = store.definitionOf(container);
    const partition = store.mapOf(container)?.partitions.find(({ id }) => id === physicalPartition);
    if (definition === undefined || partition === undefined) return;
    const { hashKind } = definition;
    const { min, max } = partition.range;
    const middle = (ringPlaceOf(min, hashKind) + ringPlaceOf(max, hashKind)) / 2;
    // The service's own digits, where the partition is all of the stretch, as most are.
    const at = isSamePlace(middle, place) ? 'midpoint' : ringBoundaryAt(place, hashKind);
    try {
      await store.splitPartition(container, physicalPartition, at);
    } catch (error) {
      if (!(error instanceof RingfoldError)) throw error;
      // Somebody else was quicker; the map is looked at again.
      if (error.code === 'partition-not-found' || error.code === 'container-not-found') return;
      if (error.code !== 'split-refused') throw error;
      // It spends from the stretch that it begins in, as before.
      uncuttable.add(container);
    }
  }
}
