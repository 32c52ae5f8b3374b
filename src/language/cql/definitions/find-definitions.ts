import type { CqlSchema, Keyspace } from '../../../catalog/cql/cql-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';

export function existingKeyspace({ keyspaces }: CqlSchema, name: string): Keyspace {
  const keyspace = keyspaces.get(name);
  if (keyspace === undefined) throw invalidRequest(`Keyspace '${name}' doesn't exist`);
  return keyspace;
}

/** What may name a keyspace, a table or an index: Java's \w, which is ASCII. */
export function isWord(name: string): boolean {
  return /^[A-Za-z0-9_]+$/.test(name);
}

export const maxNameLength = 48;
