import { parseIfExists } from '../existence-clause.ts';
import { parseRoleName } from '../names.ts';
import type { TokenCursor } from '../token-cursor.ts';

/** DROP USER makes one too. */
export interface DropRoleStatement {
  readonly kind: 'dropRole';
  readonly ifExists: boolean;
  readonly role: string;
}

export function parseDropRole(cursor: TokenCursor): DropRoleStatement {
  cursor.skipAll('drop', 'role');
  const ifExists = parseIfExists(cursor);
  return { kind: 'dropRole', ifExists, role: parseRoleName(cursor) };
}
