import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import { toldLsn } from '../../../catalog/nosql/told-lsn.ts';
import {
  decodeQueryToken,
  encodeQueryToken,
  fingerprintOf,
  type QueryPosition,
} from '../../../execution/nosql/queries/query-token.ts';
import { type QueryPage, runQuery } from '../../../execution/nosql/queries/run-query.ts';
import type { RunnableQuery } from '../../../execution/nosql/queries/runnable-query.ts';
import { assert } from '../../../foundation/assert.ts';
import { checkOrder } from '../../../language/sql/check-order.ts';
import { indexUseOf } from '../../../language/sql/index-use.ts';
import type { HybridSearchQueryInfo } from '../../../language/sql/plan/hybrid-search.ts';
import { isPartOfRankedSearch } from '../../../language/sql/plan/part-of-plan.ts';
import { planQuery } from '../../../language/sql/plan/plan-query.ts';
import { prepareText } from '../../../language/sql/prepare-query.ts';
import { adviceOn } from '../../../language/sql/query-advice.ts';
import { runnableSelect } from '../../../language/sql/runnable-select.ts';
import type { SqlParameters } from '../../../language/sql/sql-parameters.ts';
import type { SqlQuery } from '../../../language/sql/sql-query.ts';
import { currentMap } from '../../../routing/find-partition.ts';
import { ChargeExplanation } from '../../../throughput/charge-explanation.ts';
import { containerAt } from '../container-at.ts';
import { feedBody, maxResultsOf } from '../feed-request.ts';
import { partitionHeaders } from '../headers.ts';
import { indexMetrics } from '../index-metrics.ts';
import type { NosqlContext } from '../nosql-context.ts';
import type { NosqlHandler, NosqlRequest } from '../nosql-message.ts';
import { explainHeader, explanationHeader } from '../query-explanation.ts';
import { queryMetrics } from '../query-metrics.ts';
import { queryContextOf, sqlOf } from '../query-request.ts';
import { placeOf, refuseSpanning, sourceOf } from '../query-scope.ts';
import { rankedPage, wholeQuery } from '../ranked-page.ts';
import {
  consistencyOf,
  headerOf,
  isAsked,
  multiplierOf,
  sessionTokenOf,
  traitsOf,
} from '../request-options.ts';
import { resumedAfter } from '../resume-filter.ts';
import { lsnInSessionToken, refuseUnreached } from '../session-token.ts';

type RunPage = (query: RunnableQuery, from: QueryPosition, maxItems: number) => Promise<QueryPage>;

/** Of a part of a ranked search, in one page. */
const mostRows = 10_000;

/** POST of `docs` with a query: one page of its results. */
export const queryDocuments: NosqlHandler<NosqlContext> = async (request, context) => {
  const { parts } = context;
  const { clock, store } = parts.throughput;
  const startedAt = clock.monotonic();
  const container = containerAt(request, context);
  const map = currentMap(store, container.container);
  const { text, parameters } = sqlOf(request);
  const prepared = prepareText(text);
  checkOrder(prepared.query, container.indexingPolicy);
  const sqlContext = queryContextOf(context, container);
  const query = runnableSelect(prepared, parameters, sqlContext, container);
  const place = placeOf(request, container, map, prepared.query, parameters);
  refuseSpanning(request, container, place, query, prepared.query, parameters);
  const compiledAt = clock.monotonic();
  const fingerprint = fingerprintOf(container.container, query.identity);
  const from = positionIn(request, query, fingerprint, prepared.query.isRanked, container);
  const level = consistencyOf(request, context);
  const token = sessionTokenOf(request, level);
  const explanation = isAsked(request, explainHeader) ? new ChargeExplanation() : undefined;
  const [only] = place.scopes;
  const run: RunPage = (runnable, position, maxItems) =>
    runQuery(parts, {
      container,
      query: runnable,
      source: sourceOf(parts, container, place, runnable, position),
      from: position,
      maxItems,
      traits: traitsOf(request, 'query'),
      consistencyMultiplier: multiplierOf(level),
      explanation,
      logicalPartition: place.scopes.length === 1 ? only?.logicalPartition?.prefix : undefined,
      refuseUnreached: (physicalPartition) => {
        if (token === undefined) return;
        const ancestors = currentMap(store, container.container).ancestorsOf(physicalPartition);
        const committed = store.committedLsn({ container: container.container, physicalPartition }) ?? 0;
        refuseUnreached(
          lsnInSessionToken(token, physicalPartition, ancestors),
          toldLsn(container, committed),
        );
      },
    });
  const page = prepared.query.isRanked
    ? await rankedPage(
        planned(container, prepared.query, parameters),
        from,
        maxResultsOf(request),
        (part, at) => run(runnableSelect(prepareText(part), parameters, sqlContext, container), at, mostRows),
      )
    : await run(query, from, rowsOf(request, prepared.query));
  const next =
    page.next === undefined ? undefined : tokenOf(page.next, from, page.results.length, fingerprint);
  return {
    status: 200,
    headers: {
      'x-ms-request-charge': String(page.chargeRu),
      'x-ms-item-count': String(page.results.length),
      'x-ms-cosmos-query-execution-info': `{"reverseRidEnabled":false,"reverseIndexScan":${query.hasHighRidsFirst}}`,
      ...(next === undefined ? {} : { 'x-ms-continuation': next }),
      ...metricsHeader(request, page, compiledAt - startedAt, clock.monotonic() - startedAt),
      ...indexMetrics(request, () =>
        indexUseOf(prepared.query, parameters, container.indexingPolicy, page.used.orders),
      ),
      ...adviceHeader(request, prepared.query),
      ...explanationHeader(explanation, page.used),
      ...partitionHeaders(context, container, page.physicalPartition),
    },
    body: feedBody(container.rid, 'Documents', page.results),
  };
};

