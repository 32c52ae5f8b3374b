import { parseRoleName } from '../names.ts';
import type { TokenCursor } from '../token-cursor.ts';

export interface ListRolesStatement {
  readonly kind: 'listRoles';
  readonly of: string | null;
  readonly isRecursive: boolean;
}

export function parseListRoles(cursor: TokenCursor): ListRolesStatement {
  cursor.skipAll('list', 'roles');
  const of = cursor.accept('of') ? parseRoleName(cursor) : null;
  return { kind: 'listRoles', of, isRecursive: !cursor.accept('norecursive') };
}
