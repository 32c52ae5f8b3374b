import { parseIfExists } from '../existence-clause.ts';
import { parseName, parseTableName, type QualifiedName } from '../names.ts';
import type { TokenCursor } from '../token-cursor.ts';

export interface DropTriggerStatement {
  readonly kind: 'dropTrigger';
  readonly ifExists: boolean;
  readonly name: string;
  readonly table: QualifiedName;
}

export function parseDropTrigger(cursor: TokenCursor): DropTriggerStatement {
  cursor.skipAll('drop', 'trigger');
  const ifExists = parseIfExists(cursor);
  const name = parseName(cursor);
  cursor.skip('on');
  return { kind: 'dropTrigger', ifExists, name, table: parseTableName(cursor) };
}
