import type { ByteString } from '../foundation/byte-string.ts';
import { murmur3Cassandra } from './murmur3.ts';
import { maximumToken, type Token } from './token.ts';

declare const ringPosition: unique symbol;

/**
 * Where a partition key stands on its container's ring: bytes compared left to right. An effective partition key
 * for NoSQL containers, 16 bytes in token order for CQL tables. Boundaries between physical partitions are
 * positions too, though often of no key.
 */
export type RingPosition = ByteString & { readonly [ringPosition]: true };

/** Below or at every position. */
export const ringStart: RingPosition = '' as RingPosition;

/**
 * Above every position. Cosmos writes its end of the ring as the one byte FF, but on a CQL ring one position in 256
 * begins with that byte; 17 of them are above the highest 16-byte position.
 */
export const ringEnd: RingPosition = '\xff'.repeat(17) as RingPosition;

/**
 * The token with its sign bit flipped, big-endian, then the other half of the same hash. In token order, and wide
 * enough to cut between keys that share a token.
 */
export function cqlRingPosition(partitionKeyBytes: Uint8Array): RingPosition {
  const words = cqlPositionWords(partitionKeyBytes);
  return positionOfWords(words[0] as number, words[1] as number, words[2] as number, words[3] as number);
}

/** The position's four words, big-endian. Overwritten by the next hash. */
export function cqlPositionWords(partitionKeyBytes: Uint8Array): Int32Array {
  if (partitionKeyBytes.length === 0) return lowestCqlPosition;
  const words: Int32Array = murmur3Cassandra(partitionKeyBytes);
  if (words[0] === SIGN_BIT && words[1] === 0) {
    // Cassandra keeps its lowest token free for the empty key and uses the highest one instead.
    words[0] = 0x7fffffff;
    words[1] = -1;
  }
  words[0] = (words[0] as number) ^ SIGN_BIT;
  return words;
}

/** For positions of a CQL ring; a boundary shorter than 8 bytes counts as if zeros followed. */
export function tokenOfPosition(position: RingPosition): Token {
  let high = 0;
  let low = 0;
  for (let at = 0; at < 4; at++) {
    high = (high << 8) | (at < position.length ? position.charCodeAt(at) : 0);
    low = (low << 8) | (at + 4 < position.length ? position.charCodeAt(at + 4) : 0);
  }
  return ((BigInt(high ^ SIGN_BIT) << 32n) | BigInt(low >>> 0)) as Token;
}

/** The first position with this token. */
export function positionOfToken(token: Token): RingPosition {
  return positionOfWords(Number(token >> 32n) ^ SIGN_BIT, Number(BigInt.asIntN(32, token)), 0, 0);
}

/** The first position whose token is greater; the end of the ring for the highest token. */
export function positionAfterToken(token: Token): RingPosition {
  return token === maximumToken ? ringEnd : positionOfToken((token + 1n) as Token);
}

/** Sixteen bytes: four 32-bit words, big-endian. */
export function positionOfWords(first: number, second: number, third: number, fourth: number): RingPosition {
  return String.fromCharCode(
    first >>> 24,
    (first >>> 16) & 0xff,
    (first >>> 8) & 0xff,
    first & 0xff,
    second >>> 24,
    (second >>> 16) & 0xff,
    (second >>> 8) & 0xff,
    second & 0xff,
    third >>> 24,
    (third >>> 16) & 0xff,
    (third >>> 8) & 0xff,
    third & 0xff,
    fourth >>> 24,
    (fourth >>> 16) & 0xff,
    (fourth >>> 8) & 0xff,
    fourth & 0xff,
  ) as RingPosition;
}

const SIGN_BIT = 0x80000000 | 0;
const lowestCqlPosition = new Int32Array(4);
