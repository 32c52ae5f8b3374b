import { parseIfNotExists } from '../existence-clause.ts';
import { parseRoleName } from '../names.ts';
import { parseRoleOptions, type RoleOptions } from '../role-options.ts';
import type { TokenCursor } from '../token-cursor.ts';

/** CREATE USER makes one too, with login. */
export interface CreateRoleStatement {
  readonly kind: 'createRole';
  readonly ifNotExists: boolean;
  readonly role: string;
  readonly options: RoleOptions;
}

export function parseCreateRole(cursor: TokenCursor): CreateRoleStatement {
  cursor.skipAll('create', 'role');
  const ifNotExists = parseIfNotExists(cursor);
  const role = parseRoleName(cursor);
  return { kind: 'createRole', ifNotExists, role, options: parseRoleOptions(cursor) };
}
