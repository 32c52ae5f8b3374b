import type { TokenCursor } from '../token-cursor.ts';
import { parseUsing, type UsingClause } from '../using-clause.ts';
import { type DeleteStatement, parseDelete } from './delete.ts';
import { type InsertJsonStatement, type InsertStatement, parseInsert } from './insert.ts';
import { parseUpdate, type UpdateStatement } from './update.ts';

export interface BatchStatement {
  readonly kind: 'batch';
  readonly type: 'logged' | 'unlogged' | 'counter';
  /** The grammar lets a TTL pass here; that it is not supported is for the checks to say. */
  readonly using: UsingClause;
  readonly statements: readonly ModificationStatement[];
}

export type ModificationStatement = InsertStatement | InsertJsonStatement | UpdateStatement | DeleteStatement;

export function parseBatch(cursor: TokenCursor): BatchStatement {
  cursor.skip('begin');
  const type = parseBatchType(cursor);
  cursor.skip('batch');
  const using = parseUsing(cursor);
  const statements: ModificationStatement[] = [];
  for (;;) {
    const statement = parseModification(cursor);
    if (statement === undefined) break;
    statements.push(statement);
    cursor.accept(';');
  }
  cursor.skipAll('apply', 'batch');
  return { kind: 'batch', type, using, statements };
}

function parseBatchType(cursor: TokenCursor): BatchStatement['type'] {
  if (cursor.accept('unlogged')) return 'unlogged';
  return cursor.accept('counter') ? 'counter' : 'logged';
}

function parseModification(cursor: TokenCursor): ModificationStatement | undefined {
  switch (cursor.kind) {
    case 'insert':
      return parseInsert(cursor);
    case 'update':
      return parseUpdate(cursor);
    case 'delete':
      return parseDelete(cursor);
    default:
      return undefined;
  }
}
