import { parseList } from '../comma-list.ts';
import { type IfClause, parseIfClause } from '../conditions.ts';
import { isColumnName, parseColumnName, parseName, parseTableName, type QualifiedName } from '../names.ts';
import { parseElementKey, parseWhere, type Relation } from '../relations.ts';
import type { Term } from '../terms.ts';
import type { TokenCursor } from '../token-cursor.ts';
import { parseUsingTimestamp } from '../using-clause.ts';

export interface DeleteStatement {
  readonly kind: 'delete';
  /** Empty where whole rows go. */
  readonly deletions: readonly Deletion[];
  readonly table: QualifiedName;
  readonly timestamp: Term | null;
  readonly where: readonly Relation[];
  readonly if: IfClause | null;
}

export type Deletion =
  | { readonly kind: 'column'; readonly column: string }
  | { readonly kind: 'element'; readonly column: string; readonly key: Term }
  | { readonly kind: 'field'; readonly column: string; readonly field: string };

export function parseDelete(cursor: TokenCursor): DeleteStatement {
  cursor.skip('delete');
  const deletions = isColumnName(cursor.kind) ? parseList(cursor, parseDeletion) : [];
  cursor.skip('from');
  const table = parseTableName(cursor);
  const timestamp = parseUsingTimestamp(cursor);
  cursor.skip('where');
  return {
    kind: 'delete',
    deletions,
    table,
    timestamp,
    where: parseWhere(cursor),
    if: parseIfClause(cursor),
  };
}

function parseDeletion(cursor: TokenCursor): Deletion {
  checkDeletion(cursor);
  const column = parseColumnName(cursor);
  if (cursor.kind === '[') return { kind: 'element', column, key: parseElementKey(cursor) };
  if (cursor.accept('.')) return { kind: 'field', column, field: parseName(cursor) };
  return { kind: 'column', column };
}

/** The three forms are told apart by the token after the column, and refused there. */
function checkDeletion(cursor: TokenCursor): void {
  if (!isColumnName(cursor.kind)) cursor.noViableAlternative();
  const next = cursor.peek(1);
  if (next !== '[' && next !== '.' && next !== ',' && next !== 'from') cursor.noViableAlternative(1);
}
