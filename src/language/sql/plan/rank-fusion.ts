// What clients do with the parts of a ranked search (nosql-api.md §3.5), for searches that the server runs whole.

import { type HybridSearchQueryInfo, statisticsPlaces } from './hybrid-search.ts';
import { filterPlace } from './rewrite-order.ts';

/** The row of the query for statistics. */
export interface TextStatistics {
  readonly documentCount: number;
  readonly fullTextStatistics: readonly {
    readonly totalWordCount?: number;
    readonly hitCounts: readonly number[];
  }[];
}

/** A row of the query for one score. */
export interface ScoredRow {
  readonly _rid: string;
  readonly payload: { readonly payload?: unknown; readonly componentScores: readonly number[] };
}

/** As in the paper on reciprocal rank fusion, and in the service. */
const rankConstant = 60;

/** The text of each score's query, with the statistics in their places. Those of texts are numbered by score, and counted by text. */
export function scoreQueriesOf(
  { componentQueryInfos, requiresGlobalStatistics }: HybridSearchQueryInfo,
  statistics: TextStatistics | undefined,
): readonly string[] {
  return componentQueryInfos.map(({ rewrittenQuery }) => {
    let text = rewrittenQuery.replaceAll(filterPlace, 'true');
    if (!requiresGlobalStatistics || statistics === undefined) return text;
    text = text.replaceAll(statisticsPlaces.documents, String(statistics.documentCount));
    let known = 0;
    for (let at = 0; at < componentQueryInfos.length; at++) {
      if (!text.includes(statisticsPlaces.words(at))) continue;
      const { totalWordCount = 0, hitCounts = [] } = statistics.fullTextStatistics[known++] ?? {};
      text = text
        .replaceAll(statisticsPlaces.words(at), String(totalWordCount))
        .replaceAll(statisticsPlaces.hits(at), JSON.stringify(hitCounts));
    }
    return text;
  });
}

/** The results in their order, from the rows of each score. */
export function fuseRanks(
  { componentQueryInfos, componentWeights, skip, take }: HybridSearchQueryInfo,
  rowsOfScores: readonly (readonly ScoredRow[])[],
): readonly unknown[] {
  const rows = [...new Map(rowsOfScores.flat().map((row) => [row._rid, row])).values()];
  const totals = new Map<ScoredRow, number>(rows.map((row) => [row, 0]));
  for (const [at, { orderBy }] of componentQueryInfos.entries()) {
    const turn = orderBy[0] === 'Ascending' ? 1 : -1;
    const scoreOf = ({ payload }: ScoredRow): number => payload.componentScores[at] ?? -1;
    const weight = componentWeights[at] ?? 1;
    // A negative weight turns the order of its score, as in the service.
    const sorted = rows.toSorted((a, b) => turn * Math.sign(weight || 1) * (scoreOf(a) - scoreOf(b)));
    let rank = 0;
    for (const [index, row] of sorted.entries()) {
      const before = sorted[index - 1];
      if (before === undefined || scoreOf(before) !== scoreOf(row)) rank += 1;
      totals.set(row, (totals.get(row) ?? 0) + Math.abs(weight) / (rankConstant + rank));
    }
  }
  const first = skip ?? 0;
  return rows
    .toSorted((a, b) => (totals.get(b) ?? 0) - (totals.get(a) ?? 0) || (a._rid < b._rid ? -1 : 1))
    .slice(first, take === null ? undefined : first + take)
    .map(({ payload }) => payload.payload)
    .filter((payload) => payload !== undefined);
}
