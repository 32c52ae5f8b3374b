import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RingfoldError } from '../errors/ringfold-error.ts';
import { effectivePartitionKey } from './effective-partition-key.ts';
import { partitionKeyDefinition } from './partition-key.ts';
import { cutAtDataMedian, cutAtMidpoint, cutAtPosition } from './partition-split.ts';
import { cqlRingPosition, type RingPosition, ringEnd, ringStart } from './ring-position.ts';
import { canonicalBoundary, contains, rangeOfPosition, ringRange, wholeRing } from './ring-range.ts';

const cql = partitionKeyDefinition('cql', ['a']);
const key = fc.integer({ min: 0, max: 40 }).map((number) => cqlRingPosition(Buffer.from([number])));
const samples = fc.array(fc.record({ position: key, bytes: fc.integer({ min: 1, max: 1000 }) }), {
  maxLength: 60,
});

test('a range too narrow to be halved is refused', () => {
  refused('the range is too narrow', () =>
    cutAtMidpoint(rangeOfPosition(cqlRingPosition(Buffer.from('a'))), cql),
  );
});

test('a cut is strictly inside its range', () => {
  const middle = cutAtMidpoint(wholeRing, cql);
  const upper = ringRange(middle, ringEnd);
  for (const at of [ringStart, middle, `${middle}\0\0` as RingPosition, ringEnd]) {
    refused('the cut is not inside the range', () => cutAtPosition(upper, cql, at));
  }
  assert.equal(cutAtPosition(wholeRing, cql, `${middle}\0` as RingPosition), middle);
});

test('a cut that could divide a logical partition is refused', () => {
  const cases = [
    [cql, cqlRingPosition(Buffer.from('a'))],
    [partitionKeyDefinition('v2', ['/a']), effectivePartitionKey('v2', ['a'])],
    [partitionKeyDefinition('multi', ['/a', '/b']), effectivePartitionKey('multi', ['a', 'b'])],
    [partitionKeyDefinition('v1', ['/a']), effectivePartitionKey('v1', ['a'])],
    [partitionKeyDefinition('v1', ['/a', '/b']), effectivePartitionKey('v1', ['a', 5])],
  ] as const;
  for (const [definition, position] of cases) {
    assert.equal(cutAtPosition(wholeRing, definition, position), canonicalBoundary(position));
    const beyond = `${position}\x01` as RingPosition;
    refused('the cut could divide a logical partition', () => cutAtPosition(wholeRing, definition, beyond));
  }
});

test('a hierarchical ring can be cut inside a tenant', () => {
  const definition = partitionKeyDefinition('multi', ['/tenant', '/user']);
  const cut = effectivePartitionKey('multi', ['tenant1', 'user1']);
  assert.equal(cutAtPosition(wholeRing, definition, cut), cut);
});

test('the data median is as near to equal bytes as any cut between two positions', () => {
  fc.assert(
    fc.property(samples, (samples) => {
      const positions = [...new Set(samples.map(({ position }) => position))].sort();
      fc.pre(positions.length >= 2);
      const difference = (cut: RingPosition) =>
        Math.abs(samples.reduce((sum, { position, bytes }) => sum + (position < cut ? bytes : -bytes), 0));
      const cut = cutAtDataMedian(wholeRing, samples);
      assert.equal(difference(cut), Math.min(...positions.slice(1).map(difference)));
    }),
  );
});

test('each side of the data median has a key, and the cut is inside the range', () => {
  fc.assert(
    fc.property(samples, key, (samples, start) => {
      const range = ringRange(start, ringEnd);
      const inside = samples.filter(({ position }) => contains(range, position));
      fc.pre(new Set(inside.map(({ position }) => position)).size >= 2);
      const cut = cutAtDataMedian(range, samples);
      assert.ok(cut > range.min && cut < range.max);
      assert.ok(
        inside.some(({ position }) => position < cut) && inside.some(({ position }) => position >= cut),
      );
    }),
  );
});

test('a partition with one key, or none, has no data median', () => {
  const position = cqlRingPosition(Buffer.from('a'));
  const sample = { position, bytes: 10 };
  refused('all data has one partition key', () => cutAtDataMedian(wholeRing, [sample, sample]));
  refused('the partition is empty', () => cutAtDataMedian(wholeRing, []));
});

function refused(reason: string, work: () => unknown): void {
  assert.throws(
    work,
    (error) =>
      error instanceof RingfoldError && error.code === 'split-refused' && error.details['reason'] === reason,
  );
}
