import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { assert } from '../../../foundation/assert.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import type { Decision, DeclaredRows, RowWrite } from '../../../storage/partition-store.ts';
import { type CqlRow, emptyRow, isEmptyRow, liveView, purgeRow, shadowRow } from '../../../values/cql-row.ts';
import { decodeRow, encodeRow } from '../../../values/cql-row-codec.ts';
import { type Deletion, laterDeletion, supersedes } from '../../../values/deletion.ts';
import {
  decodeHeader,
  deletionOf,
  emptyHeader,
  encodeHeader,
  isEmptyHeader,
  type PartitionHeader,
} from '../../../values/partition-header.ts';
import { replacedByPlain } from '../../../values/plain-row-codec.ts';
import {
  addRangeTombstone,
  mergeRangeTombstones,
  type RangeTombstone,
} from '../../../values/range-tombstones.ts';
import { decodeStoredItem, encodeStoredItem, type StoredKind } from '../../../values/stored-item.ts';
import { holds } from './column-tests.ts';
import { isLiveRow } from './is-live-row.ts';
import type {
  PartitionWrite,
  PlainWrite,
  RowCondition,
  RowStep,
  RowWork,
  RowWrites,
  WriteAnswer,
} from './partition-write.ts';
import { applySteps } from './row-edits.ts';
import { withoutDropped } from './without-dropped.ts';

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
  const { headerKey } = write;
  const storedHeader = headerKey === undefined ? null : rows.get(headerKey);
  const header = storedHeader === null ? emptyHeader : headerIn(storedHeader, write);
  const { conditions } = write;
  if (conditions !== undefined) {
    if (!conditions.every((one) => isMet(one, write, header, rows)))
      return { kind: 'write', writes: [], answer: refusedAnswer(write, conditions, header, rows) };
    if (write.refusal !== undefined) throw write.refusal;
  }
  const [row] = write.rows;
  const plainly = row?.plain && replaceRow(write, row, row.plain, header, rows);
  if (plainly !== undefined) return plainly;
  const writes: RowWrite[] = [];
  const works: RowWork[] = [];
  const newHeader = headerAfter(write, header);
  if (newHeader !== header) {
    const value = isEmptyHeader(newHeader) ? null : stored('partition-header', encodeHeader(newHeader));
    assert(headerKey !== undefined, 'a table whose partitions have a header has clustering columns');
    // Tombstones do not count: what deletes is never refused.
    const { staticRow } = newHeader;
    if ((value?.length ?? 0) > maxRowBytes && staticRow) refuseLarge(encodeRow(staticRow).length);
    if (value !== null || storedHeader !== null) writes.push({ key: headerKey, value });
    works.push(...headerWorks(write, storedHeader, value));
  }
  for (const row of write.rows) writeRow(write, row, header, newHeader, rows, writes, works);
  const answer: WriteAnswer = { isApplied: true, works, current: undefined };
  return { kind: 'write', writes, answer };
}

function headerIn(stored: Buffer, write: PartitionWrite): PartitionHeader {
  const header = decodeHeader(decodeStoredItem(stored).payload);
  const { staticRow } = header;
  return staticRow === undefined
    ? header
    : { ...header, staticRow: withoutDropped(staticRow, write.columnIds) };
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
    rangeTombstones: rangesAfter(header, rangeTombstones, deletion),
    staticRow: isEmptyRow(staticRow) ? undefined : staticRow,
    byteCount: header.byteCount,
  };
}

function rangesAfter(
  { rangeTombstones, deletion: before }: PartitionHeader,
  added: readonly RangeTombstone[],
  deletion: Deletion | undefined,
): readonly RangeTombstone[] {
  const [only] = added;
  if (deletion !== before || added.length > 1) return mergeRangeTombstones(rangeTombstones, added, deletion);
  return only !== undefined && supersedes(only.deletion, deletion)
    ? addRangeTombstone(rangeTombstones, only)
    : rangeTombstones;
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

/** What most writes come to. Undefined where a closer look is needed: something of the row may stay, or it must be refused. */
function replaceRow(
  { nowSeconds, columnIds }: PartitionWrite,
  { key, clusteringKey }: RowWrites,
  plain: PlainWrite,
  header: PartitionHeader,
  rows: DeclaredRows,
): Decision | undefined {
  const { stored: value } = plain;
  if (value.length > maxRowBytes || deletionOf(header, clusteringKey) !== undefined) return undefined;
  const bytes = rows.get(key);
  let bytesBefore = 0;
  if (bytes !== null) {
    const before = columnIds ? undefined : replacedByPlain(bytes, value, plain.columnIds, nowSeconds);
    if (before === undefined) return undefined;
    if (before === 'live') bytesBefore = bytes.length;
  }
  const columns = plain.columnIds.length;
  const work: RowWork = { kind: 'upsert-item', bytesBefore, bytesAfter: value.length, columns };
  const answer: WriteAnswer = { isApplied: true, works: [work], current: undefined };
  return { kind: 'write', writes: [{ key, value }], answer };
}

function writeRow(
  write: PartitionWrite,
  { key, clusteringKey, steps: said, plain }: RowWrites,
  header: PartitionHeader,
  newHeader: PartitionHeader,
  rows: DeclaredRows,
  writes: RowWrite[],
  works: RowWork[],
): void {
  const { nowSeconds, gcBeforeSecond } = write;
  const bytes = rows.get(key);
  const steps = plain === undefined ? said : [stepOf(plain)];
  const before = bytes === null ? emptyRow : visibleRow(bytes, clusteringKey, header, write);
  const changed = applySteps(before, steps, nowSeconds);
  const shown = shadowRow(changed, deletionOf(newHeader, clusteringKey));
  const after = bytes === null ? shown : purgeRow(shown, nowSeconds, gcBeforeSecond);
  const value = isEmptyRow(after) ? null : stored('cql-row', encodeRow(after));
  refuseLarge(value?.length ?? 0);
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

function refuseLarge(rowBytes: number): void {
  if (rowBytes > maxRowBytes)
    throw new RingfoldError('transaction-too-large', { rowBytes, limitBytes: maxRowBytes });
}

function stepOf({ stored: bytes }: PlainWrite): RowStep {
  return [{ kind: 'merge', row: decodeRow(decodeStoredItem(bytes).payload) }];
}

function visibleRow(
  bytes: Buffer,
  clusteringKey: ByteString,
  header: PartitionHeader,
  write: PartitionWrite,
): CqlRow {
  const row = withoutDropped(decodeRow(decodeStoredItem(bytes).payload), write.columnIds);
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
    const key = place === undefined ? write.headerKey : place.key;
    const bytesBefore = (key === undefined ? null : rows.get(key))?.length ?? 0;
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
