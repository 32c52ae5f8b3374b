// Which physical partitions have an index, and how one comes to it: from what is stored, from the partition that it was part of, or from
// nothing. Which segments are in use follows from that.

import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import type { PartitionMap } from '../../../partitioning/partition-map.ts';
import type { RingRange } from '../../../partitioning/ring-range.ts';
import type { PartitionAddress } from '../../../storage/partition-store.ts';
import { hasIndex } from './covered-orders.ts';
import { IndexLane } from './index-lane.ts';
import { IndexSegment } from './index-segment.ts';
import { PartitionIndex, type PartitionState } from './partition-index.ts';

/** What the store of the index says of a physical partition. */
export interface SavedPartition extends PartitionState {
  readonly lsn: number;
}

export interface IndexedStore {
  mapOf(container: number): PartitionMap | undefined;
  committedLsn(address: PartitionAddress): number | undefined;
}

export class ContainerIndexes {
  readonly container: number;
  readonly #store: IndexedStore;
  readonly #partitions = new Map<number, PartitionIndex>();
  readonly #segments = new Map<number, IndexSegment>();
  /** Not yet asked for since the start. */
  readonly #saved: Map<number, SavedPartition>;
  #lastSegment: number;

  constructor(
    container: number,
    store: IndexedStore,
    saved: Map<number, SavedPartition>,
    segments: Iterable<IndexSegment>,
    lastSegment: number,
  ) {
    this.container = container;
    this.#store = store;
    this.#saved = saved;
    for (const segment of segments) this.#segments.set(segment.number, segment);
    this.#lastSegment = lastSegment;
  }

