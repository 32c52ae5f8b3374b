import { ByteReader } from '../foundation/byte-reader.ts';
import { ByteWriter } from '../foundation/byte-writer.ts';

/** A varint's value: two's complement, big-endian, of any length above zero. */
export function bigIntOf(bytes: Buffer): bigint {
  return BigInt.asIntN(bytes.length * 8, BigInt(`0x${bytes.toString('hex')}`));
}

/** The shortest two's complement form, at least one byte. */
export function varintBytes(value: bigint): Buffer {
  // One bit more than the magnitude has, for the sign; a negative power of two (-128) needs none.
  const magnitude = value < 0n ? -value - 1n : value;
  const byteLength = magnitude === 0n ? 1 : Math.floor(magnitude.toString(16).length / 2) + 1;
  const hex = BigInt.asUintN(byteLength * 8, value)
    .toString(16)
    .padStart(byteLength * 2, '0');
  return shortestTwosComplement(Buffer.from(hex, 'hex'));
}

/** Without leading bytes that only repeat the sign. Shares memory with what was given. */
export function shortestTwosComplement(bytes: Buffer): Buffer {
  const negative = (bytes[0] ?? 0) >= 0x80;
  const filler = negative ? 0xff : 0x00;
  let start = 0;
  while (
    start < bytes.length - 1 &&
    bytes[start] === filler &&
    (bytes[start + 1] ?? 0) >= 0x80 === negative
  ) {
    start++;
  }
  return bytes.subarray(start);
}

/** A decimal by its value: ±0.digits × 10^exponent. Equal decimals (1.0, 1.00) are equal here; zero has no digits. */
export interface Decimal {
  readonly negative: boolean;
  /** Neither begins nor ends with 0. */
  readonly digits: string;
  readonly exponent: number;
}

export function decimalOf(bytes: Buffer): Decimal {
  const reader = new ByteReader(bytes);
  const scale = reader.i32();
  const unscaled = bigIntOf(reader.bytes(Math.max(reader.remaining, 1)));
  if (unscaled === 0n) return { negative: false, digits: '', exponent: 0 };
  const negative = unscaled < 0n;
  const digits = String(negative ? -unscaled : unscaled);
  return { negative, digits: withoutTrailingZeros(digits), exponent: digits.length - scale };
}

/** CQL's bytes with the fewest digits: what 1.00 becomes is 1. */
export function decimalBytes(decimal: Decimal): Buffer {
  const writer = new ByteWriter(24);
  if (decimal.digits === '') {
    writer.i32(0);
    writer.u8(0);
    return writer.take();
  }
  // A scale has 32 bits; a number at that edge keeps the zeros it would otherwise lose.
  const scale = Math.max(decimal.digits.length - decimal.exponent, -(2 ** 31));
  const digits = decimal.digits.padEnd(decimal.exponent + scale, '0');
  writer.i32(scale);
  writer.bytes(varintBytes(BigInt(decimal.negative ? `-${digits}` : digits)));
  return writer.take();
}

export function compareDecimals(left: Decimal, right: Decimal): number {
  const leftSign = signOf(left);
  const rightSign = signOf(right);
  if (leftSign !== rightSign) return leftSign - rightSign;
  if (left.exponent !== right.exponent) return left.exponent > right.exponent ? leftSign : -leftSign;
  if (left.digits === right.digits) return 0;
  return left.digits > right.digits ? leftSign : -leftSign;
}

function signOf(decimal: Decimal): number {
  if (decimal.digits === '') return 0;
  return decimal.negative ? -1 : 1;
}

// Not a regular expression: /0+$/ takes quadratic time on digits with many zeros inside.
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 0x30) end--;
  return digits.slice(0, end);
}
