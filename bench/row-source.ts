// The rows that are written and read: keys of about 40 bytes in a few thousand logical partitions, values of 300 bytes that
// compress to about half, as JSON does. The same rows go into the store and into what it is compared with.

import { type ByteString, concatBytes } from '../src/foundation/byte-string.ts';
import { SeededRandom } from '../src/foundation/random.ts';
import { LogicalPartition } from '../src/partitioning/logical-partition.ts';
import { cqlPartitionKey } from '../src/partitioning/partition-key.ts';

export interface SourceRow {
  readonly logicalPartition: LogicalPartition;
  readonly key: ByteString;
  readonly value: Buffer;
}

const valueBytes = 300;
const valueCount = 1_024;

export class RowSource {
  readonly logicalPartitions: readonly LogicalPartition[];
  readonly #values: readonly Buffer[];
  readonly #random = new SeededRandom(1);
  #nextNumber = 0;

  constructor(container: number, logicalPartitionCount: number) {
    this.logicalPartitions = Array.from({ length: logicalPartitionCount }, (_, index) => {
      const name = Buffer.from(`user${String(index).padStart(6, '0')}`);
      return new LogicalPartition(container, cqlPartitionKey([name]));
    });
    this.#values = Array.from({ length: valueCount }, () => this.#makeValue());
  }

  /** A new row in some logical partition, as from users who add one thing after another. */
  next(): SourceRow {
    return this.row(this.#choose(this.logicalPartitions), this.#nextNumber++);
  }

  row(logicalPartition: LogicalPartition, number: number): SourceRow {
    return { logicalPartition, key: keyOf(logicalPartition, number), value: this.#choose(this.#values) };
  }

  integerBelow(limit: number): number {
    return Math.floor(this.#random.next() * limit);
  }

  #choose<T>(from: readonly T[]): T {
    return from[this.integerBelow(from.length)] as T;
  }

  #makeValue(): Buffer {
    const words = Array.from({ length: 40 }, () => Math.floor(this.#random.next() * 2 ** 32).toString(36));
    const text = `{"name":"${words[0]}","city":"Lisbon","active":true,"tags":["${words.slice(1).join('","')}"]}`;
    return Buffer.from(text.slice(0, valueBytes).padEnd(valueBytes));
  }
}

export function keyOf({ prefix }: LogicalPartition, number: number): ByteString {
  const high = Math.floor(number / 2 ** 32);
  const row = String.fromCharCode(
    (high >>> 24) & 0xff,
    (high >>> 16) & 0xff,
    (high >>> 8) & 0xff,
    high & 0xff,
    (number >>> 24) & 0xff,
    (number >>> 16) & 0xff,
    (number >>> 8) & 0xff,
    number & 0xff,
  );
  return concatBytes(prefix, row as ByteString);
}
