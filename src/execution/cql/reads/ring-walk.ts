import { assert } from '../../../foundation/assert.ts';
import { type ByteString, concatBytes, emptyBytes, endOfPrefix } from '../../../foundation/byte-string.ts';
import { keyRangeOf, LogicalPartition } from '../../../partitioning/logical-partition.ts';
import type { PartitionMap } from '../../../partitioning/partition-map.ts';
import type { RingRange } from '../../../partitioning/ring-range.ts';
import type { RowPage } from '../../../storage/partition-store.ts';
import { headerKey, rowKey } from '../row-keys.ts';
import type { PartitionConsumer } from './partition-consumer.ts';
import type { ReadPlan } from './read-plan.ts';
import type { ReadPosition, ResultPage } from './result-page.ts';
import { largestScanBytes, type RowWalk, type StoreRequest, scanSize } from './row-walk.ts';
import {
  isHeaderKey,
  partitionKeyIn,
  partitionKeyValues,
  prefixLengthOf,
  ringPositionIn,
} from './stored-key.ts';

const first = '\0' as ByteString;

/** Every logical partition on some stretches of ring, in ring order, through however many physical partitions they lie in. */
export class RingWalk implements RowWalk {
  readonly #plan: ReadPlan;
  readonly #container: number;
  readonly #ranges: readonly RingRange[];
  readonly #page: ResultPage;
  readonly #consumer: PartitionConsumer;
  #range = 0;
  /** Where the next scan begins; undefined at the start of a range. */
  #from: ByteString | undefined;
  /** Where the last scan that was asked for ends. */
  #to: ByteString = emptyBytes;
  /** A page that begins in the middle of a partition needs its header before its rows. */
  #missingHeader: LogicalPartition | undefined;

  constructor(
    plan: ReadPlan,
    container: number,
    ranges: readonly RingRange[],
    page: ResultPage,
    consumer: PartitionConsumer,
    position: ReadPosition | undefined,
  ) {
    this.#plan = plan;
    this.#container = container;
    this.#ranges = ranges;
    this.#page = page;
    this.#consumer = consumer;
    if (position !== undefined) this.#resume(position);
  }

  next(map: PartitionMap): StoreRequest | undefined {
    if (this.#page.isEnded) return undefined;
    const range = this.#ranges[this.#range];
    if (range === undefined) {
      this.#consumer.end();
      return undefined;
    }
    const whole = keyRangeOf(this.#container, range);
    const from = this.#from !== undefined && this.#from > whole.from ? this.#from : whole.from;
    if (from >= whole.to) {
      this.#range++;
      this.#from = undefined;
      return this.next(map);
    }
    const owner = map.ownerOf(ringPositionIn(from));
    const address = { container: this.#container, physicalPartition: owner.id };
    if (this.#missingHeader !== undefined) {
      return { kind: 'read', address, key: headerKey(this.#missingHeader) };
    }
    const end = keyRangeOf(this.#container, owner.range).to;
    this.#to = end < whole.to ? end : whole.to;
    const isFiltered = this.#plan.filter !== undefined || this.#plan.slices !== undefined;
    const scan = {
      from,
      to: this.#to,
      maxRows: scanSize(this.#page.room, isFiltered || this.#plan.isDistinct, this.#page.examined) + 1,
      maxBytes: largestScanBytes,
      reverse: false,
    };
    return { kind: 'scan', address, scan };
  }

  /** Of so many partitions the cache hardly ever knows all rows. */
  get visitor(): undefined {
    return undefined;
  }

  endVisit(): void {
    assert(false, 'nobody visits');
  }

  takeRow(stored: Buffer | null): void {
    assert(this.#missingHeader !== undefined, 'only a header is read by itself');
    this.#missingHeader = undefined;
    this.#consumer.header(stored);
  }

  takePage({ rows, complete }: RowPage): void {
    // Rows up to here are of a partition that is done with.
    let skipTo: ByteString = emptyBytes;
    for (const { key, value } of rows) {
      if (key < skipTo) continue;
      let prefixLength = this.#consumer.prefix.length;
      if (prefixLength === 0 || !key.startsWith(this.#consumer.prefix)) {
        prefixLength = prefixLengthOf(key);
        if (this.#consumer.end() === 'end') return;
        this.#begin(key.slice(0, prefixLength) as ByteString);
      }
      if (isHeaderKey(key, prefixLength)) {
        this.#consumer.header(value);
        continue;
      }
      const step = this.#consumer.row(key, prefixLength + 1, value);
      if (step === 'end') return;
      if (step === 'next-partition') skipTo = behind(this.#consumer.prefix);
    }
    const last = rows.at(-1)?.key;
    if (last !== undefined) this.#from = last < skipTo ? skipTo : concatBytes(last, first);
    if (complete && (this.#from ?? emptyBytes) < this.#to) this.#from = this.#to;
  }

  #begin(prefix: ByteString): void {
    const values = partitionKeyValues(partitionKeyIn(prefix), this.#plan.table.partitionKey.length);
    this.#consumer.begin(prefix, values);
  }

  #resume({ prefix, clusteringKey }: ReadPosition): void {
    const position = ringPositionIn(prefix);
    this.#range = this.#ranges.findIndex(({ max }) => position < max);
    if (this.#range < 0) {
      this.#range = this.#ranges.length;
      return;
    }
    if (clusteringKey === undefined) {
      this.#from = behind(prefix);
      return;
    }
    const partition = new LogicalPartition(this.#container, {
      ringPosition: position,
      bytes: partitionKeyIn(prefix),
    });
    this.#from = concatBytes(rowKey(partition, clusteringKey), first);
    this.#begin(prefix);
    this.#missingHeader = partition;
  }
}

function behind(prefix: ByteString): ByteString {
  const end = endOfPrefix(prefix);
  assert(end !== undefined, 'no partition is the last of all keys');
  return end;
}
