// The relations of a WHERE clause.

import { parseList, parseParenthesized } from './comma-list.ts';
import type { TokenKind } from './cql-token-kind.ts';
import { isColumnName, parseBareIndexName, parseColumnName } from './names.ts';
import { beginsTerm, parseMarker, parseTerm, parseTupleLiteral, type Term } from './terms.ts';
import type { BindMarker, TokenCursor } from './token-cursor.ts';

export type ComparisonOperator = '=' | '<' | '<=' | '>' | '>=' | '!=';

/** What IN is given: values one by one, or one marker that carries them all. */
export type InValues = readonly Term[] | BindMarker;

export type Relation =
  | {
      readonly kind: 'comparison';
      readonly column: string;
      readonly operator: ComparisonOperator | 'LIKE' | 'CONTAINS' | 'CONTAINS KEY';
      readonly term: Term;
    }
  | { readonly kind: 'isNotNull'; readonly column: string }
  | { readonly kind: 'in'; readonly column: string; readonly values: InValues }
  | {
      readonly kind: 'element';
      readonly column: string;
      readonly key: Term;
      readonly operator: ComparisonOperator;
      readonly term: Term;
    }
  | {
      readonly kind: 'token';
      readonly columns: readonly string[];
      readonly operator: ComparisonOperator;
      readonly term: Term;
    }
  | {
      readonly kind: 'tupleComparison';
      readonly columns: readonly string[];
      readonly operator: ComparisonOperator;
      readonly term: Term;
    }
  | { readonly kind: 'tupleIn'; readonly columns: readonly string[]; readonly values: InValues }
  | { readonly kind: 'indexExpression'; readonly index: string; readonly term: Term };

export function parseWhere(cursor: TokenCursor): readonly Relation[] {
  const relations = [parseRelationOrExpression(cursor)];
  while (cursor.accept('and')) relations.push(parseRelationOrExpression(cursor));
  return relations;
}

function parseRelationOrExpression(cursor: TokenCursor): Relation {
  if (cursor.accept('expr(')) {
    const index = parseBareIndexName(cursor);
    cursor.skip(',');
    const term = parseTerm(cursor);
    cursor.skip(')');
    return { kind: 'indexExpression', index, term };
  }
  const { kind } = cursor;
  if (kind !== '(' && kind !== 'token' && !isColumnName(kind)) cursor.noViableAlternative();
  return parseRelation(cursor);
}

function parseRelation(cursor: TokenCursor): Relation {
  if (cursor.accept('token')) {
    const columns = parseParenthesized(cursor, parseColumnName);
    return { kind: 'token', columns, operator: parseComparison(cursor), term: parseTerm(cursor) };
  }
  if (cursor.kind === '(') return parseAfterParenthesis(cursor);
  return parseColumnRelation(cursor);
}

function parseColumnRelation(cursor: TokenCursor): Relation {
  if (!isColumnName(cursor.kind)) cursor.noViableAlternative();
  if (!continuesColumn(cursor.peek(1))) cursor.noViableAlternative(1);
  if (cursor.peek(1) === 'in' && !beginsInValues(cursor.peek(2))) cursor.noViableAlternative(2);
  const column = parseColumnName(cursor);
  switch (cursor.kind) {
    case 'like':
      cursor.take();
      return { kind: 'comparison', column, operator: 'LIKE', term: parseTerm(cursor) };
    case 'is':
      cursor.skipAll('is', 'not', 'null');
      return { kind: 'isNotNull', column };
    case 'in':
      cursor.take();
      return { kind: 'in', column, values: parseInValues(cursor) };
    case 'contains': {
      const operator = parseContains(cursor);
      return { kind: 'comparison', column, operator, term: parseTerm(cursor) };
    }
    case '[': {
      const key = parseElementKey(cursor);
      return { kind: 'element', column, key, operator: parseComparison(cursor), term: parseTerm(cursor) };
    }
    default:
      return { kind: 'comparison', column, operator: parseComparison(cursor), term: parseTerm(cursor) };
  }
}

function continuesColumn(kind: TokenKind): boolean {
  return (
    isComparison(kind) ||
    kind === 'like' ||
    kind === 'is' ||
    kind === 'in' ||
    kind === 'contains' ||
    kind === '['
  );
}

