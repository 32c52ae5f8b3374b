import { parseIfExists } from '../existence-clause.ts';
import type { TokenCursor } from '../token-cursor.ts';
import { parseUserName } from '../user-options.ts';
import type { DropRoleStatement } from './drop-role.ts';

export function parseDropUser(cursor: TokenCursor): DropRoleStatement {
  cursor.skipAll('drop', 'user');
  const ifExists = parseIfExists(cursor);
  return { kind: 'dropRole', ifExists, role: parseUserName(cursor) };
}
