import { assert } from '../foundation/assert.ts';
import type { ByteString } from '../foundation/byte-string.ts';
import {
  type CqlCell,
  compareCells,
  compareLiveness,
  isExpiredAt,
  isLiveCell,
  type Liveness,
  purgeCell,
} from './cql-cell.ts';
import { type Deletion, deletes, laterDeletion, purgeDeletion, supersedes } from './deletion.ts';

/**
 * A row of a CQL table besides its key, or the static part of a partition. Rows are values: a write is a row with only
 * what it says, and `mergeRows` of it and the stored one is what is stored. Nothing that the row's own deletions
 * shadow is in it (`normaliseRow`).
 */
export interface CqlRow {
  readonly liveness: Liveness | undefined;
  readonly deletion: Deletion | undefined;
  /** The clustering values' bytes, where the key does not keep them (`isKeptByKey`). */
  readonly clusteringAsWritten: Buffer | undefined;
  /** By column id, ascending. */
  readonly columns: readonly CqlColumn[];
}

/** A column id belongs to one column of a table for ever: after DROP and ADD, old cells belong to nobody. */
export type CqlColumn = SimpleColumn | CollectionColumn;

export interface SimpleColumn {
  readonly kind: 'simple';
  readonly columnId: number;
  readonly cell: CqlCell;
}

/** A list, set, map or user type that is not frozen: many cells under one column. */
export interface CollectionColumn {
  readonly kind: 'collection';
  readonly columnId: number;
  /** What assigning the whole collection leaves, one microsecond before the new cells. */
  readonly deletion: Deletion | undefined;
  /** By path, ascending. */
  readonly cells: readonly CollectionCell[];
}

export interface CollectionCell {
  /** Ordered bytes (`encodeCellPath`): a map's key, a set's element, a list's timeuuid, a field's number. */
  readonly path: ByteString;
  /** The path's value as written, where the ordered bytes do not keep it. */
  readonly pathAsWritten: Buffer | undefined;
  readonly cell: CqlCell;
}

export const emptyRow: CqlRow = {
  liveness: undefined,
  deletion: undefined,
  clusteringAsWritten: undefined,
  columns: [],
};

/** True for a row that says nothing and need not be stored. */
export function isEmptyRow(row: CqlRow): boolean {
  return row.liveness === undefined && row.deletion === undefined && row.columns.length === 0;
}

/** Both rows' words together, by Cassandra's rules. The order and the repetition of merges change nothing. */
export function mergeRows(left: CqlRow, right: CqlRow): CqlRow {
  return normaliseRow({
    liveness: mergeLiveness(left.liveness, right.liveness),
    deletion: laterDeletion(left.deletion, right.deletion),
    clusteringAsWritten: largerBytes(left.clusteringAsWritten, right.clusteringAsWritten),
    columns: mergeSorted(left.columns, right.columns, (column) => column.columnId, mergeColumns),
  });
}

/** Without what the row's own deletions shadow. */
export function normaliseRow(row: CqlRow): CqlRow {
  return withoutShadowed(row, row.deletion, row.deletion);
}

/** Without what a deletion around it shadows: the partition's, or a range of rows'. Its own stays if it says more. */
export function shadowRow(row: CqlRow, deletion: Deletion | undefined): CqlRow {
  if (deletion === undefined) return row;
  const own = row.deletion !== undefined && supersedes(row.deletion, deletion) ? row.deletion : undefined;
  return withoutShadowed(row, own, own ?? deletion);
}

/** What a reader sees at a moment: no tombstones, nothing expired. Undefined when there is no row to see. */
export function liveView(row: CqlRow, nowSeconds: number): CqlRow | undefined {
  const columns = mapColumns(row.columns, undefined, (cell) =>
    isLiveCell(cell, nowSeconds) ? cell : undefined,
  );
  const liveness = isExpiredAt(row.liveness?.expiry, nowSeconds) ? undefined : row.liveness;
  if (liveness === undefined && columns.length === 0) return undefined;
  return { liveness, deletion: undefined, clusteringAsWritten: row.clusteringAsWritten, columns };
}

/** Without tombstones from before a second, and with expired cells reduced to tombstones. No view of it changes. */
export function purgeRow(row: CqlRow, nowSeconds: number, gcBeforeSecond: number): CqlRow {
  const expiry = row.liveness?.expiry;
  const livenessIsOld =
    expiry !== undefined && isExpiredAt(expiry, nowSeconds) && expiry.second < gcBeforeSecond;
  return {
    liveness: livenessIsOld ? undefined : row.liveness,
    deletion: purgeDeletion(row.deletion, gcBeforeSecond),
    clusteringAsWritten: row.clusteringAsWritten,
    columns: mapColumns(
      row.columns,
      (deletion) => purgeDeletion(deletion, gcBeforeSecond),
      (cell) => purgeCell(cell, nowSeconds, gcBeforeSecond),
    ),
  };
}

