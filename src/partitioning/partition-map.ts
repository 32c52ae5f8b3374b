// Physical partitions in ring order. Together they cover the ring with no gap and no overlap, and a map is never
// edited: a split, a merge or a move yields the next map, so a request that began under one ends under it.

import { RingfoldError } from '../errors/ringfold-error.ts';
import { assert } from '../foundation/assert.ts';
import {
  decodePartitionMap,
  encodePartitionMap,
  type PartitionMapFields,
  type PartitionMapJson,
} from './partition-map-json.ts';
import type { PhysicalPartition, RetiredPartition, ThroughputPolicy } from './physical-partition.ts';
import { haveSameMembers, type ReplicaSet } from './replica-set.ts';
import { type RingPosition, ringEnd, ringStart } from './ring-position.ts';
import { adjoins, canonicalBoundary, type RingRange, ringRange } from './ring-range.ts';

export class PartitionMap implements PartitionMapFields {
  readonly container: number;
  readonly version: number;
  readonly nextId: number;
  readonly throughputPolicy: ThroughputPolicy;
  readonly partitions: readonly PhysicalPartition[];
  readonly retired: readonly RetiredPartition[];
  readonly #starts: readonly RingPosition[];

  private constructor(fields: PartitionMapFields) {
    this.container = fields.container;
    this.version = fields.version;
    this.nextId = fields.nextId;
    this.throughputPolicy = fields.throughputPolicy;
    this.partitions = Object.freeze([...fields.partitions]);
    this.retired = Object.freeze([...fields.retired]);
    this.#starts = this.partitions.map((partition) => partition.range.min);
    Object.freeze(this);
  }

  /** The boundaries are those between partitions, in ring order: one fewer than there are partitions. */
  static initial(
    container: number,
    boundaries: readonly RingPosition[],
    place: (index: number) => ReplicaSet,
  ): PartitionMap {
    const ends = [...boundaries, ringEnd];
    const partitions = ends.map((end, index) => ({
      id: index,
      range: ringRange(boundaries[index - 1] ?? ringStart, end),
      replicaSet: place(index),
      parents: [],
      startLsn: 0,
      sessionVersion: 0,
      throughputFraction: 1 / ends.length,
    }));
    return new PartitionMap({
      container,
      version: 1,
      nextId: ends.length,
      throughputPolicy: 'equal',
      partitions,
      retired: [],
    });
  }

  /** Throws `corrupt-data` for what `toJSON` could not have written. */
  static fromJSON(json: unknown): PartitionMap {
    return new PartitionMap(decodePartitionMap(json));
  }

  toJSON(): PartitionMapJson {
    return encodePartitionMap(this);
  }

  ownerOf(position: RingPosition): PhysicalPartition {
    return this.#at(this.#indexOf(position));
  }

