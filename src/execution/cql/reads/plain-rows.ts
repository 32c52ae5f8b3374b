import type { ColumnSchema } from '../../../catalog/cql/table-schema.ts';
import { RowBytes } from './row-bytes.ts';
import type { TableRow } from './table-row.ts';

/** Most reads are over before the next one begins, so what the last one wrote with is used again. */
let spare: RowBytes | undefined;

/** Rows of columns and nothing else: what most statements ask for. Each goes from where it is stored to where it is sent from. */
export class PlainRows {
  readonly #columns: readonly ColumnSchema[];
  readonly #row: TableRow;
  readonly #bytes: RowBytes;
  #count = 0;

  constructor(columns: readonly ColumnSchema[], row: TableRow) {
    this.#columns = columns;
    this.#row = row;
    this.#bytes = spare ?? new RowBytes();
    spare = undefined;
  }

  get count(): number {
    return this.#count;
  }

  get columnCount(): number {
    return this.#columns.length;
  }

  /** Adds what the row shows now, and says how many bytes that took: four for each value, and its own. */
  add(): number {
    const bytes = this.#bytes;
    const before = bytes.length;
    for (const column of this.#columns) this.#row.write(column, bytes);
    this.#count++;
    return bytes.length - before;
  }

  /** All rows. */
  take(): Buffer {
    return this.#bytes.take();
  }

  /** What was taken has been copied; this is not used again. */
  giveBack(): void {
    this.#bytes.reuse();
    spare = this.#bytes;
  }
}
