import { RingfoldError } from '../../../errors/ringfold-error.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import type { Decision, DeclaredRows, RowWrite } from '../../../storage/partition-store.ts';
import { type CqlRow, emptyRow, isEmptyRow, liveView, purgeRow, shadowRow } from '../../../values/cql-row.ts';
import { decodeRow, encodeRow } from '../../../values/cql-row-codec.ts';
import { laterDeletion } from '../../../values/deletion.ts';
import {
  decodeHeader,
  deletionOf,
  emptyHeader,
  encodeHeader,
  isEmptyHeader,
  type PartitionHeader,
} from '../../../values/partition-header.ts';
import { mergeRangeTombstones } from '../../../values/range-tombstones.ts';
import { decodeStoredItem, encodeStoredItem, type StoredKind } from '../../../values/stored-item.ts';
import { holds } from './column-tests.ts';
import { isLiveRow } from './is-live-row.ts';
import type { PartitionWrite, RowCondition, RowWork, RowWrites, WriteAnswer } from './partition-write.ts';
import { applySteps } from './row-edits.ts';

/** Cosmos DB's limit for an item, which a row is. */
const maxRowBytes = 2 * 2 ** 20;

/** The operation behind every CQL write: pure, so the store may run it again. */
export function applyPartitionWrite(write: PartitionWrite, rows: DeclaredRows): Decision {
  try {
    return decide(write, rows);
  } catch (error) {
    if (error instanceof RingfoldError) return { kind: 'refuse', error };
    throw error;
  }
}

function decide(write: PartitionWrite, rows: DeclaredRows): Decision {
  const storedHeader = rows.get(write.headerKey);
  const header = storedHeader === null ? emptyHeader : headerIn(storedHeader, write);
  if (write.conditions !== undefined && !write.conditions.every((one) => isMet(one, write, header, rows))) {
    return { kind: 'write', writes: [], answer: refusedAnswer(write, write.conditions, header, rows) };
  }
  const writes: RowWrite[] = [];
  const works: RowWork[] = [];
  const newHeader = headerAfter(write, header);
  if (newHeader !== header) {
    const value = isEmptyHeader(newHeader) ? null : stored('partition-header', encodeHeader(newHeader));
    if (value !== null || storedHeader !== null) writes.push({ key: write.headerKey, value });
    works.push(...headerWorks(write, storedHeader, value));
  }
  for (const row of write.rows) writeRow(write, row, header, newHeader, rows, writes, works);
  const answer: WriteAnswer = { isApplied: true, works, current: undefined };
  return { kind: 'write', writes, answer };
}

function headerIn(stored: Buffer, write: PartitionWrite): PartitionHeader {
  const header = decodeHeader(decodeStoredItem(stored).payload);
  const { staticRow } = header;
  return staticRow === undefined ? header : { ...header, staticRow: withoutDropped(staticRow, write) };
}

function withoutDropped(row: CqlRow, { columnIds }: PartitionWrite): CqlRow {
  if (columnIds === undefined) return row;
  return { ...row, columns: row.columns.filter(({ columnId }) => columnIds.includes(columnId)) };
}

/** The same object where the write says nothing of the partition as a whole. */
function headerAfter(write: PartitionWrite, header: PartitionHeader): PartitionHeader {
  const { staticSteps, rangeTombstones, nowSeconds, gcBeforeSecond } = write;
  if (write.deletion === undefined && rangeTombstones.length === 0 && staticSteps.length === 0) return header;
  const deletion = laterDeletion(header.deletion, write.deletion);
  const changed = applySteps(header.staticRow ?? emptyRow, staticSteps, nowSeconds);
  const staticRow = purgeRow(shadowRow(changed, deletion), nowSeconds, gcBeforeSecond);
  return {
    deletion,
    rangeTombstones:
      rangeTombstones.length === 0 && deletion === header.deletion
        ? header.rangeTombstones
        : mergeRangeTombstones(header.rangeTombstones, rangeTombstones, deletion),
    staticRow: isEmptyRow(staticRow) ? undefined : staticRow,
    byteCount: header.byteCount,
  };
}

