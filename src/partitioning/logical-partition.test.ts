import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { byteStringOf, concatBytes, hexOf } from '../foundation/byte-string.ts';
import { initialBoundaries } from './initial-layout.ts';
import type { JsonKeyComponent } from './json-key-component.ts';
import { containerPrefix, cqlStoredKey, keyRangeOf, LogicalPartition } from './logical-partition.ts';
import {
  cqlPartitionKey,
  type HashKind,
  jsonPartitionKey,
  type PartitionKey,
  partitionKeyDefinition,
} from './partition-key.ts';
import { cutAtMidpoint } from './partition-split.ts';
import type { RingPosition } from './ring-position.ts';
import { contains, rangeOfPosition, ringRange, wholeRing } from './ring-range.ts';

const component: fc.Arbitrary<JsonKeyComponent> = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', '\0', '\u{1}', 'ÿ', '\u{1F600}'), maxLength: 4 }),
  fc.constantFrom<JsonKeyComponent>(0, 1, 2, true, null, undefined),
  fc.constantFrom('a'.repeat(100), 'a'.repeat(101), 'ж'.repeat(60)),
);
const blob = fc
  .array(fc.constantFrom(0x00, 0x01, 0x7f, 0xff), { minLength: 1, maxLength: 5 })
  .map((bytes) => Buffer.from(bytes));

const keysOf: Record<HashKind, fc.Arbitrary<PartitionKey>> = {
  v1: component.map((value) => jsonPartitionKey(partitionKeyDefinition('v1', ['/a']), [value])),
  v2: component.map((value) => jsonPartitionKey(partitionKeyDefinition('v2', ['/a']), [value])),
  multi: fc
    .tuple(component, component)
    .map((values) => jsonPartitionKey(partitionKeyDefinition('multi', ['/a', '/b']), values)),
  cql: fc.tuple(blob, blob).map((values) => cqlPartitionKey(values)),
};
const suffix = fc.uint8Array({ maxLength: 6 }).map((bytes) => byteStringOf(bytes));
const container = fc.constantFrom(0, 1, 255, 256, 0xfffffffe - 1);

test('a stored key made in one go is the prefix of its logical partition and what follows', () => {
  const components = fc.oneof(
    fc.array(blob, { minLength: 1, maxLength: 3 }),
    fc.constantFrom([Buffer.alloc(0)], [Buffer.alloc(2_000)], [Buffer.alloc(600), Buffer.alloc(900, 7)]),
  );
  fc.assert(
    fc.property(container, components, suffix, (generation, values, rest) => {
      const { prefix } = new LogicalPartition(generation, cqlPartitionKey(values));
      assert.equal(cqlStoredKey(generation, values, rest), concatBytes(prefix, rest));
    }),
  );
});

for (const [hashKind, keys] of Object.entries(keysOf)) {
  test(`no logical partition's prefix is the beginning of another's (${hashKind})`, () => {
    fc.assert(
      fc.property(container, keys, keys, (container, a, b) => {
        const [one, other] = [new LogicalPartition(container, a), new LogicalPartition(container, b)];
        const same = a.bytes === b.bytes;
        assert.equal(one.prefix.startsWith(other.prefix), same);
      }),
      { numRuns: 300 },
    );
  });

  test(`a stored key is in the keys of a range exactly if its position is in the range (${hashKind})`, () => {
    fc.assert(
      fc.property(container, keys, keys, keys, suffix, (container, key, a, b, suffix) => {
        const ends = [a.ringPosition, b.ringPosition].sort();
        const range =
          ends[0] === ends[1]
            ? rangeOfPosition(a.ringPosition)
            : ringRange(ends[0] as RingPosition, ends[1] as RingPosition);
        const { from, to } = keyRangeOf(container, range);
        const storedKey = concatBytes(new LogicalPartition(container, key).prefix, suffix);
        assert.equal(from <= storedKey && storedKey < to, contains(range, key.ringPosition));
      }),
      { numRuns: 300 },
    );
  });

  test(`a cut leaves all of a logical partition on one side (${hashKind})`, () => {
    const definition = partitionKeyDefinition(
      hashKind as HashKind,
      hashKind === 'multi' ? ['/a', '/b'] : ['/a'],
    );
    const [first] = initialBoundaries(hashKind as HashKind, 3) as [RingPosition];
    const cut = cutAtMidpoint(ringRange('' as RingPosition, first), definition);
    fc.assert(
      fc.property(keys, suffix, (key, suffix) => {
        const { prefix, ringPosition } = new LogicalPartition(7, key);
        const boundary = keyRangeOf(7, ringRange(cut, first)).from;
        assert.equal(concatBytes(prefix, suffix) < boundary, ringPosition < cut);
      }),
    );
  });
}

test('keys of the whole ring are those of the container, and of no other', () => {
  fc.assert(
    fc.property(container, container, keysOf.cql, (container, other, key) => {
      const { from, to } = keyRangeOf(container, wholeRing);
      const { prefix } = new LogicalPartition(other, key);
      assert.equal(from <= prefix && prefix < to, container === other);
    }),
  );
  const last = {
    ringPosition: '\xff'.repeat(16) as RingPosition,
    bytes: byteStringOf(Uint8Array.of(0xff, 0xff)),
  };
  const { prefix } = new LogicalPartition(5, last);
  assert.ok(prefix < keyRangeOf(5, wholeRing).to);
});

test('a prefix is the generation, the position, and the escaped key with its end', () => {
  const partition = new LogicalPartition(0x01020304, {
    ringPosition: 'pos' as RingPosition,
    bytes: byteStringOf(Uint8Array.of(0x61, 0x00, 0x62)),
  });
  assert.equal(hexOf(partition.prefix), '01020304' + '706F73' + '6100FF62' + '0001');
  assert.equal(hexOf(containerPrefix(0x01020304)), '01020304');
});

test('a logical partition needs a whole partition key', () => {
  assert.throws(
    () =>
      new LogicalPartition(1, { ringPosition: '' as RingPosition, bytes: byteStringOf(new Uint8Array(1)) }),
  );
});
