import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { byteStringOf } from '../foundation/byte-string.ts';
import { type RingPosition, ringEnd, ringStart } from './ring-position.ts';
import {
  adjoins,
  canonicalBoundary,
  contains,
  intersect,
  overlaps,
  rangeOfPosition,
  ringRange,
  wholeRing,
} from './ring-range.ts';

// Few byte values and short lengths, so that prefixes, neighbours and zeros at the end are common.
const bytes = fc.array(fc.constantFrom(0x00, 0x01, 0x3f, 0xfe, 0xff), { maxLength: 4 });
const boundary = bytes.map((values) => byteStringOf(Uint8Array.from(values)) as RingPosition);
const position = fc
  .array(fc.constantFrom(0x00, 0x01, 0x3f, 0xfe, 0xff), { minLength: 4, maxLength: 4 })
  .map((values) => byteStringOf(Uint8Array.from(values)) as RingPosition);
const range = fc
  .tuple(boundary, fc.oneof(boundary, fc.constant(ringEnd)))
  .filter(([a, b]) => canonicalBoundary(a) !== canonicalBoundary(b))
  .map(([a, b]) => (canonicalBoundary(a) < canonicalBoundary(b) ? ringRange(a, b) : ringRange(b, a)));

test('a range holds its start and not its end', () => {
  fc.assert(
    fc.property(range, (range) => {
      assert.ok(contains(range, range.min));
      assert.ok(!contains(range, range.max));
    }),
  );
});

test('the whole ring holds every position', () => {
  fc.assert(fc.property(position, (position) => assert.ok(contains(wholeRing, position))));
  assert.ok(contains(wholeRing, '\xff'.repeat(16) as RingPosition));
});

test('zero bytes at the end of a boundary say nothing', () => {
  const zeros = (count: number) => '\0'.repeat(count);
  fc.assert(
    fc.property(range, position, fc.nat(20), fc.nat(20), (range, position, before, after) => {
      const max = range.max === ringEnd ? ringEnd : `${range.max}${zeros(after)}`;
      const padded = ringRange(`${range.min}${zeros(before)}` as RingPosition, max as RingPosition);
      assert.deepEqual(padded, range);
      assert.equal(contains(padded, position), contains(range, position));
    }),
  );
});

test('a boundary with zeros at its end belongs to the range that begins there', () => {
  const whole = '\x06\xab\0\0' as RingPosition;
  const trimmed = '\x06\xab' as RingPosition;
  for (const cut of [whole, trimmed]) {
    assert.ok(contains(ringRange(cut, ringEnd), whole));
    assert.ok(!contains(ringRange(ringStart, cut), whole));
  }
});

test('ranges overlap exactly if some position is in both', () => {
  fc.assert(
    fc.property(range, range, (a, b) => {
      const common = intersect(a, b);
      assert.equal(overlaps(a, b), common !== undefined);
      assert.equal(overlaps(a, b), contains(a, b.min) || contains(b, a.min));
    }),
  );
});

test('a position is in the intersection exactly if it is in both ranges', () => {
  fc.assert(
    fc.property(range, range, position, (a, b, position) => {
      const common = intersect(a, b);
      const inCommon = common !== undefined && contains(common, position);
      assert.equal(inCommon, contains(a, position) && contains(b, position));
    }),
  );
});

test('ranges adjoin if one ends where the other begins, and then do not overlap', () => {
  fc.assert(
    fc.property(range, position, (range, cut) => {
      fc.pre(contains(range, cut) && canonicalBoundary(cut) > range.min);
      const [left, right] = [ringRange(range.min, cut), ringRange(cut, range.max)];
      assert.ok(adjoins(left, right) && adjoins(right, left) && !overlaps(left, right));
      assert.deepEqual(ringRange(left.min, right.max), range);
    }),
  );
});

test('the range of a position holds it and no other of its length', () => {
  fc.assert(
    fc.property(position, position, (position, other) => {
      assert.equal(contains(rangeOfPosition(position), other), position === other);
    }),
  );
});

test('an empty range cannot be made', () => {
  assert.throws(() => ringRange('\x01' as RingPosition, '\x01\0' as RingPosition), /invariant broken/);
});
