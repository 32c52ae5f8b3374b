import { parseTableName, type QualifiedName } from '../names.ts';
import type { TokenCursor } from '../token-cursor.ts';

export interface TruncateStatement {
  readonly kind: 'truncate';
  readonly table: QualifiedName;
}

export function parseTruncate(cursor: TokenCursor): TruncateStatement {
  cursor.skip('truncate');
  cursor.accept('table');
  return { kind: 'truncate', table: parseTableName(cursor) };
}
