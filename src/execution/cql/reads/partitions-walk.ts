import { assert } from '../../../foundation/assert.ts';
import { type ByteString, concatBytes, emptyBytes } from '../../../foundation/byte-string.ts';
import { LogicalPartition } from '../../../partitioning/logical-partition.ts';
import { cqlPartitionKey } from '../../../partitioning/partition-key.ts';
import type { PartitionMap } from '../../../partitioning/partition-map.ts';
import type { RowMemory, RowVisitor } from '../../../replication/row-visitor.ts';
import type { RowPage } from '../../../storage/partition-store.ts';
import { headerKey, rowKey, rowRange } from '../row-keys.ts';
import { hasHeaders } from './header-view.ts';
import type { PartitionConsumer } from './partition-consumer.ts';
import type { ClusteringSlice, ReadPlan } from './read-plan.ts';
import type { ReadPosition, ResultPage, Step } from './result-page.ts';
import { largestScanBytes, type RowWalk, type StoreRequest, scanSize } from './row-walk.ts';
import { clusteringKeyIn, headerKind, isHeaderKey } from './stored-key.ts';

const allRows: readonly ClusteringSlice[] = [{ from: emptyBytes, to: undefined, isOneRow: false }];
/** Of a table without clustering columns. */
const theRow: readonly ClusteringSlice[] = [{ from: emptyBytes, to: undefined, isOneRow: true }];

export interface NamedPartitions {
  readonly keys: readonly (readonly Buffer[])[];
  /** The first of them, where somebody has already found out where it stands. */
  readonly first: LogicalPartition | undefined;
}

/** Named logical partitions one after another; in each the header, then the slices in their order or in the opposite one. */
export class PartitionsWalk implements RowWalk, RowVisitor {
  readonly #plan: ReadPlan;
  readonly #container: number;
  readonly #keys: readonly (readonly Buffer[])[];
  readonly #page: ResultPage;
  readonly #consumer: PartitionConsumer;
  readonly #slices: readonly ClusteringSlice[];
  readonly #hasHeaders: boolean;
  #at: number;
  #first: LogicalPartition | undefined;
  #partition: LogicalPartition | undefined;
  #knowsHeader: boolean;
  #slice = 0;
  /** The last row that was taken, here or on the page before. */
  #after: ByteString | undefined;
  #asked: StoreRequest | undefined;
  #prefixLength = 0;
  /** Of the visit that may be going on: the clustering key of the last row, and what that row came to. */
  #shown: Buffer | undefined;
  #shownAt = 0;
  #shownEnd = 0;
  #step: Step = 'next';
  #visitsLeft = 0;

