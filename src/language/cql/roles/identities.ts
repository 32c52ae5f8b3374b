// ADD and DROP IDENTITY: names of client certificates for roles. They are kept and shown; no login goes by them yet.

import type { Roles } from '../../../catalog/cql/roles.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { StatementAnswer } from '../../../execution/cql/statement-request.ts';
import type { AddIdentityStatement } from '../statements/add-identity.ts';
import type { DropIdentityStatement } from '../statements/drop-identity.ts';
import { doneAnswer } from './role-statement.ts';

export async function addIdentity(
  roles: Roles,
  { identity, role, ifNotExists }: AddIdentityStatement,
): Promise<StatementAnswer> {
  if (roles.find(role) === undefined)
    throw invalidRequest(`Can not add identity for non-existent role '${role}'`);
  const exists = roles.hasIdentity(identity);
  if (exists && !ifNotExists) throw invalidRequest(`${identity} already exists`);
  if (!exists) await roles.addIdentity(identity, role);
  return doneAnswer;
}

export async function dropIdentity(
  roles: Roles,
  { identity, ifExists }: DropIdentityStatement,
): Promise<StatementAnswer> {
  const exists = roles.hasIdentity(identity);
  if (!exists && !ifExists) throw invalidRequest(`identity '${identity}' doesn't exist`);
  if (exists) await roles.dropIdentity(identity);
  return doneAnswer;
}
