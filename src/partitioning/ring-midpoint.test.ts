import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { byteStringFromHex, hexOf } from '../foundation/byte-string.ts';
import { effectivePartitionKey, hierarchicalRange } from './effective-partition-key.ts';
import { initialBoundaries } from './initial-layout.ts';
import { type PartitionKeyDefinition, partitionKeyDefinition } from './partition-key.ts';
import { midpointOf } from './ring-midpoint.ts';
import { cqlRingPosition, type RingPosition, ringEnd, ringStart, tokenOfPosition } from './ring-position.ts';
import { canonicalBoundary, contains, type RingRange, ringRange, wholeRing } from './ring-range.ts';

const definitions: readonly PartitionKeyDefinition[] = [
  partitionKeyDefinition('v1', ['/a']),
  partitionKeyDefinition('v2', ['/a']),
  partitionKeyDefinition('multi', ['/a', '/b']),
  partitionKeyDefinition('cql', ['a']),
];
const positionIn = (definition: PartitionKeyDefinition, text: string): RingPosition =>
  definition.hashKind === 'cql'
    ? cqlRingPosition(Buffer.from(`${text} `))
    : effectivePartitionKey(definition.hashKind, definition.paths.length === 1 ? [text] : [text, `${text}!`]);

/** Ranges between two keys' positions, or from one to an end of the ring. */
const rangeIn = (definition: PartitionKeyDefinition): fc.Arbitrary<RingRange> => {
  const position = fc.string().map((text) => positionIn(definition, text));
  return fc
    .tuple(fc.oneof(position, fc.constant(ringStart)), fc.oneof(position, fc.constant(ringEnd)))
    .filter(([a, b]) => canonicalBoundary(a) !== canonicalBoundary(b))
    .map(([a, b]) => (a < b ? ringRange(a, b) : ringRange(b, a)));
};

for (const definition of definitions) {
  test(`the midpoint lies strictly inside its range (${definition.hashKind})`, () => {
    fc.assert(
      fc.property(rangeIn(definition), (range) => {
        const midpoint = midpointOf(range, definition);
        assert.ok(midpoint !== undefined && midpoint > range.min && midpoint < range.max);
      }),
    );
  });

  test(`the midpoint of the whole ring is where two first partitions would meet (${definition.hashKind})`, () => {
    const [boundary] = initialBoundaries(definition.hashKind, 2);
    assert.equal(midpointOf(wholeRing, definition), canonicalBoundary(boundary as RingPosition));
  });

  test(`a range is halved again and again until it is too narrow, and then refused (${definition.hashKind})`, () => {
    let range = wholeRing;
    let halvings = 0;
    for (let cut = midpointOf(range, definition); cut !== undefined; cut = midpointOf(range, definition)) {
      range = halvings++ % 2 === 0 ? ringRange(range.min, cut) : ringRange(cut, range.max);
      assert.ok(halvings < 300);
    }
    assert.ok(halvings > 30);
  });
}

test('halving the first half of a V1 ring halves the hashes', () => {
  const cut = midpointOf(
    ringRange(ringStart, position('05C1DFFFFFFFFC')),
    partitionKeyDefinition('v1', ['/a']),
  );
  assert.equal(hexOf(cut as RingPosition), '05C1CFFFFFFFF8');
});

test('neighbouring V1 hashes can be cut between, but not inside one', () => {
  const definition = partitionKeyDefinition('v1', ['/a']);
  const redmond = effectivePartitionKey('v1', ['redmond']);
  const sameHash = ringRange(redmond, `${redmond.slice(0, -1)}\x66` as RingPosition);
  assert.equal(midpointOf(sameHash, definition), undefined);
});

test('the middle of a CQL ring is token 0', () => {
  assert.equal(
    tokenOfPosition(midpointOf(wholeRing, partitionKeyDefinition('cql', ['a'])) as RingPosition),
    0n,
  );
});

test("a tenant's range is cut inside the tenant, where half of the next level's keys lie on each side", () => {
  const definition = partitionKeyDefinition('multi', ['/tenant', '/user']);
  const range = hierarchicalRange(2, ['tenant1']);
  const cut = midpointOf(range, definition) as RingPosition;
  const tenant = effectivePartitionKey('multi', ['tenant1']);
  assert.equal(cut, canonicalBoundary(`${tenant}\x20` as RingPosition));
  const lower = Array.from({ length: 1000 }, (_, user) =>
    effectivePartitionKey('multi', ['tenant1', user]),
  ).filter((key) => contains(ringRange(range.min, cut), key));
  assert.ok(lower.length > 400 && lower.length < 600);
});

function position(hex: string): RingPosition {
  return byteStringFromHex(hex) as RingPosition;
}