  constructor(
    plan: ReadPlan,
    container: number,
    { keys, first }: NamedPartitions,
    page: ResultPage,
    consumer: PartitionConsumer,
    position: ReadPosition | undefined,
  ) {
    this.#plan = plan;
    this.#container = container;
    this.#keys = keys;
    this.#page = page;
    this.#consumer = consumer;
    this.#hasHeaders = hasHeaders(plan.table);
    this.#knowsHeader = !this.#hasHeaders;
    const slices = plan.slices ?? (this.#hasHeaders ? allRows : theRow);
    this.#slices = plan.isReversed ? slices.toReversed() : slices;
    this.#at = 0;
    this.#first = first;
    if (position !== undefined) this.#resume(position);
  }

  next(map: PartitionMap): StoreRequest | undefined {
    while (!this.#page.isEnded) {
      const key = this.#keys[this.#at];
      if (key === undefined) return undefined;
      if (this.#partition === undefined) {
        this.#partition = this.#first ?? new LogicalPartition(this.#container, cqlPartitionKey(key));
        this.#first = undefined;
        this.#prefixLength = this.#partition.prefix.length;
        this.#consumer.begin(this.#partition.prefix, key);
      }
      this.#asked = this.#request(this.#partition, map);
      if (this.#asked !== undefined) return this.#asked;
      this.#leavePartition();
    }
    return undefined;
  }

  takeRow(stored: Buffer | null): void {
    const asked = this.#asked;
    assert(asked?.kind === 'read' && this.#partition !== undefined, 'a row answers a read');
    if (!this.#knowsHeader) {
      this.#meetHeader(stored);
      return;
    }
    this.#slice++;
    if (stored === null) return;
    const prefixLength = this.#prefixLength;
    this.#after = clusteringKeyIn(asked.key, prefixLength);
    this.#follow(this.#consumer.row(asked.key, prefixLength + 1, stored));
  }

  get visitor(): RowVisitor {
    return this;
  }

  visit(memory: RowMemory, keyAt: number, valueAt: number, valueEnd: number): boolean {
    const { bytes } = memory;
    const kindAt = keyAt + this.#prefixLength;
    const isHeader = bytes[kindAt] === headerKind;
    if (!this.#knowsHeader) this.#meetHeader(isHeader ? bytes.subarray(valueAt, valueEnd) : null);
    if (isHeader) return true;
    this.#shown = bytes;
    this.#shownAt = kindAt + 1;
    this.#shownEnd = valueAt;
    this.#step = this.#consumer.rowIn(memory, kindAt + 1, valueAt, valueEnd);
    return this.#step === 'next' && --this.#visitsLeft > 0;
  }

  endVisit(complete: boolean): void {
    if (!this.#knowsHeader) this.#meetHeader(null);
    if (complete) this.#slice++;
    else if (this.#shown !== undefined)
      this.#after = this.#shown.toString('latin1', this.#shownAt, this.#shownEnd) as ByteString;
    this.#shown = undefined;
    this.#follow(this.#step);
    this.#step = 'next';
  }

  takePage({ rows, complete }: RowPage): void {
    const prefixLength = this.#prefixLength;
    if (!this.#knowsHeader) {
      const first = rows[0];
      const hasHeader = first !== undefined && isHeaderKey(first.key, prefixLength);
      this.#meetHeader(hasHeader ? first.value : null);
    }
    for (const { key, value } of rows) {
      if (isHeaderKey(key, prefixLength)) continue;
      const step = this.#consumer.row(key, prefixLength + 1, value);
      if (step === 'next') continue;
      this.#after = clusteringKeyIn(key, prefixLength);
      this.#follow(step);
      return;
    }
    const last = rows.at(-1)?.key;
    if (last !== undefined && !isHeaderKey(last, prefixLength))
      this.#after = clusteringKeyIn(last, prefixLength);
    if (complete) this.#slice++;
  }

  #request(partition: LogicalPartition, map: PartitionMap): StoreRequest | undefined {
    const address = { container: this.#container, physicalPartition: map.ownerOf(partition.ringPosition).id };
    const isWhole = this.#slices === allRows && this.#after === undefined;
    if (!this.#knowsHeader && !isWhole) return { kind: 'read', address, key: headerKey(partition) };
    this.#skipTakenSlices();
    const slice = this.#slices[this.#slice];
    if (slice === undefined) return undefined;
    if (slice.isOneRow) return { kind: 'read', address, key: rowKey(partition, slice.from) };
    const range = this.#rangeOf(partition, slice);
    const from = this.#knowsHeader ? range.from : headerKey(partition);
    const maxRows = scanSize(this.#page.room, this.#plan.filter !== undefined, this.#page.examined) + 1;
    this.#visitsLeft = maxRows;
    const reverse = this.#plan.isReversed;
    return {
      kind: 'scan',
      address,
      scan: { from, to: range.to, maxRows, maxBytes: largestScanBytes, reverse },
    };
  }

  /** Those that the page before has been through, wholly. */
  #skipTakenSlices(): void {
    const after = this.#after;
    if (after === undefined) return;
    for (let slice = this.#slices[this.#slice]; slice !== undefined; slice = this.#slices[++this.#slice]) {
      const { from, to, isOneRow } = slice;
      if (this.#plan.isReversed ? from < after : isOneRow ? from > after : to === undefined || after < to)
        return;
    }
  }

  /** What is left of a slice behind the last row taken. */
  #rangeOf(
    partition: LogicalPartition,
    { from, to }: ClusteringSlice,
  ): { readonly from: ByteString; readonly to: ByteString } {
    const after = this.#after;
    if (after === undefined) return rowRange(partition, from, to);
    if (this.#plan.isReversed) return rowRange(partition, from, to === undefined || after < to ? after : to);
    const behind = concatBytes(after, '\0' as ByteString);
    return rowRange(partition, behind > from ? behind : from, to);
  }

  #meetHeader(stored: Buffer | null): void {
    this.#knowsHeader = true;
    this.#consumer.header(stored);
  }

  #follow(step: Step): void {
    if (step === 'next-partition') this.#leavePartition();
  }

  #leavePartition(): void {
    if (!this.#page.isEnded) this.#consumer.end();
    this.#partition = undefined;
    this.#knowsHeader = !this.#hasHeaders;
    this.#slice = 0;
    this.#after = undefined;
    this.#at++;
  }

  #resume({ prefix, clusteringKey }: ReadPosition): void {
    this.#at = this.#keys.findIndex(
      (key) => new LogicalPartition(this.#container, cqlPartitionKey(key)).prefix === prefix,
    );
    if (this.#at !== 0 || clusteringKey === undefined) this.#first = undefined;
    if (this.#at < 0) this.#at = this.#keys.length;
    else if (clusteringKey === undefined) this.#at++;
    else this.#after = clusteringKey;
  }
}
