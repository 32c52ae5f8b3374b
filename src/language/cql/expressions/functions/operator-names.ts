import type { ArithmeticOperator } from '../../terms.ts';

/** Operators are functions to Cassandra; the second is spelt so. */
export const operatorNames: Readonly<Record<ArithmeticOperator, string>> = {
  '+': '_add',
  '-': '_substract',
  '*': '_multiply',
  '/': '_divide',
  '%': '_modulo',
};

const byName = new Map(Object.entries(operatorNames).map(([operator, name]) => [name, operator]));

export function operatorOf(functionName: string): string | undefined {
  return byName.get(functionName);
}
