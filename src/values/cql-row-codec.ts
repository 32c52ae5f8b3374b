import { RingfoldError } from '../errors/ringfold-error.ts';
import { assert } from '../foundation/assert.ts';
import { ByteReader } from '../foundation/byte-reader.ts';
import { type ByteString, emptyBytes } from '../foundation/byte-string.ts';
import { ByteWriter } from '../foundation/byte-writer.ts';
import type { CqlCell, Expiry, Liveness } from './cql-cell.ts';
import type { CollectionCell, CollectionColumn, CqlColumn, CqlRow } from './cql-row.ts';
import { readDeletion, writeDeletion } from './deletion.ts';

// docs/stored-forms.md has the form as a table. Most rows are written by one INSERT, so one timestamp (and one expiry)
// stands before the cells and a cell has its own only where it differs.

export const rowFlags = {
  liveness: 0x01,
  expiring: 0x02,
  deletion: 0x04,
  clusteringAsWritten: 0x08,
} as const;
export const cellFlags = {
  ownTimestamp: 0x01,
  tombstone: 0x02,
  ownExpiry: 0x04,
  rowExpiry: 0x08,
  pathAsWritten: 0x10,
} as const;
export const collectionFlags = { collection: 0x80, deletion: 0x40 } as const;

/** What cells share with their row. */
interface RowTimes {
  readonly timestamp: bigint;
  readonly expiry: Expiry | undefined;
}

export function encodeRow(row: CqlRow): Buffer {
  const writer = new ByteWriter(256);
  const { liveness, deletion, clusteringAsWritten, columns } = row;
  const times: RowTimes = { timestamp: sharedTimestamp(row), expiry: liveness?.expiry };
  writer.u8(
    (liveness === undefined ? 0 : rowFlags.liveness) |
      (times.expiry === undefined ? 0 : rowFlags.expiring) |
      (deletion === undefined ? 0 : rowFlags.deletion) |
      (clusteringAsWritten === undefined ? 0 : rowFlags.clusteringAsWritten),
  );
  writer.i64(times.timestamp);
  if (times.expiry !== undefined) writeExpiry(writer, times.expiry);
  if (deletion !== undefined) writeDeletion(writer, deletion);
  if (clusteringAsWritten !== undefined) writeBlob(writer, clusteringAsWritten);
  writer.varint(columns.length);
  let lastId = 0;
  for (const column of columns) {
    assert(column.columnId > lastId, 'columns ascend by their ids, from 1');
    writer.varint(column.columnId - lastId);
    lastId = column.columnId;
    if (column.kind === 'simple') writeCell(writer, column.cell, times, undefined);
    else writeCollectionColumn(writer, column, times);
  }
  return writer.take();
}

/** Values share memory with the bytes. */
export function decodeRow(bytes: Buffer): CqlRow {
  const reader = new ByteReader(bytes);
  const flags = reader.u8();
  const timestamp = reader.i64();
  const expiry = flags & rowFlags.expiring ? readExpiry(reader) : undefined;
  const times: RowTimes = { timestamp, expiry };
  const liveness: Liveness | undefined = flags & rowFlags.liveness ? times : undefined;
  if (flags > 0x0f || (expiry !== undefined && liveness === undefined))
    throw corrupt('a row has no such flags');
  const deletion = flags & rowFlags.deletion ? readDeletion(reader) : undefined;
  const clusteringAsWritten = flags & rowFlags.clusteringAsWritten ? readBlob(reader) : undefined;
  const columns: CqlColumn[] = [];
  let columnId = 0;
  for (let left = reader.varint(); left > 0; left--) {
    const step = reader.varint();
    if (step === 0) throw corrupt('columns do not ascend');
    columnId += step;
    columns.push(readColumn(reader, columnId, times));
  }
  reader.expectEnd();
  return { liveness, deletion, clusteringAsWritten, columns };
}

function sharedTimestamp({ liveness, deletion, columns }: CqlRow): bigint {
  const first = columns[0];
  const firstCell = first?.kind === 'collection' ? first.cells[0]?.cell : first?.cell;
  return liveness?.timestamp ?? firstCell?.timestamp ?? deletion?.timestamp ?? 0n;
}

function writeCollectionColumn(writer: ByteWriter, column: CollectionColumn, times: RowTimes): void {
  writer.u8(collectionFlags.collection | (column.deletion === undefined ? 0 : collectionFlags.deletion));
  if (column.deletion !== undefined) writeDeletion(writer, column.deletion);
  writer.varint(column.cells.length);
  let lastPath: ByteString = emptyBytes;
  for (const entry of column.cells) {
    assert(entry.path > lastPath, 'cells of a collection ascend by their paths');
    lastPath = entry.path;
    writeCell(writer, entry.cell, times, entry);
  }
}

