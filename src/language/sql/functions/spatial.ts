import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { finite, type QueryContext, type SqlFunction, type SqlFunctions, strict } from '../sql-function.ts';
import type { SqlValue } from '../sql-value.ts';
import { areaOf, distanceBetween } from './geo-measure.ts';
import { cornersOf, doIntersect, isWithin } from './geo-relation.ts';
import { type GeoShape, parseShape } from './geo-shape.ts';

/** By looking at each item; the spatial index is not built. What is no shape makes the answer undefined. */
export const spatialFunctions: SqlFunctions = {
  ST_DISTANCE: ofTwo((a, b, { isGeography }) => finite(distanceBetween(a, b, isGeography))),
  ST_WITHIN: ofTwo(isWithin),
  ST_INTERSECTS: ofTwo(doIntersect),
  ST_AREA: strict(1, 1, ([value], context) => {
    const { shape } = parseShape(value, context.isGeography);
    return shape === undefined ? undefined : areaOf(shape, context.isGeography);
  }),
  ST_ISVALID: strict(1, 1, ([value], { isGeography }) => parseShape(value, isGeography).shape !== undefined),
  ST_ISVALIDDETAILED: strict(1, 1, ([value], { isGeography }) => {
    const { reason } = parseShape(value, isGeography);
    return reason === undefined ? { valid: true } : { valid: false, reason };
  }),
};

/** Each position of one is compared with each of the other, and nobody else is served meanwhile. */
const mostPairs = 4_096 * 4_096;

function ofTwo(answer: (a: GeoShape, b: GeoShape, context: QueryContext) => SqlValue): SqlFunction {
  return strict(2, 2, ([first, second], context) => {
    const { shape: a } = parseShape(first, context.isGeography);
    const { shape: b } = parseShape(second, context.isGeography);
    if (a === undefined || b === undefined) return undefined;
    if (cornersOf(a).length * cornersOf(b).length > mostPairs) {
      throw new RingfoldError('bad-request', {
        reason: 'Two shapes have too many positions to be compared.',
      });
    }
    return answer(a, b, context);
  });
}
