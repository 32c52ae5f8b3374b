import { parseIfNotExists } from '../existence-clause.ts';
import type { TokenCursor } from '../token-cursor.ts';
import { parseUserName, parseUserOptions } from '../user-options.ts';
import type { CreateRoleStatement } from './create-role.ts';

export function parseCreateUser(cursor: TokenCursor): CreateRoleStatement {
  cursor.skipAll('create', 'user');
  const ifNotExists = parseIfNotExists(cursor);
  const role = parseUserName(cursor);
  return { kind: 'createRole', ifNotExists, role, options: { ...parseUserOptions(cursor), canLogin: true } };
}