function headerWorks(write: PartitionWrite, before: Buffer | null, after: Buffer | null): RowWork[] {
  const works: RowWork[] = [];
  const marks = write.rangeTombstones.length + Number(write.deletion !== undefined);
  for (let mark = 0; mark < marks; mark++) {
    works.push({ kind: 'delete-range', bytesBefore: 0, bytesAfter: 0, columns: 0 });
  }
  if (write.staticSteps.length > 0) {
    works.push({
      kind: 'upsert-item',
      bytesBefore: before?.length ?? 0,
      bytesAfter: after?.length ?? 0,
      columns: write.staticSteps.length,
    });
  }
  return works;
}

function writeRow(
  write: PartitionWrite,
  { key, clusteringKey, steps }: RowWrites,
  header: PartitionHeader,
  newHeader: PartitionHeader,
  rows: DeclaredRows,
  writes: RowWrite[],
  works: RowWork[],
): void {
  const { nowSeconds, gcBeforeSecond } = write;
  const bytes = rows.get(key);
  const before = bytes === null ? emptyRow : visibleRow(bytes, clusteringKey, header, write);
  const changed = applySteps(before, steps, nowSeconds);
  const shown = shadowRow(changed, deletionOf(newHeader, clusteringKey));
  const after = bytes === null ? shown : purgeRow(shown, nowSeconds, gcBeforeSecond);
  const value = isEmptyRow(after) ? null : stored('cql-row', encodeRow(after));
  if (value !== null && value.length > maxRowBytes) {
    throw new RingfoldError('transaction-too-large', { rowBytes: value.length, limitBytes: maxRowBytes });
  }
  if (value !== null || bytes !== null) writes.push({ key, value });
  const isLive = value !== null && isLiveRow(after, nowSeconds);
  const wasLive = bytes !== null && isLiveRow(before, nowSeconds);
  works.push({
    kind: isLive ? 'upsert-item' : 'delete-item',
    bytesBefore: wasLive ? bytes.length : 0,
    bytesAfter: isLive ? value.length : 0,
    columns: isLive ? after.columns.length : before.columns.length,
  });
}

function visibleRow(
  bytes: Buffer,
  clusteringKey: ByteString,
  header: PartitionHeader,
  write: PartitionWrite,
): CqlRow {
  const row = withoutDropped(decodeRow(decodeStoredItem(bytes).payload), write);
  return shadowRow(row, deletionOf(header, clusteringKey));
}

function isMet(
  { row, test }: RowCondition,
  write: PartitionWrite,
  header: PartitionHeader,
  rows: DeclaredRows,
): boolean {
  const current = row === undefined ? liveStatic(write, header) : liveRow(write, row, header, rows);
  if (test === 'exists') return current !== undefined;
  if (test === 'not-exists') return current === undefined;
  return test.every((one) => holds(one, current));
}

function refusedAnswer(
  write: PartitionWrite,
  conditions: readonly RowCondition[],
  header: PartitionHeader,
  rows: DeclaredRows,
): WriteAnswer {
  const found: { readonly clusteringKey: ByteString; readonly row: CqlRow }[] = [];
  const works: RowWork[] = [];
  for (const { row: place } of conditions) {
    const bytesBefore = (place === undefined ? rows.get(write.headerKey) : rows.get(place.key))?.length ?? 0;
    works.push({ kind: 'upsert-item', bytesBefore, bytesAfter: bytesBefore, columns: 0 });
    const row = place && liveRow(write, place, header, rows);
    if (place !== undefined && row !== undefined) found.push({ clusteringKey: place.clusteringKey, row });
  }
  return { isApplied: false, works, current: { staticRow: liveStatic(write, header), rows: found } };
}

function liveStatic({ nowSeconds }: PartitionWrite, { staticRow }: PartitionHeader): CqlRow | undefined {
  return staticRow && liveView(staticRow, nowSeconds);
}

function liveRow(
  write: PartitionWrite,
  place: { readonly key: ByteString; readonly clusteringKey: ByteString },
  header: PartitionHeader,
  rows: DeclaredRows,
): CqlRow | undefined {
  const bytes = rows.get(place.key);
  if (bytes === null) return undefined;
  return liveView(visibleRow(bytes, place.clusteringKey, header, write), write.nowSeconds);
}

function stored(kind: StoredKind, payload: Buffer): Buffer {
  return encodeStoredItem({ kind, timestamp: undefined, ttlSeconds: undefined, rid: undefined, payload });
}
