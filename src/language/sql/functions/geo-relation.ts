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
  if (segmentsOfLine(outer).some((border) => isOn(point, border))) return true;
  if (isInRing(point, outer) === isClockwise(outer)) return false;
  return !holes.some(
    (hole) => isInRing(point, hole) && !segmentsOfLine(hole).some((border) => isOn(point, border)),
  );
}

function isClockwise(ring: Ring): boolean {
  return planarArea(ring) < 0;
}

/** Positive for a ring that runs counter-clockwise. */
export function planarArea(ring: Ring): number {
  return segmentsOfLine(ring).reduce((sum, [[x1, y1], [x2, y2]]) => sum + (x1 * y2 - x2 * y1) / 2, 0);
}

/** Whether a ray from the point crosses the ring an odd number of times. */
function isInRing([x, y]: Position, ring: Ring): boolean {
  let isInside = false;
  for (const [[x1, y1], [x2, y2]] of segmentsOfLine(ring)) {
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) isInside = !isInside;
  }
  return isInside;
}

/** Greater than 0 where the third lies to the left of the way from the first to the second. */
function turn([ax, ay]: Position, [bx, by]: Position, [cx, cy]: Position): number {
  return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
}

function isOn(point: Position, [start, end]: Segment): boolean {
  const [x, y] = point;
  return (
    turn(start, end, point) === 0 &&
    x >= Math.min(start[0], end[0]) &&
    x <= Math.max(start[0], end[0]) &&
    y >= Math.min(start[1], end[1]) &&
    y <= Math.max(start[1], end[1])
  );
}

/** In one point that is inside both. */
function doCross([a, b]: Segment, [c, d]: Segment): boolean {
  return turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;
}

/** In any point, ends included. */
function doMeet(first: Segment, second: Segment): boolean {
  if (doCross(first, second)) return true;
  return isOn(second[0], first) || isOn(second[1], first) || isOn(first[0], second) || isOn(first[1], second);
}
