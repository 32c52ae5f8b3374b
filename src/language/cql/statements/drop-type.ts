import { parseIfExists } from '../existence-clause.ts';
import type { QualifiedName } from '../names.ts';
import type { TokenCursor } from '../token-cursor.ts';
import { parseUserTypeName } from '../type-name.ts';

export interface DropTypeStatement {
  readonly kind: 'dropType';
  readonly ifExists: boolean;
  readonly name: QualifiedName;
}

export function parseDropType(cursor: TokenCursor): DropTypeStatement {
  cursor.skipAll('drop', 'type');
  const ifExists = parseIfExists(cursor);
  return { kind: 'dropType', ifExists, name: parseUserTypeName(cursor) };
}
