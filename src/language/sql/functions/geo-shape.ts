// GeoJSON as queries take it: points, lines, polygons and several polygons.

import { isArray, isObject, memberOf, type SqlValue } from '../sql-value.ts';

/** Longitude and latitude, or x and y. */
export type Position = readonly [number, number];

export interface GeoShape {
  readonly points: readonly Position[];
  readonly lines: readonly (readonly Position[])[];
  /** Each its outer ring, then its holes. */
  readonly polygons: readonly (readonly (readonly Position[])[])[];
}

export type ParsedShape =
  | { readonly shape: GeoShape; readonly reason?: undefined }
  | { readonly shape?: undefined; readonly reason: string };

const nothing: GeoShape = { points: [], lines: [], polygons: [] };

/** A shape, or why it is none. */
export function parseShape(value: SqlValue, isGeography: boolean): ParsedShape {
  if (!isObject(value)) return { reason: 'The value is not a GeoJSON object.' };
  const coordinates = memberOf(value, 'coordinates');
  const type = memberOf(value, 'type');
  const parser = new ShapeParser(isGeography);
  try {
    switch (type) {
      case 'Point':
        return { shape: { ...nothing, points: [parser.position(coordinates)] } };
      case 'MultiPoint':
        return { shape: { ...nothing, points: parser.list(coordinates, (one) => parser.position(one)) } };
      case 'LineString':
        return { shape: { ...nothing, lines: [parser.line(coordinates)] } };
      case 'MultiLineString':
        return { shape: { ...nothing, lines: parser.list(coordinates, (one) => parser.line(one)) } };
      case 'Polygon':
        return { shape: { ...nothing, polygons: [parser.polygon(coordinates)] } };
      case 'MultiPolygon':
        return { shape: { ...nothing, polygons: parser.list(coordinates, (one) => parser.polygon(one)) } };
      default:
        return { reason: `The GeoJSON type is not supported.` };
    }
  } catch (error) {
    if (error instanceof NotAShape) return { reason: error.message };
    throw error;
  }
}

/** The service's limit. */
const mostPositions = 4_096;

/** Only ever caught above: a way out of nested lists. */
class NotAShape extends Error {}

class ShapeParser {
  readonly #isGeography: boolean;

  constructor(isGeography: boolean) {
    this.#isGeography = isGeography;
  }

  list<T>(value: SqlValue, parse: (element: SqlValue) => T): readonly T[] {
    if (!isArray(value) || value.length === 0)
      throw new NotAShape('Coordinates must be an array that is not empty.');
    return value.map(parse);
  }

  position(value: SqlValue): Position {
    if (!isArray(value) || value.length < 2)
      throw new NotAShape('A position must have at least two numbers.');
    const [x, y] = value;
    if (typeof x !== 'number' || typeof y !== 'number')
      throw new NotAShape('A position must be made of numbers.');
    if (this.#isGeography && Math.abs(y) > 90) {
      throw new NotAShape('Latitude values must be between -90 and 90 degrees.');
    }
    if (this.#isGeography && Math.abs(x) > 180) {
      throw new NotAShape('Longitude values must be between -180 and 180 degrees.');
    }
    return [x, y];
  }

  line(value: SqlValue): readonly Position[] {
    const positions = this.list(value, (one) => this.position(one));
    if (positions.length < 2) throw new NotAShape('A line must have at least two positions.');
    return positions;
  }

  polygon(value: SqlValue): readonly (readonly Position[])[] {
    const rings = this.list(value, (ring) => {
      const positions = this.list(ring, (one) => this.position(one));
      const [first, last] = [positions[0], positions.at(-1)];
      if (positions.length < 4) throw new NotAShape('A ring must have at least four positions.');
      if (first === undefined || last === undefined || first[0] !== last[0] || first[1] !== last[1]) {
        throw new NotAShape('The first and the last position of a ring must be the same.');
      }
      return positions;
    });
    if (rings.flat().length > mostPositions)
      throw new NotAShape(`A polygon must have no more than ${mostPositions} positions.`);
    return rings;
  }
}
