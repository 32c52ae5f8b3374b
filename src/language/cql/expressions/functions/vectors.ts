import { invalidRequest } from '../../../../errors/invalid-request.ts';
import { assert } from '../../../../foundation/assert.ts';
import { floatBytes } from '../../../../values/cql-text.ts';
import type { CqlType } from '../../../../values/cql-type.ts';
import { factoryOf, floatVector, sameTypeAs } from './function-parameter.ts';
import { bytesFunction, type FunctionFactory } from './native-function.ts';

/** From 0 to 1, where 1 is the same: the measures of Lucene, which Cassandra took over. */
type Similarity = (left: readonly number[], right: readonly number[]) => number;

const similarities: Readonly<Record<'cosine' | 'euclidean' | 'dot_product', Similarity>> = {
  cosine: (left, right) =>
    (1 + dotProduct(left, right) / Math.sqrt(dotProduct(left, left) * dotProduct(right, right))) / 2,
  euclidean: (left, right) => 1 / (1 + squaredDistance(left, right)),
  dot_product: (left, right) => (1 + dotProduct(left, right)) / 2,
};

function dotProduct(left: readonly number[], right: readonly number[]): number {
  return left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0);
}

function squaredDistance(left: readonly number[], right: readonly number[]): number {
  return left.reduce((sum, value, at) => sum + (value - (right[at] ?? 0)) ** 2, 0);
}

function floatsIn(bytes: Buffer): readonly number[] {
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatBE(at * 4));
}

function similarityFactory(measure: keyof typeof similarities): FunctionFactory {
  const name = `similarity_${measure}`;
  const parameters = [1, 0].map((other) => sameTypeAs(other, { preferOther: false }, floatVector));
  return factoryOf(name, parameters, ([left, right]) => {
    assert(left?.kind === 'vector' && right?.kind === 'vector', 'only vectors are let in');
    if (left.dimension !== right.dimension) {
      throw invalidRequest('All arguments must have the same vector dimensions');
    }
    const float: CqlType = { kind: 'float' };
    return bytesFunction(name, [left, left], float, ([first, second]) => {
      if (!first || !second) return null;
      const vectors = [floatsIn(first), floatsIn(second)] as const;
      if (measure === 'cosine' && vectors.some((vector) => vector.every((value) => value === 0))) {
        throw invalidRequest(`Function system.${name} doesn't support all-zero vectors.`);
      }
      return floatBytes(similarities[measure](...vectors));
    });
  });
}

export const vectorFactories: readonly FunctionFactory[] = [
  similarityFactory('cosine'),
  similarityFactory('euclidean'),
  similarityFactory('dot_product'),
];
