// What a client is told that asks how to run a query over several partitions (nosql-api.md §3.1–3.3).

import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { PartitionKeyDefinition } from '../../../partitioning/partition-key.ts';
import { collectedSourceOf, dependsOnAllRows } from '../collected-source.ts';
import { namesOf } from '../compile-select.ts';
import { type DistinctCount, distinctCountOf } from '../distinct-count.ts';
import { aggregatesOf } from '../find-aggregates.ts';
import { printExpression, printQuery } from '../print-sql.ts';
import { sqlError } from '../sql-error.ts';
import type { VectorDistances } from '../sql-function.ts';
import type { SqlParameters } from '../sql-parameters.ts';
import type { Count, Expression, SqlQuery } from '../sql-query.ts';
import { isSame } from '../sql-value.ts';
import { type HybridSearchQueryInfo, hybridSearchOf } from './hybrid-search.ts';
import { keyTargetsOf } from './key-targets.ts';
import { countNode } from './make-nodes.ts';
import { distinctByPage } from './part-of-plan.ts';
import { type QueryRange, queryRangesOf } from './query-ranges.ts';
import { rewriteAggregates, withMembersOfValue } from './rewrite-aggregates.ts';
import { rewriteOrder } from './rewrite-order.ts';
import { vectorDirection } from './vector-direction.ts';

export interface QueryInfo {
  readonly distinctType: 'None' | 'Ordered' | 'Unordered';
  readonly top?: number;
  readonly offset?: number;
  readonly limit?: number;
  readonly orderBy: readonly ('Ascending' | 'Descending')[];
  readonly orderByExpressions: readonly string[];
  readonly groupByExpressions: readonly string[];
  readonly groupByAliases: readonly string[];
  readonly aggregates: readonly string[];
  readonly groupByAliasToAggregateType: Readonly<Record<string, string | null>>;
  readonly rewrittenQuery: string;
  readonly hasSelectValue: boolean;
  readonly hasNonStreamingOrderBy: boolean;
  /** The client counts the distinct rows, and gives the number by this name, or as it is. */
  readonly dCountInfo?: { readonly dCountAlias: string };
}

/** Of a query that is run range by range, or of a ranked search, which is run score by score. */
export type QueryPlan = {
  readonly partitionedQueryExecutionInfoVersion: 2;
  readonly queryRanges: readonly QueryRange[];
} & ({ readonly queryInfo: QueryInfo } | { readonly hybridSearchQueryInfo: HybridSearchQueryInfo });

export interface PlannedContainer {
  readonly partitionKey: PartitionKeyDefinition;
  readonly partitionKeyPaths: readonly (readonly string[])[];
  /** Absent for a container without a policy of vectors. */
  readonly vectorDistances?: VectorDistances | undefined;
}

export function planQuery(
  query: SqlQuery,
  parameters: SqlParameters,
  container: PlannedContainer,
): QueryPlan {
  // Without FROM no partition has anything to say of it, and one is asked, as the service's planner has it: else each would give the one row.
  const targets = query.from.length === 0 ? [] : keyTargetsOf(query, parameters, container.partitionKeyPaths);
  const queryRanges = queryRangesOf(targets, container.partitionKey);
  if (query.isRanked) {
    const { skip, take } = windowOfRanked(query, parameters);
    return {
      partitionedQueryExecutionInfoVersion: 2,
      hybridSearchQueryInfo: hybridSearchOf(query, parameters, container.vectorDistances, skip, take),
      queryRanges,
    };
  }
  const distinctCount = distinctCountOf(query);
  const [range] = queryRanges;
  const isOnePoint =
    queryRanges.length === 1 && range !== undefined && range.min === range.max && range.min !== '';
  let queryInfo: QueryInfo;
  if (distinctCount !== undefined) queryInfo = infoOfDistinctCount(query, distinctCount, parameters);
  else if (collectedSourceOf(query) !== undefined) queryInfo = infoOfCollected(query, isOnePoint);
  else if (areGroupsAlike(query)) queryInfo = infoOfAlikeGroups(query, isOnePoint);
  else queryInfo = queryInfoOf(withMembersOfValue(query), parameters, isOnePoint, container.vectorDistances);
  return { partitionedQueryExecutionInfoVersion: 2, queryInfo, queryRanges };
}

/**
 * Round a sub-query that sees all items there is no part that could be put together with others: each partition answers for itself, as
 * those of the service do.
 */
