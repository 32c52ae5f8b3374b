import { RingfoldError } from '../errors/ringfold-error.ts';
import type { ByteString } from '../foundation/byte-string.ts';
import type { DeclaredReads, DeclaredRows, Row } from '../storage/partition-store.ts';
import type { ReplicatedPartition } from './replicated-partition.ts';
import type { RowReader } from './row-reader.ts';

export const noRows: DeclaredRows = {
  get: () => {
    throw new RingfoldError('internal-error', { what: 'an operation read a row it did not declare' });
  },
  range: () => {
    throw new RingfoldError('internal-error', { what: 'an operation read a range it did not declare' });
  },
};

/**
 * The rows a transaction declared, as ordered so far: in flight first, then committed. Taken at one moment; what memory does
 * not have is loaded, and stays true meanwhile because nothing else is ordered on that logical partition.
 */
export class DeclaredRowsView implements DeclaredRows {
  readonly #reads: DeclaredReads;
  readonly #reader: RowReader;
  readonly #partition: ReplicatedPartition;
  readonly #rows = new Map<ByteString, Buffer | null>();
  readonly #ranges: (readonly Row[] | undefined)[] = [];
  readonly #coldKeys: ByteString[] = [];
  readonly #pendingInRanges: Map<ByteString, Buffer | null>[] = [];

  constructor(reads: DeclaredReads, reader: RowReader, partition: ReplicatedPartition) {
    this.#reads = reads;
    this.#reader = reader;
    this.#partition = partition;
    for (const key of reads.keys) {
      const pending = partition.pendingRow(key);
      const known = pending === undefined ? reader.readCached(key) : pending;
      if (known === undefined) this.#coldKeys.push(key);
      else this.#rows.set(key, known);
    }
    for (const { from, to } of reads.ranges) {
      const pending = partition.pendingRows(from, to);
      const committed = reader.scanCached(wholeRange(from, to));
      this.#pendingInRanges.push(pending);
      this.#ranges.push(committed?.complete ? overlaid(committed.rows, pending) : undefined);
    }
  }

  get isWhole(): boolean {
    return this.#coldKeys.length === 0 && this.#ranges.every((range) => range !== undefined);
  }

  async load(): Promise<void> {
    // All reads begin now, in the moment the view was made: what was in flight then is remembered beside them.
    const keys = this.#coldKeys.map(async (key) =>
      this.#rows.set(key, await this.#reader.read(this.#partition, key)),
    );
    const ranges = this.#reads.ranges.map(async ({ from, to }, index) => {
      if (this.#ranges[index] !== undefined) return;
      const page = await this.#reader.scan(this.#partition, wholeRange(from, to));
      this.#ranges[index] = overlaid(page.rows, this.#pendingInRanges[index] ?? new Map());
    });
    await Promise.all([...keys, ...ranges]);
  }

  get(key: ByteString): Buffer | null {
    const row = this.#rows.get(key);
    return row === undefined ? noRows.get(key) : row;
  }

  range(index: number): readonly Row[] {
    return this.#ranges[index] ?? noRows.range(index);
  }
}

function wholeRange(from: ByteString, to: ByteString) {
  return { from, to, maxRows: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER, reverse: false };
}

function overlaid(rows: readonly Row[], pending: ReadonlyMap<ByteString, Buffer | null>): readonly Row[] {
  if (pending.size === 0) return rows;
  const merged = new Map(rows.map((row) => [row.key, row.value] as const));
  for (const [key, value] of pending) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  return [...merged]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, value]) => ({ key, value }));
}