function beginsInValues(kind: TokenKind): boolean {
  return kind === 'QMARK' || kind === ':' || kind === '(';
}

/** `(a, b) > (1, 2)`, or a relation in parentheses. */
function parseAfterParenthesis(cursor: TokenCursor): Relation {
  if (!beginsColumnTuple(cursor)) {
    cursor.skip('(');
    cursor.descend();
    const relation = parseRelation(cursor);
    cursor.rise();
    cursor.skip(')');
    return relation;
  }
  const columns = parseParenthesized(cursor, parseColumnName);
  if (cursor.accept('in')) return { kind: 'tupleIn', columns, values: parseTupleInValues(cursor) };
  if (!isComparison(cursor.kind)) cursor.noViableAlternative();
  if (!beginsInValues(cursor.peek(1))) cursor.noViableAlternative(1);
  const operator = parseComparison(cursor);
  return { kind: 'tupleComparison', columns, operator, term: parseTupleOrMarker(cursor) };
}

function beginsColumnTuple(cursor: TokenCursor): boolean {
  const inside = cursor.peek(1);
  if (inside === '(' || inside === 'token') return false;
  if (!isColumnName(inside)) cursor.noViableAlternative(1);
  const next = cursor.peek(2);
  if (next === ',' || next === ')') return true;
  if (!continuesColumn(next)) cursor.noViableAlternative(2);
  return false;
}

function parseTupleOrMarker(cursor: TokenCursor): Term {
  if (cursor.kind === '(') return parseTupleLiteral(cursor);
  if (cursor.kind !== 'QMARK' && cursor.kind !== ':') cursor.noViableAlternative();
  return parseMarker(cursor, 'tuple');
}

function parseTupleInValues(cursor: TokenCursor): InValues {
  if (cursor.kind === 'QMARK' || cursor.kind === ':') return parseMarker(cursor, 'tupleInValues');
  if (cursor.kind !== '(') cursor.noViableAlternative();
  const inside = cursor.peek(1);
  if (inside !== ')' && inside !== '(' && inside !== 'QMARK' && inside !== ':') cursor.noViableAlternative(1);
  cursor.skip('(');
  if (cursor.accept(')')) return [];
  const isLiteral = cursor.kind === '(';
  const values = parseList(cursor, isLiteral ? parseTupleLiteral : parseTupleMarker);
  cursor.skip(')');
  return values;
}

function parseTupleMarker(cursor: TokenCursor): Term {
  if (cursor.kind !== 'QMARK' && cursor.kind !== ':') cursor.noViableAlternative();
  return parseMarker(cursor, 'tuple');
}

/** `(1, 2)`, `()` or a marker. */
export function parseInValues(cursor: TokenCursor): InValues {
  if (cursor.kind === 'QMARK' || cursor.kind === ':') return parseMarker(cursor, 'inValues');
  if (!cursor.accept('(')) cursor.noViableAlternative();
  const values = beginsTerm(cursor.kind) ? parseList(cursor, parseTerm) : [];
  cursor.skip(')');
  return values;
}

/** `CONTAINS` or `CONTAINS KEY`. */
export function parseContains(cursor: TokenCursor): 'CONTAINS' | 'CONTAINS KEY' {
  cursor.skip('contains');
  if (cursor.kind === 'key' && !isKeyAKeyspace(cursor)) {
    cursor.take();
    return 'CONTAINS KEY';
  }
  return 'CONTAINS';
}

/** `CONTAINS key.f()` calls a function of a keyspace named key. */
function isKeyAKeyspace(cursor: TokenCursor): boolean {
  const next = cursor.peek(1);
  if (next !== '.' && !beginsTerm(next)) cursor.noViableAlternative(1);
  return next === '.';
}

/** `[term]` after a column. */
export function parseElementKey(cursor: TokenCursor): Term {
  cursor.skip('[');
  const key = parseTerm(cursor);
  cursor.skip(']');
  return key;
}

export function isComparison(kind: TokenKind): kind is ComparisonOperator {
  return kind === '=' || kind === '<' || kind === '<=' || kind === '>' || kind === '>=' || kind === '!=';
}

export function parseComparison(cursor: TokenCursor): ComparisonOperator {
  const { kind } = cursor;
  if (!isComparison(kind)) return cursor.noViableAlternative();
  cursor.take();
  return kind;
}
