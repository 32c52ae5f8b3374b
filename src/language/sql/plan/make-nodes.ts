// Nodes of rewritten queries: they stand nowhere in a text.

import type { BinaryOperator, Call, Expression, Literal, Name, Span } from '../sql-query.ts';

const nowhere: Span = Object.freeze({ start: 0, end: 0 });

export function nameNode(name: string): Name {
  return { kind: 'name', name, span: nowhere };
}

export function propertyNode(of: Expression, name: string): Expression {
  return { kind: 'property', of, name, span: nowhere };
}

export function callNode(name: string, ...given: readonly Expression[]): Call {
  return { kind: 'call', name, isUserDefined: false, arguments: given, span: nowhere };
}

export function arrayNode(items: readonly Expression[]): Expression {
  return { kind: 'array', items, span: nowhere };
}

export function objectNode(members: readonly (readonly [string, Expression])[]): Expression {
  return { kind: 'object', members: members.map(([name, value]) => ({ name, value })), span: nowhere };
}

export function andNode(operands: readonly Expression[]): Expression {
  const [first] = operands;
  return operands.length === 1 && first !== undefined
    ? first
    : { kind: 'logical', operator: 'AND', operands, span: nowhere };
}

export function literalNode(value: Literal['value']): Literal {
  return { kind: 'literal', value, span: nowhere };
}

export function binaryNode(operator: BinaryOperator, left: Expression, right: Expression): Expression {
  return { kind: 'binary', operator, left, right, span: nowhere };
}

export function countNode(value: number): Literal & { readonly value: number } {
  return { kind: 'literal', value, span: nowhere };
}
