// What Cassandra calls the data size of an update, which its limits for batches count: measured on 5.0.9, exact for numbers in keys.

import type { RowEdit, RowStep } from '../../../execution/cql/writes/partition-write.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import type { CqlCell } from '../../../values/cql-cell.ts';
import type { CqlRow } from '../../../values/cql-row.ts';

export const partitionOverhead = 29;
export const rangeBytes = 20;
/** Of a row, besides its clustering values and its cells. */
const rowOverhead = 21;
/** Timestamp, TTL and second of deletion. */
const cellOverhead = 20;
const expiryBytes = 12;
const deletionBytes = 12;
const listKeyBytes = 16;

/** Static columns count as a row without overhead. */
export function stepBytes(step: RowStep): number {
  return step.reduce((bytes, edit) => bytes + editBytes(edit), 0);
}

export function rowBytes(clusteringKey: ByteString, clusteringColumns: number): number {
  return rowOverhead + Math.max(0, clusteringKey.length - clusteringColumns);
}

function editBytes(edit: RowEdit): number {
  switch (edit.kind) {
    case 'merge':
      return mergedBytes(edit.row);
    case 'add':
      return cellOverhead + edit.value.length;
    case 'list-set':
      return cellOverhead + listKeyBytes + (edit.cell === undefined ? 0 : valueBytes(edit.cell));
    case 'list-remove':
    case 'list-discard':
    case 'add-counter':
      return cellOverhead + listKeyBytes;
  }
}

function mergedBytes({ liveness, columns }: CqlRow): number {
  let bytes = liveness?.expiry === undefined ? 0 : expiryBytes;
  for (const column of columns) {
    if (column.kind === 'simple') {
      bytes += cellOverhead + valueBytes(column.cell);
      continue;
    }
    bytes += deletionBytes;
    // One byte of a path says only that there is a value.
    for (const { path, cell } of column.cells) bytes += cellOverhead + path.length - 1 + valueBytes(cell);
  }
  return bytes;
}

function valueBytes(cell: CqlCell): number {
  return cell.kind === 'live' ? cell.value.length : 0;
}
