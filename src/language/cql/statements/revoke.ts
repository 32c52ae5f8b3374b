import { parseRoleName } from '../names.ts';
import { applicablePermissions, type PermissionResource, parseResource } from '../permission-resource.ts';
import { type Permission, parsePermissions } from '../permissions.ts';
import type { TokenCursor } from '../token-cursor.ts';

export interface RevokePermissionsStatement {
  readonly kind: 'revokePermissions';
  readonly permissions: readonly Permission[];
  readonly resource: PermissionResource;
  readonly revokee: string;
}

export interface RevokeRoleStatement {
  readonly kind: 'revokeRole';
  readonly role: string;
  readonly revokee: string;
}

export function parseRevokePermissions(cursor: TokenCursor): RevokePermissionsStatement {
  cursor.skip('revoke');
  const requested = parsePermissions(cursor);
  cursor.skip('on');
  const resource = parseResource(cursor);
  cursor.skip('from');
  const revokee = parseRoleName(cursor);
  const permissions = applicablePermissions(cursor, requested, resource);
  return { kind: 'revokePermissions', permissions, resource, revokee };
}

export function parseRevokeRole(cursor: TokenCursor): RevokeRoleStatement {
  cursor.skip('revoke');
  const role = parseRoleName(cursor);
  cursor.skip('from');
  return { kind: 'revokeRole', role, revokee: parseRoleName(cursor) };
}
