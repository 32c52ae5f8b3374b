import type { TableSchema } from '../../../catalog/cql/table-schema.ts';
import { tableRowColumns } from './row-columns.ts';
import { TableRow } from './table-row.ts';

/** The row through which a statement shows what it reads: made once, since most reads are over before the next one begins. */
export class SpareRow {
  readonly #make: () => TableRow;
  #spare: TableRow | undefined;

  constructor(table: TableSchema) {
    const columns = tableRowColumns(table);
    this.#make = () => new TableRow(table, columns);
  }

  /** For the taker alone, until it is given back. */
  take(): TableRow {
    const row = this.#spare ?? this.#make();
    this.#spare = undefined;
    return row;
  }

  giveBack(row: TableRow): void {
    row.letGo();
    this.#spare = row;
  }
}
