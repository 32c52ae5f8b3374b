import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { murmur3Cassandra, murmur3x64, murmur3x86 } from './murmur3.ts';

test('the 32-bit hash agrees with published values', () => {
  const values: [string, number][] = [
    ['', 0],
    ['a', 0x3c2569b2],
    ['abc', 0xb3dd93fa],
    ['Hello, world!', 0xc0363e43],
    ['The quick brown fox jumps over the lazy dog', 0x2e4ff723],
  ];
  for (const [text, expected] of values) assert.equal(murmur3x86(Buffer.from(text)), expected, text);
});

test('the 128-bit hash agrees with published values', () => {
  const values: [string, string][] = [
    ['', '00000000000000000000000000000000'],
    ['The quick brown fox jumps over the lazy dog', 'e34bbc7bbc071b6c7a433ca9c49a9347'],
  ];
  for (const [text, expected] of values)
    assert.equal(hexOfHash(murmur3x64(Buffer.from(text))), expected, text);
});

test('the 128-bit hash is the one computed with 64-bit arithmetic', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
      assert.equal(
        hexOfHash(murmur3x64(bytes)),
        slowHash(bytes, (byte) => BigInt(byte)),
      );
    }),
  );
});

test("Cassandra's hash extends the sign of the bytes in the tail", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
      const signExtended = (byte: number) => BigInt.asUintN(64, BigInt((byte << 24) >> 24));
      assert.equal(hexOfHash(murmur3Cassandra(bytes)), slowHash(bytes, signExtended));
    }),
  );
});

test("Cassandra's hash is the published one where no tail byte is above 7F", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 127 }), { maxLength: 40 }), (values) => {
      const bytes = Uint8Array.from(values);
      assert.equal(hexOfHash(murmur3Cassandra(bytes)), hexOfHash(murmur3x64(bytes)));
    }),
  );
});

test('only the given length of a longer buffer is hashed', () => {
  const bytes = Buffer.from('a partition key and something behind it');
  assert.equal(hexOfHash(murmur3x64(bytes, 15)), hexOfHash(murmur3x64(bytes.subarray(0, 15))));
  assert.equal(murmur3x86(bytes, 15), murmur3x86(bytes.subarray(0, 15)));
});

function hexOfHash(words: Int32Array): string {
  return [...words].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

/** The algorithm as its author describes it, in 64-bit integers. */
function slowHash(bytes: Uint8Array, tailByte: (byte: number) => bigint): string {
  const wrap = (value: bigint) => BigInt.asUintN(64, value);
  const rotate = (value: bigint, by: bigint) => wrap((value << by) | (value >> (64n - by)));
  const c1 = 0x87c37b91114253d5n;
  const c2 = 0x4cf5ad432745937fn;
  const mixK1 = (k: bigint) => wrap(rotate(wrap(k * c1), 31n) * c2);
  const mixK2 = (k: bigint) => wrap(rotate(wrap(k * c2), 33n) * c1);
  const mixEnd = (value: bigint) => {
    let mixed = wrap((value ^ (value >> 33n)) * 0xff51afd7ed558ccdn);
    mixed = wrap((mixed ^ (mixed >> 33n)) * 0xc4ceb9fe1a85ec53n);
    return mixed ^ (mixed >> 33n);
  };
  const buffer = Buffer.from(bytes);
  const blocksEnd = bytes.length - (bytes.length % 16);
  let h1 = 0n;
  let h2 = 0n;
  for (let at = 0; at < blocksEnd; at += 16) {
    h1 = wrap((rotate(h1 ^ mixK1(buffer.readBigUInt64LE(at)), 27n) + h2) * 5n + 0x52dce729n);
    h2 = wrap((rotate(h2 ^ mixK2(buffer.readBigUInt64LE(at + 8)), 31n) + h1) * 5n + 0x38495ab5n);
  }
  const tail = (from: number, to: number) =>
    [...buffer.subarray(from, to)].reduce(
      (k, byte, index) => wrap(k ^ (tailByte(byte) << BigInt(8 * index))),
      0n,
    );
  h1 ^= mixK1(tail(blocksEnd, blocksEnd + 8)) ^ BigInt(bytes.length);
  h2 ^= mixK2(tail(blocksEnd + 8, bytes.length)) ^ BigInt(bytes.length);
  h1 = wrap(h1 + h2);
  h2 = wrap(h2 + h1);
  h1 = mixEnd(h1);
  h2 = mixEnd(h2);
  h1 = wrap(h1 + h2);
  h2 = wrap(h2 + h1);
  return h1.toString(16).padStart(16, '0') + h2.toString(16).padStart(16, '0');
}