function infoOfCollected(query: SqlQuery, isOnePoint: boolean): QueryInfo {
  if (!isOnePoint && dependsOnAllRows(query)) {
    throw sqlError(
      'SC2110',
      'Over several partitions, what is round a sub-query that groups, sorts, limits or makes distinct can only filter and project.',
      query.span,
    );
  }
  return infoOfWhole(query);
}

/** Clients make distinct either before they put groups together or after, and only afterwards would be right. */
function infoOfAlikeGroups(query: SqlQuery, isOnePoint: boolean): QueryInfo {
  if (!isOnePoint) {
    throw sqlError(
      'SC2110',
      'Over several partitions, a DISTINCT over groups has to select all that they are grouped by.',
      query.span,
    );
  }
  return infoOfWhole(query);
}

/** Of a query that each partition answers as it is written. */
function infoOfWhole(query: SqlQuery): QueryInfo {
  return {
    distinctType: 'None',
    orderBy: [],
    orderByExpressions: [],
    groupByExpressions: [],
    groupByAliases: [],
    aggregates: [],
    groupByAliasToAggregateType: {},
    rewrittenQuery: '',
    hasSelectValue: query.select.list.kind === 'value',
    hasNonStreamingOrderBy: false,
  };
}

function infoOfDistinctCount(
  query: SqlQuery,
  { inner, alias }: DistinctCount,
  parameters: SqlParameters,
): QueryInfo {
  return {
    ...queryInfoOf(inner, parameters, false, undefined),
    hasSelectValue: query.select.list.kind === 'value',
    dCountInfo: { dCountAlias: alias ?? '' },
  };
}

function windowOfRanked(
  query: SqlQuery,
  parameters: SqlParameters,
): { readonly skip: number | undefined; readonly take: number | undefined } {
  const top = valueOfCount(query.select.top, parameters);
  const skip = valueOfCount(query.offset, parameters);
  return { skip, take: valueOfCount(query.limit, parameters) ?? top };
}

function queryInfoOf(
  query: SqlQuery,
  parameters: SqlParameters,
  isOnePoint: boolean,
  vectorDistances: VectorDistances | undefined,
): QueryInfo {
  const { select, groupBy, orderBy } = query;
  const top = valueOfCount(select.top, parameters);
  const offset = valueOfCount(query.offset, parameters);
  const limit = valueOfCount(query.limit, parameters);
  const isAggregated = groupBy.length > 0 || aggregatesOf(query).length > 0;
  // One logical partition answers it whole; but where clients make distinct, some do so only within a window that they know.
  const isWhole = isOnePoint && !isAggregated && !select.isDistinct && orderBy.length === 0;
  const isWindowed = offset !== undefined && limit !== undefined && !isWhole;
  const distinctType = distinctTypeOf(query, isAggregated);
  let rewritten: SqlQuery | undefined;
  let aggregated: ReturnType<typeof rewriteAggregates> | undefined;
  if (isAggregated) {
    aggregated = rewriteAggregates(query);
    rewritten = aggregated.query;
  } else {
    if (distinctType !== 'None' && (top !== undefined || isWindowed)) {
      rewritten = { ...query, select: { ...select, top: undefined }, offset: undefined, limit: undefined };
    } else if (isWindowed) {
      rewritten = { ...query, offset: countNode(0), limit: countNode((offset ?? 0) + (limit ?? 0)) };
    }
    if (orderBy.length > 0) rewritten = rewriteOrder(rewritten ?? query);
  }
  const isByPage = distinctType === 'Unordered' && orderBy.length === 0;
  const rewrittenQuery = rewritten === undefined && !isByPage ? '' : printQuery(rewritten ?? query);
  return {
    distinctType,
    ...(top === undefined ? {} : { top }),
    ...(isWindowed ? { offset, limit } : {}),
    orderBy: isAggregated
      ? []
      : orderBy.map(({ value, direction }) => {
          if (direction !== undefined || value.kind !== 'call' || !isVectorDistance(value)) {
            return direction === 'descending' ? 'Descending' : 'Ascending';
          }
          return vectorDirection(value, parameters, vectorDistances);
        }),
    orderByExpressions: isAggregated ? [] : orderBy.map(({ value }) => printExpression(value)),
    groupByExpressions: groupBy.map(printExpression),
    groupByAliases: aggregated?.groupByAliases ?? [],
    aggregates: aggregated?.aggregates ?? [],
    groupByAliasToAggregateType: aggregated?.groupByAliasToAggregateType ?? {},
    rewrittenQuery: isByPage ? distinctByPage(rewrittenQuery) : rewrittenQuery,
    hasSelectValue: select.list.kind === 'value',
    hasNonStreamingOrderBy: !isAggregated && orderBy.some(({ value }) => isVectorDistance(value)),
  };
}

