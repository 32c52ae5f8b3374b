import { isAggregate } from './aggregates.ts';
import { sqlError } from './sql-error.ts';
import type { Call, Expression, SqlQuery } from './sql-query.ts';

/** The parts of an expression, sub-queries excepted: those are queries of their own. */
export function partsOf(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case 'literal':
    case 'parameter':
    case 'name':
    case 'subquery':
      return [];
    case 'property':
      return [node.of];
    case 'element':
      return [node.of, node.key];
    case 'unary':
      return [node.operand];
    case 'binary':
      return [node.left, node.right];
    case 'logical':
      return node.operands;
    case 'conditional':
      return [node.condition, node.then, node.otherwise];
    case 'between':
      return [node.value, node.low, node.high];
    case 'in':
      return [node.value, ...node.items];
    case 'like':
      return [node.value, node.pattern];
    case 'array':
      return node.items;
    case 'object':
      return node.members.map(({ value }) => value);
    case 'call':
      return node.arguments;
  }
}

/** The expressions of the select list; none for `*`. */
export function selectedBy({ select }: SqlQuery): readonly Expression[] {
  if (select.list.kind === 'all') return [];
  return select.list.kind === 'value' ? [select.list.value] : select.list.items.map(({ value }) => value);
}

/** The aggregates of a query's select list and order, not those of its sub-queries. One inside another is an error. */
export function aggregatesOf(query: SqlQuery): readonly Call[] {
  const found: Call[] = [];
  for (const node of [...selectedBy(query), ...query.orderBy.map(({ value }) => value)]) {
    collect(node, undefined, found);
  }
  return found;
}

function collect(node: Expression, inside: Call | undefined, found: Call[]): void {
  let within = inside;
  if (isAggregateCall(node)) {
    if (inside !== undefined) {
      throw sqlError(
        'SC2101',
        'Cannot perform an aggregate function on an expression containing an aggregate or a subquery.',
        node.span,
      );
    }
    if (node.arguments.length !== 1) {
      throw sqlError('SC2050', `The ${node.name.toUpperCase()} function requires 1 argument(s).`, node.span);
    }
    found.push(node);
    within = node;
  }
  for (const part of partsOf(node)) collect(part, within, found);
}

export function isAggregateCall(node: Expression): node is Call {
  return node.kind === 'call' && !node.isUserDefined && isAggregate(node.name);
}
