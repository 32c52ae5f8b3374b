import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { partitionKeyDefinition } from '../../../partitioning/partition-key.ts';
import { sampleLines } from '../corpus/sample-lines.ts';
import { parseSql } from '../parse-sql.ts';
import type { SqlProblem } from '../sql-error.ts';
import { keyTargetsOf } from './key-targets.ts';
import { planSamples, targetSamples } from './plan-query.samples.ts';
import { checkFeatures, planQuery } from './plan-query.ts';

const byKey = { partitionKey: partitionKeyDefinition('v2', ['/pk']), partitionKeyPaths: [['pk']] };
const byLevels = {
  partitionKey: partitionKeyDefinition('multi', ['/tenant', '/user']),
  partitionKeyPaths: [['tenant'], ['user']],
};
const parameters = new Map([['@n', 3]]);

const plainInfo = {
  distinctType: 'None',
  orderBy: [],
  orderByExpressions: [],
  groupByExpressions: [],
  groupByAliases: [],
  aggregates: [],
  groupByAliasToAggregateType: {},
  rewrittenQuery: '',
  hasSelectValue: false,
  hasNonStreamingOrderBy: false,
};

function planOf(text: string): unknown {
  try {
    const plan = planQuery(parseSql(text), parameters, byKey);
    return 'queryInfo' in plan ? plan.queryInfo : plan.hybridSearchQueryInfo;
  } catch (error) {
    assert(error instanceof RingfoldError, String(error));
    return (error.details['errors'] as readonly SqlProblem[])[0]?.code;
  }
}

for (const { asked, answer } of sampleLines(planSamples)) {
  test(`the plan of ${asked}`, () => {
    const expected = answer.startsWith('error ')
      ? answer.slice('error '.length)
      : { ...plainInfo, ...(JSON.parse(answer.replaceAll('¶', '\\n')) as object) };
    assert.deepEqual(planOf(asked), expected);
  });
}

test('a filter tells which partition keys and items a query is about', () => {
  for (const { asked, answer } of sampleLines(targetSamples)) {
    const targets = keyTargetsOf(
      parseSql(`SELECT * FROM c WHERE ${asked}`),
      parameters,
      byKey.partitionKeyPaths,
    );
    const shown = targets?.map(({ components, id }) => [
      ...components,
      ...(id === undefined ? [] : [`#${id}`]),
    ]);
    assert.equal(shown === undefined ? 'all' : JSON.stringify(shown), answer, asked);
  }
});

function rangesOf(text: string, container: typeof byKey): unknown {
  return planQuery(parseSql(text), parameters, container).queryRanges;
}

test('the ranges of a plan are those of the keys in the filter, in ring order', () => {
  const all = [{ min: '', max: 'FF', isMinInclusive: true, isMaxInclusive: false }];
  assert.deepEqual(rangesOf('SELECT * FROM c', byKey), all);
  const point = '22E342F38A486A088463DFF7838A5963';
  assert.deepEqual(rangesOf('SELECT * FROM c WHERE c.pk = "redmond"', byKey), [
    { min: point, max: point, isMinInclusive: true, isMaxInclusive: true },
  ]);
  const ranges = rangesOf('SELECT * FROM c WHERE c.pk IN ("redmond", 5, null)', byKey) as { min: string }[];
  assert.deepEqual(
    ranges.map(({ min }) => min),
    ['19C08621B135968252FB34B4CF66F811', point, '378867E4430E67857ACE5C908374FE16'],
  );
  const none = [{ min: '', max: '', isMinInclusive: true, isMaxInclusive: true }];
  assert.deepEqual(rangesOf('SELECT * FROM c WHERE false', byKey), none);
  assert.deepEqual(rangesOf('SELECT VALUE 1', byKey), none);
  assert.deepEqual(rangesOf('SELECT * FROM c WHERE c.tenant = "redmond"', byLevels), [
    { min: point, max: `${point}FF`, isMinInclusive: true, isMaxInclusive: false },
  ]);
  assert.deepEqual(rangesOf('SELECT * FROM c WHERE c.user = "redmond"', byLevels), all);
  const both = `${point}${point}`;
  assert.deepEqual(rangesOf('SELECT * FROM c WHERE c.user = "redmond" AND c.tenant = "redmond"', byLevels), [
    { min: both, max: both, isMinInclusive: true, isMaxInclusive: true },
  ]);
  assert.equal(
    (
      rangesOf(
        'SELECT * FROM c WHERE c.tenant = "redmond" AND c.user IN ("a", "b") OR c.tenant = "redmond"',
        byLevels,
      ) as []
    ).length,
    1,
  );
});

