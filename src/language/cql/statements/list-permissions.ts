import { parseRoleName } from '../names.ts';
import { type PermissionResource, parseResource } from '../permission-resource.ts';
import { type Permission, parsePermissions } from '../permissions.ts';
import type { TokenCursor } from '../token-cursor.ts';

export interface ListPermissionsStatement {
  readonly kind: 'listPermissions';
  readonly permissions: readonly Permission[];
  readonly resource: PermissionResource | null;
  readonly of: string | null;
  readonly isRecursive: boolean;
}

export function parseListPermissions(cursor: TokenCursor): ListPermissionsStatement {
  cursor.skip('list');
  const permissions = parsePermissions(cursor);
  const resource = cursor.accept('on') ? parseResource(cursor) : null;
  const of = cursor.accept('of') ? parseRoleName(cursor) : null;
  const isRecursive = !cursor.accept('norecursive');
  return { kind: 'listPermissions', permissions, resource, of, isRecursive };
}
