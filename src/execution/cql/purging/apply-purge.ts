// The transactions of the purge. Rows first: what the header's tombstones shadow goes with whatever else is due, and only when no row is
// left that a tombstone shadows does the tombstone go. A row that is written meanwhile is stored without what the header
// shadows, so there is none behind the purge either.

import type { ByteString } from '../../../foundation/byte-string.ts';
import type { Decision, DeclaredRows, RowWrite } from '../../../storage/partition-store.ts';
import { type CqlRow, emptyRow, isEmptyRow, purgeRow, shadowRow } from '../../../values/cql-row.ts';
import { decodeRow, encodeRow } from '../../../values/cql-row-codec.ts';
import type { Deletion } from '../../../values/deletion.ts';
import {
  decodeHeader,
  deletionOf,
  emptyHeader,
  encodeHeader,
  isEmptyHeader,
  type PartitionHeader,
} from '../../../values/partition-header.ts';
import type { RangeTombstone } from '../../../values/range-tombstones.ts';
import { decodeStoredItem, encodeStoredItem, type StoredKind } from '../../../values/stored-item.ts';
import type { ColumnId } from '../writes/partition-write.ts';
import { withoutDropped } from '../writes/without-dropped.ts';

/** What decides about a row, besides the header. */
export interface PurgeMoment {
  readonly nowSeconds: number;
  /** Tombstones from before it go. */
  readonly gcBeforeSecond: number;
  readonly columnIds: readonly ColumnId[] | undefined;
}

export interface RowsPurge extends PurgeMoment {
  /** Undefined in a table without clustering columns. */
  readonly headerKey: ByteString | undefined;
  /** That of the header may be among them. */
  readonly keys: readonly ByteString[];
}

/** Tombstones of a header as it was before its rows were purged. */
export interface HeaderPurge {
  readonly headerKey: ByteString;
  readonly deletion: Deletion | undefined;
  readonly rangeTombstones: readonly RangeTombstone[];
}

export function applyRowsPurge(purge: RowsPurge, rows: DeclaredRows): Decision {
  const { headerKey, keys } = purge;
  const header = headerIn(headerKey === undefined ? null : rows.get(headerKey));
  const writes: RowWrite[] = [];
  for (const key of keys) {
    const stored = rows.get(key);
    if (stored === null) continue;
    const value =
      key === headerKey
        ? headerValue({ ...header, staticRow: purgedStatics(header, purge) })
        : rowValue(purgedRow(decodeRow(payloadOf(stored)), clusteringKeyIn(key, headerKey), header, purge));
    if (!value?.equals(stored)) writes.push({ key, value });
  }
  return { kind: 'write', writes };
}

export function applyHeaderPurge(purge: HeaderPurge, rows: DeclaredRows): Decision {
  const { headerKey } = purge;
  const stored = rows.get(headerKey);
  if (stored === null) return { kind: 'write', writes: [] };
  const header = headerIn(stored);
  const rangeTombstones = header.rangeTombstones.filter(
    (range) => !purge.rangeTombstones.some((old) => isWithin(range, old)),
  );
  const isOld = purge.deletion !== undefined && isSame(header.deletion, purge.deletion);
  const value = headerValue({ ...header, deletion: isOld ? undefined : header.deletion, rangeTombstones });
  return { kind: 'write', writes: value?.equals(stored) ? [] : [{ key: headerKey, value }] };
}

/** What is left of a row for anybody. */
function purgedRow(
  row: CqlRow,
  clusteringKey: ByteString,
  header: PartitionHeader,
  { nowSeconds, gcBeforeSecond, columnIds }: PurgeMoment,
): CqlRow {
  const shown = shadowRow(withoutDropped(row, columnIds), deletionOf(header, clusteringKey));
  return purgeRow(shown, nowSeconds, gcBeforeSecond);
}

export function headerIn(stored: Buffer | null): PartitionHeader {
  return stored === null ? emptyHeader : decodeHeader(payloadOf(stored));
}

export function payloadOf(stored: Buffer): Buffer {
  return decodeStoredItem(stored).payload;
}

/** The header's key is as long as what stands before a clustering key. */
function clusteringKeyIn(key: ByteString, headerKey: ByteString | undefined): ByteString {
  return (headerKey === undefined ? '' : key.slice(headerKey.length)) as ByteString;
}

function purgedStatics(
  { staticRow }: PartitionHeader,
  { nowSeconds, gcBeforeSecond, columnIds }: PurgeMoment,
): CqlRow | undefined {
  const purged = purgeRow(withoutDropped(staticRow ?? emptyRow, columnIds), nowSeconds, gcBeforeSecond);
  return isEmptyRow(purged) ? undefined : purged;
}

function rowValue(row: CqlRow): Buffer | null {
  return isEmptyRow(row) ? null : stored('cql-row', encodeRow(row));
}

function headerValue(header: PartitionHeader): Buffer | null {
  return isEmptyHeader(header) ? null : stored('partition-header', encodeHeader(header));
}

function stored(kind: StoredKind, payload: Buffer): Buffer {
  return encodeStoredItem({ kind, timestamp: undefined, ttlSeconds: undefined, rid: undefined, payload });
}

/** Part of the old one, or the same: later ones may have cut it. */
function isWithin(range: RangeTombstone, old: RangeTombstone): boolean {
  const endsWithin = old.to === undefined || (range.to !== undefined && range.to <= old.to);
  return range.from >= old.from && endsWithin && isSame(range.deletion, old.deletion);
}

function isSame(left: Deletion | undefined, right: Deletion): boolean {
  return left?.timestamp === right.timestamp && left.second === right.second;
}
