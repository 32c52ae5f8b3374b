// What GRANT, REVOKE and LIST may name: something that is there. It is asked before anything is said of permissions.

import type { CqlSchema } from '../../../catalog/cql/cql-schema.ts';
import type { Roles } from '../../../catalog/cql/roles.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import { keyspaceOf } from '../definitions/definition.ts';
import type { PermissionResource } from '../permission-resource.ts';
import type { StatementContext } from '../prepared-statement.ts';
import { printTypeName } from '../print-type-name.ts';

/** The name that Cassandra gives the resource, if it is not there. */
export function missingResource(
  resource: PermissionResource,
  roles: Roles,
  context: StatementContext,
): string | undefined {
  const { keyspaces }: CqlSchema = context.schema;
  switch (resource.kind) {
    case 'keyspace':
      return keyspaces.has(resource.keyspace) ? undefined : `<keyspace ${resource.keyspace}>`;
    case 'allTables':
      return keyspaces.has(resource.keyspace) ? undefined : `<all tables in ${resource.keyspace}>`;
    case 'table': {
      const { name } = resource.table;
      const keyspace = keyspaceOf(resource.table.keyspace, context);
      return keyspaces.get(keyspace)?.tables.has(name) === true ? undefined : `<table ${keyspace}.${name}>`;
    }
    case 'role':
      return roles.find(resource.role) === undefined ? `<role ${resource.role}>` : undefined;
    case 'allFunctions': {
      const { keyspace } = resource;
      return keyspace === null || keyspaces.has(keyspace) ? undefined : `<all functions in ${keyspace}>`;
    }
    case 'function': {
      const { keyspace, name } = resource.name;
      if (keyspace === null)
        throw invalidRequest('In this context function name must be explictly qualified by a keyspace');
      // Nobody can make one here.
      return `<function ${keyspace}.${name}(${resource.argumentTypes.map(printTypeName).join(', ')})>`;
    }
    default:
      return undefined;
  }
}
