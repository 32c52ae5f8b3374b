import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ByteString, byteStringFromHex, byteStringOf } from '../foundation/byte-string.ts';
import { laterDeletion } from './deletion.ts';
import { encodeClusteringKey } from './ordered-key.ts';
import {
  addRangeTombstone,
  clusteringRange,
  mergeRangeTombstones,
  type RangeTombstone,
  rangeTombstoneOf,
} from './range-tombstones.ts';

const key = (byte: number): ByteString => byteStringOf(Uint8Array.of(byte));
const deletion = fc.record(
  { timestamp: fc.bigInt({ min: 1n, max: 4n }), second: fc.integer({ min: 1, max: 2 }) },
  { noNullPrototype: true },
);
const range: fc.Arbitrary<RangeTombstone> = fc
  .tuple(fc.nat(8), fc.integer({ min: 1, max: 4 }), fc.boolean(), deletion)
  .map(([from, length, isOpen, deletion]) => ({
    from: key(from),
    to: isOpen ? undefined : key(from + length),
    deletion,
  }));
const ranges = fc.array(range, { maxLength: 6 }).map((all) => mergeRangeTombstones(all, [], undefined));
const allKeys = Array.from({ length: 15 }, (_, byte) => key(byte));

test('after a merge each key has the strongest deletion of those over it', () => {
  fc.assert(
    fc.property(fc.array(range, { maxLength: 6 }), fc.array(range, { maxLength: 6 }), (left, right) => {
      const merged = mergeRangeTombstones(left, right, undefined);
      for (const each of allKeys) {
        const over = [...left, ...right].filter(
          ({ from, to }) => from <= each && (to === undefined || each < to),
        );
        const strongest = over
          .map((one) => one.deletion)
          .reduce((a, b) => laterDeletion(a, b) ?? a, over[0]?.deletion ?? none);
        assert.deepEqual(rangeTombstoneOf(merged, each)?.deletion ?? none, strongest);
      }
    }),
    { numRuns: 500 },
  );
});
const none = { timestamp: 0n, second: 0 };

test('one range more is the same as a merge with it', () => {
  fc.assert(
    fc.property(ranges, range, (known, added) => {
      assert.deepEqual(addRangeTombstone(known, added), mergeRangeTombstones(known, [added], undefined));
    }),
    { numRuns: 1_000 },
  );
});

test('merged ranges ascend, do not overlap, and do not touch where they say the same', () => {
  fc.assert(
    fc.property(fc.array(range), (all) => {
      const merged = mergeRangeTombstones(all, [], undefined);
      for (const [at, one] of merged.entries()) {
        assert.ok(one.to === undefined || one.from < one.to);
        const next = merged[at + 1];
        if (next === undefined) continue;
        assert.ok(one.to !== undefined && one.to <= next.from);
        if (one.to === next.from) assert.notDeepEqual(one.deletion, next.deletion);
      }
    }),
  );
});

test('merging is commutative, associative and idempotent', () => {
  fc.assert(
    fc.property(ranges, ranges, ranges, (a, b, c) => {
      const merge = (x: RangeTombstone[], y: RangeTombstone[]) => mergeRangeTombstones(x, y, undefined);
      assert.deepEqual(merge(a, a), a);
      assert.deepEqual(merge(a, b), merge(b, a));
      assert.deepEqual(merge(merge(a, b), c), merge(a, merge(b, c)));
    }),
    { numRuns: 500 },
  );
});

test('ranges that say no more than the deletion around them are left out', () => {
  const weak: RangeTombstone = { from: key(1), to: key(5), deletion: { timestamp: 3n, second: 1 } };
  const strong: RangeTombstone = { from: key(2), to: key(3), deletion: { timestamp: 5n, second: 1 } };
  assert.deepEqual(mergeRangeTombstones([weak], [strong], { timestamp: 3n, second: 1 }), [strong]);
});

test('a range of clustering values holds exactly the rows between its bounds, in either direction', () => {
  const int = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32BE(value);
    return bytes;
  };
  const value = fc.integer({ min: -3, max: 3 });
  fc.assert(
    fc.property(
      value,
      value,
      fc.boolean(),
      fc.boolean(),
      fc.boolean(),
      (low, high, withLow, withHigh, descending) => {
        const columns = [
          { type: { kind: 'int' }, descending },
          { type: { kind: 'int' }, descending: false },
        ] as const;
        const lowBound = { prefix: encodeClusteringKey(columns, [int(low)]), inclusive: withLow };
        const highBound = { prefix: encodeClusteringKey(columns, [int(high)]), inclusive: withHigh };
        const found = descending
          ? clusteringRange(highBound, lowBound)
          : clusteringRange(lowBound, highBound);
        for (let first = -4; first <= 4; first++) {
          const row = encodeClusteringKey(columns, [int(first), int(7)]);
          const isIn = found !== undefined && found.from <= row && (found.to === undefined || row < found.to);
          const expected =
            (withLow ? first >= low : first > low) && (withHigh ? first <= high : first < high);
          assert.equal(isIn, expected);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('bounds may be left open', () => {
  const bound = { prefix: byteStringFromHex('FF'), inclusive: true };
  assert.deepEqual(clusteringRange(undefined, undefined), { from: '', to: undefined });
  assert.deepEqual(clusteringRange(bound, bound), { from: bound.prefix, to: undefined });
  assert.equal(clusteringRange({ ...bound, inclusive: false }, undefined), undefined);
});
