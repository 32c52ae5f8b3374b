import { assert } from '../foundation/assert.ts';
import { type ByteString, concatBytes, endOfPrefix } from '../foundation/byte-string.ts';
import type { PartitionKey, PartitionKeyDefinition } from './partition-key.ts';
import { cqlPositionWords, type RingPosition, ringEnd } from './ring-position.ts';
import type { RingRange } from './ring-range.ts';
import { serializePartitionKey } from './token.ts';
import { lengthOfV1Position } from './v1-encoding.ts';

/**
 * All items with one partition key value. In every store their keys begin with `prefix`, and no other item's key does:
 *
 *     container generation (4 bytes, big-endian) ‖ ring position ‖ partition key ‖ end mark
 *
 * The partition key's own bytes are there because two keys may share a position. In them a zero byte is followed by FF
 * and the end is marked 00 01, so that no partition key is the beginning of another. Positions of one container are
 * never the beginning of one another either: on all rings but V1 they are of one length, and V1 ends each part by itself.
 */
export class LogicalPartition {
  /** The container's generation. */
  readonly container: number;
  readonly ringPosition: RingPosition;
  readonly prefix: ByteString;

  constructor(container: number, partitionKey: PartitionKey) {
    assert(partitionKey.ringPosition !== '', 'a logical partition has a whole partition key');
    this.container = container;
    this.ringPosition = partitionKey.ringPosition;
    this.prefix = concatBytes(
      containerPrefix(container),
      partitionKey.ringPosition,
      escapeZeros(partitionKey.bytes),
      END_MARK,
    );
  }
}

/**
 * The key in the stores of what stands behind the prefix of a CQL table's logical partition as `rest`: the same as by way of the class,
 * and in one go, because every request makes such a key.
 */
export function cqlStoredKey(
  container: number,
  components: readonly Uint8Array[],
  rest: ByteString,
): ByteString {
  const partitionKey = serializePartitionKey(components);
  const longest = positionEnd + 2 * partitionKey.length + END_MARK.length + rest.length;
  const key = longest <= scratch.length ? scratch : Buffer.allocUnsafe(longest);
  let at = writeWord(key, 0, container);
  const words = cqlPositionWords(partitionKey);
  for (let index = 0; index < 4; index++) at = writeWord(key, at, words[index] as number);
  for (let index = 0; index < partitionKey.length; index++) {
    const byte = partitionKey[index] as number;
    key[at++] = byte;
    if (byte === 0) key[at++] = 0xff;
  }
  key[at++] = 0x00;
  key[at++] = 0x01;
  for (let index = 0; index < rest.length; index++) key[at++] = rest.charCodeAt(index);
  return key.toString('latin1', 0, at) as ByteString;
}

const scratch = Buffer.allocUnsafeSlow(1024);

function writeWord(target: Buffer, at: number, word: number): number {
  target[at] = word >>> 24;
  target[at + 1] = word >>> 16;
  target[at + 2] = word >>> 8;
  target[at + 3] = word;
  return at + 4;
}

/** Container and ring position take so much of a stored key; on the V1 ring, where positions vary, about so much. */
export const positionEnd = 20;

/** Where the stored keys of a stretch of ring are: from `from` (included) to `to` (excluded). */
export function keyRangeOf(
  container: number,
  range: RingRange,
): { readonly from: ByteString; readonly to: ByteString } {
  const prefix = containerPrefix(container);
  const end = range.max === ringEnd ? endOfPrefix(prefix) : concatBytes(prefix, range.max);
  assert(end !== undefined, 'no container has the last generation');
  return { from: concatBytes(prefix, range.min), to: end };
}

/** What every stored key of the container begins with. */
export function containerPrefix(container: number): ByteString {
  assert(
    Number.isInteger(container) && container >= 0 && container < 2 ** 32 - 1,
    'a generation has 32 bits',
  );
  return String.fromCharCode(
    container >>> 24,
    (container >>> 16) & 0xff,
    (container >>> 8) & 0xff,
    container & 0xff,
  ) as ByteString;
}

/** Of a stored key, or of what one begins with: the container it is of. */
export function containerIn(key: ByteString): number {
  const byteAt = (index: number) => key.charCodeAt(index) || 0;
  return ((byteAt(0) << 24) | (byteAt(1) << 16) | (byteAt(2) << 8) | byteAt(3)) >>> 0;
}

const positionStart = 4;

/** The ring position inside a stored key. */
export function positionInKey(key: ByteString, definition: PartitionKeyDefinition): RingPosition {
  return key.slice(positionStart, endOfPosition(key, definition)) as RingPosition;
}

function endOfPosition(key: ByteString, { hashKind, paths }: PartitionKeyDefinition): number {
  switch (hashKind) {
    case 'v1': {
      const length = lengthOfV1Position(key.slice(positionStart) as ByteString, paths.length);
      return length === undefined ? key.length : positionStart + length;
    }
    case 'v2':
    case 'cql':
      return positionStart + 16;
    case 'multi':
      return positionStart + 16 * paths.length;
  }
}

/** How much of a stored key is the prefix of its logical partition. */
export function prefixLengthIn(key: ByteString, definition: PartitionKeyDefinition): number {
  const end = key.indexOf(END_MARK, endOfPosition(key, definition));
  assert(end >= 0, 'a stored key has a partition key');
  return end + END_MARK.length;
}

/** Whose item the stored key is. */
export function logicalPartitionIn(
  container: number,
  key: ByteString,
  definition: PartitionKeyDefinition,
): LogicalPartition {
  const ringPosition = positionInKey(key, definition);
  return new LogicalPartition(container, { ringPosition, bytes: partitionKeyIn(key, definition) });
}

/** The partition key's own bytes inside a stored key. */
export function partitionKeyIn(key: ByteString, definition: PartitionKeyDefinition): ByteString {
  const end = prefixLengthIn(key, definition) - END_MARK.length;
  return key.slice(endOfPosition(key, definition), end).replaceAll('\0\xff', '\0') as ByteString;
}

const END_MARK = '\x00\x01' as ByteString;

function escapeZeros(bytes: ByteString): ByteString {
  return (bytes.includes('\0') ? bytes.replaceAll('\0', '\0\xff') : bytes) as ByteString;
}
