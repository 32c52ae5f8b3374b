import type { ColumnSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import { type ByteString, emptyBytes } from '../../../foundation/byte-string.ts';
import { ClusteringCopier } from '../../../values/clustering-copier.ts';
import { decodeClusteringKey } from '../../../values/ordered-key.ts';
import type { CellTimes, CollectionCellTimes, ReadRow } from '../read-row.ts';
import { readClusteringAsWritten } from '../writes/clustering-as-written.ts';
import type { RowBytes } from './row-bytes.ts';
import type { TableRowColumns } from './row-columns.ts';
import type { RowPlace } from './row-place.ts';
import { StoredRow } from './stored-row.ts';

const noBytes = Buffer.alloc(0);
const noKey: readonly Buffer[] = [];

/** A row of a stored table with its partition's static columns. There is one for a whole read, and each row is shown through it. */
export class TableRow implements ReadRow, RowPlace {
  readonly #table: TableSchema;
  /** Of the partition; loaded once for all its rows. */
  readonly statics: StoredRow;
  readonly regulars: StoredRow;
  readonly #copier: ClusteringCopier | undefined;
  #partitionKey: readonly Buffer[] = noKey;
  /** The clustering key is in one of two forms: as text, or as bytes where they were met. */
  #text: ByteString = emptyBytes;
  #textAt = 0;
  #bytes: Buffer | undefined;
  #start = 0;
  #end = 0;
  /** False for the row of a partition that has static columns only: it has no clustering values. */
  #isPlaced = false;
  #scratch: Buffer = noBytes;
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

  /** A key that ends with the clustering key, and where that begins. Whoever calls this loads `regulars` as well, or clears it. */
  setClustering(key: ByteString, clusteringAt: number): void {
    this.#text = key;
    this.#textAt = clusteringAt;
    this.#bytes = undefined;
    this.#place(true);
  }

  /** The same; the bytes stay as they are until the next row is shown. */
  setClusteringIn(bytes: Buffer, start: number, end: number): void {
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
    this.#place(true);
  }

  clearClustering(): void {
    this.#place(false);
  }

  /** Shows nothing, and holds no memory of what it showed: statements are kept for long. */
  letGo(): void {
    this.clearClustering();
    this.statics.letGo();
    this.regulars.letGo();
    this.#copier?.letGo();
    this.#bytes = undefined;
    this.#text = emptyBytes;
    this.#textAt = 0;
    this.#partitionKey = noKey;
  }

  clusteringKey(): ByteString {
    if (this.#bytes === undefined) return this.#text.slice(this.#textAt) as ByteString;
    return this.#bytes.toString('latin1', this.#start, this.#end) as ByteString;
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

  #place(isPlaced: boolean): void {
    this.#isPlaced = isPlaced;
    this.#clustering = undefined;
    this.#isCopied = undefined;
  }

  #loadCopier(): boolean {
    if (this.#copier === undefined || !this.#isPlaced) return false;
    if (this.regulars.hasClusteringAsWritten) return false;
    if (this.#bytes !== undefined) return this.#copier.load(this.#bytes, this.#start, this.#end);
    const length = this.#text.length - this.#textAt;
    if (this.#scratch.length < length) this.#scratch = Buffer.allocUnsafeSlow(length * 2);
    for (let at = 0; at < length; at++) this.#scratch[at] = this.#text.charCodeAt(this.#textAt + at);
    return this.#copier.load(this.#scratch, 0, length);
  }

  #clusteringValues(): readonly Buffer[] {
    if (this.#clustering === undefined) {
      const { clustering } = this.#table;
      const asWritten = this.regulars.clusteringAsWritten;
      if (!this.#isPlaced) this.#clustering = [];
      else if (asWritten !== undefined) this.#clustering = readClusteringAsWritten(clustering, asWritten);
      else this.#clustering = decodeClusteringKey(clustering, this.clusteringKey());
    }
    return this.#clustering;
  }
}
