import type { CqlSchema } from '../../../catalog/cql/cql-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { SchemaPlan } from '../../../execution/cql/definitions/change-schema.ts';
import type { StatementContext } from '../prepared-statement.ts';

/** A statement on the schema, checked as far as it can be before its turn comes. */
export interface Definition {
  readonly keyspace: string;
  /** What has to be allowed, and on what: as Cassandra names it where it refuses. */
  readonly permission: 'CREATE' | 'ALTER' | 'DROP';
  /** Undefined for a new keyspace, which nobody owns yet. */
  readonly resource: string | undefined;
  /** What it comes to in the schema as it then is; undefined where nothing need be done. Throws what Cassandra answers. */
  readonly plan: (schema: CqlSchema) => SchemaPlan | undefined;
}

/** The keyspace that a name without one belongs to. */
export function keyspaceOf(written: string | null, { keyspace }: StatementContext): string {
  const name = written ?? keyspace;
  if (name !== undefined) return name;
  throw invalidRequest(
    'No keyspace has been specified. USE a keyspace, or explicitly specify keyspace.tablename',
  );
}

export const resources = {
  keyspace: (keyspace: string): string => `<keyspace ${keyspace}>`,
  allTables: (keyspace: string): string => `<all tables in ${keyspace}>`,
  table: (keyspace: string, table: string): string => `<table ${keyspace}.${table}>`,
} as const;
