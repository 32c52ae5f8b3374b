// What of a feed or a query is said in headers: which part of the container, how much, and from where on.

import type { ContainerDefinition } from '../../catalog/nosql/nosql-definitions.ts';
import { invalidRequest } from '../../errors/invalid-request.ts';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import {
  type FeedScope,
  type NamedRanges,
  scopeOfLogicalPartition,
  scopeOfNamedPartition,
} from '../../execution/nosql/feeds/feed-scope.ts';
import { logicalPartitionOf, missingKeyOf } from '../../execution/nosql/items/item-partition-key.ts';
import { epkBoundaryFromHex, hierarchicalRange } from '../../partitioning/effective-partition-key.ts';
import type { JsonKeyComponent } from '../../partitioning/json-key-component.ts';
import type { PartitionMap } from '../../partitioning/partition-map.ts';
import { type RingRange, ringRange, wholeRing } from '../../partitioning/ring-range.ts';
import type { NosqlRequest } from './nosql-message.ts';
import { parsePartitionKey, partitionKeyInHeader } from './partition-key-header.ts';
import { headerOf, isOlderThanKeys, namedRange } from './request-options.ts';

/** When a client leaves it to the server. */
const defaultPageItems = 1_000;
const maxItemsHeader = 'x-ms-max-item-count';
/** Clients that want everything ask for as many as their integers can say. */
const mostPageItems = 2_147_483_647;

/**
 * The whole container, unless a partition key, a prefix of one, a range or a part of one is named. Clients older than system keys name nothing, and
 * mean the items that have none: of others they know as little as they do when they read an item.
 */
export function scopeOf(
  request: Pick<NosqlRequest, 'headers' | 'principal'>,
  container: ContainerDefinition,
  map: PartitionMap,
  ranges: NamedRanges,
): FeedScope {
  const partitionKey = partitionKeyInHeader(request, container);
  if (partitionKey !== undefined) return scopeOfKey(container, partitionKey);
  const granted = scopeOfBoundToken(request, container);
  // Another key may have the same position on the ring.
  if (granted?.logicalPartition !== undefined) return granted;
  const within = epkRangeOf(request);
  const named = namedRange(request);
  if (named === undefined && within === undefined && container.hasSystemKey && isOlderThanKeys(request))
    return scopeOfKey(container, missingKeyOf(container));
  if (named === undefined) return { range: within ?? wholeRing, logicalPartition: undefined };
  return scopeOfNamedPartition(map, named, within, ranges);
}

function scopeOfKey(container: ContainerDefinition, key: readonly JsonKeyComponent[]): FeedScope {
  const { paths, kind } = container.partitionKey;
  if (kind === 'hierarchical' && key.length < paths.length)
    return { range: hierarchicalRange(paths.length, key), logicalPartition: undefined };
  return scopeOfLogicalPartition(logicalPartitionOf(container, key));
}

/**
 * All that a token may see which is bound to a partition key, or to a prefix of one; undefined for others. Throws unless the stretch of ring that
 * the request names, as Python's change feeds do instead of naming the key, is within it.
 */
export function scopeOfBoundToken(
  request: Pick<NosqlRequest, 'headers' | 'principal'>,
  container: ContainerDefinition,
): FeedScope | undefined {
  const { principal } = request;
  if (principal.kind !== 'resource-token' || principal.partitionKey === undefined) return undefined;
  const granted = scopeOfKey(container, parsePartitionKey(principal.partitionKey, container));
  const asked = epkRangeOf(request);
  if (asked === undefined || asked.min < granted.range.min || asked.max > granted.range.max)
    throw new RingfoldError('forbidden');
  return granted;
}

function epkRangeOf(request: Pick<NosqlRequest, 'headers'>): RingRange | undefined {
  const start = headerOf(request, 'x-ms-start-epk');
  const end = headerOf(request, 'x-ms-end-epk');
  if (start === undefined && end === undefined) return undefined;
  const min = epkBoundaryFromHex(start ?? '');
  const max = epkBoundaryFromHex(end ?? 'FF');
  if (min >= max) throw invalidRequest('The EPK range is empty.');
  return ringRange(min, max);
}

/** Absent and -1 leave it to the server. */
export function maxItemsOf(
  request: Pick<NosqlRequest, 'headers'>,
  defaultItems: number = defaultPageItems,
): number {
  const text = headerOf(request, maxItemsHeader);
  if (text === undefined || text === '-1') return defaultItems;
  const count = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (count === 0 || count > mostPageItems) {
    throw invalidRequest(
      `The value '${text}' specified for the header '${maxItemsHeader}' is invalid. It is a positive number, or -1.`,
    );
  }
  return count;
}

/** The same of a query; 0 leaves it to the server too, which Java's SDK sends for TOP 0. */
export function maxResultsOf(request: Pick<NosqlRequest, 'headers'>): number {
  return headerOf(request, maxItemsHeader) === '0' ? defaultPageItems : maxItemsOf(request);
}

/** `{"_rid", "Documents": […], "_count"}` around texts that are not looked at. */
export function feedBody(rid: string, name: string, items: readonly (Buffer | string)[]): Buffer {
  const parts: Buffer[] = [Buffer.from(`{"_rid":"${rid}","${name}":[`)];
  for (const [index, item] of items.entries()) {
    if (index > 0) parts.push(comma);
    parts.push(typeof item === 'string' ? Buffer.from(item) : item);
  }
  parts.push(Buffer.from(`],"_count":${items.length}}`));
  return Buffer.concat(parts);
}

const comma = Buffer.from(',');
