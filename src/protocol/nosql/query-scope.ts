// Where a query is run, by its headers and by what its filter says of the partition key; and what is refused to be run in one request.

import type { ContainerDefinition } from '../../catalog/nosql/nosql-definitions.ts';
import { invalidRequest } from '../../errors/invalid-request.ts';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import { type FeedScope, scopeOfLogicalPartition } from '../../execution/nosql/feeds/feed-scope.ts';
import { logicalPartitionOf } from '../../execution/nosql/items/item-partition-key.ts';
import type { NosqlParts } from '../../execution/nosql/nosql-parts.ts';
import { IndexedSource } from '../../execution/nosql/queries/indexed-source.ts';
import { type ItemPoint, type ItemSource, PointSource } from '../../execution/nosql/queries/item-source.ts';
import type { QueryPosition } from '../../execution/nosql/queries/query-token.ts';
import type { RunnableQuery } from '../../execution/nosql/queries/runnable-query.ts';
import { collectedSourceOf } from '../../language/sql/collected-source.ts';
import { distinctCountOf } from '../../language/sql/distinct-count.ts';
import { type KeyTarget, keyTargetsOf } from '../../language/sql/plan/key-targets.ts';
import { planQuery } from '../../language/sql/plan/plan-query.ts';
import type { SqlParameters } from '../../language/sql/sql-parameters.ts';
import type { SqlQuery } from '../../language/sql/sql-query.ts';
import { hierarchicalRange } from '../../partitioning/effective-partition-key.ts';
import type { PartitionMap } from '../../partitioning/partition-map.ts';
import { intersect, overlaps } from '../../partitioning/ring-range.ts';
import { scopeOf } from './feed-request.ts';
import type { NosqlRequest } from './nosql-message.ts';
import { headerOf, isAsked, isOlderThanKeys } from './request-options.ts';

export interface QueryPlace {
  /** In ring order. */
  readonly scopes: readonly FeedScope[];
  /** Single items, where the filter names them; then no scope is looked at. */
  readonly points: readonly ItemPoint[] | undefined;
}

export function placeOf(
  request: Pick<NosqlRequest, 'headers' | 'principal'>,
  container: ContainerDefinition,
  map: PartitionMap,
  query: SqlQuery,
  parameters: SqlParameters,
): QueryPlace {
  const scope = scopeOf(request, container, map, 'any range there was');
  const targets = keyTargetsOf(query, parameters, container.partitionKeyPaths);
  if (targets === undefined) return { scopes: [scope], points: undefined };
  const points = pointsOf(targets, container);
  if (points !== undefined) return { scopes: [], points: points.filter((point) => isIn(point, scope)) };
  if (scope.logicalPartition !== undefined) return { scopes: [scope], points: undefined };
  return { scopes: narrowed(scope, targets, container), points: undefined };
}

/** Undefined unless all are whole keys with an id. */
function pointsOf(
  targets: readonly KeyTarget[],
  container: ContainerDefinition,
): readonly ItemPoint[] | undefined {
  const points: ItemPoint[] = [];
  for (const { components, id } of targets) {
    if (id === undefined) return undefined;
    points.push({ logicalPartition: logicalPartitionOf(container, components), id });
  }
  return points;
}

function isIn({ logicalPartition }: ItemPoint, scope: FeedScope): boolean {
  if (scope.logicalPartition !== undefined) return scope.logicalPartition.prefix === logicalPartition.prefix;
  const { min, max } = scope.range;
  return logicalPartition.ringPosition >= min && logicalPartition.ringPosition < max;
}

