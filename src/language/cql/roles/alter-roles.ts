// CREATE, ALTER and DROP of roles, in Cassandra's order of checks. Everybody who has logged in may manage roles, as with its
// AllowAllAuthorizer; only what concerns superusers is theirs.

import { readBcrypt } from '../../../catalog/cql/bcrypt.ts';
import type { RoleChange, Roles } from '../../../catalog/cql/roles.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { StatementAnswer, StatementSession } from '../../../execution/cql/statement-request.ts';
import type { RoleOptions } from '../role-options.ts';
import type { AlterRoleStatement } from '../statements/alter-role.ts';
import type { CreateRoleStatement } from '../statements/create-role.ts';
import type { DropRoleStatement } from '../statements/drop-role.ts';
import { doneAnswer, isSuperuser, unauthorized } from './role-statement.ts';

/** The only data centre there is. */
const datacenter = 'datacenter1';

export function checkCreateRole(
  roles: Roles,
  { role, options, ifNotExists }: CreateRoleStatement,
  session: StatementSession,
): void {
  if (options.isSuperuser === true && !isSuperuser(roles, session))
    throw unauthorized('Only superusers can create a role with superuser status');
  checkOptions(options);
  if (role === '') throw invalidRequest("Role name can't be an empty string");
  checkAccess(options);
  if (roles.find(role) !== undefined && !ifNotExists) throw invalidRequest(`${role} already exists`);
}

export async function createRole(
  roles: Roles,
  { role, options }: CreateRoleStatement,
): Promise<StatementAnswer> {
  if (roles.find(role) === undefined) await roles.create(role, changeOf(options));
  return doneAnswer;
}

export function checkAlterRole(
  roles: Roles,
  { role, options, ifExists }: AlterRoleStatement,
  session: StatementSession,
): void {
  checkMayAlter(roles, role, options, session);
  checkOptions(options);
  const isEmpty = Object.values(options).every((option) => option === null);
  if (isEmpty) throw invalidRequest("ALTER [ROLE|USER] can't be empty");
  checkAccess(options);
  if (roles.find(role) === undefined && !ifExists) throw invalidRequest(`Role ${role} doesn't exist`);
}

export async function alterRole(
  roles: Roles,
  { role, options }: AlterRoleStatement,
): Promise<StatementAnswer> {
  if (roles.find(role) === undefined) return doneAnswer;
  if (options.datacenters !== null)
    throw invalidRequest('ACCESS TO DATACENTERS operations not supported by AllowAllNetworkAuthorizer');
  await roles.alter(role, changeOf(options));
  return doneAnswer;
}

export function checkDropRole(
  roles: Roles,
  { role, ifExists }: DropRoleStatement,
  session: StatementSession,
): void {
  const exists = roles.find(role) !== undefined;
  if (exists && roles.isSuperuser(role) && !isSuperuser(roles, session))
    throw unauthorized('Only superusers can drop a role with superuser status');
  if (!exists && !ifExists) throw invalidRequest(`${role} doesn't exist`);
  if (role === session.role) throw invalidRequest('Cannot DROP primary role for current login');
}

export async function dropRole(roles: Roles, { role }: DropRoleStatement): Promise<StatementAnswer> {
  if (roles.find(role) !== undefined) await roles.drop(role);
  return doneAnswer;
}

function checkMayAlter(roles: Roles, role: string, options: RoleOptions, session: StatementSession): void {
  const own = session.role;
  const isOwn = own !== undefined && roles.rolesOf(own, true).some(({ name }) => name === role);
  if (options.isSuperuser !== null && isOwn)
    throw unauthorized(
      "You aren't allowed to alter your own superuser status or that of a role granted to you",
    );
  if (isSuperuser(roles, session)) return;
  if (options.isSuperuser !== null)
    throw unauthorized('Only superusers are allowed to alter superuser status');
  if (own !== role) return;
  if (options.canLogin !== null) throw unauthorized("You aren't allowed to alter LOGIN");
  if (options.options !== null) throw unauthorized("You aren't allowed to alter OPTIONS");
}

function checkOptions(options: RoleOptions): void {
  const manager = 'org.apache.cassandra.auth.CassandraRoleManager';
  if (options.options !== null) throw invalidRequest(`${manager} doesn't support OPTIONS`);
  if (options.hashedPassword !== null && readBcrypt(options.hashedPassword) === undefined)
    throw invalidRequest('Invalid hashed password value. Please use jBcrypt.');
}

function checkAccess(options: RoleOptions): void {
  checkDatacenters(options);
  const { cidrs } = options;
  if (cidrs === null || cidrs === 'all') return;
  // Groups are made by an operator of Cassandra; nobody can make one here.
  throw invalidRequest(`Invalid CIDR group(s): [${cidrs.join(', ')}]. Available CIDR Groups are: []`);
}

function checkDatacenters({ datacenters }: RoleOptions): void {
  if (datacenters === null || datacenters === 'all' || datacenters.every((name) => name === datacenter))
    return;
  throw invalidRequest(
    `Invalid value(s) for DATACENTERS '[${datacenters.join(', ')}]',All values must be valid datacenters`,
  );
}

function changeOf({ isSuperuser, canLogin, password, hashedPassword }: RoleOptions): RoleChange {
  return {
    isSuperuser: isSuperuser ?? undefined,
    canLogin: canLogin ?? undefined,
    password: password ?? undefined,
    hashedPassword: hashedPassword ?? undefined,
  };
}
