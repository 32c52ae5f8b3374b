import type { ColumnSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import type { CollectionCellTimes, ReadRow } from '../read-row.ts';

const noCells: readonly CollectionCellTimes[] = [];

/** A row of a virtual table, which has values and no cells. */
export class ValuesRow implements ReadRow {
  readonly #indexes: ReadonlyMap<string, number>;
  #values: readonly (Buffer | null)[] = [];

  constructor({ columns }: TableSchema) {
    this.#indexes = new Map(Array.from(columns.keys(), (name, index) => [name, index]));
  }

  show(values: readonly (Buffer | null)[]): void {
    this.#values = values;
  }

  value({ name }: ColumnSchema): Buffer | null {
    return this.#values[this.#indexes.get(name) ?? -1] ?? null;
  }

  cell(): undefined {
    return undefined;
  }

  cells(): readonly CollectionCellTimes[] {
    return noCells;
  }
}
