import type { Keyspace } from '../../../catalog/cql/cql-schema.ts';
import type { TableSchema } from '../../../catalog/cql/table-schema.ts';

/** All of these keyspaces are the server's own. To clients the last are virtual, and others look like keyspaces with rows. */
type SystemKeyspaceKind = 'local' | 'replicated' | 'virtual';

const kinds: ReadonlyMap<string, SystemKeyspaceKind> = new Map([
  ['system', 'local'],
  ['system_schema', 'local'],
  ['system_auth', 'replicated'],
  ['system_distributed', 'replicated'],
  ['system_traces', 'replicated'],
  ['system_views', 'virtual'],
  ['system_virtual_schema', 'virtual'],
  ['ringfold', 'virtual'],
]);

const replicationFactors: ReadonlyMap<string, string> = new Map([
  ['system_auth', '1'],
  ['system_distributed', '3'],
  ['system_traces', '2'],
]);

const strategies = 'org.apache.cassandra.locator.';

export function isSystemKeyspace(name: string): boolean {
  return kinds.has(name);
}

/** What clients are shown in `system_virtual_schema`, and not in `system_schema`. */
export function isShownAsVirtual(name: string): boolean {
  return kinds.get(name) === 'virtual';
}

export function systemKeyspace(name: string, tables: readonly TableSchema[]): Keyspace {
  const factor = replicationFactors.get(name);
  return {
    name,
    replication: new Map(
      factor === undefined
        ? [['class', `${strategies}LocalStrategy`]]
        : [
            ['class', `${strategies}SimpleStrategy`],
            ['replication_factor', factor],
          ],
    ),
    durableWrites: true,
    isVirtual: true,
    tables: new Map(tables.map((table) => [table.name, table])),
    types: new Map(),
  };
}
