import type { PreparedStatement, StatementContext } from '../prepared-statement.ts';
import type { AddIdentityStatement } from '../statements/add-identity.ts';
import type { AlterRoleStatement } from '../statements/alter-role.ts';
import type { CreateRoleStatement } from '../statements/create-role.ts';
import type { DropIdentityStatement } from '../statements/drop-identity.ts';
import type { DropRoleStatement } from '../statements/drop-role.ts';
import type { GrantPermissionsStatement, GrantRoleStatement } from '../statements/grant.ts';
import type { ListPermissionsStatement } from '../statements/list-permissions.ts';
import type { ListRolesStatement } from '../statements/list-roles.ts';
import type { ListUsersStatement } from '../statements/list-users.ts';
import type { RevokePermissionsStatement, RevokeRoleStatement } from '../statements/revoke.ts';
import type { BindMarker } from '../token-cursor.ts';
import { alterRole, createRole, dropRole } from './alter-roles.ts';
import { grantPermissions, grantRole, revokePermissions, revokeRole } from './grant-roles.ts';
import { addIdentity, dropIdentity } from './identities.ts';
import { listPermissions, listRoles, listUsers } from './list-roles.ts';
import { roleStatement } from './role-statement.ts';

export type RoleStatement =
  | CreateRoleStatement
  | AlterRoleStatement
  | DropRoleStatement
  | ListRolesStatement
  | ListUsersStatement
  | ListPermissionsStatement
  | GrantPermissionsStatement
  | GrantRoleStatement
  | RevokePermissionsStatement
  | RevokeRoleStatement
  | AddIdentityStatement
  | DropIdentityStatement;

export function prepareRole(
  statement: RoleStatement,
  _markers: readonly BindMarker[],
  context: StatementContext,
): PreparedStatement {
  const { roles } = context.parts;
  switch (statement.kind) {
    case 'createRole':
      return roleStatement((session) => createRole(roles, statement, session));
    case 'alterRole':
      return roleStatement((session) => alterRole(roles, statement, session));
    case 'dropRole':
      return roleStatement((session) => dropRole(roles, statement, session));
    case 'listRoles':
      return roleStatement(() => listRoles(roles, statement));
    case 'listUsers':
      return roleStatement(() => listUsers(roles));
    case 'listPermissions':
      return roleStatement(() => listPermissions(roles, statement, context));
    case 'grantPermissions':
      return roleStatement(() => grantPermissions(roles, statement, context));
    case 'grantRole':
      return roleStatement(() => grantRole(roles, statement));
    case 'revokePermissions':
      return roleStatement(() => revokePermissions(roles, statement, context));
    case 'revokeRole':
      return roleStatement(() => revokeRole(roles, statement));
    case 'addIdentity':
      return roleStatement(() => addIdentity(roles, statement));
    case 'dropIdentity':
      return roleStatement(() => dropIdentity(roles, statement));
  }
}
