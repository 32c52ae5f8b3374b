import type { NosqlCatalog } from '../../../catalog/nosql/nosql-catalog.ts';
import type { ResourceIdentity } from '../../../catalog/nosql/nosql-definitions.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';

/** The service's own, beside 404. */
const ownerMissing = 1003;

/** Of databases and containers together; the service's limit. */
export const MAX_DATABASES_AND_CONTAINERS = 500;
/** The service's own, beside 403: what an account may have is used up. [U] whether it says so for this. */
const provisionLimit = 1005;

/** Before one more is made. */
export function refuseOneMore(catalog: Pick<NosqlCatalog, 'databases'>, most: number): void {
  let count = 0;
  for (const { containers } of catalog.databases()) count += 1 + containers.size;
  if (count < most) return;
  throw new RingfoldError('forbidden', {
    substatus: provisionLimit,
    reason: `The account has reached the maximum of ${most} databases and containers together. Delete one, or use another account.`,
  });
}

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
