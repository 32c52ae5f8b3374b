import { parseIfExists } from '../existence-clause.ts';
import { parseRoleName } from '../names.ts';
import { parseRoleOptions, type RoleOptions } from '../role-options.ts';
import type { TokenCursor } from '../token-cursor.ts';

/** ALTER USER makes one too. */
export interface AlterRoleStatement {
  readonly kind: 'alterRole';
  readonly ifExists: boolean;
  readonly role: string;
  readonly options: RoleOptions;
}

export function parseAlterRole(cursor: TokenCursor): AlterRoleStatement {
  cursor.skipAll('alter', 'role');
  const ifExists = parseIfExists(cursor);
  const role = parseRoleName(cursor);
  return { kind: 'alterRole', ifExists, role, options: parseRoleOptions(cursor) };
}
