import type { TokenKind } from './cql-token-kind.ts';
import type { TokenCursor } from './token-cursor.ts';

export type Permission =
  | 'CREATE'
  | 'ALTER'
  | 'DROP'
  | 'SELECT'
  | 'MODIFY'
  | 'AUTHORIZE'
  | 'DESCRIBE'
  | 'EXECUTE'
  | 'UNMASK'
  | 'SELECT_MASKED';

const permissionsByWord: ReadonlyMap<TokenKind, Permission> = new Map<TokenKind, Permission>([
  ['create', 'CREATE'],
  ['alter', 'ALTER'],
  ['drop', 'DROP'],
  ['select', 'SELECT'],
  ['modify', 'MODIFY'],
  ['authorize', 'AUTHORIZE'],
  ['describe', 'DESCRIBE'],
  ['execute', 'EXECUTE'],
  ['unmask', 'UNMASK'],
  ['select_masked', 'SELECT_MASKED'],
]);

/** The words that begin `LIST …` of permissions, beside ALL. */
export const permissionWords: readonly TokenKind[] = [...permissionsByWord.keys()];
const allPermissions: readonly Permission[] = [...permissionsByWord.values()];

export function isPermission(kind: TokenKind): boolean {
  return permissionsByWord.has(kind);
}

/** `ALL [PERMISSIONS]`, or permissions with a comma between them, each with PERMISSION behind it or not. */
export function parsePermissions(cursor: TokenCursor): readonly Permission[] {
  if (cursor.accept('all')) {
    cursor.accept('permissions');
    return allPermissions;
  }
  if (!isPermission(cursor.kind)) cursor.noViableAlternative();
  const permissions = new Set<Permission>();
  do permissions.add(parsePermission(cursor));
  while (cursor.accept(','));
  return allPermissions.filter((permission) => permissions.has(permission));
}

function parsePermission(cursor: TokenCursor): Permission {
  const permission = permissionsByWord.get(cursor.kind);
  if (permission === undefined) return cursor.mismatchedSet();
  cursor.take();
  cursor.accept('permission');
  return permission;
}
