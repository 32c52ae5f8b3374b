import { parseIfExists } from '../existence-clause.ts';
import { parseTableName, type QualifiedName } from '../names.ts';
import type { TokenCursor } from '../token-cursor.ts';

export interface DropMaterializedViewStatement {
  readonly kind: 'dropMaterializedView';
  readonly ifExists: boolean;
  readonly view: QualifiedName;
}

export function parseDropMaterializedView(cursor: TokenCursor): DropMaterializedViewStatement {
  cursor.skipAll('drop', 'materialized', 'view');
  const ifExists = parseIfExists(cursor);
  return { kind: 'dropMaterializedView', ifExists, view: parseTableName(cursor) };
}