  /** In ring order. */
  overlapping(range: RingRange): readonly PhysicalPartition[] {
    let end = this.#indexOf(range.max);
    // A range that ends on a boundary has nothing of the partition beyond it.
    if (this.#at(end).range.min < canonicalBoundary(range.max)) end++;
    return this.partitions.slice(this.#indexOf(range.min), end);
  }

  partition(id: number): PhysicalPartition {
    const found = this.partitions.find((partition) => partition.id === id);
    if (found === undefined) throw this.#partitionNotFound(id);
    return found;
  }

  /**
   * The current partitions that descend from this one and have part of what it had, in ring order; itself while it is
   * current. After a merge they may cover more of the ring than it did.
   */
  heirsOf(id: number): readonly PhysicalPartition[] {
    const retired = this.retired.find((partition) => partition.id === id);
    // Whoever owns part of its range today got it by splits and merges, so there is no lineage to walk.
    return retired === undefined ? [this.partition(id)] : this.overlapping(retired.range);
  }

  /** All that the partition came from, parents after their own: a client that knows any of them forgets it. */
  ancestorsOf(id: number): readonly number[] {
    const found = new Set<number>();
    const visit = (child: number): void => {
      for (const { id: parent, children } of this.retired) {
        if (found.has(parent) || !children.includes(child)) continue;
        visit(parent);
        found.add(parent);
      }
    };
    visit(id);
    return [...found];
  }

  /** Cuts a partition in two. `splitLsn` is the last LSN the parent gives; both children go on from it. */
  split(id: number, at: RingPosition, splitLsn: number): PartitionMap {
    const parent = this.partition(id);
    const cut = canonicalBoundary(at);
    if (cut <= parent.range.min || cut >= parent.range.max) {
      throw new RingfoldError('split-refused', {
        physicalPartition: id,
        reason: 'the cut is not inside the range',
      });
    }
    if (splitLsn < parent.startLsn) {
      throw new RingfoldError('split-refused', {
        physicalPartition: id,
        reason: 'the LSN is before the partition',
      });
    }
    const child = {
      ...parent,
      parents: [id],
      startLsn: splitLsn,
      throughputFraction: parent.throughputFraction / 2,
    };
    const children = [
      { ...child, id: this.nextId, range: ringRange(parent.range.min, cut) },
      { ...child, id: this.nextId + 1, range: ringRange(cut, parent.range.max) },
    ];
    return this.#replace([{ parent, endLsn: splitLsn }], children);
  }

  /** Joins two neighbours on the same storage nodes. The LSNs are the last ones that each of them gives. */
  merge(leftId: number, rightId: number, leftLsn: number, rightLsn: number): PartitionMap {
    const left = this.partition(leftId);
    const right = this.partition(rightId);
    const refusal = (reason: string) =>
      new RingfoldError('merge-refused', { physicalPartitions: [leftId, rightId], reason });
    if (left.range.max !== right.range.min) {
      throw refusal(
        adjoins(left.range, right.range) ? 'they are given in the wrong order' : 'they are not neighbours',
      );
    }
    if (!haveSameMembers(left.replicaSet, right.replicaSet))
      throw refusal('they are on different storage nodes');
    if (leftLsn < left.startLsn || rightLsn < right.startLsn)
      throw refusal('the LSN is before the partition');
    const child = {
      id: this.nextId,
      range: ringRange(left.range.min, right.range.max),
      replicaSet:
        left.replicaSet.generation >= right.replicaSet.generation ? left.replicaSet : right.replicaSet,
      parents: [leftId, rightId],
      startLsn: Math.max(leftLsn, rightLsn) + 1,
      sessionVersion: Math.max(left.sessionVersion, right.sessionVersion) + 1,
      throughputFraction: left.throughputFraction + right.throughputFraction,
    };
    const parents = [
      { parent: left, endLsn: leftLsn },
      { parent: right, endLsn: rightLsn },
    ];
    return this.#replace(parents, [child]);
  }

  withReplicaSet(id: number, replicaSet: ReplicaSet): PartitionMap {
    const current = this.partition(id).replicaSet;
    if (replicaSet.generation <= current.generation) {
      throw new RingfoldError('move-refused', {
        physicalPartition: id,
        reason: 'the replica set is not newer',
        generation: replicaSet.generation,
        currentGeneration: current.generation,
      });
    }
    return this.#next({
      partitions: this.partitions.map((partition) =>
        partition.id === id ? { ...partition, replicaSet } : partition,
      ),
    });
  }

  /** Shares by partition id, one for each partition; the policy is custom from here on. */
  withThroughputFractions(fractions: ReadonlyMap<number, number>): PartitionMap {
    const partitions = this.partitions.map((partition) => {
      const throughputFraction = fractions.get(partition.id);
      assert(
        throughputFraction !== undefined && throughputFraction > 0,
        'each partition has a share of throughput',
      );
      return { ...partition, throughputFraction };
    });
    return this.#next({ throughputPolicy: 'custom', partitions });
  }

  withEqualThroughput(): PartitionMap {
    return this.#next({ throughputPolicy: 'equal', partitions: withEqualFractions(this.partitions) });
  }

  /** The parents are neighbours in ring order, and the children cover what they did. */
  #replace(
    parents: readonly { readonly parent: PhysicalPartition; readonly endLsn: number }[],
    children: readonly PhysicalPartition[],
  ): PartitionMap {
    const start = this.partitions.findIndex(({ id }) => id === parents[0]?.parent.id);
    const partitions = this.partitions.toSpliced(start, parents.length, ...children);
    const childIds = children.map((child) => child.id);
    const retired = parents.map(({ parent, endLsn }) => ({
      id: parent.id,
      range: parent.range,
      children: childIds,
      endLsn,
    }));
    return this.#next({
      nextId: this.nextId + children.length,
      partitions: this.throughputPolicy === 'equal' ? withEqualFractions(partitions) : partitions,
      retired: [...this.retired, ...retired],
    });
  }

  #next(changed: Partial<PartitionMapFields>): PartitionMap {
    const { container, nextId, throughputPolicy, partitions, retired } = this;
    return new PartitionMap({
      container,
      version: this.version + 1,
      nextId,
      throughputPolicy,
      partitions,
      retired,
      ...changed,
    });
  }

  /** Of the last partition that begins at or before the position. */
  #indexOf(position: RingPosition): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#starts[middle] as RingPosition) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #at(index: number): PhysicalPartition {
    return this.partitions[index] as PhysicalPartition;
  }

  #partitionNotFound(id: number): RingfoldError {
    return new RingfoldError('partition-not-found', { container: this.container, physicalPartition: id });
  }
}

function withEqualFractions(partitions: readonly PhysicalPartition[]): readonly PhysicalPartition[] {
  return partitions.map((partition) => ({ ...partition, throughputFraction: 1 / partitions.length }));
}
