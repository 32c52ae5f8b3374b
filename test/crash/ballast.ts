import { type ByteString, byteStringOf, concatBytes, endOfPrefix } from '../../src/foundation/byte-string.ts';
import { LogicalPartition } from '../../src/partitioning/logical-partition.ts';
import { cqlPartitionKey } from '../../src/partitioning/partition-key.ts';
import type { ReplicatedPartitionStore } from '../../src/replication/replicated-partition-store.ts';
import { putRows } from '../../src/storage/operation-kinds.ts';
import type { Outcome, PartitionAddress } from '../../src/storage/partition-store.ts';
import type { Journal } from './crash-journal.ts';

const rowBytes = 1_000;
const rowsPerPartition = 500;

/** Rows that only give a row store much to merge. They are written over with what they are, so they must never be anything else. */
export class Ballast {
  readonly #store: ReplicatedPartitionStore;
  readonly #container: number;
  readonly #partitions: readonly LogicalPartition[];

  constructor(store: ReplicatedPartitionStore, sizeBytes: number) {
    this.#store = store;
    this.#container = store.containers()[0] ?? 0;
    this.#partitions = Array.from(
      { length: Math.ceil(sizeBytes / (rowBytes * rowsPerPartition)) },
      (_, index) => new LogicalPartition(this.#container, cqlPartitionKey([Buffer.from(`ballast ${index}`)])),
    );
  }

  /** Writes all of it where there is none; otherwise all of it must be there. */
  async ensure(journal: Journal): Promise<void> {
    const counts = await Promise.all(this.#partitions.map((partition) => this.#count(partition)));
    if (counts.every((count) => count === 0)) {
      for (const partition of this.#partitions) {
        const kind = await this.#write(partition);
        if (kind !== 'committed') throw new Error(`ballast is ${kind}`);
      }
      return;
    }
    const wrong = counts.findIndex((count) => count !== rowsPerPartition);
    if (wrong >= 0)
      journal.write({ kind: 'violation', text: `ballast ${wrong} has ${counts[wrong]} sound rows` });
  }

  /** Until the process ends. */
  async keepWriting(): Promise<void> {
    for (;;) {
      for (const partition of this.#partitions) {
        await this.#write(partition);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
  }

  async #write(partition: LogicalPartition): Promise<Outcome['kind']> {
    const rows = Array.from({ length: rowsPerPartition }, (_, row) => ({
      key: keyOf(partition, row),
      value: contentOf(row),
    }));
    const outcome = await new Promise<Outcome>((done) => {
      this.#store.transact(this.#addressOf(partition), partition, putRows(rows), done);
    });
    return outcome.kind;
  }

  /** Rows that are as they were written. */
  async #count(partition: LogicalPartition): Promise<number> {
    const from = partition.prefix;
    const scan = { from, to: endOfPrefix(from) ?? from, maxRows: 10_000, maxBytes: 2 ** 24, reverse: false };
    for (;;) {
      const outcome = await this.#store.scan(this.#addressOf(partition), scan);
      if (outcome.kind === 'read')
        return outcome.page.rows.filter(({ value }, row) => value.equals(contentOf(row))).length;
      // A split or a merge that is being completed.
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  #addressOf(partition: LogicalPartition): PartitionAddress {
    const owner = this.#store.mapOf(this.#container)?.ownerOf(partition.ringPosition);
    if (owner === undefined) throw new Error('the container is gone');
    return { container: this.#container, physicalPartition: owner.id };
  }
}

/** In the order of the rows' numbers. */
function keyOf(partition: LogicalPartition, row: number): ByteString {
  return concatBytes(partition.prefix, byteStringOf(Buffer.from(String(row).padStart(6, '0'))));
}

function contentOf(row: number): Buffer {
  return Buffer.alloc(rowBytes, `ballast row ${row} `);
}
