import { crc32 } from 'node:zlib';
import { RingfoldError } from '../errors/ringfold-error.ts';
import { assert } from '../foundation/assert.ts';
import { ByteReader } from '../foundation/byte-reader.ts';
import type { ByteString } from '../foundation/byte-string.ts';
import { ByteWriter } from '../foundation/byte-writer.ts';

/**
 * Where a query stopped: a position, never an offset or a server's memory, so that it works after a restart, a split or
 * a move, and on another server. It is not a secret and not signed; a client that makes one up reads no more than its
 * query may read.
 */
export interface PageToken {
  /** Of the plan without its page size, the container's generation in it: a token ends with the container it is for. */
  readonly planFingerprint: ByteString;
  /** Of the last logical partition that was looked at. */
  readonly ringPosition: ByteString;
  /** The last item given; what follows it comes next. */
  readonly after: PagePosition;
  /** What LIMIT still allows; undefined without one. */
  readonly rowsLeft: number | undefined;
  /** What PER PARTITION LIMIT still allows in this partition; undefined without one. */
  readonly rowsLeftInPartition: number | undefined;
}

/** An item by its short unique number, or a row by its partition key and clustering key, or all of the partition. */
export type PagePosition =
  /** Items are given in the order of their numbers from the ring position on and before `until`. */
  | { readonly kind: 'item'; readonly rid: number; readonly until: ByteString }
  | { readonly kind: 'row'; readonly partitionKey: ByteString; readonly clusteringKey: ByteString }
  | { readonly kind: 'partition'; readonly partitionKey: ByteString };

/** SDKs and proxies cut long headers, so Cosmos DB lets clients limit the continuation; ours always stays below this. */
export const longestTextToken = 1_024;

const fingerprintLength = 8;

const formatVersion = 1;
const checksumLength = 4;
const positionKinds = ['item', 'row', 'partition'] as const;
const flags = { rowsLeft: 0x10, rowsLeftInPartition: 0x20 } as const;

/** For CQL's paging state. */
export function encodePageToken(token: PageToken): Buffer {
  assert(token.planFingerprint.length === fingerprintLength, 'a plan fingerprint has eight bytes');
  const { after, rowsLeft, rowsLeftInPartition } = token;
  const writer = new ByteWriter();
  writer.u8(formatVersion);
  writer.byteString(token.planFingerprint);
  writer.u8(
    positionKinds.indexOf(after.kind) |
      (rowsLeft === undefined ? 0 : flags.rowsLeft) |
      (rowsLeftInPartition === undefined ? 0 : flags.rowsLeftInPartition),
  );
  writeBytes(writer, token.ringPosition);
  if (after.kind === 'item') {
    writer.varint(after.rid);
    writeBytes(writer, after.until);
  } else {
    writeBytes(writer, after.partitionKey);
  }
  if (after.kind === 'row') writeBytes(writer, after.clusteringKey);
  if (rowsLeft !== undefined) writer.varint(rowsLeft);
  if (rowsLeftInPartition !== undefined) writer.varint(rowsLeftInPartition);
  writer.u32(crc32(writer.toBuffer()));
  return writer.take();
}

/** Throws 'bad-page-token' for anything but a whole token of this format and of this plan. */
export function decodePageToken(bytes: Buffer, planFingerprint: ByteString): PageToken {
  const body = bytes.subarray(0, -checksumLength);
  if (bytes.length <= checksumLength || bytes.readUInt32BE(body.length) !== crc32(body))
    throw bad('it is damaged');
  if (body[0] !== formatVersion) throw bad('it is from another version');
  const token = readBody(body);
  if (token.planFingerprint !== planFingerprint) throw bad('it belongs to another query');
  return token;
}

/**
 * For REST's continuation header, at most `longestTextToken` characters. Positions by rid always fit. A row's keys may
 * not (a partition key and clustering key of together more than some 700 bytes): then the page cannot be left, and
 * this is a 'bad-request'.
 */
export function encodeTextPageToken(token: PageToken): string {
  const text = encodePageToken(token).toString('base64url');
  if (text.length > longestTextToken) {
    throw new RingfoldError('bad-request', {
      reason: 'the position is too long for a page token',
      length: text.length,
    });
  }
  return text;
}

export function decodeTextPageToken(text: string, planFingerprint: ByteString): PageToken {
  // Node skips what is not base64url, so two texts would be one token.
  if (text.length > longestTextToken || !/^[A-Za-z0-9_-]+$/.test(text)) throw bad('it is damaged');
  return decodePageToken(Buffer.from(text, 'base64url'), planFingerprint);
}

function readBody(body: Buffer): PageToken {
  try {
    const reader = new ByteReader(body, 1);
    const planFingerprint = reader.byteString(fingerprintLength);
    const present = reader.u8();
    const ringPosition = readBytes(reader);
    const after = readPosition(reader, positionKinds[present & 0x0f]);
    const rowsLeft = present & flags.rowsLeft ? reader.varint() : undefined;
    const rowsLeftInPartition = present & flags.rowsLeftInPartition ? reader.varint() : undefined;
    reader.expectEnd();
    return { planFingerprint, ringPosition, after, rowsLeft, rowsLeftInPartition };
  } catch (error) {
    // Bytes from a client that carry a right checksum by design are no fault of a disk.
    throw bad('it is damaged', error);
  }
}

function readPosition(reader: ByteReader, kind: PagePosition['kind'] | undefined): PagePosition {
  switch (kind) {
    case 'item':
      return { kind, rid: reader.varint(), until: readBytes(reader) };
    case 'row':
      return { kind, partitionKey: readBytes(reader), clusteringKey: readBytes(reader) };
    case 'partition':
      return { kind, partitionKey: readBytes(reader) };
    default:
      throw bad('it is damaged');
  }
}

function writeBytes(writer: ByteWriter, bytes: ByteString): void {
  writer.varint(bytes.length);
  writer.byteString(bytes);
}

function readBytes(reader: ByteReader): ByteString {
  return reader.byteString(reader.varint());
}

function bad(reason: string, cause?: unknown): RingfoldError {
  return new RingfoldError('bad-page-token', { reason }, cause);
}
