import type { ResourceIdentity } from '../../../catalog/nosql/nosql-definitions.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';

/** The service's own, beside 404. */
const ownerMissing = 1003;

/** What a client says it has seen, with its quotes; undefined for who does not care. */
export type ExpectedEtag = string | undefined;

export function checkEtag({ etag }: Pick<ResourceIdentity, 'etag'>, expected: ExpectedEtag): void {
  if (expected !== undefined && expected !== '*' && expected !== `"${etag}"`)
    throw new RingfoldError('etag-mismatch');
}

export function resourceExists(): RingfoldError {
  return new RingfoldError('resource-exists');
}

export function resourceNotFound(): RingfoldError {
  return new RingfoldError('resource-not-found');
}

/** Something that is to be in it was asked for. */
export function ownerNotFound(what: 'database' | 'container' | 'resource'): RingfoldError {
  return new RingfoldError(`${what}-not-found`, {
    substatus: ownerMissing,
    reason: 'Owner resource does not exist. Learn more: https://aka.ms/cosmosdb-tsg-not-found',
  });
}