function readColumn(reader: ByteReader, columnId: number, times: RowTimes): CqlColumn {
  const flags = reader.u8();
  if (flags < collectionFlags.collection) {
    if (flags & cellFlags.pathAsWritten) throw corrupt('a simple column has a path');
    return { kind: 'simple', columnId, cell: readCell(reader, flags, times) };
  }
  if ((flags & 0x3f) !== 0) throw corrupt('a collection has no such flags');
  const deletion = flags & collectionFlags.deletion ? readDeletion(reader) : undefined;
  const cells: CollectionCell[] = [];
  let lastPath: ByteString = emptyBytes;
  for (let left = reader.varint(); left > 0; left--) {
    const cellBits = reader.u8();
    const path = reader.byteString(reader.varint());
    if (path <= lastPath) throw corrupt('cells of a collection do not ascend');
    lastPath = path;
    const pathAsWritten = cellBits & cellFlags.pathAsWritten ? readBlob(reader) : undefined;
    cells.push({ path, pathAsWritten, cell: readCell(reader, cellBits, times) });
  }
  return { kind: 'collection', columnId, deletion, cells };
}

function writeCell(
  writer: ByteWriter,
  cell: CqlCell,
  times: RowTimes,
  entry: CollectionCell | undefined,
): void {
  const expiry = cell.kind === 'live' ? cell.expiry : undefined;
  const expiresWithRow = expiry !== undefined && sameExpiry(expiry, times.expiry);
  const hasOwnTimestamp = cell.timestamp !== times.timestamp;
  writer.u8(
    (hasOwnTimestamp ? cellFlags.ownTimestamp : 0) |
      (cell.kind === 'tombstone' ? cellFlags.tombstone : 0) |
      (expiry !== undefined ? (expiresWithRow ? cellFlags.rowExpiry : cellFlags.ownExpiry) : 0) |
      (entry?.pathAsWritten === undefined ? 0 : cellFlags.pathAsWritten),
  );
  if (entry !== undefined) {
    writer.varint(entry.path.length);
    writer.byteString(entry.path);
    if (entry.pathAsWritten !== undefined) writeBlob(writer, entry.pathAsWritten);
  }
  if (hasOwnTimestamp) writer.i64(cell.timestamp);
  if (cell.kind === 'tombstone') {
    writer.u32(cell.second);
    return;
  }
  if (expiry !== undefined && !expiresWithRow) writeExpiry(writer, expiry);
  writeBlob(writer, cell.value);
}

function readCell(reader: ByteReader, flags: number, times: RowTimes): CqlCell {
  const kinds = flags & (cellFlags.tombstone | cellFlags.ownExpiry | cellFlags.rowExpiry);
  // No two of these together, which a power of two (or none) shows, and none that is not known.
  if ((kinds & (kinds - 1)) !== 0 || flags > 0x1f) throw corrupt('a cell has no such flags');
  const timestamp = flags & cellFlags.ownTimestamp ? reader.i64() : times.timestamp;
  if (flags & cellFlags.tombstone) return { kind: 'tombstone', timestamp, second: reader.u32() };
  const expiresWithRow = (flags & cellFlags.rowExpiry) !== 0;
  if (expiresWithRow && times.expiry === undefined) throw corrupt('a cell expires with a row that does not');
  const own = flags & cellFlags.ownExpiry ? readExpiry(reader) : undefined;
  return { kind: 'live', timestamp, expiry: expiresWithRow ? times.expiry : own, value: readBlob(reader) };
}

function sameExpiry(expiry: Expiry, other: Expiry | undefined): boolean {
  return other !== undefined && expiry.second === other.second && expiry.ttlSeconds === other.ttlSeconds;
}

function writeExpiry(writer: ByteWriter, expiry: Expiry): void {
  writer.varint(expiry.ttlSeconds);
  writer.u32(expiry.second);
}

function readExpiry(reader: ByteReader): Expiry {
  return { ttlSeconds: reader.varint(), second: reader.u32() };
}

function writeBlob(writer: ByteWriter, bytes: Buffer): void {
  writer.varint(bytes.length);
  writer.bytes(bytes);
}

function readBlob(reader: ByteReader): Buffer {
  return reader.bytes(reader.varint());
}

function corrupt(reason: string): RingfoldError {
  return new RingfoldError('corrupt-data', { reason });
}
