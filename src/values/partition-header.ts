import { RingfoldError } from '../errors/ringfold-error.ts';
import { ByteReader } from '../foundation/byte-reader.ts';
import { type ByteString, emptyBytes } from '../foundation/byte-string.ts';
import { ByteWriter } from '../foundation/byte-writer.ts';
import { type CqlRow, isEmptyRow, mergeRows, purgeRow, shadowRow } from './cql-row.ts';
import { decodeRow, encodeRow } from './cql-row-codec.ts';
import {
  type Deletion,
  laterDeletion,
  purgeDeletion,
  readDeletion,
  supersedes,
  writeDeletion,
} from './deletion.ts';
import { mergeRangeTombstones, type RangeTombstone, rangeTombstoneOf } from './range-tombstones.ts';
import { RememberedDecodings } from './remembered-decodings.ts';

/**
 * What is known of a logical partition as a whole. It sorts before the partition's rows, so a read meets it first. A
 * partition without tombstones, static columns or a count that matters has none.
 */
export interface PartitionHeader {
  /** NoSQL's delete by partition key leaves one too. */
  readonly deletion: Deletion | undefined;
  /** As `mergeRangeTombstones` leaves them. */
  readonly rangeTombstones: readonly RangeTombstone[];
  /** The static columns; their row has no marker and no deletion of its own. */
  readonly staticRow: CqlRow | undefined;
  /** Stored bytes of the partition's rows: what the 20 GB limit counts. Kept up by each transaction. */
  readonly byteCount: number;
}

export const emptyHeader: PartitionHeader = {
  deletion: undefined,
  rangeTombstones: [],
  staticRow: undefined,
  byteCount: 0,
};

/** True for a header that need not be stored. */
export function isEmptyHeader(header: PartitionHeader): boolean {
  const { deletion, rangeTombstones, staticRow, byteCount } = header;
  return deletion === undefined && rangeTombstones.length === 0 && staticRow === undefined && byteCount === 0;
}

/**
 * Both headers' words together; order and repetition change nothing. Byte counts do not add up (both count the same
 * rows): the larger stays, and the transaction that changes rows sets the new one.
 */
export function mergeHeaders(left: PartitionHeader, right: PartitionHeader): PartitionHeader {
  const deletion = laterDeletion(left.deletion, right.deletion);
  return {
    deletion,
    rangeTombstones: mergeRangeTombstones(left.rangeTombstones, right.rangeTombstones, deletion),
    staticRow: mergeStaticRows(left.staticRow, right.staticRow, deletion),
    byteCount: Math.max(left.byteCount, right.byteCount),
  };
}

/** The strongest deletion over a row, by its clustering key; `shadowRow` applies it. */
export function deletionOf(header: PartitionHeader, clusteringKey: ByteString): Deletion | undefined {
  // A range is kept only where it says more than the partition's deletion.
  return rangeTombstoneOf(header.rangeTombstones, clusteringKey)?.deletion ?? header.deletion;
}

/**
 * Without tombstones from before a second. Whoever calls this has first removed or rewritten the stored rows they
 * shadow, or those would be seen again.
 */
export function purgeHeader(
  header: PartitionHeader,
  nowSeconds: number,
  gcBeforeSecond: number,
): PartitionHeader {
  const staticRow = header.staticRow && purgeRow(header.staticRow, nowSeconds, gcBeforeSecond);
  return {
    deletion: purgeDeletion(header.deletion, gcBeforeSecond),
    rangeTombstones: header.rangeTombstones.filter(({ deletion }) => deletion.second >= gcBeforeSecond),
    staticRow: staticRow !== undefined && isEmptyRow(staticRow) ? undefined : staticRow,
    byteCount: header.byteCount,
  };
}

function mergeStaticRows(
  left: CqlRow | undefined,
  right: CqlRow | undefined,
  deletion: Deletion | undefined,
): CqlRow | undefined {
  const merged = left !== undefined && right !== undefined ? mergeRows(left, right) : (left ?? right);
  if (merged === undefined) return undefined;
  const shown = shadowRow(merged, deletion);
  return isEmptyRow(shown) ? undefined : shown;
}

const flags = { deletion: 0x01, staticRow: 0x02, lastRangeIsOpen: 0x04 } as const;

const remembered = new RememberedDecodings(decode);

export function encodeHeader(header: PartitionHeader): Buffer {
  const { deletion, rangeTombstones, staticRow, byteCount } = header;
  const lastRange = rangeTombstones.at(-1);
  const writer = new ByteWriter();
  writer.u8(
    (deletion === undefined ? 0 : flags.deletion) |
      (staticRow === undefined ? 0 : flags.staticRow) |
      (lastRange !== undefined && lastRange.to === undefined ? flags.lastRangeIsOpen : 0),
  );
  writer.varint(byteCount);
  if (deletion !== undefined) writeDeletion(writer, deletion);
  writer.varint(rangeTombstones.length);
  for (const range of rangeTombstones) {
    writeKey(writer, range.from);
    if (range.to !== undefined) writeKey(writer, range.to);
    writeDeletion(writer, range.deletion);
  }
  if (staticRow !== undefined) writer.bytes(encodeRow(staticRow));
  const bytes = writer.take();
  // Values of a static row may share memory with a whole request, which would stay with it.
  if (staticRow === undefined) remembered.note(bytes, header);
  return bytes;
}

/** Values of the static row may share memory with the bytes. */
export function decodeHeader(bytes: Buffer): PartitionHeader {
  return remembered.of(bytes);
}

function decode(bytes: Buffer): PartitionHeader {
  const reader = new ByteReader(bytes);
  const present = reader.u8();
  if (present > 0x07) throw corrupt('a partition header has no such flags');
  const byteCount = reader.varint();
  const deletion = present & flags.deletion ? readDeletion(reader) : undefined;
  const rangeTombstones = readRanges(reader, (present & flags.lastRangeIsOpen) !== 0, deletion);
  const staticRow = present & flags.staticRow ? decodeRow(reader.rest()) : undefined;
  reader.expectEnd();
  return { deletion, rangeTombstones, staticRow, byteCount };
}

function readRanges(reader: ByteReader, lastIsOpen: boolean, around: Deletion | undefined): RangeTombstone[] {
  const ranges: RangeTombstone[] = [];
  let lastTo: ByteString = emptyBytes;
  for (let left = reader.varint(); left > 0; left--) {
    const from = readKey(reader);
    const to = left === 1 && lastIsOpen ? undefined : readKey(reader);
    const deletion = readDeletion(reader);
    if (from < lastTo || (to !== undefined && to <= from) || !supersedes(deletion, around)) {
      throw corrupt('range tombstones are not in their form');
    }
    lastTo = to ?? emptyBytes;
    ranges.push({ from, to, deletion });
  }
  return ranges;
}

function writeKey(writer: ByteWriter, key: ByteString): void {
  writer.varint(key.length);
  writer.byteString(key);
}

function readKey(reader: ByteReader): ByteString {
  return reader.byteString(reader.varint());
}

function corrupt(reason: string): RingfoldError {
  return new RingfoldError('corrupt-data', { reason });
}
