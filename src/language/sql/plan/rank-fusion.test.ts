import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HybridSearchQueryInfo } from './hybrid-search.ts';
import { fuseRanks, type ScoredRow, scoreQueriesOf } from './rank-fusion.ts';

function searchBy(
  directions: readonly ('Ascending' | 'Descending')[],
  more: Partial<HybridSearchQueryInfo> = {},
): HybridSearchQueryInfo {
  return {
    globalStatisticsQuery: '',
    componentQueryInfos: directions.map((direction) => ({
      distinctType: 'None',
      orderBy: [direction],
      orderByExpressions: [''],
      groupByExpressions: [],
      groupByAliases: [],
      aggregates: [],
      groupByAliasToAggregateType: {},
      rewrittenQuery: '',
      hasSelectValue: false,
      hasNonStreamingOrderBy: true,
    })),
    componentWithoutPayloadQueryInfos: [],
    componentWeights: [],
    skip: null,
    take: null,
    requiresGlobalStatistics: false,
    ...more,
  };
}

function row(name: string, ...componentScores: number[]): ScoredRow {
  return { _rid: name, payload: { payload: name, componentScores } };
}

test('one score ranks by itself, in its direction', () => {
  const rows = [row('a', 1), row('b', 3), row('c', 2)];
  assert.deepEqual(fuseRanks(searchBy(['Descending']), [rows]), ['b', 'c', 'a']);
  assert.deepEqual(fuseRanks(searchBy(['Ascending']), [rows]), ['a', 'c', 'b']);
});

test('results of several scores count once, and who is high in all is first', () => {
  const [a, b, c] = [row('a', 9, 1), row('b', 10, 8), row('c', 1, 9)];
  const rows = [
    [a, b],
    [c, b],
  ];
  assert.deepEqual(fuseRanks(searchBy(['Descending', 'Descending']), rows), ['b', 'c', 'a']);
  const weighted = searchBy(['Descending', 'Descending'], { componentWeights: [1, 100] });
  assert.deepEqual(fuseRanks(weighted, rows), ['c', 'b', 'a']);
});

test('equal scores have one rank, and a place is skipped and so many are taken', () => {
  const rows = [row('b', 5), row('a', 5), row('c', 4), row('d', 3)];
  assert.deepEqual(fuseRanks(searchBy(['Descending'], { skip: 1, take: 2 }), [rows]), ['b', 'c']);
});

test('statistics are put into their places, those of texts in the order of the texts', () => {
  const places = 'documentdb-formattablehybridsearchquery';
  const text = `{${places}-totaldocumentcount} {${places}-totalwordcount-1} {${places}-hitcountsarray-1} ({documentdb-formattableorderbyquery-filter})`;
  const search = searchBy(['Descending', 'Descending'], { requiresGlobalStatistics: true });
  const infos = search.componentQueryInfos.map((info) => ({ ...info, rewrittenQuery: text }));
  const statistics = { documentCount: 7, fullTextStatistics: [{ totalWordCount: 30, hitCounts: [4, 5] }] };
  assert.deepEqual(scoreQueriesOf({ ...search, componentQueryInfos: infos }, statistics), [
    '7 30 [4,5] (true)',
    '7 30 [4,5] (true)',
  ]);
});
