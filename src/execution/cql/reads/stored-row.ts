// A stored CQL row (values/cql-row-codec.ts) as a reader sees it at a moment, without making objects of its cells: where each live
// value lies is noted in arrays of numbers, and only what is asked for is cut out. One of these is loaded again for each row.

import type { ColumnSchema } from '../../../catalog/cql/table-schema.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { assert } from '../../../foundation/assert.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import { cellFlags, collectionFlags, rowFlags } from '../../../values/cql-row-codec.ts';
import { type Deletion, deletes } from '../../../values/deletion.ts';
import type { CellTimes, CollectionCellTimes } from '../read-row.ts';
import { cellKey, type LiveCollectionCell, valueOfCells } from './collection-value.ts';
import type { RowBytes } from './row-bytes.ts';
import type { RowColumns } from './row-columns.ts';

const deletionBytes = 12;
/** In place of a length: the column has no live value, or has many cells. */
const nothing = -1;
const manyCells = -2;
const noBytes = Buffer.alloc(0);

export class StoredRow {
  /** Whether anything that was loaded expires, or has; whoever wants to know sets it to false before. */
  hasSeenExpiry = false;
  readonly #columns: RowColumns;
  /** By column id: the flags, the value, the value's length. */
  readonly #flagsAt: Int32Array;
  readonly #valueAt: Int32Array;
  readonly #lengths: Int32Array;
  #bytes: Buffer = noBytes;
  /** Of the same memory, where there is one. */
  #view: DataView | undefined;
  #at = 0;
  #deletion: Deletion | undefined;
  #nowSeconds = 0;
  #timestampAt = 0;
  #expirySecond = 0;
  #clusteringAt = 0;
  #clusteringLength = nothing;

  constructor(columns: RowColumns) {
    this.#columns = columns;
    this.#flagsAt = new Int32Array(columns.size);
    this.#valueAt = new Int32Array(columns.size);
    this.#lengths = new Int32Array(columns.size).fill(nothing);
  }

