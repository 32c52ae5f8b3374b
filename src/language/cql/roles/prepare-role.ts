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
import {
  alterRole,
  checkAlterRole,
  checkCreateRole,
  checkDropRole,
  createRole,
  dropRole,
} from './alter-roles.ts';
import { checkExist, checkPermissions, grantRole, refusePermissions, revokeRole } from './grant-roles.ts';
import { addIdentity, checkAddIdentity, checkDropIdentity, dropIdentity } from './identities.ts';
import {
  checkListed,
  checkListedPermissions,
  listRoles,
  listUsers,
  refuseListOfPermissions,
} from './list-roles.ts';
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
      return roleStatement(
        (session) => checkCreateRole(roles, statement, session),
        () => createRole(roles, statement),
      );
    case 'alterRole':
      return roleStatement(
        (session) => checkAlterRole(roles, statement, session),
        () => alterRole(roles, statement),
      );
    case 'dropRole':
      return roleStatement(
        (session) => checkDropRole(roles, statement, session),
        () => dropRole(roles, statement),
      );
    case 'listRoles':
      return roleStatement(
        () => checkListed(roles, statement.of),
        () => listRoles(roles, statement),
      );
    case 'listUsers':
      return roleStatement(
        () => {},
        () => listUsers(roles),
      );
    case 'listPermissions':
      return roleStatement(
        () => checkListedPermissions(roles, statement, context),
        () => refuseListOfPermissions(),
      );
    case 'grantPermissions':
      return roleStatement(
        () => checkPermissions(roles, statement.grantee, statement, context),
        () => refusePermissions('GRANT'),
      );
    case 'grantRole':
      return roleStatement(
        () => checkExist(roles, statement.role, statement.grantee),
        () => grantRole(roles, statement),
      );
    case 'revokePermissions':
      return roleStatement(
        () => checkPermissions(roles, statement.revokee, statement, context),
        () => refusePermissions('REVOKE'),
      );
    case 'revokeRole':
      return roleStatement(
        () => checkExist(roles, statement.role, statement.revokee),
        () => revokeRole(roles, statement),
      );
    case 'addIdentity':
      return roleStatement(
        () => checkAddIdentity(roles, statement),
        () => addIdentity(roles, statement),
      );
    case 'dropIdentity':
      return roleStatement(
        () => checkDropIdentity(roles, statement),
        () => dropIdentity(roles, statement),
      );
  }
}