  get partitions(): readonly PartitionIndex[] {
    return [...this.#partitions.values()];
  }

  get(physicalPartition: number): PartitionIndex | undefined {
    return this.#partitions.get(physicalPartition);
  }

  /**
   * Undefined for one that is not there any more. `lsn` is the last commit that was heard of, or could have been. What nobody knows may
   * have items, unless it was made while all commits were listened to.
   */
  adopt(
    definition: ContainerDefinition,
    physicalPartition: number,
    lsn: number,
    mayHaveItems: boolean,
  ): PartitionIndex | undefined {
    const map = this.#store.mapOf(this.container);
    const placed = map?.partitions.find(({ id }) => id === physicalPartition);
    if (map === undefined || placed === undefined) return undefined;
    const { range, parents } = placed;
    const adopted =
      this.#restore(definition, physicalPartition, range, lsn) ??
      this.#descend(definition, map, physicalPartition, range, parents) ??
      this.#begin(definition, physicalPartition, range, lsn, mayHaveItems || parents.length > 0);
    this.#partitions.set(physicalPartition, adopted);
    // A crash may have lost what was stored of a child, and with it the commits after those of its parent.
    if (lsn > adopted.seenLsn) {
      adopted.seenLsn = lsn;
      adopted.fallBehind();
    }
    adopted.setPolicy(definition.indexingPolicy);
    return adopted;
  }

  #restore(
    { indexingPolicy }: ContainerDefinition,
    physicalPartition: number,
    range: RingRange,
    lsn: number,
  ): PartitionIndex | undefined {
    const saved = this.#saved.get(physicalPartition);
    this.#saved.delete(physicalPartition);
    if (saved === undefined || !hasIndex(indexingPolicy)) return undefined;
    const lanes = saved.lanes.map((state) => new IndexLane(this.#segment(state.segment), state));
    if (lanes.length === 0) return undefined;
    const restored = new PartitionIndex(this.#address(physicalPartition), range, lanes, lsn);
    if (saved.lsn !== lsn) restored.fallBehind();
    return restored;
  }

  /** Of a split: the child goes on with what its parent had, and builds its own beside it. */
  #descend(
    definition: ContainerDefinition,
    map: PartitionMap,
    physicalPartition: number,
    range: RingRange,
    parents: readonly number[],
  ): PartitionIndex | undefined {
    const [id, ...others] = parents;
    const retired = map.retired.find((partition) => partition.id === id);
    if (id === undefined || others.length > 0 || retired === undefined) return undefined;
    const parent =
      this.#partitions.get(id) ??
      this.#restore(definition, id, retired.range, retired.endLsn) ??
      this.#descend(definition, map, id, retired.range, parentsOf(map, id));
    if (parent === undefined || parent.lanes.length === 0 || !hasIndex(definition.indexingPolicy))
      return undefined;
    this.#partitions.set(id, parent);
    const lanes = parent.lanes.filter(({ isCurrent }) => isCurrent).map((lane) => lane.forChild());
    lanes.push(IndexLane.begin(this.#newSegment(), definition.indexingPolicy, false));
    const child = new PartitionIndex(this.#address(physicalPartition), range, lanes, parent.seenLsn);
    child.inherit(parent);
    return child;
  }

  #begin(
    { indexingPolicy }: ContainerDefinition,
    physicalPartition: number,
    range: RingRange,
    lsn: number,
    mayHaveItems: boolean,
  ): PartitionIndex {
    const lanes = hasIndex(indexingPolicy)
      ? [IndexLane.begin(this.#newSegment(), indexingPolicy, !mayHaveItems)]
      : [];
    return new PartitionIndex(this.#address(physicalPartition), range, lanes, lsn);
  }

  /** The partition is indexed from nothing again, or, by its policy, not at all. */
  beginAgain(partition: PartitionIndex, definition: ContainerDefinition): void {
    partition.fallBehind();
    partition.setLanes(
      hasIndex(definition.indexingPolicy)
        ? [IndexLane.begin(this.#newSegment(), definition.indexingPolicy, false)]
        : [],
    );
  }

  /**
   * Those of the map are all here, those that have ended are forgotten, whether stored or not; told are the numbers of the latter.
   * Undefined if one of the map cannot be asked yet.
   */
  settle(definition: ContainerDefinition, mayHaveItems: boolean): readonly number[] | undefined {
    const map = this.#store.mapOf(this.container);
    if (map === undefined) return undefined;
    let isWhole = true;
    for (const { id } of map.partitions) {
      if (this.#partitions.has(id)) continue;
      const lsn = this.#store.committedLsn(this.#address(id));
      if (lsn === undefined) isWhole = false;
      else this.adopt(definition, id, lsn, mayHaveItems && lsn > 0);
    }
    if (!isWhole) return undefined;
    const current = new Set(map.partitions.map(({ id }) => id));
    const ended = [...this.#partitions.keys(), ...this.#saved.keys()].filter((id) => !current.has(id));
    for (const id of ended) {
      this.#partitions.get(id)?.end();
      this.#partitions.delete(id);
      this.#saved.delete(id);
    }
    return ended;
  }

  /** Segments that no partition has any more; each is told once. */
  takeUnused(): readonly IndexSegment[] {
    const used = new Set(this.partitions.flatMap(({ lanes }) => lanes.map(({ segment }) => segment)));
    for (const { lanes } of this.#saved.values())
      for (const { segment } of lanes) used.add(this.#segment(segment));
    const unused = [...this.#segments.values()].filter((segment) => !used.has(segment));
    for (const { number } of unused) this.#segments.delete(number);
    return unused;
  }

  /** Nothing of what was stored is there any more. */
  beginAnew(definition: ContainerDefinition): void {
    this.#saved.clear();
    for (const partition of this.partitions) this.beginAgain(partition, definition);
    this.takeUnused();
  }

  /** The container is gone; told are the partitions that nobody has asked for since the start. */
  end(): readonly number[] {
    const stored = [...this.#saved.keys()];
    for (const partition of this.partitions) partition.end();
    this.#partitions.clear();
    this.#saved.clear();
    return stored;
  }

  #segment(number: number): IndexSegment {
    const known = this.#segments.get(number);
    if (known !== undefined) return known;
    const segment = new IndexSegment(this.container, number);
    this.#segments.set(number, segment);
    return segment;
  }

  #newSegment(): IndexSegment {
    this.#lastSegment++;
    return this.#segment(this.#lastSegment);
  }

  #address(physicalPartition: number): PartitionAddress {
    return { container: this.container, physicalPartition };
  }
}

function parentsOf({ retired }: PartitionMap, id: number): readonly number[] {
  return retired.filter(({ children }) => children.includes(id)).map((parent) => parent.id);
}