test('OFFSET and LIMIT within one partition key are left to the partition', () => {
  assert.deepEqual(planOf('SELECT * FROM c WHERE c.pk = 1 OFFSET 1 LIMIT 2'), plainInfo);
});

test('a plan that the client would not understand is refused, with what it lacks', () => {
  const plan = planQuery(parseSql('SELECT c.a, COUNT(1) AS n FROM c GROUP BY c.a'), parameters, byKey);
  checkFeatures(plan, 'Aggregate, GroupBy, MultipleAggregates,NonValueAggregate');
  assert.throws(
    () => checkFeatures(plan, 'Aggregate,Distinct'),
    (error: unknown) =>
      error instanceof RingfoldError && /Query contained GroupBy/.test(String(error.details['reason'])),
  );
});

test('a ranked search is a query for statistics and one for each score', () => {
  const plan = planQuery(
    parseSql(
      'SELECT TOP 5 c.id FROM c WHERE c.a ORDER BY RANK RRF(FullTextScore(c.t, "x", "y"), VectorDistance(c.v, [1]), [2, 1])',
    ),
    parameters,
    { ...byKey, vectorDistances: new Map([['/v', 'euclidean' as const]]) },
  );
  assert('hybridSearchQueryInfo' in plan);
  const { hybridSearchQueryInfo: info } = plan;
  const place = 'documentdb-formattablehybridsearchquery';
  const text = `_FullTextScore(c.t, ["x", "y"], {${place}-totaldocumentcount}, {${place}-totalwordcount-0}, {${place}-hitcountsarray-0})`;
  assert.equal(
    info.globalStatisticsQuery,
    'SELECT COUNT(1) AS documentCount, [{"totalWordCount": SUM(_FullTextWordCount(c.t)), "hitCounts": ' +
      '[COUNTIF(FullTextContains(c.t, "x")), COUNTIF(FullTextContains(c.t, "y"))]}] AS fullTextStatistics\nFROM c',
  );
  assert.deepEqual(
    info.componentQueryInfos.map(({ orderBy, orderByExpressions, limit }) => ({
      orderBy,
      orderByExpressions,
      limit,
    })),
    [
      { orderBy: ['Descending'], orderByExpressions: [text], limit: 120 },
      { orderBy: ['Ascending'], orderByExpressions: ['VectorDistance(c.v, [1])'], limit: 120 },
    ],
  );
  assert.equal(
    info.componentQueryInfos[1]?.rewrittenQuery,
    'SELECT c._rid, [{"item": VectorDistance(c.v, [1])}] AS orderByItems, {"payload": {"id": c.id}, "componentScores": ' +
      `[(${text} ?? -1), (VectorDistance(c.v, [1]) ?? -1)]} AS payload\nFROM c\n` +
      'WHERE (c.a AND ({documentdb-formattableorderbyquery-filter}))\n' +
      'ORDER BY VectorDistance(c.v, [1]) ASC\nOFFSET 0 LIMIT 120',
  );
  assert.deepEqual(
    [info.skip, info.take, info.componentWeights, info.requiresGlobalStatistics],
    [null, 5, [2, 1], true],
  );
  assert.throws(() => checkFeatures(plan, 'HybridSearch'), RingfoldError);
  checkFeatures(plan, 'HybridSearch, WeightedRankFusion');
});

test('what is no score cannot be ranked by', () => {
  for (const by of [
    'c.a',
    'ABS(c.a)',
    'RRF(c.a)',
    'RRF()',
    'RRF(VectorDistance(c.v, [1]), [1, 2])',
    'FullTextScore(c.t)',
  ]) {
    assert.throws(
      () => planQuery(parseSql(`SELECT TOP 1 * FROM c ORDER BY RANK ${by}`), parameters, byKey),
      (error: unknown) => error instanceof RingfoldError && error.code === 'sql-syntax',
      by,
    );
  }
});
