import assert from 'node:assert/strict';
import { test } from 'node:test';
import { initialBoundaries } from './initial-layout.ts';
import type { HashKind } from './partition-key.ts';
import { ringEnd, ringStart } from './ring-position.ts';
import { ringRange, wholeRing } from './ring-range.ts';
import { ringBoundaryAt, ringPlaceOf, ringShareOf } from './ring-share.ts';

const kinds: readonly HashKind[] = ['v1', 'v2', 'multi', 'cql'];

test('the whole ring is one, on every ring', () => {
  for (const kind of kinds) assert.equal(ringShareOf(wholeRing, kind), 1);
});

test('equal partitions have equal shares, on every ring', () => {
  for (const kind of kinds) {
    const boundaries = initialBoundaries(kind, 5);
    const shares = [...boundaries, ringEnd].map((end, index) =>
      ringShareOf(ringRange(boundaries[index - 1] ?? ringStart, end), kind),
    );
    for (const share of shares) assert.ok(Math.abs(share - 0.2) < 1e-6, `${kind}: ${share}`);
  }
});

test('a boundary stands where it was asked for, on every ring', () => {
  for (const kind of kinds) {
    for (const place of [0.25, 1 / 3, 0.5, 0.999]) {
      const found = ringPlaceOf(ringBoundaryAt(place, kind), kind);
      assert.ok(Math.abs(found - place) < 1e-9, `${kind}: ${found} for ${place}`);
    }
  }
});
