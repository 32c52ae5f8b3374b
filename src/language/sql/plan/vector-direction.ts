import { distanceFunctionOf } from '../functions/vector.ts';
import type { VectorDistances } from '../sql-function.ts';
import type { SqlParameters } from '../sql-parameters.ts';
import type { Call, Expression } from '../sql-query.ts';
import type { SqlValue } from '../sql-value.ts';

/** The nearest comes first: the most similar, or the least far away. */
export function vectorDirection(
  call: Call,
  parameters: SqlParameters,
  distances: VectorDistances | undefined,
): 'Ascending' | 'Descending' {
  const options = call.arguments[3];
  const given = options === undefined ? {} : (constantOf(options, parameters) ?? {});
  return distanceFunctionOf(given, call.arguments, distances) === 'euclidean' ? 'Ascending' : 'Descending';
}

/** The value of what does not depend on any item; undefined for what does. */
export function constantOf(node: Expression, parameters: SqlParameters): SqlValue {
  switch (node.kind) {
    case 'literal':
      return node.value;
    case 'parameter':
      return parameters.get(node.name);
    case 'unary': {
      const value = constantOf(node.operand, parameters);
      return node.operator === '-' && typeof value === 'number' ? -value : undefined;
    }
    case 'array':
      return node.items.map((item) => constantOf(item, parameters));
    case 'object':
      return Object.fromEntries(node.members.map(({ name, value }) => [name, constantOf(value, parameters)]));
    default:
      return undefined;
  }
}
