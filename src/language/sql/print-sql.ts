// A query as the service's planner writes it: one clause a line, words in capitals, AS before every alias, parentheses round
// every operator, strings in double quotes. What is printed reads as the same query.

import { type Expression, isQuery, type Source, type SqlQuery } from './sql-query.ts';

export function printQuery(query: SqlQuery): string {
  return clausesOf(query).join('\n');
}

function clausesOf(query: SqlQuery): readonly string[] {
  const { from, where, groupBy, orderBy, offset, limit } = query;
  const clauses = [printSelect(query)];
  if (from.length > 0) clauses.push(`FROM ${from.map(printSource).join('\nJOIN ')}`);
  if (where !== undefined) clauses.push(`WHERE ${printExpression(where)}`);
  if (groupBy.length > 0) clauses.push(`GROUP BY ${groupBy.map(printExpression).join(', ')}`);
  if (orderBy.length > 0) {
    const keys = orderBy.map(
      ({ value, direction }) => printExpression(value) + directions[direction ?? 'none'],
    );
    clauses.push(`ORDER BY ${query.isRanked ? 'RANK ' : ''}${keys.join(', ')}`);
  }
  if (offset !== undefined && limit !== undefined) {
    clauses.push(`OFFSET ${printExpression(offset)} LIMIT ${printExpression(limit)}`);
  }
  return clauses;
}

const directions = { none: '', ascending: ' ASC', descending: ' DESC' } as const;

function printSelect({ select }: SqlQuery): string {
  const words = ['SELECT'];
  if (select.isDistinct) words.push('DISTINCT');
  if (select.top !== undefined) words.push('TOP', printExpression(select.top));
  const { list } = select;
  if (list.kind === 'all') words.push('*');
  else if (list.kind === 'value') words.push('VALUE', printExpression(list.value));
  else {
    words.push(
      list.items
        .map(({ value, alias }) => printExpression(value) + (alias === undefined ? '' : ` AS ${alias}`))
        .join(', '),
    );
  }
  return words.join(' ');
}

function printSource({ alias, isIterated, origin }: Source): string {
  const printed = isQuery(origin) ? `(${clausesOf(origin).join(' ')})` : printExpression(origin);
  if (isIterated) return `${alias} IN ${printed}`;
  return alias === undefined ? printed : `${printed} AS ${alias}`;
}

export function printExpression(node: Expression): string {
  switch (node.kind) {
    case 'literal':
      return node.value === undefined ? 'undefined' : printLiteral(node.value);
    case 'parameter':
    case 'name':
      return node.name;
    case 'property':
      return `${printOperand(node.of)}.${node.name}`;
    case 'element':
      return `${printOperand(node.of)}[${printExpression(node.key)}]`;
    case 'unary':
      return `(${node.operator}${node.operator === 'NOT' ? ' ' : ''}${printExpression(node.operand)})`;
    case 'binary':
      return `(${printExpression(node.left)} ${node.operator} ${printExpression(node.right)})`;
    case 'logical':
      return printChain(node.operator, node.operands);
    case 'conditional': {
      const { condition, then, otherwise } = node;
      return `(${printExpression(condition)} ? ${printExpression(then)} : ${printExpression(otherwise)})`;
    }
    case 'between': {
      const { value, low, high } = node;
      return `(${printExpression(value)}${not(node)} BETWEEN ${printExpression(low)} AND ${printExpression(high)})`;
    }
    case 'in':
      return `(${printExpression(node.value)}${not(node)} IN (${printList(node.items)}))`;
    case 'like': {
      const ending = node.escapedBy === undefined ? '' : ` ESCAPE ${JSON.stringify(node.escapedBy)}`;
      return `(${printExpression(node.value)}${not(node)} LIKE ${printExpression(node.pattern)}${ending})`;
    }
    case 'array':
      return `[${printList(node.items)}]`;
    case 'object': {
      const members = node.members.map(
        ({ name, value }) => `${JSON.stringify(name)}: ${printExpression(value)}`,
      );
      return `{${members.join(', ')}}`;
    }
    case 'call':
      return `${node.isUserDefined ? 'udf.' : ''}${node.name}(${printList(node.arguments)})`;
    case 'subquery':
      return `${node.form === 'scalar' ? '' : node.form}(${clausesOf(node.query).join(' ')})`;
  }
}

/** What a path begins with: a number with a point behind it would be another number. */
function printOperand(node: Expression): string {
  const printed = printExpression(node);
  return node.kind === 'literal' ? `(${printed})` : printed;
}

function printLiteral(value: null | boolean | number | string): string {
  // NaN and Infinity are words of the language, though not of JSON.
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}

/** As if every operator stood alone: `((a AND b) AND c)`. */
function printChain(operator: string, operands: readonly Expression[]): string {
  const [first, ...rest] = operands.map(printExpression);
  return `${'('.repeat(rest.length)}${first}${rest.map((operand) => ` ${operator} ${operand})`).join('')}`;
}

function printList(items: readonly Expression[]): string {
  return items.map(printExpression).join(', ');
}

function not({ isNegated }: { readonly isNegated: boolean }): string {
  return isNegated ? ' NOT' : '';
}
