// What of a feed or a query is said in headers: which part of the container, how much, and from where on.

import type { ContainerDefinition } from '../../catalog/nosql/nosql-definitions.ts';
import { invalidRequest } from '../../errors/invalid-request.ts';
import {
  type FeedScope,
  type NamedRanges,
  scopeOfLogicalPartition,
  scopeOfNamedPartition,
} from '../../execution/nosql/feeds/feed-scope.ts';
import { logicalPartitionOf } from '../../execution/nosql/items/item-partition-key.ts';
import { epkBoundaryFromHex, hierarchicalRange } from '../../partitioning/effective-partition-key.ts';
import type { PartitionMap } from '../../partitioning/partition-map.ts';
import { type RingRange, ringRange, wholeRing } from '../../partitioning/ring-range.ts';
import type { NosqlRequest } from './nosql-message.ts';
import { partitionKeyInHeader } from './partition-key-header.ts';
import { headerOf, namedRange } from './request-options.ts';

/** When a client leaves it to the server. */
const defaultPageItems = 1_000;
const maxItemsHeader = 'x-ms-max-item-count';
/** Clients that want everything ask for as many as their integers can say. */
const mostPageItems = 2_147_483_647;

/** The whole container, unless a partition key, a prefix of one, a range or a part of one is named. */
export function scopeOf(
  request: Pick<NosqlRequest, 'headers'>,
  container: ContainerDefinition,
  map: PartitionMap,
  ranges: NamedRanges,
): FeedScope {
  const partitionKey = partitionKeyInHeader(request, container);
  if (partitionKey !== undefined) {
    const { paths, kind } = container.partitionKey;
    if (kind === 'hierarchical' && partitionKey.length < paths.length)
      return { range: hierarchicalRange(paths.length, partitionKey), logicalPartition: undefined };
    return scopeOfLogicalPartition(logicalPartitionOf(container, partitionKey));
  }
  const within = epkRangeOf(request);
  const named = namedRange(request);
  if (named === undefined) return { range: within ?? wholeRing, logicalPartition: undefined };
  return scopeOfNamedPartition(map, named, within, ranges);
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
