// What follows IF in an UPDATE or a DELETE.

import type { TokenKind } from './cql-token-kind.ts';
import { parseColumnName, parseName } from './names.ts';
import {
  type ComparisonOperator,
  type InValues,
  isComparison,
  parseComparison,
  parseContains,
  parseElementKey,
  parseInValues,
} from './relations.ts';
import { parseTerm, type Term } from './terms.ts';
import type { TokenCursor } from './token-cursor.ts';

/** The part of a column that a condition looks at: all of it, one element, one field. */
export type ConditionTarget =
  | { readonly kind: 'column'; readonly column: string }
  | { readonly kind: 'element'; readonly column: string; readonly key: Term }
  | { readonly kind: 'field'; readonly column: string; readonly field: string };

export type Condition =
  | {
      readonly kind: 'comparison';
      readonly target: ConditionTarget;
      readonly operator: ComparisonOperator | 'CONTAINS' | 'CONTAINS KEY';
      readonly term: Term;
    }
  | { readonly kind: 'in'; readonly target: ConditionTarget; readonly values: InValues };

export type IfClause = 'exists' | readonly Condition[];

/** `IF EXISTS` or `IF condition AND …`; null where there is no IF. */
export function parseIfClause(cursor: TokenCursor): IfClause | null {
  if (!cursor.accept('if')) return null;
  if (cursor.kind === 'exists' && !isColumnNamedExists(cursor)) {
    cursor.take();
    return 'exists';
  }
  const conditions = [parseCondition(cursor)];
  while (cursor.accept('and')) conditions.push(parseCondition(cursor));
  return conditions;
}

function isColumnNamedExists(cursor: TokenCursor): boolean {
  const next = cursor.peek(1);
  if (isComparison(next) || next === 'contains' || next === 'in' || next === '[' || next === '.') return true;
  return endsModification(next) ? false : cursor.noViableAlternative(1);
}

/** A modification ends with the text, or with what goes on in its batch. */
function endsModification(kind: TokenKind): boolean {
  return (
    kind === 'EOF' ||
    kind === ';' ||
    kind === 'apply' ||
    kind === 'insert' ||
    kind === 'update' ||
    kind === 'delete'
  );
}

function parseCondition(cursor: TokenCursor): Condition {
  const column = parseColumnName(cursor);
  if (cursor.kind === 'contains') {
    const operator = parseContains(cursor);
    return { kind: 'comparison', target: { kind: 'column', column }, operator, term: parseTerm(cursor) };
  }
  const target = parseTarget(cursor, column);
  if (cursor.accept('in')) return { kind: 'in', target, values: parseInValues(cursor) };
  if (!isComparison(cursor.kind)) cursor.noViableAlternative();
  return { kind: 'comparison', target, operator: parseComparison(cursor), term: parseTerm(cursor) };
}

function parseTarget(cursor: TokenCursor, column: string): ConditionTarget {
  if (cursor.kind === '[') return { kind: 'element', column, key: parseElementKey(cursor) };
  if (cursor.accept('.')) return { kind: 'field', column, field: parseName(cursor) };
  return { kind: 'column', column };
}
