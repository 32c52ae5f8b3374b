// The partition maps, kept as rows of the system partition, which every node has. Changes of one container wait for one another, so each
// is made from the map before it. A map in memory is one whose write was committed, or which the partitions' own logs make necessary:
// then it is ahead of the written one until `catchUp`, and after a crash it is found again in those logs.

import { assert } from '../foundation/assert.ts';
import { type ByteString, byteStringOf, endOfPrefix } from '../foundation/byte-string.ts';
import { LogicalPartition } from '../partitioning/logical-partition.ts';
import type { PartitionKeyDefinition } from '../partitioning/partition-key.ts';
import { PartitionMap } from '../partitioning/partition-map.ts';
import type { RingPosition } from '../partitioning/ring-position.ts';
import { type EpochStretch, partitionNumber } from '../storage/log/log-state.ts';
import { putRows } from '../storage/operation-kinds.ts';
import type { PartitionAddress, RowWrite } from '../storage/partition-store.ts';
import type { ReplicatedPartition } from './replicated-partition.ts';
import type { RowReader } from './row-reader.ts';

export const systemContainer = 1;
export const systemAddress: PartitionAddress = { container: systemContainer, physicalPartition: 0 };
const firstContainer = 2;

/** The epoch history of a partition that has ended: what `settle` answers from once no log speaks of it any more. */
export interface RetiredHistory {
  readonly container: number;
  readonly physicalPartition: number;
  readonly endLsn: number;
  readonly epochs: readonly EpochStretch[];
}

export interface ContainerMap {
  readonly definition: PartitionKeyDefinition;
  readonly map: PartitionMap;
}

/** Everything in the system partition is in one logical partition, so that it can be changed together. */
export const systemHome: LogicalPartition = new LogicalPartition(systemContainer, {
  ringPosition: '\0'.repeat(16) as RingPosition,
  bytes: 'maps' as ByteString,
});

export class PartitionMaps {
  readonly #system: ReplicatedPartition;
  readonly #maps = new Map<number, ContainerMap>();
  readonly #histories = new Map<number, RetiredHistory>();
  /** Of containers whose map is ahead of the written one: the partitions that ended since. */
  readonly #ahead = new Map<number, readonly RetiredHistory[]>();
  #nextContainer = firstContainer;
  readonly #onChange: (container: number) => void;

  /** `onChange` is told, in the same instant, of every container whose map has become another or is gone. */
  constructor(system: ReplicatedPartition, onChange: (container: number) => void) {
    this.#system = system;
    this.#onChange = onChange;
  }

  async load(reader: RowReader): Promise<void> {
    const to = endOfPrefix(systemHome.prefix);
    assert(to !== undefined, 'the system container is not the last');
    const limits = { maxRows: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER, reverse: false };
    const { rows } = await reader.scan(this.#system, { from: systemHome.prefix, to, ...limits });
    for (const { key, value } of rows) {
      const record = JSON.parse(value.toString('utf8'));
      if (key === counterKey) this.#nextContainer = record.nextContainer;
      else if (key.startsWith(historyPrefix)) this.#remember(record);
      else if (key.startsWith(mapPrefix)) {
        const map = PartitionMap.fromJSON(record.map);
        this.#maps.set(map.container, { definition: record.definition, map });
      }
    }
  }

  get containers(): readonly number[] {
    return [...this.#maps.keys()];
  }

  get(container: number): ContainerMap | undefined {
    return this.#maps.get(container);
  }

  all(): Iterable<ContainerMap> {
    return this.#maps.values();
  }

  /** A number that no container has had. It is taken at once; what is written with it makes that last. */
  takeNumber(): number {
    return this.#nextContainer++;
  }

  historyOf(partition: number): RetiredHistory | undefined {
    return this.#histories.get(partition);
  }

  /** `others` are rows of the system partition that change with the map. */
  async put(next: ContainerMap, others: readonly RowWrite[] = []): Promise<void> {
    assert(!this.isAhead(next.map.container), 'a map is written before it changes again');
    await this.#writeMap(next, [], others);
    this.#maps.set(next.map.container, next);
    this.#onChange(next.map.container);
  }

  /** The logs of partitions that ended say it, for good: the map holds from now on, and is to be written with `catchUp`. */
  advance(next: ContainerMap, retired: readonly RetiredHistory[]): void {
    const { container } = next.map;
    for (const history of retired) this.#remember(history);
    this.#ahead.set(container, [...this.endedSince(container), ...retired]);
    this.#maps.set(container, next);
    this.#onChange(container);
  }

  isAhead(container: number): boolean {
    return this.#ahead.has(container);
  }

  /** The partitions that ended since the container's map was written. */
  endedSince(container: number): readonly RetiredHistory[] {
    return this.#ahead.get(container) ?? [];
  }

  get aheadContainers(): readonly number[] {
    return [...this.#ahead.keys()];
  }

  /** Writes a map that is ahead. */
  async catchUp(container: number): Promise<void> {
    const current = this.#maps.get(container);
    const ended = this.#ahead.get(container);
    if (current === undefined || ended === undefined) return;
    await this.#writeMap(current, ended, []);
    if (this.#ahead.get(container) === ended) this.#ahead.delete(container);
  }

  #writeMap(
    { definition, map }: ContainerMap,
    retired: readonly RetiredHistory[],
    others: readonly RowWrite[],
  ): Promise<void> {
    return this.#write([
      { key: keyOf(map.container), value: json({ definition, map }) },
      { key: counterKey, value: json({ nextContainer: this.#nextContainer }) },
      ...retired.map((history) => ({ key: historyKey(history), value: json(history) })),
      ...others,
    ]);
  }

  #remember(history: RetiredHistory): void {
    this.#histories.set(partitionNumber(history.container, history.physicalPartition), history);
  }

  async remove(container: number, others: readonly RowWrite[] = []): Promise<void> {
    const retired = [...this.#histories.values()].filter((history) => history.container === container);
    await this.#write([
      { key: keyOf(container), value: null },
      ...retired.map((history) => ({ key: historyKey(history), value: null })),
      ...others,
    ]);
    for (const { physicalPartition } of retired)
      this.#histories.delete(partitionNumber(container, physicalPartition));
    this.#ahead.delete(container);
    this.#maps.delete(container);
    this.#onChange(container);
  }

  /** Resolves when it is committed, however late: an unknown outcome stays first in line and will be. */
  #write(writes: readonly RowWrite[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#system.transactDurably(systemHome, putRows(writes), resolve, reject);
    });
  }
}

const counterKey = `${systemHome.prefix}counter` as ByteString;
const historyPrefix = `${systemHome.prefix}history`;
const mapPrefix = `${systemHome.prefix}map`;

function historyKey({ container, physicalPartition }: PartitionAddress): ByteString {
  const number = Buffer.allocUnsafe(8);
  number.writeUInt32BE(container);
  number.writeUInt32BE(physicalPartition, 4);
  return `${historyPrefix}${byteStringOf(number)}` as ByteString;
}

function keyOf(container: number): ByteString {
  const number = Buffer.allocUnsafe(4);
  number.writeUInt32BE(container);
  return `${mapPrefix}${byteStringOf(number)}` as ByteString;
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
