import type { TokenCursor } from '../token-cursor.ts';

export interface ListUsersStatement {
  readonly kind: 'listUsers';
}

export function parseListUsers(cursor: TokenCursor): ListUsersStatement {
  cursor.skipAll('list', 'users');
  return { kind: 'listUsers' };
}
