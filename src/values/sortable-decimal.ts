import { decimalBytes, decimalOf } from './cql-number.ts';
import type { KeyReader, KeyWriter } from './key-bytes.ts';

// A decimal by its value: sign, then for all but zero the exponent and the digits, two a byte, ended by 00; those of
// a negative one complemented. Digits are written as 1 to 100, so that the end comes before any further digit.

const signs = { negative: 0x00, zero: 0x01, positive: 0x02 } as const;

// An exponent is the number of digits less a scale of 32 bits, so it takes a little more than 32 bits.
const exponentBias = 2 ** 39;
// Two to the power of 31, and the digits that 64 KB (the longest key) can have.
const largestExponent = 2 ** 31 + 160_000;

export function writeDecimal(writer: KeyWriter, bytes: Buffer): void {
  const { negative, digits, exponent } = decimalOf(bytes);
  if (digits === '') {
    writer.byte(signs.zero);
    return;
  }
  writer.byte(negative ? signs.negative : signs.positive);
  if (negative) writer.complement();
  const biased = exponent + exponentBias;
  writer.byte(Math.floor(biased / 2 ** 32));
  writer.u32(biased % 2 ** 32);
  for (let at = 0; at < digits.length; at += 2) {
    writer.byte(Number(digits.slice(at, at + 2).padEnd(2, '0')) + 1);
  }
  writer.byte(0);
  if (negative) writer.complement();
}

export function readDecimal(reader: KeyReader): Buffer {
  const sign = reader.byte();
  if (sign === signs.zero) return decimalBytes({ negative: false, digits: '', exponent: 0 });
  if (sign > signs.positive) throw reader.corrupt('a decimal has no such sign');
  const negative = sign === signs.negative;
  if (negative) reader.complement();
  const exponent = reader.byte() * 2 ** 32 + reader.u32() - exponentBias;
  const pairs: string[] = [];
  for (let pair = reader.byte(); pair !== 0; pair = reader.byte()) {
    if (pair > 100) throw reader.corrupt('a decimal has a pair of digits above 99');
    pairs.push(String(pair - 1).padStart(2, '0'));
  }
  if (negative) reader.complement();
  const digits = pairs.join('').replace(/0$/, '');
  // Beyond these no scale of 32 bits would hold, and the zeros of a wrong exponent could fill the memory.
  if (digits === '' || exponent > largestExponent || digits.length - exponent >= 2 ** 31) {
    throw reader.corrupt('a decimal is out of range');
  }
  return decimalBytes({ negative, digits, exponent });
}
