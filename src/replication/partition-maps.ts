// The partition maps, kept as rows of the system partition, which every node has. Changes of one container wait for one another, so each
// is made from the map before it. A map in memory is one whose write was committed, or which the partitions' own logs make necessary:
// then it is ahead of the written one until `catchUp`, and after a crash it is found again in those logs.

import { RingfoldError } from '../errors/ringfold-error.ts';
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
/** What is written beside a map and its histories: keys, headers, the counter. */
const roomBesideBytes = 400;

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

interface Ahead {
  /** The map that is written. */
  readonly written: ContainerMap;
  /** The partitions that ended since. */
  readonly ended: readonly RetiredHistory[];
  /** It may be written by now, whatever becomes of the logs. */
  isBeingWritten: boolean;
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
  /** Of containers whose map is ahead of the written one. */
  readonly #ahead = new Map<number, Ahead>();
  /** Containers whose removal is on its way: no map may be written behind it. */
  readonly #leaving = new Map<number, Promise<void>>();
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
    const { container, version } = next.map;
    assert(!this.isAhead(container), 'a map is written before it changes again');
    while (this.#leaving.has(container)) await this.#leaving.get(container);
    if (version > 1 && !this.#maps.has(container))
      throw new RingfoldError('container-not-found', { container });
    await this.#writeMap(next, [], others);
    this.#maps.set(container, next);
    this.#onChange(container);
  }

  /** The logs of partitions that ended say it, for good: the map holds from now on, and is to be written with `catchUp`. */
  advance(next: ContainerMap, retired: readonly RetiredHistory[]): void {
    const { container } = next.map;
    const written = this.#ahead.get(container)?.written ?? this.#maps.get(container);
    assert(written !== undefined, 'a map that advances is known');
    for (const history of retired) this.#remember(history);
    const ended = [...this.endedSince(container), ...retired];
    this.#ahead.set(container, { written, ended, isBeingWritten: false });
    this.#maps.set(container, next);
    this.#onChange(container);
  }

  /** No log says it any more: the written map holds again. False when it may be that no longer. */
  recede(container: number): boolean {
    const ahead = this.#ahead.get(container);
    if (ahead === undefined || ahead.isBeingWritten) return false;
    for (const { physicalPartition } of ahead.ended)
      this.#histories.delete(partitionNumber(container, physicalPartition));
    this.#ahead.delete(container);
    this.#maps.set(container, ahead.written);
    this.#onChange(container);
    return true;
  }

  /** A map that could not be written must not come to be: the partitions' logs would have it, and nobody could change it any more. */
  mustFit({ definition, map }: ContainerMap, retiring: readonly RetiredHistory[]): void {
    const historyBytes = retiring.reduce((sum, history) => sum + json(history).length, 0);
    const transactionBytes = json({ definition, map }).length + historyBytes + roomBesideBytes;
    const limitBytes = this.#system.maxTransactionBytes;
    if (transactionBytes > limitBytes)
      throw new RingfoldError('transaction-too-large', {
        what: 'partition map',
        container: map.container,
        transactionBytes,
        limitBytes,
      });
  }

  isAhead(container: number): boolean {
    return this.#ahead.has(container);
  }

  /** The partitions that ended since the container's map was written. */
  endedSince(container: number): readonly RetiredHistory[] {
    return this.#ahead.get(container)?.ended ?? [];
  }

  get aheadContainers(): readonly number[] {
    return [...this.#ahead.keys()];
  }

  /** Writes a map that is ahead. */
  async catchUp(container: number): Promise<void> {
    while (this.#leaving.has(container)) await this.#leaving.get(container);
    const current = this.#maps.get(container);
    const ahead = this.#ahead.get(container);
    if (current === undefined || ahead === undefined) return;
    ahead.isBeingWritten = true;
    try {
      await this.#writeMap(current, ahead.ended, []);
    } catch (error) {
      // A refusal: nothing happened.
      ahead.isBeingWritten = false;
      throw error;
    }
    if (this.#ahead.get(container) === ahead) this.#ahead.delete(container);
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
    const removed = this.#remove(container, others);
    this.#leaving.set(
      container,
      removed.catch(() => {}),
    );
    try {
      await removed;
    } finally {
      this.#leaving.delete(container);
    }
  }

  async #remove(container: number, others: readonly RowWrite[]): Promise<void> {
    await this.#write([
      { key: keyOf(container), value: null },
      ...this.#historiesOf(container).map((history) => ({ key: historyKey(history), value: null })),
      ...others,
    ]);
    // More may have ended meanwhile.
    for (const { physicalPartition } of this.#historiesOf(container))
      this.#histories.delete(partitionNumber(container, physicalPartition));
    this.#ahead.delete(container);
    this.#maps.delete(container);
    this.#onChange(container);
  }

  #historiesOf(container: number): RetiredHistory[] {
    return [...this.#histories.values()].filter((history) => history.container === container);
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
