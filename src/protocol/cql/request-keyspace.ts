import { invalidRequest } from '../../errors/invalid-request.ts';
import type { Exchange } from './exchange.ts';

/** In which names without a keyspace are looked up: the request's own (version 5), which must be there, else what USE set. */
export function requestKeyspace(
  named: string | undefined,
  { context, session }: Exchange,
): string | undefined {
  if (named === undefined) return session.keyspace;
  if (!context.parts.catalog.schema.keyspaces.has(named))
    throw invalidRequest(`Keyspace '${named}' does not exist`);
  return named;
}
