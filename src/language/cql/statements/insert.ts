import { parseParenthesized } from '../comma-list.ts';
import { parseIfNotExists } from '../existence-clause.ts';
import { parseColumnName, parseTableName, type QualifiedName } from '../names.ts';
import { type Constant, parseMarker, parseTerm, type Term } from '../terms.ts';
import type { BindMarker, TokenCursor } from '../token-cursor.ts';
import { parseUsing, type UsingClause } from '../using-clause.ts';

export interface InsertStatement {
  readonly kind: 'insert';
  readonly table: QualifiedName;
  readonly columns: readonly string[];
  /** As many as were written, which need not be as many as the columns. */
  readonly values: readonly Term[];
  readonly ifNotExists: boolean;
  readonly using: UsingClause;
}

export interface InsertJsonStatement {
  readonly kind: 'insertJson';
  readonly table: QualifiedName;
  readonly json: Constant | BindMarker;
  /** DEFAULT UNSET: columns that the document does not name are left as they are, and not set to null. */
  readonly keepsUnnamed: boolean;
  readonly ifNotExists: boolean;
  readonly using: UsingClause;
}

export function parseInsert(cursor: TokenCursor): InsertStatement | InsertJsonStatement {
  cursor.skipAll('insert', 'into');
  const table = parseTableName(cursor);
  if (cursor.accept('json')) return parseInsertJson(cursor, table);
  if (cursor.kind !== '(') cursor.noViableAlternative();
  const columns = parseParenthesized(cursor, parseColumnName);
  cursor.skip('values');
  const values = parseParenthesized(cursor, parseTerm);
  return {
    kind: 'insert',
    table,
    columns,
    values,
    ifNotExists: parseIfNotExists(cursor),
    using: parseUsing(cursor),
  };
}

function parseInsertJson(cursor: TokenCursor, table: QualifiedName): InsertJsonStatement {
  return {
    kind: 'insertJson',
    table,
    json: parseJsonValue(cursor),
    keepsUnnamed: parseDefault(cursor),
    ifNotExists: parseIfNotExists(cursor),
    using: parseUsing(cursor),
  };
}

function parseJsonValue(cursor: TokenCursor): Constant | BindMarker {
  if (cursor.kind === 'STRING_LITERAL') return { kind: 'constant', type: 'string', text: cursor.take() };
  if (cursor.kind !== 'QMARK' && cursor.kind !== ':') cursor.noViableAlternative();
  return parseMarker(cursor, 'json');
}

/** `DEFAULT UNSET`; `DEFAULT NULL` says what holds anyway. */
function parseDefault(cursor: TokenCursor): boolean {
  if (!cursor.accept('default')) return false;
  if (cursor.accept('null')) return false;
  if (cursor.accept('unset')) return true;
  return cursor.noViableAlternative();
}
