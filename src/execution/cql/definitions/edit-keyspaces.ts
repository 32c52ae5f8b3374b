// Schemas are values: each of these gives another one.

import type { Keyspace } from '../../../catalog/cql/cql-schema.ts';
import type { KeyspaceSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import { assert } from '../../../foundation/assert.ts';
import type { UserType } from '../../../values/cql-type.ts';

type Keyspaces = ReadonlyMap<string, Keyspace>;

/** What is in it stays in it. */
export function withKeyspace(keyspaces: Keyspaces, schema: KeyspaceSchema): Keyspaces {
  const { tables = new Map(), types = new Map() } = keyspaces.get(schema.name) ?? {};
  return withEntry(keyspaces, schema.name, { ...schema, tables, types });
}

export function withoutKeyspace(keyspaces: Keyspaces, name: string): Keyspaces {
  return withoutEntry(keyspaces, name);
}

/** The last one that was made or changed comes last, as where Cassandra lists them. */
export function withTable(keyspaces: Keyspaces, table: TableSchema): Keyspaces {
  return edited(keyspaces, table.keyspace, (keyspace) => ({
    ...keyspace,
    tables: withEntry(withoutEntry(keyspace.tables, table.name), table.name, table),
  }));
}

export function withoutTable(keyspaces: Keyspaces, { keyspace: name, name: table }: TableSchema): Keyspaces {
  return edited(keyspaces, name, (keyspace) => ({
    ...keyspace,
    tables: withoutEntry(keyspace.tables, table),
  }));
}

/** For a type that nothing uses yet. */
export function withType(keyspaces: Keyspaces, type: UserType): Keyspaces {
  return edited(keyspaces, type.keyspace, (keyspace) => ({
    ...keyspace,
    types: withEntry(keyspace.types, type.name, type),
  }));
}

export function withoutType(keyspaces: Keyspaces, { keyspace: name, name: type }: UserType): Keyspaces {
  return edited(keyspaces, name, (keyspace) => ({ ...keyspace, types: withoutEntry(keyspace.types, type) }));
}

function edited(keyspaces: Keyspaces, name: string, edit: (keyspace: Keyspace) => Keyspace): Keyspaces {
  const keyspace = keyspaces.get(name);
  assert(keyspace !== undefined, 'the keyspace is there');
  return withEntry(keyspaces, name, edit(keyspace));
}

function withEntry<T>(map: ReadonlyMap<string, T>, key: string, value: T): Map<string, T> {
  return new Map(map).set(key, value);
}

function withoutEntry<T>(map: ReadonlyMap<string, T>, key: string): Map<string, T> {
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}
