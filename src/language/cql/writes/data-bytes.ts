// What Cassandra calls the data size of an update, which its limits for batches count: measured on 5.0.5, exact for numbers in keys.

import type { LookingEdit, RowStep } from '../../../execution/cql/writes/partition-write.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import type { CqlCell } from '../../../values/cql-cell.ts';
import { type CqlRow, emptyRow, mergeRows } from '../../../values/cql-row.ts';
import type { RangeTombstone } from '../../../values/range-tombstones.ts';

export const partitionOverhead = 29;
/** Of a range, besides the values of its bounds. */
const rangeOverhead = 16;
/** Of a row, besides its clustering values and its cells. */
const rowOverhead = 21;
/** Timestamp, TTL and second of deletion. */
const cellOverhead = 20;
const expiryBytes = 12;
const deletionBytes = 12;
const listKeyBytes = 16;
const counterBytes = 36;

/** What statements say of one row, together: what is written twice counts once. Static columns are a row without overhead. */
export function stepsBytes(steps: readonly RowStep[]): number {
  const counters = new Set<number>();
  let said = emptyRow;
  let bytes = 0;
  for (const edit of steps.flat()) {
    if (edit.kind === 'merge') said = said === emptyRow ? edit.row : mergeRows(said, edit.row);
    else if (edit.kind === 'add-counter') counters.add(edit.columnId);
    else bytes += lookingBytes(edit);
  }
  return bytes + mergedBytes(said) + counters.size * (cellOverhead + counterBytes);
}

export function rowBytes(clusteringKey: ByteString, clusteringColumns: number): number {
  return rowOverhead + Math.max(0, clusteringKey.length - clusteringColumns);
}

/** One that is said twice counts once. */
export function rangesBytes(ranges: readonly RangeTombstone[]): number {
  const distinct = new Map(ranges.map(({ from, to }) => [`${from.length}:${from}${to ?? ''}`, { from, to }]));
  let bytes = 0;
  for (const { from, to } of distinct.values()) bytes += rangeOverhead + boundBytes(from) + boundBytes(to);
  return bytes;
}

/** As if it had one value, of which an ordered key says in a byte that it is there. */
function boundBytes(bound: ByteString | undefined): number {
  return Math.max(0, (bound?.length ?? 0) - 1);
}

/** A guess where it depends on what the row holds. */
function lookingBytes(edit: LookingEdit): number {
  switch (edit.kind) {
    case 'add':
      return cellOverhead + edit.value.length;
    case 'list-set':
      return cellOverhead + listKeyBytes + (edit.cell === undefined ? 0 : valueBytes(edit.cell));
    case 'list-remove':
    case 'list-discard':
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
