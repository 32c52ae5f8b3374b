import { type ByteString, emptyBytes } from '../../../foundation/byte-string.ts';
import type { RowMemory } from '../../../replication/row-visitor.ts';
import { deletionOver, type HeaderView, loadStatics, viewHeader } from './header-view.ts';
import type { ReadCharges } from './read-charges.ts';
import type { ReadPlan } from './read-plan.ts';
import type { ResultPage, Step } from './result-page.ts';
import type { RowPlace } from './row-place.ts';
import { rowStart } from './stored-row.ts';
import type { TableRow } from './table-row.ts';

/**
 * Takes the stored rows of one logical partition after another and shows what is live of them to the page. The header comes first; for
 * a partition that has none, or of which a walk begins in the middle, it is given before the rows.
 */
export class PartitionConsumer {
  readonly #plan: ReadPlan;
  readonly #page: ResultPage;
  readonly #row: TableRow;
  readonly #charges: ReadCharges;
  readonly #nowSeconds: number;
  #prefix: ByteString = emptyBytes;
  #header: HeaderView | undefined;
  #hasStatics = false;
  /** Undefined until the header, or its absence, is known. */
  #isWanted: boolean | undefined;

  constructor(plan: ReadPlan, page: ResultPage, row: TableRow, charges: ReadCharges, nowSeconds: number) {
    this.#plan = plan;
    this.#page = page;
    this.#row = row;
    this.#charges = charges;
    this.#nowSeconds = nowSeconds;
  }

  /** Of the partition that is being read; empty before the first. */
  get prefix(): ByteString {
    return this.#prefix;
  }

  begin(prefix: ByteString, partitionKey: readonly Buffer[]): void {
    this.#prefix = prefix;
    this.#header = undefined;
    this.#hasStatics = false;
    this.#isWanted = undefined;
    this.#row.setPartition(partitionKey);
    this.#row.statics.clear();
    this.#page.beginPartition(prefix);
  }

  header(stored: Buffer | null): void {
    this.#header = viewHeader(stored);
    if (this.#header === undefined || this.#header.staticRowAt === 0) return;
    this.#hasStatics = loadStatics(this.#row.statics, this.#header, this.#nowSeconds);
    this.#charges.loaded(this.#header.bytes.length);
  }

  /** A row's key ends with its clustering key, which begins at `clusteringAt`. */
  row(key: ByteString, clusteringAt: number, stored: Buffer): Step {
    this.#row.setClustering(key, clusteringAt);
    return this.#take(stored, undefined, 0, stored.length);
  }

  /** The same for a row that lies in these bytes: its key ends where its value begins. */
  rowIn({ bytes, view }: RowMemory, clusteringAt: number, valueAt: number, valueEnd: number): Step {
    this.#row.setClusteringIn(bytes, clusteringAt, valueAt);
    return this.#take(bytes, view, valueAt, valueEnd);
  }

  /** After the last row; nothing if no partition was begun. */
  end(): Step {
    if (this.#prefix === emptyBytes) return 'next';
    this.#row.regulars.clear();
    this.#row.clearClustering();
    return this.#page.endPartition(this.#row, this.#hasStatics && this.#wantsPartition());
  }

  #take(bytes: Buffer, view: DataView | undefined, at: number, end: number): Step {
    if (!this.#wantsPartition()) return 'next-partition';
    const row = this.#row;
    if (!isInSlices(this.#plan, row)) return 'next';
    this.#charges.loaded(end - at);
    const deletion = deletionOver(this.#header, row);
    const isLive = row.regulars.load(bytes, rowStart(bytes, at), end, deletion, this.#nowSeconds, view);
    return isLive ? this.#page.offer(row, row) : this.#page.skip(row);
  }

  #wantsPartition(): boolean {
    this.#isWanted ??= this.#page.wantsPartition(this.#row);
    return this.#isWanted;
  }
}

/** Scans of the whole ring come past all rows; those of one partition ask the store for the slices alone. */
function isInSlices({ slices, target }: ReadPlan, row: RowPlace): boolean {
  if (slices === undefined || target.kind === 'partitions') return true;
  const key = row.clusteringKey();
  return slices.some(({ from, to }) => key >= from && (to === undefined || key < to));
}
