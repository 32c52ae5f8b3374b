import type { DistanceFunction } from '../../../catalog/nosql/nosql-definitions.ts';
import { finite, type SqlFunctions, strict, type VectorDistances } from '../sql-function.ts';
import type { Expression } from '../sql-query.ts';
import { asNumber, isArray, isObject, memberOf, type SqlValue } from '../sql-value.ts';

export const vectorFunctions: SqlFunctions = {
  // Similarity for cosine and dot product, distance for euclidean. Whether it is found by brute force changes nothing here.
  VECTORDISTANCE: strict(
    2,
    4,
    ([first, second, isBruteForce = false, options = {}], { vectorDistances }, written) => {
      const [a, b] = [vectorOf(first), vectorOf(second)];
      const measure = distanceFunctionOf(options, written, vectorDistances);
      if (a === undefined || b === undefined || a.length !== b.length || measure === undefined)
        return undefined;
      return typeof isBruteForce === 'boolean' ? finite(measures[measure](a, b)) : undefined;
    },
  ),
};

/** As the options say, or else the policy of the path that is compared, or else cosine; undefined for what is none. */
export function distanceFunctionOf(
  options: SqlValue,
  written: readonly Expression[],
  distances: VectorDistances | undefined,
): DistanceFunction | undefined {
  if (!isObject(options)) return undefined;
  const name = memberOf(options, 'distanceFunction') ?? distanceInPolicy(written, distances) ?? 'cosine';
  const lower = typeof name === 'string' ? name.toLowerCase() : '';
  return lower === 'cosine' || lower === 'dotproduct' || lower === 'euclidean' ? lower : undefined;
}

function distanceInPolicy(
  written: readonly Expression[],
  distances: VectorDistances | undefined,
): DistanceFunction | undefined {
  if (distances === undefined || distances.size === 0) return undefined;
  for (const node of written.slice(0, 2)) {
    const found = distances.get(pathOf(node));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whatever the alias is that it begins with. */
function pathOf(node: Expression): string {
  if (node.kind === 'property') return `${pathOf(node.of)}/${node.name}`;
  if (node.kind === 'element' && node.key.kind === 'literal')
    return `${pathOf(node.of)}/${String(node.key.value)}`;
  return '';
}

const measures: Readonly<Record<DistanceFunction, (a: readonly number[], b: readonly number[]) => number>> = {
  cosine: (a, b) => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b)),
  dotproduct: dot,
  euclidean: (a, b) => Math.sqrt(a.reduce((sum, x, at) => sum + (x - (b[at] as number)) ** 2, 0)),
};

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, x, at) => sum + x * (b[at] as number), 0);
}

function vectorOf(value: SqlValue): readonly number[] | undefined {
  if (!isArray(value)) return undefined;
  const numbers = value.map(asNumber).filter((element) => typeof element === 'number');
  return numbers.length === value.length && numbers.length > 0 ? numbers : undefined;
}
