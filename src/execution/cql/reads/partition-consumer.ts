import { type ByteString, emptyBytes } from '../../../foundation/byte-string.ts';
import { deletionOver, type HeaderView, viewHeader } from './header-view.ts';
import type { ReadCharges } from './read-charges.ts';
import type { ReadPlan } from './read-plan.ts';
import type { ResultPage, Step } from './result-page.ts';
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
    const at = this.#header?.staticRowAt ?? 0;
    if (stored !== null && at > 0) {
      this.#hasStatics = this.#row.statics.load(stored, at, this.#header?.deletion, this.#nowSeconds);
      this.#charges.loaded(stored.length);
    }
  }

  /** A row's key ends with its clustering key, which begins at `clusteringAt`. */
  row(key: ByteString, clusteringAt: number, stored: Buffer): Step {
    if (!this.#wantsPartition()) return 'next-partition';
    if (!isInSlices(this.#plan, key, clusteringAt)) return 'next';
    this.#charges.loaded(stored.length);
    const deletion = deletionOver(this.#header, key, clusteringAt);
    const { regulars } = this.#row;
    if (!regulars.load(stored, rowStart(stored), deletion, this.#nowSeconds)) {
      return this.#page.skip(key, clusteringAt);
    }
    this.#row.setClustering(key, clusteringAt);
    return this.#page.offer(this.#row, key, clusteringAt);
  }

  /** After the last row; nothing if no partition was begun. */
  end(): Step {
    if (this.#prefix === emptyBytes) return 'next';
    this.#row.regulars.clear();
    this.#row.setClustering(undefined, 0);
    return this.#page.endPartition(this.#row, this.#hasStatics && this.#wantsPartition());
  }

  #wantsPartition(): boolean {
    this.#isWanted ??= this.#page.wantsPartition(this.#row);
    return this.#isWanted;
  }
}

/** Scans of the whole ring come past all rows; those of one partition ask the store for the slices alone. */
function isInSlices({ slices, target }: ReadPlan, stored: ByteString, clusteringAt: number): boolean {
  if (slices === undefined || target.kind === 'partitions') return true;
  const key = stored.slice(clusteringAt) as ByteString;
  return slices.some(({ from, to }) => key >= from && (to === undefined || key < to));
}
