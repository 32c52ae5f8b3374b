// What else becomes another with a change, which clients that asked for changes are told too: an event each, as from Cassandra.

import type { CqlSchema, Keyspace, SchemaChange } from './cql-schema.ts';

/** The change itself and what comes with it, in the order in which they are told. */
export function withAccompanying(
  before: CqlSchema,
  after: CqlSchema,
  change: SchemaChange,
): readonly SchemaChange[] {
  const old = before.keyspaces.get(change.keyspace);
  if (old === undefined) return [change];
  if (change.change === 'DROPPED' && change.target === 'KEYSPACE') return [...contentsGone(old), change];
  const now = after.keyspaces.get(change.keyspace);
  if (change.change !== 'UPDATED' || change.target !== 'TYPE' || now === undefined) return [change];
  return [change, ...updatedWith(change.name, old, now)];
}

function contentsGone({ name: keyspace, tables, types }: Keyspace): readonly SchemaChange[] {
  return [
    ...namesOf(tables).map((name) => ({ change: 'DROPPED', target: 'TABLE', keyspace, name }) as const),
    ...namesOf(types).map((name) => ({ change: 'DROPPED', target: 'TYPE', keyspace, name }) as const),
  ];
}

/** The types and tables that the changed type is a part of. */
function updatedWith(type: string, old: Keyspace, now: Keyspace): readonly SchemaChange[] {
  const keyspace = now.name;
  const types = namesOf(now.types).filter(
    (name) => name !== type && now.types.get(name) !== old.types.get(name),
  );
  const tables = namesOf(now.tables).filter((name) => now.tables.get(name) !== old.tables.get(name));
  return [
    ...types.map((name) => ({ change: 'UPDATED', target: 'TYPE', keyspace, name }) as const),
    ...tables.map((name) => ({ change: 'UPDATED', target: 'TABLE', keyspace, name }) as const),
  ];
}

function namesOf(named: ReadonlyMap<string, unknown>): string[] {
  return [...named.keys()];
}
