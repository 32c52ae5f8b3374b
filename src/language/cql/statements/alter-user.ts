import { parseIfExists } from '../existence-clause.ts';
import type { TokenCursor } from '../token-cursor.ts';
import { parseUserName, parseUserOptions } from '../user-options.ts';
import type { AlterRoleStatement } from './alter-role.ts';

export function parseAlterUser(cursor: TokenCursor): AlterRoleStatement {
  cursor.skipAll('alter', 'user');
  const ifExists = parseIfExists(cursor);
  const role = parseUserName(cursor);
  return { kind: 'alterRole', ifExists, role, options: parseUserOptions(cursor) };
}
