import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { byteStringOf } from '../../foundation/byte-string.ts';
import { positionEnd } from '../../partitioning/logical-partition.ts';
import { FilterBuilder, keyHash, keyHashOf, mayHold, positionHash } from './key-filter.ts';

const hashOf = (key: Uint8Array): number => keyHash(Buffer.from(key), 0, key.length);
const placeOf = (key: Uint8Array): number => positionHash(Buffer.from(key), 0, key.length);

function filterOf(keys: readonly Uint8Array[]): Buffer {
  const builder = new FilterBuilder();
  for (const key of keys) builder.add(Buffer.from(key), 0, key.length);
  return builder.finish();
}

// Shorter than a ring position, as long, and longer.
const anyKey = fc.oneof(
  fc.uint8Array({ maxLength: 4 }),
  fc
    .tuple(fc.nat(2), fc.uint8Array({ maxLength: 6 }))
    .map(([position, rest]) => Buffer.concat([Buffer.alloc(positionEnd, position), rest])),
);

test('a filter never says no to a key that it was made of, nor to its ring position, wherever it stands', () => {
  const property = fc.property(fc.array(anyKey, { maxLength: 200 }), fc.nat(50), (keys, offset) => {
    const filter = filterOf(keys.toSorted(Buffer.compare));
    const around = Buffer.concat([Buffer.alloc(offset), filter, Buffer.alloc(7)]);
    for (const key of keys) {
      assert.ok(mayHold(around, offset, offset + filter.length, hashOf(key)));
      assert.ok(mayHold(around, offset, offset + filter.length, placeOf(key)));
    }
  });
  fc.assert(property);
});

test('a hash is of the bytes alone, wherever they stand, and that of a position of the first bytes alone', () => {
  const property = fc.property(fc.uint8Array(), anyKey, fc.uint8Array(), (before, key, after) => {
    const around = Buffer.concat([before, key, after]);
    const end = before.length + key.length;
    assert.equal(keyHash(around, before.length, end), hashOf(key));
    assert.equal(keyHashOf(byteStringOf(key)), hashOf(key));
    assert.equal(positionHash(around, before.length, end), hashOf(key.subarray(0, positionEnd)));
  });
  fc.assert(property);
});

test('a filter of no keys says no to everything', () => {
  const filter = filterOf([]);
  for (let n = 0; n < 1000; n++)
    assert.equal(mayHold(filter, 0, filter.length, hashOf(Buffer.from(String(n)))), false);
});

// Blocks hold from one row up to some hundreds.
for (const [count, oneIn] of [
  [1, 1_000],
  [3, 1_000],
  [5, 1_000],
  [20, 100],
  [100, 100],
  [800, 100],
] as const) {
  test(`of keys and positions not among its ${count}, a filter lets through fewer than one in ${oneIn}`, () => {
    let asked = 0;
    let keysPassed = 0;
    let positionsPassed = 0;
    for (let round = 0; asked < 40_000; round++) {
      const keyOf = (position: number, n: number) =>
        Buffer.from(`${round}/${position}`.padEnd(positionEnd, '.') + n);
      const filter = filterOf(Array.from({ length: count }, (_, n) => keyOf(n >>> 1, n)));
      for (let n = 0; n < 500; n++) {
        asked += 1;
        if (mayHold(filter, 0, filter.length, hashOf(keyOf(0, count + n)))) keysPassed += 1;
        if (mayHold(filter, 0, filter.length, placeOf(keyOf(count + n, 0)))) positionsPassed += 1;
      }
    }
    assert.ok(keysPassed / asked < 1 / oneIn, `${keysPassed} of ${asked} keys`);
    assert.ok(positionsPassed / asked < 1 / oneIn, `${positionsPassed} of ${asked} positions`);
  });
}
