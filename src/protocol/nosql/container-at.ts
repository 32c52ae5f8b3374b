import type { ContainerDefinition, DatabaseDefinition } from '../../catalog/nosql/nosql-definitions.ts';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import { ownerNotFound, resourceNotFound } from '../../execution/nosql/definitions/definition-checks.ts';
import type { NosqlContext } from './nosql-context.ts';
import type { NosqlRequest } from './nosql-message.ts';

const databasePlace = 0;
const containerPlace = 1;

/** The database that a path begins with. Throws for one that is not there: as an owner, unless it is itself what is asked for. */
export function databaseAt(
  { path }: Pick<NosqlRequest, 'path'>,
  { parts }: NosqlContext,
): DatabaseDefinition {
  const { segments } = path;
  const found = parts.catalog.findDatabase(segments[databasePlace]?.id ?? '');
  if (found === undefined) throw segments.length > 1 ? ownerNotFound('database') : resourceNotFound();
  return found;
}

/** The container that a path leads to or through; the same. */
export function containerAt(
  { path, headers }: Pick<NosqlRequest, 'path' | 'headers'>,
  { parts }: NosqlContext,
): ContainerDefinition {
  const { segments } = path;
  const database = segments[databasePlace]?.id ?? '';
  const found = parts.catalog.findContainer(database, segments[containerPlace]?.id ?? '');
  if (found === undefined) {
    const isOwner = segments.length > 2 || parts.catalog.findDatabase(database) === undefined;
    throw isOwner ? ownerNotFound('container') : resourceNotFound();
  }
  const intended = headers.get('x-ms-cosmos-intended-collection-rid');
  if (intended !== undefined && intended !== found.rid)
    throw new RingfoldError('stale-container', { intended, found: found.rid });
  return found;
}
