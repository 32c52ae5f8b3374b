import { parseIfNotExists } from '../existence-clause.ts';
import { parseName, parseTableName, type QualifiedName } from '../names.ts';
import type { TokenCursor } from '../token-cursor.ts';

export interface CreateTriggerStatement {
  readonly kind: 'createTrigger';
  readonly ifNotExists: boolean;
  readonly name: string;
  readonly table: QualifiedName;
  readonly className: string;
}

export function parseCreateTrigger(cursor: TokenCursor): CreateTriggerStatement {
  cursor.skipAll('create', 'trigger');
  const ifNotExists = parseIfNotExists(cursor);
  const name = parseName(cursor);
  cursor.skip('on');
  const table = parseTableName(cursor);
  cursor.skip('using');
  return { kind: 'createTrigger', ifNotExists, name, table, className: cursor.expect('STRING_LITERAL') };
}
