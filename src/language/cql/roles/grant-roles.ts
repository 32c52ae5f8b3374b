// GRANT and REVOKE of roles. Permissions are not kept: who has logged in may do everything with data, and granting one is answered as by a
// Cassandra with the AllowAllAuthorizer.

import type { Roles } from '../../../catalog/cql/roles.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { StatementAnswer } from '../../../execution/cql/statement-request.ts';
import type { StatementContext } from '../prepared-statement.ts';
import type { GrantPermissionsStatement, GrantRoleStatement } from '../statements/grant.ts';
import type { RevokePermissionsStatement, RevokeRoleStatement } from '../statements/revoke.ts';
import { missingResource } from './permission-resources.ts';
import { doneAnswer } from './role-statement.ts';

export async function grantRole(
  roles: Roles,
  { role, grantee }: GrantRoleStatement,
): Promise<StatementAnswer> {
  if (isMember(roles, grantee, role)) throw invalidRequest(`${grantee} is a member of ${role}`);
  if (isMember(roles, role, grantee)) throw invalidRequest(`${role} is a member of ${grantee}`);
  await roles.grant(role, grantee);
  return doneAnswer;
}

export async function revokeRole(
  roles: Roles,
  { role, revokee }: RevokeRoleStatement,
): Promise<StatementAnswer> {
  if (!roles.rolesOf(revokee, false).some(({ name }) => name === role))
    throw invalidRequest(`${revokee} is not a member of ${role}`);
  await roles.revoke(role, revokee);
  return doneAnswer;
}

export function checkPermissions(
  roles: Roles,
  role: string,
  { resource }: GrantPermissionsStatement | RevokePermissionsStatement,
  context: StatementContext,
): void {
  const missing = missingResource(resource, roles, context);
  if (roles.find(role) === undefined) throw invalidRequest(`Role ${role} doesn't exist`);
  if (missing !== undefined) throw invalidRequest(`Resource ${missing} doesn't exist`);
}

export function refusePermissions(operation: 'GRANT' | 'REVOKE'): never {
  throw invalidRequest(`${operation} operation is not supported by AllowAllAuthorizer`);
}

export function checkExist(roles: Roles, ...names: readonly string[]): void {
  const missing = names.find((name) => roles.find(name) === undefined);
  if (missing !== undefined) throw invalidRequest(`${missing} doesn't exist`);
}

function isMember(roles: Roles, member: string, role: string): boolean {
  return roles.rolesOf(member, true).some(({ name }) => name === role);
}
