// One entry of a node's log, as bytes. It is encoded once and the same bytes go to every node of the replica set and,
// in part, to their row stores: a row's stored form stands in the entry exactly as a row store keeps it.
//
//   u32 length of what follows · u8 kind · u32 container · u32 physical partition · u32 replica-set generation ·
//   u32 epoch · u48 LSN · u48 time (ms) · body

import { RingfoldError } from '../../errors/ringfold-error.ts';
import { assert } from '../../foundation/assert.ts';
import type { ByteString } from '../../foundation/byte-string.ts';
import type { RowWrite } from '../partition-store.ts';
import { StoredRow, storedRowOverheadBytes, writeStored } from './stored-row.ts';

export const entryKinds = {
  rows: 1,
  split: 2,
  merge: 3,
  membership: 4,
  promise: 5,
  epoch: 6,
  copying: 7,
  base: 8,
  forget: 9,
  snapshot: 10,
} as const;

export type EntryKind = (typeof entryKinds)[keyof typeof entryKinds];

const lastOrderedKind = entryKinds.membership;
const knownKinds: ReadonlySet<number> = new Set(Object.values(entryKinds));

/** Ordered entries take an LSN and are agreed on by the replica set; the others are a node's own notes. */
export function isOrdered(kind: EntryKind): boolean {
  return kind <= lastOrderedKind;
}

export interface EntryHeader {
  readonly kind: EntryKind;
  readonly container: number;
  readonly physicalPartition: number;
  readonly generation: number;
  readonly epoch: number;
  readonly lsn: number;
  readonly timeMs: number;
}

export interface LogEntry extends EntryHeader {
  /** The whole entry, its length field included. */
  readonly bytes: Buffer;
  readonly body: Buffer;
}

const headerBytes = 33;
const rowHeaderBytes = 8;
const removed = 0xffffffff;

export function rowsEntryBytes(writes: readonly RowWrite[]): number {
  let total = headerBytes + 4;
  for (const write of writes) {
    total += rowHeaderBytes + write.key.length;
    if (write.value !== null) total += write.value.length + storedRowOverheadBytes;
  }
  return total;
}

function writeHeader(target: Buffer, at: number, length: number, header: EntryHeader): number {
  target.writeUInt32BE(length - 4, at);
  target[at + 4] = header.kind;
  target.writeUInt32BE(header.container, at + 5);
  target.writeUInt32BE(header.physicalPartition, at + 9);
  target.writeUInt32BE(header.generation, at + 13);
  target.writeUInt32BE(header.epoch, at + 17);
  target.writeUIntBE(header.lsn, at + 21, 6);
  target.writeUIntBE(header.timeMs, at + 27, 6);
  return at + headerBytes;
}

/** Writes the entry at `at`, which must have room, and returns its rows where they stand in `target`. */
export function encodeRowsEntry(
  target: Buffer,
  at: number,
  length: number,
  header: EntryHeader,
  writes: readonly RowWrite[],
): StoredRow[] {
  let position = writeHeader(target, at, length, header);
  target.writeUInt32BE(writes.length, position);
  position += 4;
  const rows: StoredRow[] = [];
  for (const { key, value } of writes) {
    target.writeUInt32BE(key.length, position);
    const keyAt = position + rowHeaderBytes;
    target.write(key, keyAt, 'latin1');
    const storedAt = keyAt + key.length;
    if (value === null) {
      target.writeUInt32BE(removed, position + 4);
      rows.push(new StoredRow(key, target, storedAt, storedAt));
      position = storedAt;
      continue;
    }
    const storedLength = value.length + storedRowOverheadBytes;
    target.writeUInt32BE(storedLength, position + 4);
    position = storedAt + storedLength;
    writeStored(target, keyAt, storedAt, header.lsn, value);
    rows.push(new StoredRow(key, target, storedAt, position));
  }
  assert(position === at + length, 'an entry fills exactly the bytes that were counted for it');
  return rows;
}

/** For everything but rows: rare, so the body is JSON. */
export function encodeNote(header: EntryHeader, body: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(body ?? null));
  const entry = Buffer.allocUnsafe(headerBytes + text.length);
  writeHeader(entry, 0, entry.length, header);
  text.copy(entry, headerBytes);
  return entry;
}

export function noteBody(entry: LogEntry): unknown {
  return JSON.parse(entry.body.toString('utf8'));
}

/** Entries of a frame's body, whose CRC has been checked; what does not parse is a broken writer, not a broken disk. */
export function decodeEntries(body: Buffer): LogEntry[] {
  const entries: LogEntry[] = [];
  let at = 0;
  while (at < body.length) {
    const length = at + headerBytes <= body.length ? body.readUInt32BE(at) + 4 : 0;
    if (length < headerBytes || at + length > body.length)
      throw new RingfoldError('corrupt-data', { what: 'log entry' });
    entries.push(decodeEntry(body.subarray(at, at + length)));
    at += length;
  }
  return entries;
}

function decodeEntry(bytes: Buffer): LogEntry {
  const kind = bytes[4] ?? 0;
  if (!knownKinds.has(kind)) throw new RingfoldError('unknown-format', { what: 'log entry', kind });
  return {
    kind: kind as EntryKind,
    container: bytes.readUInt32BE(5),
    physicalPartition: bytes.readUInt32BE(9),
    generation: bytes.readUInt32BE(13),
    epoch: bytes.readUInt32BE(17),
    lsn: bytes.readUIntBE(21, 6),
    timeMs: bytes.readUIntBE(27, 6),
    bytes,
    body: bytes.subarray(headerBytes),
  };
}

export function decodeRows(entry: LogEntry): StoredRow[] {
  const { body } = entry;
  const rows: StoredRow[] = [];
  let at = 4;
  for (let left = body.readUInt32BE(0); left > 0; left--) {
    const keyLength = body.readUInt32BE(at);
    const storedLength = body.readUInt32BE(at + 4);
    const storedAt = at + rowHeaderBytes + keyLength;
    const key = body.toString('latin1', at + rowHeaderBytes, storedAt) as ByteString;
    at = storedLength === removed ? storedAt : storedAt + storedLength;
    rows.push(new StoredRow(key, body, storedAt, at));
  }
  return rows;
}
