// A piece of text that an item must have in it to pass the filter. Looking for it in the item as it is stored takes a tenth of the time of
// reading the paths that the filter looks at.

import { isSystemProperty } from '../../values/json-item.ts';
import { constantOf } from './access/constant-value.ts';
import { partsOf } from './find-aggregates.ts';
import { itemAliasesOf, itemPathOf } from './item-path.ts';
import type { SqlParameters } from './sql-parameters.ts';
import type { Expression, SqlQuery } from './sql-query.ts';

const textFunctions: ReadonlySet<string> = new Set(['CONTAINS', 'STARTSWITH', 'ENDSWITH', 'STRINGEQUALS']);

/** The longest that is known; undefined for none. What joins and sub-queries make is counted and charged, so those see every item. */
export function neededTextOf(query: SqlQuery, parameters: SqlParameters): string | undefined {
  const { from, where } = query;
  if (where === undefined || from.length !== 1 || hasSubquery(where)) return undefined;
  const itemAliases = itemAliasesOf(query);
  let longest = '';
  for (const condition of conditionsOf(where)) {
    const text = textOf(condition, parameters, itemAliases) ?? '';
    if (text.length > longest.length && isPlain(text)) longest = text;
  }
  return longest === '' ? undefined : longest;
}

/** All of which have to hold. */
function conditionsOf(node: Expression): readonly Expression[] {
  return node.kind === 'logical' && node.operator === 'AND' ? node.operands.flatMap(conditionsOf) : [node];
}

function textOf(
  node: Expression,
  parameters: SqlParameters,
  itemAliases: ReadonlySet<string>,
): string | undefined {
  const compared = (one: Expression | undefined, other: Expression | undefined): string | undefined => {
    if (one === undefined || other === undefined || !isStored(one, itemAliases)) return undefined;
    const value = constantOf(other, parameters)?.value;
    return typeof value === 'string' ? value : undefined;
  };
  if (node.kind === 'binary' && node.operator === '=')
    return compared(node.left, node.right) ?? compared(node.right, node.left);
  if (node.kind === 'like' && !node.isNegated && node.escapedBy === undefined)
    return longestPiece(compared(node.value, node.pattern) ?? '');
  if (node.kind !== 'call' || node.isUserDefined || node.arguments.length !== 2) return undefined;
  return textFunctions.has(node.name.toUpperCase())
    ? compared(node.arguments[0], node.arguments[1])
    : undefined;
}

/** Whether it is a path to what the stored text has. */
function isStored(node: Expression, itemAliases: ReadonlySet<string>): boolean {
  const first = itemPathOf(node, itemAliases)?.[0];
  return typeof first === 'string' && !isSystemProperty(first);
}

/** Of a pattern of LIKE, between what stands for other text. */
function longestPiece(pattern: string): string | undefined {
  if (pattern.includes('[')) return undefined;
  const pieces = pattern.split(/[%_]/);
  return pieces.reduce((longest, piece) => (piece.length > longest.length ? piece : longest), '');
}

/** Halves of characters, and what stands for bytes that are none, are not found by their bytes. */
function isPlain(text: string): boolean {
  return !/[\ud800-\udfff\ufffd]/.test(text);
}

function hasSubquery(node: Expression): boolean {
  return node.kind === 'subquery' || partsOf(node).some(hasSubquery);
}
