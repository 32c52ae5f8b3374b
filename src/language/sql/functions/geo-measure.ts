// Distances and areas: on the globe in metres, on the ellipsoid of WGS 84; on a plane in its own unit.

import { cornersOf, doIntersect, planarArea, segmentsOf } from './geo-relation.ts';
import type { GeoShape, Position } from './geo-shape.ts';

const equatorRadius = 6_378_137;
const flattening = 1 / 298.257223563;
const poleRadius = equatorRadius * (1 - flattening);

/** So few pairs are measured one by one. */
const fewPairs = 1_024;

/**
 * The least between any two of their points; 0 where they meet. Of shapes with many corners the pair is looked for that is nearest on
 * a straight line through the earth, and only that is measured.
 */
export function distanceBetween(a: GeoShape, b: GeoShape, isGeography: boolean): number {
  if (doIntersect(a, b)) return 0;
  const asItIs = (position: Position): Position => position;
  const scaleAt = isGeography ? ([, y]: Position): number => Math.cos(radians(y)) : (): number => 1;
  const isMany = cornersOf(a).length * cornersOf(b).length > fewPairs;
  if (!isGeography) return planar(...nearestOf(a, b, scaleAt, asItIs, planar));
  return geodesic(
    ...(isMany ? nearestOf(a, b, scaleAt, inSpace, chord) : nearestOf(a, b, scaleAt, asItIs, geodesic)),
  );
}

/** Two positions, one of each, with the least between them. A corner and a place on an edge are such, where no corner is nearer. */
function nearestOf<Place>(
  a: GeoShape,
  b: GeoShape,
  scaleAt: (position: Position) => number,
  placeOf: (position: Position) => Place,
  between: (first: Place, second: Place) => number,
): readonly [Position, Position] {
  let least = Number.POSITIVE_INFINITY;
  let nearest: readonly [Position, Position] = [
    [Number.NaN, Number.NaN],
    [Number.NaN, Number.NaN],
  ];
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const) {
    const corners = cornersOf(other);
    const places = corners.map(placeOf);
    const edges = segmentsOf(other);
    for (const corner of cornersOf(one)) {
      const place = placeOf(corner);
      const scale = scaleAt(corner);
      const offer = (position: Position, distance: number): void => {
        if (distance >= least) return;
        least = distance;
        nearest = [corner, position];
      };
      // Corners with corners are the same pairs the second time.
      if (one === a) {
        for (const [index, at] of places.entries()) offer(corners[index] as Position, between(place, at));
      }
      for (const edge of edges) {
        const foot = footOn(corner, scale, edge[0], edge[1]);
        if (foot !== undefined) offer(foot, between(place, placeOf(foot)));
      }
    }
  }
  return nearest;
}

/** Outer rings without their holes; 0 for what has no inside. A ring that runs clockwise on the globe is all that is outside of it. */
export function areaOf({ polygons }: GeoShape, isGeography: boolean): number {
  let sum = 0;
  for (const [outer, ...holes] of polygons) {
    if (outer === undefined) continue;
    sum += isGeography ? areaToTheLeft(outer) : Math.abs(planarArea(outer));
    for (const hole of holes) sum -= isGeography ? smallerSide(hole) : Math.abs(planarArea(hole));
  }
  return sum;
}

/** Holes are written in either direction. */
function smallerSide(ring: readonly Position[]): number {
  const area = areaToTheLeft(ring);
  return Math.min(area, authalicRadiusSquared * 4 * Math.PI - area);
}

function planar([x1, y1]: Position, [x2, y2]: Position): number {
  return Math.hypot(x2 - x1, y2 - y1);
}

/** Where on the edge the point is nearest, unless that is an end of it. `scale` is how long a degree of longitude is to one of latitude. */
function footOn(point: Position, scale: number, start: Position, end: Position): Position | undefined {
  const alongX = (end[0] - start[0]) * scale;
  const alongY = end[1] - start[1];
  const length = alongX * alongX + alongY * alongY;
  const share = ((point[0] - start[0]) * scale * alongX + (point[1] - start[1]) * alongY) / length;
  if (!(share > 0 && share < 1)) return undefined;
  return [start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share];
}

/** The square of the straight line between two places on the ellipsoid. */
function chord(from: PlaceInSpace, to: PlaceInSpace): number {
  const x = to[0] - from[0];
  const y = to[1] - from[1];
  const z = to[2] - from[2];
  return x * x + y * y + z * z;
}

type PlaceInSpace = readonly [number, number, number];

function inSpace(position: Position): PlaceInSpace {
  const [longitude, latitude] = [radians(position[0]), radians(position[1])];
  const [sine, cosine] = [Math.sin(latitude), Math.cos(latitude)];
  const normal = equatorRadius / Math.sqrt(1 - (eccentricity * sine) ** 2);
  return [
    normal * cosine * Math.cos(longitude),
    normal * cosine * Math.sin(longitude),
    normal * (1 - eccentricity ** 2) * sine,
  ];
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

/**
 * Each edge's stretch down to the equator, where edges are the shortest ways. They are taken on a sphere of the ellipsoid's area with
 * latitudes that keep areas, where they are great circles but for a few parts in ten thousand million.
 */
function areaToTheLeft(ring: readonly Position[]): number {
  let belowEdges = 0;
  let turned = 0;
  for (let at = 1; at < ring.length; at++) {
    const [[lon1, lat1], [lon2, lat2]] = [ring[at - 1] as Position, ring[at] as Position];
    const across = radians(((((lon2 - lon1 + 180) % 360) + 360) % 360) - 180);
    const [low, high] = [Math.asin(authalicSine(lat1)), Math.asin(authalicSine(lat2))];
    const slope = Math.sin((low + high) / 2) / Math.cos((high - low) / 2);
    belowEdges += 2 * Math.atan(Math.tan(across / 2) * slope);
    turned += across;
  }
  // A ring round a pole has the pole's side of the equator in it.
  const isRoundPole = Math.abs(turned) > Math.PI;
  const inside = (isRoundPole ? 2 * Math.PI : 0) - belowEdges;
  return authalicRadiusSquared * (inside < 0 ? inside + 4 * Math.PI : inside);
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
