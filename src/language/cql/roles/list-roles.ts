import type { Role, Roles } from '../../../catalog/cql/roles.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { ColumnSpec } from '../../../execution/cql/column-spec.ts';
import type { StatementAnswer } from '../../../execution/cql/statement-request.ts';
import { encodeCqlValue } from '../../../values/cql-codec.ts';
import type { CqlType } from '../../../values/cql-type.ts';
import type { StatementContext } from '../prepared-statement.ts';
import type { ListPermissionsStatement } from '../statements/list-permissions.ts';
import type { ListRolesStatement } from '../statements/list-roles.ts';
import { missingResource } from './permission-resources.ts';
import { doneAnswer, rowsAnswer } from './role-statement.ts';

const text: CqlType = { kind: 'text' };
const boolean: CqlType = { kind: 'boolean' };
const options: CqlType = { kind: 'map', key: text, value: text, frozen: true };
/** As for every role with Cassandra's AllowAllNetworkAuthorizer. */
const datacenters = Buffer.from('ALL');
const noOptions = Buffer.alloc(4);

const roleColumns: readonly ColumnSpec[] = [
  { keyspace: 'system_auth', table: 'roles', name: 'role', type: text },
  { keyspace: 'system_auth', table: 'roles', name: 'super', type: boolean },
  { keyspace: 'system_auth', table: 'roles', name: 'login', type: boolean },
  { keyspace: 'system_auth', table: 'roles', name: 'options', type: options },
  { keyspace: 'system_auth', table: 'roles', name: 'datacenters', type: text },
];

const userColumns: readonly ColumnSpec[] = [
  { keyspace: 'system_auth', table: 'users', name: 'name', type: text },
  { keyspace: 'system_auth', table: 'users', name: 'super', type: boolean },
  { keyspace: 'system_auth', table: 'users', name: 'datacenters', type: text },
];

export function checkListed(roles: Roles, of: string | null): void {
  if (of !== null && roles.find(of) === undefined) throw invalidRequest(`<role ${of}> doesn't exist`);
}

export function listRoles(roles: Roles, { of, isRecursive }: ListRolesStatement): StatementAnswer {
  const listed = of === null ? roles.all() : roles.rolesOf(of, isRecursive);
  if (listed.length === 0) return doneAnswer;
  const row = ({ name, isSuperuser, canLogin }: Role): Buffer[] => [
    Buffer.from(name),
    booleanBytes(isSuperuser),
    booleanBytes(canLogin),
    noOptions,
    datacenters,
  ];
  return rowsAnswer(roleColumns, listed.map(row));
}

export function listUsers(roles: Roles): StatementAnswer {
  const users = roles.all().filter(({ canLogin }) => canLogin);
  const row = ({ name }: Role): Buffer[] => [
    Buffer.from(name),
    booleanBytes(roles.isSuperuser(name)),
    datacenters,
  ];
  return rowsAnswer(userColumns, users.map(row));
}

export function checkListedPermissions(
  roles: Roles,
  { of, resource }: ListPermissionsStatement,
  context: StatementContext,
): void {
  const missing = resource === null ? undefined : missingResource(resource, roles, context);
  if (missing !== undefined) throw invalidRequest(`${missing} doesn't exist`);
  checkListed(roles, of);
}

export function refuseListOfPermissions(): never {
  throw invalidRequest('LIST PERMISSIONS operation is not supported by AllowAllAuthorizer');
}

function booleanBytes(value: boolean): Buffer {
  return encodeCqlValue(boolean, value) ?? Buffer.of(value ? 1 : 0);
}