  /** Reads the row that lies there. False when there is none to see: all of it is deleted or expired. */
  load(
    bytes: Buffer,
    start: number,
    end: number,
    deletion: Deletion | undefined,
    nowSeconds: number,
    view?: DataView,
  ): boolean {
    this.#bytes = bytes;
    this.#view = view;
    this.#deletion = deletion;
    this.#nowSeconds = nowSeconds;
    this.#forgetValues();
    const flags = this.#byteAt(start);
    if (flags > 0x0f) throw corrupt('a row has no such flags');
    this.#timestampAt = start + 1;
    this.#at = start + 9;
    this.#expirySecond = flags & rowFlags.expiring ? this.#expiry() : Number.POSITIVE_INFINITY;
    if (flags & rowFlags.deletion) this.#at += deletionBytes;
    this.#clusteringLength = flags & rowFlags.clusteringAsWritten ? this.#varint() : nothing;
    this.#clusteringAt = this.#at;
    if (this.#clusteringLength > 0) this.#at += this.#clusteringLength;
    let isLive =
      (flags & rowFlags.liveness) !== 0 &&
      nowSeconds < this.#expirySecond &&
      (deletion === undefined || !deletes(deletion, bytes.readBigInt64BE(this.#timestampAt)));
    let columnId = 0;
    for (let left = this.#varint(); left > 0; left--) {
      columnId += this.#varint();
      if (this.#column(columnId)) isLive = true;
    }
    if (this.#at !== end) throw corrupt('a row does not end where its bytes do');
    return isLive;
  }

  /** There is nothing in it: a row of a partition without static columns. */
  clear(): void {
    this.#forgetValues();
    this.#clusteringLength = nothing;
  }

  /** As `clear`; and it no longer holds the memory that the last row lies in, which may be a megabyte of the cache's. */
  letGo(): void {
    this.clear();
    this.#bytes = noBytes;
    this.#view = undefined;
    this.#deletion = undefined;
  }

  get hasClusteringAsWritten(): boolean {
    return this.#clusteringLength !== nothing;
  }

  /** The clustering values, where the key does not keep them. */
  get clusteringAsWritten(): Buffer | undefined {
    if (this.#clusteringLength === nothing) return undefined;
    return this.#bytes.subarray(this.#clusteringAt, this.#clusteringAt + this.#clusteringLength);
  }

  /** Shares memory with the stored bytes. */
  value(column: ColumnSchema): Buffer | null {
    const length = this.#lengths[column.id] ?? nothing;
    if (length >= 0) {
      const at = this.#valueAt[column.id] ?? 0;
      return this.#bytes.subarray(at, at + length);
    }
    return length === manyCells ? valueOfCells(column.type, this.#liveCells(column.id)) : null;
  }

  /** What `value` gives, for the wire. */
  write(column: ColumnSchema, out: RowBytes): void {
    const length = this.#lengths[column.id] ?? nothing;
    if (length >= 0) out.copy(this.#bytes, this.#valueAt[column.id] ?? 0, length, this.#view);
    else out.value(length === manyCells ? valueOfCells(column.type, this.#liveCells(column.id)) : null);
  }

  cell(column: ColumnSchema): CellTimes | undefined {
    if ((this.#lengths[column.id] ?? nothing) < 0) return undefined;
    this.#at = this.#flagsAt[column.id] ?? 0;
    const flags = this.#byteAt(this.#at++);
    const timestamp = this.#timestamp(flags);
    return { timestamp, ttlSeconds: this.#secondsLeft(flags) };
  }

  cells(column: ColumnSchema): readonly CollectionCellTimes[] {
    if (this.#lengths[column.id] !== manyCells) return [];
    return this.#liveCells(column.id).map(({ path, pathAsWritten, timestamp, ttlSeconds }) => ({
      key: cellKey(column.type, path, pathAsWritten),
      timestamp,
      ttlSeconds,
    }));
  }

  #forgetValues(): void {
    const lengths = this.#lengths;
    for (let columnId = 0; columnId < lengths.length; columnId++) lengths[columnId] = nothing;
  }

  /** Notes where the column's value is and goes past it. False if it has no live one, or nobody has the column. */
  #column(columnId: number): boolean {
    const flagsAt = this.#at;
    const flags = this.#byteAt(this.#at++);
    const isKnown = this.#columns.isKnown(columnId);
    this.#droppedAt = this.#columns.droppedAt?.get(columnId);
    if (flags >= collectionFlags.collection) {
      const isLive = this.#skipCollection(flags);
      if (!isLive || !isKnown) return false;
      this.#flagsAt[columnId] = flagsAt;
      this.#lengths[columnId] = manyCells;
      return true;
    }
    const length = this.#cellLength(flags);
    const valueAt = this.#at;
    if (length > 0) this.#at += length;
    if (length < 0 || !isKnown || !this.#isCellLive) return false;
    this.#flagsAt[columnId] = flagsAt;
    this.#valueAt[columnId] = valueAt;
    this.#lengths[columnId] = length;
    return true;
  }

  #isCellLive = false;
  #droppedAt: bigint | undefined;

  /** Goes from behind a cell's flags (and path) to its value; `nothing` for a tombstone. */
  #cellLength(flags: number): number {
    const timestampAt = flags & cellFlags.ownTimestamp ? this.#at : this.#timestampAt;
    if (flags & cellFlags.ownTimestamp) this.#at += 8;
    if (flags & cellFlags.tombstone) {
      this.#at += 4;
      this.#isCellLive = false;
      return nothing;
    }
    const expirySecond =
      flags & cellFlags.ownExpiry
        ? this.#expiry()
        : flags & cellFlags.rowExpiry
          ? this.#expirySecond
          : Number.POSITIVE_INFINITY;
    this.#isCellLive =
      this.#nowSeconds < expirySecond &&
      (this.#deletion === undefined || !deletes(this.#deletion, this.#bytes.readBigInt64BE(timestampAt))) &&
      (this.#droppedAt === undefined || this.#bytes.readBigInt64BE(timestampAt) > this.#droppedAt);
    return this.#varint();
  }

  #skipCollection(flags: number): boolean {
    if (flags & collectionFlags.deletion) this.#at += deletionBytes;
    let isLive = false;
    for (let left = this.#varint(); left > 0; left--) {
      const cell = this.#byteAt(this.#at++);
      this.#skipBlob();
      if (cell & cellFlags.pathAsWritten) this.#skipBlob();
      const length = this.#cellLength(cell);
      if (length > 0) this.#at += length;
      if (this.#isCellLive) isLive = true;
    }
    return isLive;
  }

  #liveCells(columnId: number): LiveCollectionCell[] {
    this.#at = this.#flagsAt[columnId] ?? 0;
    this.#droppedAt = this.#columns.droppedAt?.get(columnId);
    const flags = this.#byteAt(this.#at++);
    if (flags & collectionFlags.deletion) this.#at += deletionBytes;
    const cells: LiveCollectionCell[] = [];
    for (let left = this.#varint(); left > 0; left--) {
      const cell = this.#byteAt(this.#at++);
      const path = this.#take(this.#varint()).toString('latin1') as ByteString;
      const pathAsWritten = cell & cellFlags.pathAsWritten ? this.#take(this.#varint()) : undefined;
      const timesAt = this.#at;
      const length = this.#cellLength(cell);
      if (length < 0) continue;
      const value = this.#take(length);
      if (!this.#isCellLive) continue;
      const end = this.#at;
      this.#at = timesAt;
      const timestamp = this.#timestamp(cell);
      cells.push({ path, pathAsWritten, value, timestamp, ttlSeconds: this.#secondsLeft(cell) });
      this.#at = end;
    }
    return cells;
  }

  #timestamp(flags: number): bigint {
    if (!(flags & cellFlags.ownTimestamp)) return this.#bytes.readBigInt64BE(this.#timestampAt);
    this.#at += 8;
    return this.#bytes.readBigInt64BE(this.#at - 8);
  }

  #secondsLeft(flags: number): number | undefined {
    if (flags & cellFlags.ownExpiry) return this.#expiry() - this.#nowSeconds;
    return flags & cellFlags.rowExpiry ? this.#expirySecond - this.#nowSeconds : undefined;
  }

  /** Goes past the TTL as it was given, and answers the second in which what has it is gone. */
  #expiry(): number {
    this.hasSeenExpiry = true;
    this.#varint();
    this.#at += 4;
    return this.#bytes.readUInt32BE(this.#at - 4);
  }

  #skipBlob(): void {
    const length = this.#varint();
    this.#at += length;
  }

  #take(length: number): Buffer {
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  #varint(): number {
    const first = this.#byteAt(this.#at++);
    if (first < 0x80) return first;
    let value = first & 0x7f;
    let weight = 0x80;
    for (;;) {
      const byte = this.#byteAt(this.#at++);
      value += (byte & 0x7f) * weight;
      if (byte < 0x80) return value;
      weight *= 0x80;
    }
  }

  #byteAt(at: number): number {
    const byte = this.#bytes[at];
    if (byte === undefined) throw corrupt('the bytes of a row end too early');
    return byte;
  }
}

/** Where the row begins in what is stored: CQL rows have neither timestamp nor ttl nor rid in their envelope. */
export function rowStart(bytes: Buffer, storedAt: number): number {
  assert(
    bytes[storedAt] === envelopeOfRow && bytes[storedAt + 1] === 0,
    'under the key of a row there is a CQL row',
  );
  return storedAt + 2;
}

const envelopeOfRow = 0x11;

function corrupt(reason: string): RingfoldError {
  return new RingfoldError('corrupt-data', { reason });
}