function withoutShadowed(row: CqlRow, own: Deletion | undefined, active: Deletion | undefined): CqlRow {
  const liveness =
    row.liveness !== undefined && deletes(active, row.liveness.timestamp) ? undefined : row.liveness;
  const columns: CqlColumn[] = [];
  for (const column of row.columns) {
    const shown = shadowColumn(column, active);
    if (shown !== undefined) columns.push(shown);
  }
  return { liveness, deletion: own, clusteringAsWritten: row.clusteringAsWritten, columns };
}

function shadowColumn(column: CqlColumn, active: Deletion | undefined): CqlColumn | undefined {
  if (column.kind === 'simple') return deletes(active, column.cell.timestamp) ? undefined : column;
  const deletion =
    column.deletion !== undefined && supersedes(column.deletion, active) ? column.deletion : undefined;
  const strongest = deletion ?? active;
  const cells = column.cells.filter(({ cell }) => !deletes(strongest, cell.timestamp));
  return nonEmpty({ ...column, deletion, cells });
}

function mapColumns(
  columns: readonly CqlColumn[],
  mapDeletion: ((deletion: Deletion | undefined) => Deletion | undefined) | undefined,
  mapCell: (cell: CqlCell) => CqlCell | undefined,
): CqlColumn[] {
  const mapped: CqlColumn[] = [];
  for (const column of columns) {
    if (column.kind === 'simple') {
      const cell = mapCell(column.cell);
      if (cell !== undefined) mapped.push(cell === column.cell ? column : { ...column, cell });
      continue;
    }
    const cells = column.cells.flatMap((entry) => {
      const cell = mapCell(entry.cell);
      return cell === undefined ? [] : [cell === entry.cell ? entry : { ...entry, cell }];
    });
    const collection = nonEmpty({ ...column, deletion: mapDeletion?.(column.deletion), cells });
    if (collection !== undefined) mapped.push(collection);
  }
  return mapped;
}

function nonEmpty(column: CollectionColumn): CollectionColumn | undefined {
  return column.deletion === undefined && column.cells.length === 0 ? undefined : column;
}

function mergeLiveness(left: Liveness | undefined, right: Liveness | undefined): Liveness | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return compareLiveness(left, right) >= 0 ? left : right;
}

function mergeColumns(left: CqlColumn, right: CqlColumn): CqlColumn {
  if (left.kind === 'simple' && right.kind === 'simple') {
    return compareCells(left.cell, right.cell) >= 0 ? left : right;
  }
  assert(left.kind === 'collection' && right.kind === 'collection', 'a column id never changes its kind');
  return {
    ...left,
    deletion: laterDeletion(left.deletion, right.deletion),
    cells: mergeSorted(left.cells, right.cells, (cell) => cell.path, mergeCollectionCells),
  };
}

function mergeCollectionCells(left: CollectionCell, right: CollectionCell): CollectionCell {
  const order = compareCells(left.cell, right.cell);
  if (order !== 0) return order > 0 ? left : right;
  return { ...left, pathAsWritten: largerBytes(left.pathAsWritten, right.pathAsWritten) };
}

/** Any rule would do that does not depend on the order of merges. */
function largerBytes(left: Buffer | undefined, right: Buffer | undefined): Buffer | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return Buffer.compare(left, right) >= 0 ? left : right;
}

function mergeSorted<Item, Key extends number | ByteString>(
  left: readonly Item[],
  right: readonly Item[],
  keyOf: (item: Item) => Key,
  merge: (left: Item, right: Item) => Item,
): readonly Item[] {
  if (left.length === 0) return right;
  if (right.length === 0) return left;
  const merged: Item[] = [];
  let rightAt = 0;
  for (const item of left) {
    const key = keyOf(item);
    let other = right[rightAt];
    while (other !== undefined && keyOf(other) < key) {
      merged.push(other);
      other = right[++rightAt];
    }
    if (other !== undefined && keyOf(other) === key) {
      merged.push(merge(item, other));
      rightAt++;
    } else {
      merged.push(item);
    }
  }
  return merged.concat(right.slice(rightAt));
}
