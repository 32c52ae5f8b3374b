import type { ColumnSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import { decodeClusteringKey } from '../../../values/ordered-key.ts';
import type { CellTimes, CollectionCellTimes, ReadRow } from '../read-row.ts';
import { readClusteringAsWritten } from '../writes/clustering-as-written.ts';
import type { TableRowColumns } from './row-columns.ts';
import { StoredRow } from './stored-row.ts';

/** A row of a stored table with its partition's static columns. There is one for a whole read, and each row is shown through it. */
export class TableRow implements ReadRow {
  readonly #table: TableSchema;
  /** Of the partition; loaded once for all its rows. */
  readonly statics: StoredRow;
  readonly regulars: StoredRow;
  #partitionKey: readonly Buffer[] = [];
  /** Undefined for the row of a partition that has static columns only: it has no clustering values. */
  #clusteringKey: ByteString | undefined;
  #clustering: readonly Buffer[] | undefined;

  constructor(table: TableSchema, columns: TableRowColumns) {
    this.#table = table;
    this.statics = new StoredRow(columns.statics);
    this.regulars = new StoredRow(columns.regulars);
  }

  setPartition(partitionKey: readonly Buffer[]): void {
    this.#partitionKey = partitionKey;
  }

  /** Whoever calls this has loaded `regulars`, or cleared it. */
  setClustering(clusteringKey: ByteString | undefined): void {
    this.#clusteringKey = clusteringKey;
    this.#clustering = undefined;
  }

  value(column: ColumnSchema): Buffer | null {
    switch (column.kind) {
      case 'partition_key':
        return this.#partitionKey[column.position] ?? null;
      case 'clustering':
        return this.#clusteringValues()[column.position] ?? null;
      case 'static':
        return this.statics.value(column);
      case 'regular':
        return this.regulars.value(column);
    }
  }

  cell(column: ColumnSchema): CellTimes | undefined {
    return this.#storedRow(column)?.cell(column);
  }

  cells(column: ColumnSchema): readonly CollectionCellTimes[] {
    return this.#storedRow(column)?.cells(column) ?? [];
  }

  #storedRow({ kind }: ColumnSchema): StoredRow | undefined {
    if (kind === 'regular') return this.regulars;
    return kind === 'static' ? this.statics : undefined;
  }

  #clusteringValues(): readonly Buffer[] {
    if (this.#clustering === undefined) {
      const { clustering } = this.#table;
      const asWritten = this.regulars.clusteringAsWritten;
      if (this.#clusteringKey === undefined) this.#clustering = [];
      else if (asWritten !== undefined) this.#clustering = readClusteringAsWritten(clustering, asWritten);
      else this.#clustering = decodeClusteringKey(clustering, this.#clusteringKey);
    }
    return this.#clustering;
  }
}
