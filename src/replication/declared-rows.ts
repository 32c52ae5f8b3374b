import { RingfoldError } from '../errors/ringfold-error.ts';
import type { ByteString } from '../foundation/byte-string.ts';
import type { DeclaredReads, DeclaredRows, Row } from '../storage/partition-store.ts';
import type { ReplicatedPartition } from './replicated-partition.ts';
import type { RowReader } from './row-reader.ts';

const none: never[] = [];

export const noRows: DeclaredRows = {
  get: () => {
    throw new RingfoldError('internal-error', { what: 'an operation read a row it did not declare' });
  },
  range: () => {
    throw new RingfoldError('internal-error', { what: 'an operation read a range it did not declare' });
  },
};

/** With more keys than this, a look at each takes longer than a map. */
const maxListed = 8;

/**
 * The rows a transaction declared, as ordered so far: in flight first, then committed. Taken at one moment; what memory does
 * not have is loaded, and stays true meanwhile because nothing else is ordered on that logical partition.
 */
export class DeclaredRowsView implements DeclaredRows {
  readonly #reads: DeclaredReads;
  readonly #reader: RowReader;
  readonly #partition: ReplicatedPartition;
  /** Of each key its row; undefined while it is not known. */
  readonly #rows: (Buffer | null | undefined)[];
  #places: Map<ByteString, number> | undefined;
  #coldKeys = 0;
  #ranges: (readonly Row[] | undefined)[] = none;
  #pendingInRanges: Map<ByteString, Buffer | null>[] = none;

  constructor(reads: DeclaredReads, reader: RowReader, partition: ReplicatedPartition) {
    this.#reads = reads;
    this.#reader = reader;
    this.#partition = partition;
    const { keys } = reads;
    this.#rows = new Array(keys.length);
    for (let place = 0; place < keys.length; place++) {
      const key = keys[place] as ByteString;
      const pending = partition.pendingRow(key);
      const known = pending === undefined ? reader.readNow(partition, key) : pending;
      if (known === undefined) this.#coldKeys += 1;
      this.#rows[place] = known;
    }
    if (reads.ranges.length > 0) this.#takeRanges();
  }

  #takeRanges(): void {
    this.#pendingInRanges = [];
    this.#ranges = [];
    for (const { from, to } of this.#reads.ranges) {
      const pending = this.#partition.pendingRows(from, to);
      const committed = this.#reader.scanCached(wholeRange(from, to));
      this.#pendingInRanges.push(pending);
      this.#ranges.push(committed?.complete ? overlaid(committed.rows, pending) : undefined);
    }
  }

  get isWhole(): boolean {
    return this.#coldKeys === 0 && this.#ranges.every((range) => range !== undefined);
  }

  async load(): Promise<void> {
    // All reads begin now, in the moment the view was made: what was in flight then is remembered beside them.
    const keys = this.#reads.keys.map(async (key, place) => {
      if (this.#rows[place] !== undefined) return;
      this.#rows[place] = await this.#reader.read(this.#partition, key);
    });
    const ranges = this.#reads.ranges.map(async ({ from, to }, index) => {
      if (this.#ranges[index] !== undefined) return;
      const page = await this.#reader.scan(this.#partition, wholeRange(from, to));
      this.#ranges[index] = overlaid(page.rows, this.#pendingInRanges[index] ?? new Map());
    });
    await Promise.all([...keys, ...ranges]);
  }

  get(key: ByteString): Buffer | null {
    const place = this.#placeOf(key);
    const row = place < 0 ? undefined : this.#rows[place];
    return row === undefined ? noRows.get(key) : row;
  }

  #placeOf(key: ByteString): number {
    const { keys } = this.#reads;
    if (keys.length <= maxListed) return keys.indexOf(key);
    this.#places ??= new Map(keys.map((one, place) => [one, place]));
    return this.#places.get(key) ?? -1;
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