function valueOfCount(count: Count | undefined, parameters: SqlParameters): number | undefined {
  if (count === undefined) return undefined;
  const value = count.kind === 'literal' ? count.value : parameters.get(count.name);
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32) return value;
  throw sqlError(
    'SC2060',
    'The TOP, OFFSET and LIMIT values must be integers that are not negative.',
    count.span,
  );
}

/** Whether DISTINCT leaves out results of groups: not where each result has the keys of its group. */
function areGroupsAlike({ select, groupBy }: SqlQuery): boolean {
  if (!select.isDistinct || groupBy.length === 0) return false;
  const { list } = select;
  if (list.kind === 'all') return true;
  if (list.kind === 'value')
    return groupBy.length > 1 || !isSame([list.value].map(printExpression), groupBy.map(printExpression));
  if (new Set(namesOf(list.items)).size < list.items.length) return true;
  const selected = new Set(list.items.map(({ value }) => printExpression(value)));
  return groupBy.some((key) => !selected.has(printExpression(key)));
}

/** In order if what is distinct is exactly what is sorted by. */
function distinctTypeOf({ select, orderBy }: SqlQuery, isAggregated: boolean): QueryInfo['distinctType'] {
  if (!select.isDistinct || isAggregated) return 'None';
  const { list } = select;
  const selected =
    list.kind === 'value' ? [list.value] : list.kind === 'items' ? list.items.map(({ value }) => value) : [];
  const sorted = orderBy.map(({ value }) => printExpression(value));
  return orderBy.length > 0 && isSame(selected.map(printExpression), sorted) ? 'Ordered' : 'Unordered';
}

function isVectorDistance(node: Expression): boolean {
  return node.kind === 'call' && !node.isUserDefined && node.name.toUpperCase() === 'VECTORDISTANCE';
}

/** What a client must know how to do with the parts; names as clients list them. */
function featuresOf(plan: QueryPlan): readonly string[] {
  if ('hybridSearchQueryInfo' in plan) {
    const { componentWeights } = plan.hybridSearchQueryInfo;
    return ['HybridSearch', ...(componentWeights.length > 0 ? ['WeightedRankFusion'] : [])];
  }
  const { queryInfo } = plan;
  const types = Object.values(queryInfo.groupByAliasToAggregateType).filter((type) => type !== null);
  const aggregates = [...queryInfo.aggregates, ...types];
  const needed: readonly (readonly [string, boolean])[] = [
    ['Aggregate', queryInfo.aggregates.length > 0],
    ['DCount', queryInfo.dCountInfo !== undefined],
    ['CountIf', aggregates.includes('CountIf')],
    ['Distinct', queryInfo.distinctType !== 'None'],
    ['GroupBy', queryInfo.groupByExpressions.length > 0],
    ['ListAndSetAggregate', aggregates.some((type) => type === 'MakeList' || type === 'MakeSet')],
    ['MultipleAggregates', types.length > 1],
    ['MultipleOrderBy', queryInfo.orderBy.length > 1],
    ['NonStreamingOrderBy', queryInfo.hasNonStreamingOrderBy],
    ['NonValueAggregate', types.length > 0 && queryInfo.groupByExpressions.length === 0],
    ['OffsetAndLimit', queryInfo.limit !== undefined],
    ['OrderBy', queryInfo.orderBy.length > 0],
    ['Top', queryInfo.top !== undefined],
  ];
  return needed.filter(([, isNeeded]) => isNeeded).map(([feature]) => feature);
}

/** Throws for a plan that the client would not understand. The list is a header's: with commas, perhaps with spaces. */
export function checkFeatures(plan: QueryPlan, supported: string): void {
  const known = new Set(supported.split(',').map((feature) => feature.trim().toLowerCase()));
  const missing = featuresOf(plan).filter((feature) => !known.has(feature.toLowerCase()));
  if (missing.length === 0) return;
  const lines = missing.map(
    (feature) => `Query contained ${feature}, which the calling client does not support.`,
  );
  throw invalidRequest(
    `Query contains 1 or more unsupported features. Upgrade your SDK to a version that does support the requested features:\n${lines.join('\n')}`,
  );
}
