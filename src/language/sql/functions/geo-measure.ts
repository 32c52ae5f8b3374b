// Distances and areas: on the globe in metres, on the ellipsoid of WGS 84; on a plane in its own unit.

import { cornersOf, doIntersect, planarArea, segmentsOf } from './geo-relation.ts';
import type { GeoShape, Position } from './geo-shape.ts';

const equatorRadius = 6_378_137;
const flattening = 1 / 298.257223563;
const poleRadius = equatorRadius * (1 - flattening);

/** The least between any two of their points; 0 where they meet. */
export function distanceBetween(a: GeoShape, b: GeoShape, isGeography: boolean): number {
  if (doIntersect(a, b)) return 0;
  const measure = isGeography ? geodesic : planar;
  let least = Number.POSITIVE_INFINITY;
  const [cornersA, cornersB] = [cornersOf(a), cornersOf(b)];
  for (const corner of cornersA)
    for (const other of cornersB) least = Math.min(least, measure(corner, other));
  for (const [corners, shape] of [
    [cornersA, b],
    [cornersB, a],
  ] as const) {
    for (const [start, end] of segmentsOf(shape)) {
      for (const corner of corners)
        least = Math.min(least, measure(corner, nearestOn(corner, start, end, isGeography)));
    }
  }
  return least;
}

/** Outer rings without their holes; 0 for what has no inside. */
export function areaOf({ polygons }: GeoShape, isGeography: boolean): number {
  let sum = 0;
  for (const [outer, ...holes] of polygons) {
    if (outer === undefined) continue;
    const area = isGeography ? areaOnGlobe : planarArea;
    sum += Math.abs(area(outer)) - holes.reduce((total, hole) => total + Math.abs(area(hole)), 0);
  }
  return sum;
}

function planar([x1, y1]: Position, [x2, y2]: Position): number {
  return Math.hypot(x2 - x1, y2 - y1);
}

/** Where on the edge the point is nearest; degrees of longitude are as long as they are at the point's latitude. */
function nearestOn(
  [x, y]: Position,
  [startX, startY]: Position,
  [endX, endY]: Position,
  isGeography: boolean,
): Position {
  const scale = isGeography ? Math.cos(radians(y)) : 1;
  const [alongX, alongY] = [(endX - startX) * scale, endY - startY];
  const length = alongX * alongX + alongY * alongY;
  const share = length === 0 ? 0 : ((x - startX) * scale * alongX + (y - startY) * alongY) / length;
  const inside = Math.min(Math.max(share, 0), 1);
  return [startX + (endX - startX) * inside, startY + (endY - startY) * inside];
}

/** Vincenty's inverse formula. For points almost opposite to one another it does not settle; there a sphere is near enough. */
function geodesic([lon1, lat1]: Position, [lon2, lat2]: Position): number {
  const difference = radians(lon2 - lon1);
  const [sinU1, cosU1] = reduced(lat1);
  const [sinU2, cosU2] = reduced(lat2);
  let lambda = difference;
  for (let round = 0; round < 100; round++) {
    const [sinLambda, cosLambda] = [Math.sin(lambda), Math.cos(lambda)];
    const sinSigma = Math.hypot(cosU2 * sinLambda, cosU1 * sinU2 - sinU1 * cosU2 * cosLambda);
    if (sinSigma === 0) return 0;
    const cosSigma = sinU1 * sinU2 + cosU1 * cosU2 * cosLambda;
    const sigma = Math.atan2(sinSigma, cosSigma);
    const sinAlpha = (cosU1 * cosU2 * sinLambda) / sinSigma;
    const cosSquaredAlpha = 1 - sinAlpha * sinAlpha;
    const middle = cosSquaredAlpha === 0 ? 0 : cosSigma - (2 * sinU1 * sinU2) / cosSquaredAlpha;
    const c = (flattening / 16) * cosSquaredAlpha * (4 + flattening * (4 - 3 * cosSquaredAlpha));
    const before = lambda;
    const inner = middle + c * cosSigma * (2 * middle * middle - 1);
    lambda = difference + (1 - c) * flattening * sinAlpha * (sigma + c * sinSigma * inner);
    if (Math.abs(lambda - before) < 1e-12)
      return arcLength(sinSigma, cosSigma, sigma, middle, cosSquaredAlpha);
  }
  return onSphere(lat1, lat2, difference);
}

function arcLength(
  sinSigma: number,
  cosSigma: number,
  sigma: number,
  middle: number,
  cosSquaredAlpha: number,
): number {
  const u = (cosSquaredAlpha * (equatorRadius ** 2 - poleRadius ** 2)) / poleRadius ** 2;
  const a = 1 + (u / 16_384) * (4_096 + u * (-768 + u * (320 - 175 * u)));
  const b = (u / 1_024) * (256 + u * (-128 + u * (74 - 47 * u)));
  const first = cosSigma * (2 * middle ** 2 - 1);
  const second = (b / 6) * middle * (4 * sinSigma ** 2 - 3) * (4 * middle ** 2 - 3);
  return poleRadius * a * (sigma - b * sinSigma * (middle + (b / 4) * (first - second)));
}

function onSphere(lat1: number, lat2: number, difference: number): number {
  const [a, b] = [radians(lat1), radians(lat2)];
  const cosine = Math.sin(a) * Math.sin(b) + Math.cos(a) * Math.cos(b) * Math.cos(difference);
  return ((2 * equatorRadius + poleRadius) / 3) * Math.acos(Math.min(Math.max(cosine, -1), 1));
}

function reduced(latitude: number): readonly [number, number] {
  const u = Math.atan((1 - flattening) * Math.tan(radians(latitude)));
  return [Math.sin(u), Math.cos(u)];
}

/** Each edge's stretch down to the equator, on a sphere of the ellipsoid's area with latitudes that keep areas. */
function areaOnGlobe(ring: readonly Position[]): number {
  let sum = 0;
  for (let at = 1; at < ring.length; at++) {
    const [[lon1, lat1], [lon2, lat2]] = [ring[at - 1] as Position, ring[at] as Position];
    sum += radians(lon2 - lon1) * (2 + authalicSine(lat1) + authalicSine(lat2));
  }
  return (authalicRadiusSquared * sum) / 2;
}

const eccentricity = Math.sqrt(flattening * (2 - flattening));

function q(sine: number): number {
  const e = eccentricity;
  return (1 - e * e) * (sine / (1 - (e * sine) ** 2) - Math.log((1 - e * sine) / (1 + e * sine)) / (2 * e));
}

const qAtPole = q(1);
const authalicRadiusSquared = (equatorRadius ** 2 * qAtPole) / 2;

function authalicSine(latitude: number): number {
  return q(Math.sin(radians(latitude))) / qAtPole;
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
