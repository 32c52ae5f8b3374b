// What a request says of itself in headers, beside what it wants: how strongly it reads, how it is throttled, what it has seen.

import { invalidRequest } from '../../errors/invalid-request.ts';
import type { RequestTraits } from '../../routing/governed-partition.ts';
import { NO_BUCKET } from '../../throughput/control-buckets.ts';
import type { ConsistencyMultiplier, OperationKind } from '../../throughput/work-done.ts';
import {
  type ConsistencyLevel,
  isConsistencyLevel,
  isStronger,
  levelOfStrategy,
} from './consistency-level.ts';
import type { NosqlContext } from './nosql-context.ts';
import type { NosqlRequest } from './nosql-message.ts';

/** A header's text; undefined when it is not there or empty. */
export function headerOf({ headers }: Pick<NosqlRequest, 'headers'>, name: string): string | undefined {
  const value = headers.get(name);
  return value === '' ? undefined : value;
}

/** Clients write `true`, `True` and `TRUE`. */
export function isAsked(request: Pick<NosqlRequest, 'headers'>, name: string): boolean {
  return headerOf(request, name)?.toLowerCase() === 'true';
}

/** From this version on clients know that every container has a partition key, and that queries over several partitions have plans to ask for. */
const firstVersionWithKeys = '2018-12-31';

export function isOlderThanKeys(request: Pick<NosqlRequest, 'headers'>): boolean {
  return (headerOf(request, 'x-ms-version') ?? firstVersionWithKeys) < firstVersionWithKeys;
}

/** The physical partition that the client believes to be the right one. Some lead its id with the container's rid: `rid,id`. */
export function namedRange(request: Pick<NosqlRequest, 'headers'>): string | undefined {
  const named = headerOf(request, 'x-ms-documentdb-partitionkeyrangeid');
  return named?.slice(named.lastIndexOf(',') + 1);
}

/** Whether a client that writes an item does not want to have it back. */
export function wantsMinimal(request: Pick<NosqlRequest, 'headers'>): boolean {
  return headerOf(request, 'prefer')?.toLowerCase().includes('return=minimal') === true;
}

/** The account's level, or a weaker one that the request asks for, or the one of the strategy that it reads by. */
export function consistencyOf(
  request: Pick<NosqlRequest, 'headers'>,
  { settings }: Pick<NosqlContext, 'settings'>,
): ConsistencyLevel {
  const asked = headerOf(request, 'x-ms-consistency-level');
  const strategy = strategyOf(request, settings.consistency);
  if (strategy !== undefined && asked !== undefined)
    throw invalidRequest(`A request has ${strategyHeader} or x-ms-consistency-level, and not both.`);
  if (strategy !== undefined) return strategy;
  if (asked === undefined) return settings.consistency;
  if (!isConsistencyLevel(asked))
    throw invalidRequest(`Consistency level ${asked} specified in the request is invalid.`);
  if (isStronger(asked, settings.consistency))
    throw invalidRequest(
      `ConsistencyLevel ${asked} specified in the request is invalid when service is configured with consistency level ${settings.consistency}. Ensure the request consistency level is not stronger than the service consistency level.`,
    );
  return asked;
}

const strategyHeader = 'x-ms-cosmos-read-consistency-strategy';

/** How a request is read independently of the account's level, by Java's and .NET's clients. */
function strategyOf(
  request: Pick<NosqlRequest, 'headers'>,
  account: ConsistencyLevel,
): ConsistencyLevel | undefined {
  const asked = headerOf(request, strategyHeader);
  if (asked === undefined) return undefined;
  const wrong = `Value '${asked}' specified for the header '${strategyHeader}' is invalid.`;
  if (!levelOfStrategy.has(asked)) throw invalidRequest(wrong);
  const level = levelOfStrategy.get(asked);
  if (level === 'Strong' && account !== 'Strong')
    throw invalidRequest(
      `${wrong} This value requires the account-level default consistency level to be 'Strong' - but it is '${account}'.`,
    );
  return level;
}

/** Strong and bounded reads ask two replicas, and are paid for twice. */
export function multiplierOf(level: ConsistencyLevel): ConsistencyMultiplier {
  return level === 'Strong' || level === 'BoundedStaleness' ? 2 : 1;
}

/** What the client has seen; only levels that promise to be no older than that look at it. */
export function sessionTokenOf(
  request: Pick<NosqlRequest, 'headers'>,
  level: ConsistencyLevel,
): string | undefined {
  return level === 'Eventual' || level === 'ConsistentPrefix'
    ? undefined
    : headerOf(request, 'x-ms-session-token');
}

const plainTraits = new Map<OperationKind, RequestTraits>();

export function traitsOf(request: Pick<NosqlRequest, 'headers'>, operation: OperationKind): RequestTraits {
  const priority = headerOf(request, 'x-ms-cosmos-priority-level');
  const bucket = headerOf(request, 'x-ms-cosmos-throughput-bucket');
  if (priority === undefined && bucket === undefined) {
    let traits = plainTraits.get(operation);
    if (traits === undefined) {
      traits = { operation, priority: 'high', bucket: NO_BUCKET };
      plainTraits.set(operation, traits);
    }
    return traits;
  }
  return { operation, priority: priorityOf(priority), bucket: bucketOf(bucket) };
}

function priorityOf(text: string | undefined): RequestTraits['priority'] {
  switch (text?.toLowerCase()) {
    case undefined:
    case 'high':
      return 'high';
    case 'low':
      return 'low';
    default:
      throw invalidRequest(`Invalid priority level: ${text}. It is High or Low.`);
  }
}

function bucketOf(text: string | undefined): number {
  if (text === undefined) return NO_BUCKET;
  if (!/^[1-5]$/.test(text)) throw invalidRequest(`Invalid throughput bucket: ${text}. It is 1 to 5.`);
  return Number(text);
}