/** The parts of the scope that the filter leaves. */
function narrowed(
  scope: FeedScope,
  targets: readonly KeyTarget[],
  container: ContainerDefinition,
): readonly FeedScope[] {
  const { partitionKey } = container;
  const levels = partitionKey.paths.length;
  const found: FeedScope[] = [];
  for (const { components } of targets) {
    if (components.length === levels) {
      found.push(scopeOfLogicalPartition(logicalPartitionOf(container, components)));
    } else if (partitionKey.kind === 'hierarchical') {
      found.push({ range: hierarchicalRange(levels, components), logicalPartition: undefined });
    } else {
      return [scope];
    }
  }
  const inside = found.flatMap((one) => {
    const range = intersect(one.range, scope.range);
    return range === undefined ? [] : [{ ...one, range }];
  });
  const sorted = inside.sort((a, b) => (a.range.min < b.range.min ? -1 : 1));
  // One under the prefix of another is in it already; two keys at one position stay apart.
  const prefixes = sorted.filter(({ logicalPartition }) => logicalPartition === undefined);
  return sorted.filter((one) => {
    const first = prefixes.find(({ range }) => overlaps(range, one.range));
    return first === undefined || first === one;
  });
}

export function sourceOf(
  parts: NosqlParts,
  container: ContainerDefinition,
  { scopes, points }: QueryPlace,
  query: RunnableQuery,
  { items: after, sorted: sortedAfter }: QueryPosition,
): ItemSource {
  return points === undefined
    ? new IndexedSource(parts, container, scopes, { query, after, sortedAfter })
    : new PointSource(parts, container, points, after);
}

/** Ours: for callers without an SDK, who would rather have the server put results together than be told how. */
const mergingHeader = 'x-ringfold-merge-partitions';

/**
 * Throws for a query over several partitions that was not allowed to be one, or whose results would have to be put together: clients
 * do that, and are told how.
 */
export function refuseSpanning(
  request: Pick<NosqlRequest, 'headers'>,
  container: ContainerDefinition,
  place: QueryPlace,
  query: RunnableQuery,
  sql: SqlQuery,
  parameters: SqlParameters,
): void {
  const isNamed = [
    'x-ms-documentdb-partitionkey',
    'x-ms-documentdb-partitionkeyrangeid',
    'x-ms-start-epk',
  ].some((name) => headerOf(request, name) !== undefined);
  if (sql.isRanked ? isUnderNamedKey(request, place) : isNamed || isConfined(place) || !query.readsItems)
    return;
  if (!isNamed && !isAsked(request, 'x-ms-documentdb-query-enablecrosspartition')) {
    throw invalidRequest(
      'Cross partition query is required but disabled. Please set x-ms-documentdb-query-enablecrosspartition to true, specify x-ms-documentdb-partitionkey, or revise your query to avoid this exception.',
    );
  }
  const isPlain = query.shape === 'stream' && query.skipped === 0 && query.taken === Number.POSITIVE_INFINITY;
  // A plan has no words for a sub-query over all items, and the oldest clients, which take the plan from the refusal, have none for DISTINCT, OFFSET
  // and GROUP BY: the server puts that together, as it would for one that asks for it.
  const isMerged =
    isAsked(request, mergingHeader) ||
    isOlderThanKeys(request) ||
    (collectedSourceOf(sql) !== undefined && distinctCountOf(sql) === undefined);
  if ((isPlain || isMerged) && !sql.isRanked) return;
  throw new RingfoldError('cross-partition-query', {
    additionalErrorInfo: JSON.stringify(planQuery(sql, parameters, container)),
  });
}

/** Ranks are put together by clients, even out of one partition, but for those under a key or a prefix that the request names. */
function isUnderNamedKey(request: Pick<NosqlRequest, 'headers'>, { points }: QueryPlace): boolean {
  return points === undefined && headerOf(request, 'x-ms-documentdb-partitionkey') !== undefined;
}

/** To one logical partition, or to nothing. */
function isConfined({ scopes, points }: QueryPlace): boolean {
  if (points !== undefined)
    return new Set(points.map(({ logicalPartition }) => logicalPartition.prefix)).size <= 1;
  return scopes.length === 0 || (scopes.length === 1 && scopes[0]?.logicalPartition !== undefined);
}
