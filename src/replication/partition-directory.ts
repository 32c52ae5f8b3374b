// Every partition that is served now, found by number, by address or in key order; and what the maps say about each. A map changes first, then
// the directory: a partition is admitted when its map is committed, and dismissed when it has ended or its container is gone.

import { RingfoldError } from '../errors/ringfold-error.ts';
import { assert } from '../foundation/assert.ts';
import { type ByteString, endOfPrefix } from '../foundation/byte-string.ts';
import { containerPrefix, keyRangeOf } from '../partitioning/logical-partition.ts';
import type { NodeId } from '../partitioning/replica-set.ts';
import { overlaps, type RingRange } from '../partitioning/ring-range.ts';
import { partitionAddress, partitionNumber } from '../storage/log/log-state.ts';
import type { PartitionAddress } from '../storage/partition-store.ts';
import type { StorageNode } from '../storage/storage-node.ts';
import { type ContainerMap, PartitionMaps, systemAddress, systemContainer } from './partition-maps.ts';
import { type PartitionSurroundings, ReplicatedPartition } from './replicated-partition.ts';

export class PartitionDirectory {
  /** The one that holds the maps; every node keeps it. */
  readonly system: ReplicatedPartition;
  readonly maps: PartitionMaps;
  readonly nodes: readonly StorageNode[];
  readonly #surroundings: PartitionSurroundings;
  readonly #partitions = new Map<number, ReplicatedPartition>();
  /** Remade after each change. */
  #ordered: ReplicatedPartition[] | undefined;

  constructor(
    nodes: readonly StorageNode[],
    surroundings: PartitionSurroundings,
    onMapChange: (container: number) => void,
  ) {
    this.nodes = nodes;
    this.#surroundings = surroundings;
    const keys = containerKeys(systemContainer);
    this.system = new ReplicatedPartition(systemAddress, keys, nodes, 1, true, surroundings);
    this.#partitions.set(this.system.number, this.system);
    this.maps = new PartitionMaps(this.system, onMapChange);
  }

  get(number: number): ReplicatedPartition | undefined {
    return this.#partitions.get(number);
  }

  at({ container, physicalPartition }: PartitionAddress): ReplicatedPartition | undefined {
    return this.#partitions.get(partitionNumber(container, physicalPartition));
  }

  of(container: number, physicalPartition: number): ReplicatedPartition {
    const partition = this.at({ container, physicalPartition });
    if (partition === undefined)
      throw new RingfoldError('partition-not-found', { container, physicalPartition });
    return partition;
  }

  /** The system partition first, then as they were admitted. */
  all(): Iterable<ReplicatedPartition> {
    return this.#partitions.values();
  }

  inKeyOrder(): readonly ReplicatedPartition[] {
    this.#ordered ??= [...this.#partitions.values()].sort((left, right) => (left.from < right.from ? -1 : 1));
    return this.#ordered;
  }

  admit(container: number, physicalPartition: number): ReplicatedPartition {
    const physical = this.containerMap(container).map.partition(physicalPartition);
    const partition = new ReplicatedPartition(
      { container, physicalPartition },
      keyRangeOf(container, physical.range),
      physical.replicaSet.members.map((member) => this.nodeOf(member)),
      physical.replicaSet.generation,
      physical.parents.length === 0,
      this.#surroundings,
    );
    this.#partitions.set(partition.number, partition);
    this.#ordered = undefined;
    return partition;
  }

  dismiss(partition: ReplicatedPartition): void {
    this.#partitions.delete(partition.number);
    this.#ordered = undefined;
    partition.setState('closed');
  }

  containerMap(container: number): ContainerMap {
    const found = this.maps.get(container);
    if (found === undefined) throw new RingfoldError('container-not-found', { container });
    return found;
  }

  nodeOf(id: NodeId): StorageNode {
    const node = this.nodes.find((candidate) => candidate.id === id);
    if (node === undefined) throw new RingfoldError('bad-request', { what: 'storage node', node: id });
    return node;
  }

  /** Whether the node is to keep the partition, as the maps have it. */
  isHosted(node: StorageNode, number: number): boolean {
    return this.#partitions.get(number)?.replicaOn(node) !== undefined;
  }

  /**
   * Whether the node is to keep the partition, or, where that has ended, one that came of it and has not got its rows yet. The node's
   * log need not know of the latter: a node that was away during a split learns of the children last.
   */
  isAwaited(node: StorageNode, number: number): boolean {
    if (this.#partitions.has(number)) return this.isHosted(node, number);
    const { container, physicalPartition } = partitionAddress(number);
    const isRetired = this.maps.get(container)?.map.retired.some(({ id }) => id === physicalPartition);
    if (isRetired !== true) return false;
    const { mended, handles } = node;
    return this.heirsOf(number).some((heir) => {
      const isCopying = handles.log.state.get(heir.address)?.isCopying === true;
      return heir.replicaOn(node) !== undefined && !mended.has(heir.number) && !isCopying;
    });
  }

  replicaCount(node: StorageNode): number {
    return this.inKeyOrder().filter((partition) => partition.replicaOn(node) !== undefined).length;
  }

  /** Undefined for the system partition, which has no place on a ring. */
  rangeOf({ address: { container, physicalPartition } }: ReplicatedPartition): RingRange | undefined {
    return this.maps.get(container)?.map.partition(physicalPartition).range;
  }

  /** The keys of a partition that is served, or has ended; undefined when no map knows it. */
  keysOf(number: number): { readonly from: ByteString; readonly to: ByteString } | undefined {
    const served = this.#partitions.get(number);
    if (served !== undefined) return served;
    const { container, physicalPartition } = partitionAddress(number);
    const ended = this.maps.get(container)?.map.retired.find(({ id }) => id === physicalPartition);
    return ended === undefined ? undefined : keyRangeOf(container, ended.range);
  }

  /** The partitions that have the keys of an ended one now. */
  heirsOf(number: number): ReplicatedPartition[] {
    const { container, physicalPartition } = partitionAddress(number);
    const heirs = this.maps.get(container)?.map.heirsOf(physicalPartition) ?? [];
    return heirs.flatMap(({ id }) => this.at({ container, physicalPartition: id }) ?? []);
  }

  /** Ended partitions that had part of this one's range. */
  ancestorsOf(partition: ReplicatedPartition): PartitionAddress[] {
    const range = this.rangeOf(partition);
    const { container } = partition.address;
    const retired = this.maps.get(container)?.map.retired ?? [];
    return retired
      .filter((ended) => range !== undefined && overlaps(ended.range, range))
      .map((ended) => ({ container, physicalPartition: ended.id }));
  }
}

export function containerKeys(container: number): { from: ByteString; to: ByteString } {
  const from = containerPrefix(container);
  const to = endOfPrefix(from);
  assert(to !== undefined, 'no container has the last generation');
  return { from, to };
}
