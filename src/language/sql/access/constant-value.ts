import type { SqlParameters } from '../sql-parameters.ts';
import type { Expression } from '../sql-query.ts';
import { isArray, memberOf, type SqlValue } from '../sql-value.ts';

/** In a box, because a constant may be undefined. Undefined for what depends on the item, or is not worth knowing beforehand. */
export function constantOf(
  node: Expression,
  parameters: SqlParameters,
): { readonly value: SqlValue } | undefined {
  switch (node.kind) {
    case 'literal':
      return { value: node.value };
    case 'parameter':
      return { value: parameters.get(node.name) };
    case 'unary': {
      const operand = constantOf(node.operand, parameters);
      if (operand === undefined || typeof operand.value !== 'number') return undefined;
      if (node.operator === '-') return { value: -operand.value };
      return node.operator === '+' ? operand : undefined;
    }
    case 'property': {
      const of = constantOf(node.of, parameters);
      return of === undefined ? undefined : { value: memberOf(of.value, node.name) };
    }
    case 'array': {
      const values: SqlValue[] = [];
      for (const item of node.items) {
        const constant = constantOf(item, parameters);
        if (constant === undefined) return undefined;
        if (constant.value !== undefined) values.push(constant.value);
      }
      return { value: values };
    }
    default:
      return undefined;
  }
}

/** The elements, where the node is a constant array. */
export function constantElementsOf(
  node: Expression,
  parameters: SqlParameters,
): readonly SqlValue[] | undefined {
  const constant = constantOf(node, parameters);
  return constant !== undefined && isArray(constant.value) ? constant.value : undefined;
}
