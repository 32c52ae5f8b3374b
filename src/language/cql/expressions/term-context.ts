import type { CqlSchema } from '../../../catalog/cql/cql-schema.ts';
import type { Variables } from './variables.ts';

/** What the terms of one statement are prepared with. */
export interface TermContext {
  readonly schema: CqlSchema;
  /** Where user types and functions are looked up: that of the statement's table. */
  readonly keyspace: string | undefined;
  readonly variables: Variables;
}
