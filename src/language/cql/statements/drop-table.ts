import { parseIfExists } from '../existence-clause.ts';
import { parseTableName, type QualifiedName } from '../names.ts';
import type { TokenCursor } from '../token-cursor.ts';

export interface DropTableStatement {
  readonly kind: 'dropTable';
  readonly ifExists: boolean;
  readonly table: QualifiedName;
}

export function parseDropTable(cursor: TokenCursor): DropTableStatement {
  cursor.skipAll('drop', 'table');
  const ifExists = parseIfExists(cursor);
  return { kind: 'dropTable', ifExists, table: parseTableName(cursor) };
}
