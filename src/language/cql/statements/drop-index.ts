import { parseIfExists } from '../existence-clause.ts';
import { parseIndexName, type QualifiedName } from '../names.ts';
import type { TokenCursor } from '../token-cursor.ts';

export interface DropIndexStatement {
  readonly kind: 'dropIndex';
  readonly ifExists: boolean;
  readonly index: QualifiedName;
}

export function parseDropIndex(cursor: TokenCursor): DropIndexStatement {
  cursor.skipAll('drop', 'index');
  const ifExists = parseIfExists(cursor);
  return { kind: 'dropIndex', ifExists, index: parseIndexName(cursor) };
}
