import type { UserType } from '../../values/cql-type.ts';
import type { KeyspaceSchema, TableSchema } from './table-schema.ts';

export interface Keyspace extends KeyspaceSchema {
  readonly tables: ReadonlyMap<string, TableSchema>;
  /** By name; not frozen, and with other user types inside resolved. */
  readonly types: ReadonlyMap<string, UserType>;
}

/** All that CQL clients can name, at one moment. A change of any definition makes another one of these. */
export interface CqlSchema {
  /** A UUID that changes with every definition: drivers compare it. */
  readonly version: string;
  readonly keyspaces: ReadonlyMap<string, Keyspace>;
}

export function findTable(schema: CqlSchema, keyspace: string, name: string): TableSchema | undefined {
  return schema.keyspaces.get(keyspace)?.tables.get(name);
}

/** What clients that asked for it are told of a change, and whoever made it gets as the answer. */
export type SchemaChange = {
  readonly change: 'CREATED' | 'UPDATED' | 'DROPPED';
  readonly keyspace: string;
} & (
  | { readonly target: 'KEYSPACE' }
  | { readonly target: 'TABLE' | 'TYPE'; readonly name: string }
  | {
      readonly target: 'FUNCTION' | 'AGGREGATE';
      readonly name: string;
      readonly argumentTypes: readonly string[];
    }
);
