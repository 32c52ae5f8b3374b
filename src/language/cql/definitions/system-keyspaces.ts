import type { CqlSchema } from '../../../catalog/cql/cql-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { Definition } from './definition.ts';
import { unauthorized } from './definition-errors.ts';

const local: ReadonlySet<string> = new Set([
  'system',
  'system_schema',
  'system_views',
  'system_virtual_schema',
]);
const replicated: ReadonlySet<string> = new Set(['system_auth', 'system_distributed', 'system_traces']);

/** What is the server's own is not changed by anybody; of some keyspaces Cassandra lets the replication be changed. */
export function refuseSystemKeyspace(definition: Definition, schema: CqlSchema): void {
  const { keyspace, permission, resource } = definition;
  const name = keyspace.toLowerCase();
  if (resource !== undefined) {
    if (local.has(name)) throw unauthorized(`${keyspace} keyspace is not user-modifiable.`);
    if (replicated.has(name) && !isReplication(definition))
      throw unauthorized(`Cannot ${permission} ${resource}`);
  }
  if (local.has(name)) throw invalidRequest(`System keyspace '${keyspace}' is not user-modifiable`);
  if (schema.keyspaces.get(keyspace)?.isVirtual === true && !replicated.has(name))
    throw invalidRequest(`Virtual keyspace '${keyspace}' is not user-modifiable`);
}

function isReplication({ keyspace, permission, resource }: Definition): boolean {
  return permission === 'ALTER' && resource === `<keyspace ${keyspace}>`;
}