/** Clients rank the rows of all parts before they show one, so small pages of a part are of use to nobody, and Python's looks at no second one. */
function rowsOf(request: NosqlRequest, query: SqlQuery): number {
  const asked = maxResultsOf(request);
  return isPartOfRankedSearch(query) ? Math.max(asked, mostRows) : asked;
}

function metricsHeader(
  request: NosqlRequest,
  { figures, times }: QueryPage,
  compileMs: number,
  totalMs: number,
): Readonly<Record<string, string>> {
  if (!isAsked(request, 'x-ms-documentdb-populatequerymetrics')) return {};
  return { 'x-ms-documentdb-query-metrics': queryMetrics(figures, times, compileMs, totalMs) };
}

/** Of the first page alone, as in the service. */
function adviceHeader(request: NosqlRequest, query: SqlQuery): Readonly<Record<string, string>> {
  const isFirst = headerOf(request, 'x-ms-continuation') === undefined;
  if (!isFirst || !isAsked(request, 'x-ms-cosmos-populatequeryadvice')) return {};
  const advice = adviceOn(query).map((id) => ({ Id: id, Params: [] }));
  return { 'x-ms-cosmos-query-advice': encodeURIComponent(JSON.stringify(advice)) };
}

function planned(
  container: ContainerDefinition,
  query: SqlQuery,
  parameters: SqlParameters,
): HybridSearchQueryInfo {
  const plan = planQuery(query, parameters, container);
  assert('hybridSearchQueryInfo' in plan, 'a ranked query is planned as a ranked search');
  return plan.hybridSearchQueryInfo;
}

/** A continuation is further on than a filter that came with it: clients send the filter with every page. */
function positionIn(
  request: NosqlRequest,
  query: RunnableQuery,
  fingerprint: string,
  isRanked: boolean,
  { rid }: ContainerDefinition,
): QueryPosition {
  const text = headerOf(request, 'x-ms-continuation');
  if (text !== undefined) return decodeQueryToken(text, fingerprint);
  if (isRanked) return wholeQuery;
  const sorted = query.shape === 'sort' ? resumedAfter(request, rid, query.hasHighRidsFirst) : undefined;
  return { items: undefined, sorted, skipped: query.skipped, left: query.taken };
}

/** Where keys are too long for a header, the next page counts what came before it instead. */
function tokenOf(
  next: QueryPosition,
  from: QueryPosition,
  given: number,
  fingerprint: string,
): string | undefined {
  const counted = { items: undefined, sorted: from.sorted, skipped: from.skipped + given, left: next.left };
  return encodeQueryToken(next, fingerprint) ?? encodeQueryToken(counted, fingerprint);
}
