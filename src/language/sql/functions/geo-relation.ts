// How shapes lie to one another. Edges are straight in longitude and latitude, which is what short edges are on the globe too; a shape
// across the 180th meridian is not put together (not verified against the service).

import type { GeoShape, Position } from './geo-shape.ts';

type Ring = readonly Position[];
type Polygon = readonly Ring[];
type Segment = readonly [Position, Position];

/** Whether every part of the first lies in the second. */
export function isWithin(inner: GeoShape, outer: GeoShape): boolean {
  const isFlat = outer.polygons.length === 0;
  if (isFlat && inner.polygons.length > 0) return false;
  if (!cornersOf(inner).every((corner) => isCovered(corner, outer))) return false;
  // All corners inside is not enough where an edge leaves the shape and comes back.
  if (isFlat) return segmentsOf(inner).every((edge) => isCovered(middleOf(edge), outer));
  const borders = outer.polygons.flatMap(segmentsOfPolygon);
  return segmentsOf(inner).every((edge) => !borders.some((border) => doCross(edge, border)));
}

function isCovered(point: Position, { points, lines, polygons }: GeoShape): boolean {
  return (
    polygons.some((polygon) => isInPolygon(point, polygon)) ||
    lines.some((line) => segmentsOfLine(line).some((segment) => isOn(point, segment))) ||
    points.some(([x, y]) => x === point[0] && y === point[1])
  );
}

function middleOf([[x1, y1], [x2, y2]]: Segment): Position {
  return [(x1 + x2) / 2, (y1 + y2) / 2];
}

export function doIntersect(a: GeoShape, b: GeoShape): boolean {
  const inA = cornersOf(b).some((corner) => a.polygons.some((polygon) => isInPolygon(corner, polygon)));
  const inB = cornersOf(a).some((corner) => b.polygons.some((polygon) => isInPolygon(corner, polygon)));
  if (inA || inB) return true;
  const [edgesA, edgesB] = [segmentsOf(a), segmentsOf(b)];
  if (edgesA.some((edge) => edgesB.some((other) => doMeet(edge, other)))) return true;
  if (a.points.some((point) => edgesB.some((edge) => isOn(point, edge)))) return true;
  if (b.points.some((point) => edgesA.some((edge) => isOn(point, edge)))) return true;
  return a.points.some(([x, y]) => b.points.some(([otherX, otherY]) => x === otherX && y === otherY));
}

export function cornersOf({ points, lines, polygons }: GeoShape): readonly Position[] {
  return [...points, ...lines.flat(), ...polygons.flat(2)];
}

export function segmentsOf({ lines, polygons }: GeoShape): readonly Segment[] {
  return [...lines.flatMap(segmentsOfLine), ...polygons.flatMap(segmentsOfPolygon)];
}

function segmentsOfPolygon(polygon: Polygon): readonly Segment[] {
  return polygon.flatMap(segmentsOfLine);
}

function segmentsOfLine(line: Ring): readonly Segment[] {
  return line.slice(1).map((end, at) => [line[at] as Position, end]);
}

/** In the outer ring or on its border, and in no hole. A ring that runs clockwise stands for all that is outside of it. */
function isInPolygon(point: Position, [outer, ...holes]: Polygon): boolean {
  if (outer === undefined) return false;
  const place = placeIn(outer, point);
  if (place === 'border') return true;
  if ((place === 'inside') === isClockwise(outer)) return false;
  return !holes.some((hole) => placeIn(hole, point) === 'inside');
}

const directions = new WeakMap<Ring, boolean>();

/** Asked for each point of another shape, and the same every time. */
function isClockwise(ring: Ring): boolean {
  const known = directions.get(ring);
  if (known !== undefined) return known;
  const isSo = planarArea(ring) < 0;
  directions.set(ring, isSo);
  return isSo;
}

/** Positive for a ring that runs counter-clockwise. */
export function planarArea(ring: Ring): number {
  return segmentsOfLine(ring).reduce((sum, [[x1, y1], [x2, y2]]) => sum + (x1 * y2 - x2 * y1) / 2, 0);
}

/** Inside is where a ray from the point crosses the ring an odd number of times. Makes nothing: it runs for each pair of corners. */
function placeIn(ring: Ring, point: Position): 'inside' | 'border' | 'outside' {
  const x = point[0];
  const y = point[1];
  let isInside = false;
  for (let at = 1; at < ring.length; at++) {
    const start = ring[at - 1] as Position;
    const end = ring[at] as Position;
    if (isBetween(point, start, end)) return 'border';
    const isAcross = start[1] > y !== end[1] > y;
    if (isAcross && x < ((end[0] - start[0]) * (y - start[1])) / (end[1] - start[1]) + start[0])
      isInside = !isInside;
  }
  return isInside ? 'inside' : 'outside';
}

/** Greater than 0 where the third lies to the left of the way from the first to the second. */
function turn(a: Position, b: Position, c: Position): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

function isOn(point: Position, segment: Segment): boolean {
  return isBetween(point, segment[0], segment[1]);
}

function isBetween(point: Position, start: Position, end: Position): boolean {
  return (
    point[0] >= Math.min(start[0], end[0]) &&
    point[0] <= Math.max(start[0], end[0]) &&
    point[1] >= Math.min(start[1], end[1]) &&
    point[1] <= Math.max(start[1], end[1]) &&
    turn(start, end, point) === 0
  );
}

/** In one point that is inside both. */
function doCross(first: Segment, second: Segment): boolean {
  if (areApart(first, second, 0) || areApart(first, second, 1)) return false;
  const a = first[0];
  const b = first[1];
  const c = second[0];
  const d = second[1];
  return turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;
}

/** In any point, ends included. */
function doMeet(first: Segment, second: Segment): boolean {
  if (areApart(first, second, 0) || areApart(first, second, 1)) return false;
  if (doCross(first, second)) return true;
  return isOn(second[0], first) || isOn(second[1], first) || isOn(first[0], second) || isOn(first[1], second);
}

/** Whether one ends before the other begins, along x or y: of most pairs that is all that has to be looked at. */
function areApart(first: Segment, second: Segment, axis: 0 | 1): boolean {
  const a = first[0][axis];
  const b = first[1][axis];
  const c = second[0][axis];
  const d = second[1][axis];
  return Math.max(a, b) < Math.min(c, d) || Math.max(c, d) < Math.min(a, b);
}
