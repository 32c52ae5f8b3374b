import { parseRoleName } from '../names.ts';
import { applicablePermissions, type PermissionResource, parseResource } from '../permission-resource.ts';
import { type Permission, parsePermissions } from '../permissions.ts';
import type { TokenCursor } from '../token-cursor.ts';

export interface GrantPermissionsStatement {
  readonly kind: 'grantPermissions';
  readonly permissions: readonly Permission[];
  readonly resource: PermissionResource;
  readonly grantee: string;
}

export interface GrantRoleStatement {
  readonly kind: 'grantRole';
  readonly role: string;
  readonly grantee: string;
}

export function parseGrantPermissions(cursor: TokenCursor): GrantPermissionsStatement {
  cursor.skip('grant');
  const requested = parsePermissions(cursor);
  cursor.skip('on');
  const resource = parseResource(cursor);
  cursor.skip('to');
  const grantee = parseRoleName(cursor);
  const permissions = applicablePermissions(cursor, requested, resource);
  return { kind: 'grantPermissions', permissions, resource, grantee };
}

export function parseGrantRole(cursor: TokenCursor): GrantRoleStatement {
  cursor.skip('grant');
  const role = parseRoleName(cursor);
  cursor.skip('to');
  return { kind: 'grantRole', role, grantee: parseRoleName(cursor) };
}
