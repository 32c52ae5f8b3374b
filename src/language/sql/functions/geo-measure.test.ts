import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import type { QueryContext } from '../sql-function.ts';
import type { SqlValue } from '../sql-value.ts';
import { areaOf, distanceBetween } from './geo-measure.ts';
import { type GeoShape, type Position, parseShape } from './geo-shape.ts';
import { spatialFunctions } from './spatial.ts';

const context: QueryContext = { now: () => 0, startedAt: 0, random: () => 0.5, isGeography: true };

function starRound(x: number, y: number, radii: readonly number[]): readonly Position[] {
  const corners = radii.map((radius, at): Position => {
    const angle = (2 * Math.PI * at) / radii.length;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
  return [...corners, corners[0] as Position];
}

function polygonOf(...rings: readonly (readonly Position[])[]): GeoShape {
  return { points: [], lines: [], polygons: [rings] };
}

const radii = fc.array(fc.double({ min: 0.5, max: 1.5, noNaN: true }), { minLength: 33, maxLength: 40 });
const latitude = fc.double({ min: -70, max: 70, noNaN: true });

test('the distance of shapes with many corners is the least of those from corner to shape', () => {
  fc.assert(
    fc.property(radii, radii, latitude, latitude, fc.boolean(), (first, second, y1, y2, isGeography) => {
      const [ringA, ringB] = [starRound(-3, y1, first), starRound(3, y2, second)];
      const [a, b] = [polygonOf(ringA), polygonOf(ringB)];
      const toShape = (ring: readonly Position[], shape: GeoShape): readonly number[] =>
        ring.map((corner) =>
          distanceBetween({ points: [corner], lines: [], polygons: [] }, shape, isGeography),
        );
      const least = Math.min(...toShape(ringA, b), ...toShape(ringB, a));
      const distance = distanceBetween(a, b, isGeography);
      // A straight line through the earth may take another of two pairs that are as near to one another as this.
      assert(Math.abs(distance - least) <= least * 2e-3, `${distance} and ${least}`);
      assert(distance >= least * (1 - 1e-12), `${distance} is less than ${least}`);
    }),
    { numRuns: 60 },
  );
});

test('a ring and the same ring turned round share the globe between them', () => {
  const globe = 510_065_621_724_000;
  fc.assert(
    fc.property(radii, latitude, fc.double({ min: -180, max: 180, noNaN: true }), (given, y, x) => {
      const ring = starRound(x, y, given);
      const [inside, outside] = [areaOf(polygonOf(ring), true), areaOf(polygonOf(ring.toReversed()), true)];
      assert(inside > 0 && inside < outside, `${inside} and ${outside}`);
      assert(Math.abs(inside + outside - globe) < 1_000_000, `${inside + outside}`);
    }),
  );
});

test('a polygon may have as many positions as the service allows, and no more', () => {
  const polygon = (corners: number): SqlValue => ({
    type: 'Polygon',
    coordinates: [
      starRound(
        0,
        0,
        Array.from({ length: corners }, () => 1),
      ),
    ],
  });
  assert.notEqual(parseShape(polygon(4_095), true).shape, undefined);
  assert.match(parseShape(polygon(4_096), true).reason ?? '', /4096 positions/);
});

test('shapes with so many positions that comparing them would hold up everybody else are refused', () => {
  const line = {
    type: 'LineString',
    coordinates: Array.from({ length: 5_000 }, (_, at) => [at / 100, 0]),
  };
  assert.throws(
    () => spatialFunctions['ST_DISTANCE']?.run([line, line], context, []),
    (error: unknown) => error instanceof RingfoldError && error.code === 'bad-request',
  );
});
