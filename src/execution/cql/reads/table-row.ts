import type { ColumnSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import { ClusteringCopier } from '../../../values/clustering-copier.ts';
import { decodeClusteringKey } from '../../../values/ordered-key.ts';
import type { CellTimes, CollectionCellTimes, ReadRow } from '../read-row.ts';
import { readClusteringAsWritten } from '../writes/clustering-as-written.ts';
import type { RowBytes } from './row-bytes.ts';
import type { TableRowColumns } from './row-columns.ts';
import { StoredRow } from './stored-row.ts';

/** A row of a stored table with its partition's static columns. There is one for a whole read, and each row is shown through it. */
export class TableRow implements ReadRow {
  readonly #table: TableSchema;
  /** Of the partition; loaded once for all its rows. */
  readonly statics: StoredRow;
  readonly regulars: StoredRow;
  readonly #copier: ClusteringCopier | undefined;
  #partitionKey: readonly Buffer[] = [];
  /** Undefined for the row of a partition that has static columns only: it has no clustering values. */
  #key: ByteString | undefined;
  #clusteringAt = 0;
  #clustering: readonly Buffer[] | undefined;
  /** Whether the copier has the clustering key; undefined until somebody asks. */
  #isCopied: boolean | undefined;

  constructor(table: TableSchema, columns: TableRowColumns) {
    this.#table = table;
    this.statics = new StoredRow(columns.statics);
    this.regulars = new StoredRow(columns.regulars);
    this.#copier = ClusteringCopier.of(table.clustering);
  }

  setPartition(partitionKey: readonly Buffer[]): void {
    this.#partitionKey = partitionKey;
  }

  /** A key that ends with the clustering key, and where that begins. Whoever calls this has loaded `regulars`, or cleared it. */
  setClustering(key: ByteString | undefined, clusteringAt: number): void {
    this.#key = key;
    this.#clusteringAt = clusteringAt;
    this.#clustering = undefined;
    this.#isCopied = undefined;
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

  /** What `value` gives, for the wire. */
  write(column: ColumnSchema, out: RowBytes): void {
    switch (column.kind) {
      case 'regular':
        this.regulars.write(column, out);
        break;
      case 'clustering':
        this.#writeClustering(column, out);
        break;
      case 'partition_key':
        out.value(this.#partitionKey[column.position] ?? null);
        break;
      case 'static':
        this.statics.write(column, out);
        break;
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

  #writeClustering(column: ColumnSchema, out: RowBytes): void {
    const { position } = column;
    const copier = this.#copier;
    this.#isCopied ??= this.#loadCopier();
    if (copier === undefined || !this.#isCopied) {
      out.value(this.value(column));
      return;
    }
    const at = out.room(copier.lengthOf(position));
    copier.copy(position, out.slab, at);
  }

  #loadCopier(): boolean {
    if (this.#copier === undefined || this.#key === undefined) return false;
    return (
      this.regulars.clusteringAsWritten === undefined && this.#copier.load(this.#key, this.#clusteringAt)
    );
  }

  #clusteringValues(): readonly Buffer[] {
    if (this.#clustering === undefined) {
      const { clustering } = this.#table;
      const asWritten = this.regulars.clusteringAsWritten;
      if (this.#key === undefined) this.#clustering = [];
      else if (asWritten !== undefined) this.#clustering = readClusteringAsWritten(clustering, asWritten);
      else {
        const key = this.#key.slice(this.#clusteringAt) as ByteString;
        this.#clustering = decodeClusteringKey(clustering, key);
      }
    }
    return this.#clustering;
  }
}
