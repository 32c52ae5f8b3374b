// The numeric middle of a ring range, where a partition is cut when its share of the ring, not its data, is to be
// halved. Rare, so BigInt is welcome here.

import { type ByteString, byteStringFromHex, hexOf } from '../foundation/byte-string.ts';
import type { PartitionKeyDefinition } from './partition-key.ts';
import { type RingPosition, ringEnd } from './ring-position.ts';
import { canonicalBoundary, type RingRange } from './ring-range.ts';
import { encodeV1Number, hashOfV1Position } from './v1-encoding.ts';

/** Strictly inside the range; undefined when no key can stand on both sides of such a cut. */
export function midpointOf(range: RingRange, definition: PartitionKeyDefinition): RingPosition | undefined {
  switch (definition.hashKind) {
    case 'v1':
      return midpointV1(range);
    case 'v2':
      return midpointOfDigits(range, COSMOS_DIGITS, 1);
    case 'multi':
      return midpointOfDigits(range, COSMOS_DIGITS, definition.paths.length);
    case 'cql':
      return midpointOfDigits(range, CQL_DIGITS, 1);
  }
}

/** By the hashes that the boundaries begin with; what follows them only decides between neighbouring hashes. */
function midpointV1(range: RingRange): RingPosition | undefined {
  const low = range.min === '' ? 0 : hashOfV1Position(range.min);
  const high = range.max === ringEnd ? 2 ** 32 - 1 : hashOfV1Position(range.max);
  if (low === undefined || high === undefined) return undefined;
  const middle = Math.floor((low + high) / 2);
  return [middle, middle + 1]
    .map((hash) => canonicalBoundary(encodeV1Number(hash)))
    .find((boundary) => boundary > range.min && boundary < range.max);
}

/** A position as a number whose digits are its parts of 16 bytes. */
interface DigitForm {
  readonly base: bigint;
  /** The number halved for a range that reaches the end of the ring. */
  endOf(digitCount: number): bigint;
}

// The first byte of a part is at most 3F. The end is taken one lower, as the service does for its first boundaries.
const COSMOS_DIGITS: DigitForm = {
  base: 2n ** 126n,
  endOf: (digitCount) => 2n ** (126n * BigInt(digitCount)) - 1n,
};
const CQL_DIGITS: DigitForm = { base: 2n ** 128n, endOf: (digitCount) => 2n ** (128n * BigInt(digitCount)) };

const DIGIT_BYTES = 16;

/** With as few digits as tell the boundaries apart, so that a hierarchical ring is cut between tenants while it can be. */
function midpointOfDigits(range: RingRange, form: DigitForm, maxDigits: number): RingPosition | undefined {
  const longest = Math.max(range.min.length, range.max === ringEnd ? 0 : range.max.length, 1);
  for (let digitCount = Math.ceil(longest / DIGIT_BYTES); digitCount <= maxDigits; digitCount++) {
    const low = numberOf(range.min, form, digitCount);
    const high = range.max === ringEnd ? form.endOf(digitCount) : numberOf(range.max, form, digitCount);
    const middle = (low + high) / 2n;
    if (low < middle && middle < high) return boundaryOf(middle, form, digitCount);
  }
  return undefined;
}

function numberOf(boundary: ByteString, form: DigitForm, digitCount: number): bigint {
  const hex = hexOf(boundary).padEnd(digitCount * DIGIT_BYTES * 2, '0');
  let number = 0n;
  for (let digit = 0; digit < digitCount; digit++) {
    const value = BigInt(`0x${hex.slice(digit * DIGIT_BYTES * 2, (digit + 1) * DIGIT_BYTES * 2)}`);
    // A part above all others, as FF at the end of a tenant's range, is the first of the next.
    if (value >= form.base) return (number + 1n) * form.base ** BigInt(digitCount - digit);
    number = number * form.base + value;
  }
  return number;
}

function boundaryOf(number: bigint, form: DigitForm, digitCount: number): RingPosition {
  let hex = '';
  let rest = number;
  for (let digit = 0; digit < digitCount; digit++) {
    hex = (rest % form.base).toString(16).padStart(DIGIT_BYTES * 2, '0') + hex;
    rest /= form.base;
  }
  return canonicalBoundary(byteStringFromHex(hex));
}
