import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  bigIntOf,
  compareDecimals,
  decimalBytes,
  decimalOf,
  shortestTwosComplement,
  varintBytes,
} from './cql-number.ts';

test('a varint has its shortest two’s complement form', () => {
  for (const [value, hex] of [
    [0n, '00'],
    [127n, '7f'],
    [128n, '0080'],
    [255n, '00ff'],
    [256n, '0100'],
    [-1n, 'ff'],
    [-128n, '80'],
    [-129n, 'ff7f'],
    [2n ** 64n, '010000000000000000'],
  ] as const) {
    assert.equal(varintBytes(value).toString('hex'), hex);
  }
});

test('a varint is read back, and extra sign bytes change nothing', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n }), fc.nat(3), (value, extra) => {
      const bytes = varintBytes(value);
      const longer = Buffer.concat([Buffer.alloc(extra, value < 0n ? 0xff : 0x00), bytes]);
      assert.equal(bigIntOf(bytes), value);
      assert.equal(bigIntOf(longer), value);
      assert.deepEqual(shortestTwosComplement(longer), bytes);
    }),
  );
});

const decimal = (unscaled: bigint, scale: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(scale);
  return Buffer.concat([bytes, varintBytes(unscaled)]);
};

test('equal decimals are one value whatever their scale', () => {
  assert.deepEqual(decimalOf(decimal(10n, 1)), decimalOf(decimal(100n, 2)));
  assert.deepEqual(decimalOf(decimal(0n, 5)), decimalOf(decimal(0n, -5)));
  assert.deepEqual(decimalOf(decimal(-1200n, 0)), { negative: true, digits: '12', exponent: 4 });
});

test('a decimal keeps its value, at the edges of its scale too', () => {
  for (const [unscaled, scale] of [
    [10n, -(2 ** 31)],
    [1n, 2 ** 31 - 1],
    [-1000n, 2 ** 31 - 1],
    [-100n, -(2 ** 31)],
  ] as const) {
    const bytes = decimal(unscaled, scale);
    assert.deepEqual(decimalOf(decimalBytes(decimalOf(bytes))), decimalOf(bytes));
  }
});

test('decimals compare as fractions do', () => {
  const unscaled = fc.bigInt({ min: -3000n, max: 3000n });
  const scale = fc.integer({ min: -4, max: 4 });
  fc.assert(
    fc.property(unscaled, scale, unscaled, scale, (u1, s1, u2, s2) => {
      const left = u1 * 10n ** BigInt(8 - s1);
      const right = u2 * 10n ** BigInt(8 - s2);
      const order = compareDecimals(decimalOf(decimal(u1, s1)), decimalOf(decimal(u2, s2)));
      assert.equal(Math.sign(order), left < right ? -1 : Number(left > right));
    }),
    { numRuns: 500 },
  );
});
