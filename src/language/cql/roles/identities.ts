// ADD and DROP IDENTITY: names of client certificates for roles. They are kept and shown; no login goes by them yet.

import type { Roles } from '../../../catalog/cql/roles.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { StatementAnswer } from '../../../execution/cql/statement-request.ts';
import type { AddIdentityStatement } from '../statements/add-identity.ts';
import type { DropIdentityStatement } from '../statements/drop-identity.ts';
import { doneAnswer } from './role-statement.ts';

export function checkAddIdentity(roles: Roles, { identity, role, ifNotExists }: AddIdentityStatement): void {
  if (roles.find(role) === undefined)
    throw invalidRequest(`Can not add identity for non-existent role '${role}'`);
  if (roles.hasIdentity(identity) && !ifNotExists) throw invalidRequest(`${identity} already exists`);
}

export async function addIdentity(
  roles: Roles,
  { identity, role }: AddIdentityStatement,
): Promise<StatementAnswer> {
  if (!roles.hasIdentity(identity)) await roles.addIdentity(identity, role);
  return doneAnswer;
}

export function checkDropIdentity(roles: Roles, { identity, ifExists }: DropIdentityStatement): void {
  if (!roles.hasIdentity(identity) && !ifExists) throw invalidRequest(`identity '${identity}' doesn't exist`);
}

export async function dropIdentity(
  roles: Roles,
  { identity }: DropIdentityStatement,
): Promise<StatementAnswer> {
  if (roles.hasIdentity(identity)) await roles.dropIdentity(identity);
  return doneAnswer;
}
