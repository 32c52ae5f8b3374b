// ORDER BY RANK as clients run it: statistics of all partitions first, then one query for each score, and the ranks are put together
// by the client (nosql-api.md §3.5).

import { printExpression, printQuery } from '../print-sql.ts';
import { sqlError } from '../sql-error.ts';
import type { VectorDistances } from '../sql-function.ts';
import type { SqlParameters } from '../sql-parameters.ts';
import type { Call, Expression, SqlQuery } from '../sql-query.ts';
import { isArray, memberOf } from '../sql-value.ts';
import {
  arrayNode,
  binaryNode,
  callNode,
  countNode,
  literalNode,
  nameNode,
  objectNode,
} from './make-nodes.ts';
import { payloadOf, withOrderByItems } from './rewrite-order.ts';
import { constantOf, vectorDirection } from './vector-direction.ts';

export interface ComponentQueryInfo {
  readonly distinctType: 'None';
  readonly offset?: number;
  readonly limit?: number;
  readonly orderBy: readonly ['Ascending' | 'Descending'];
  readonly orderByExpressions: readonly [string];
  readonly groupByExpressions: readonly [];
  readonly groupByAliases: readonly [];
  readonly aggregates: readonly [];
  readonly groupByAliasToAggregateType: Readonly<Record<string, never>>;
  readonly rewrittenQuery: string;
  readonly hasSelectValue: false;
  readonly hasNonStreamingOrderBy: true;
}

export interface HybridSearchQueryInfo {
  readonly globalStatisticsQuery: string;
  readonly componentQueryInfos: readonly ComponentQueryInfo[];
  readonly componentWithoutPayloadQueryInfos: readonly [];
  readonly componentWeights: readonly number[];
  /** Null and not absent: some clients look it up without asking. */
  readonly skip: number | null;
  readonly take: number | null;
  readonly requiresGlobalStatistics: boolean;
}

interface Component {
  readonly call: Call;
  readonly isFullText: boolean;
  /** What partitions compute; of a text with places for statistics. */
  readonly score: Expression;
  readonly direction: 'Ascending' | 'Descending';
  readonly terms: readonly Expression[];
}

const placeholders = 'documentdb-formattablehybridsearchquery';
const leastFetched = 120;

/** What stands in the texts for statistics that only all partitions together know. */
export const statisticsPlaces: {
  readonly documents: string;
  readonly words: (component: number) => string;
  readonly hits: (component: number) => string;
} = {
  documents: `{${placeholders}-totaldocumentcount}`,
  words: (component) => `{${placeholders}-totalwordcount-${component}}`,
  hits: (component) => `{${placeholders}-hitcountsarray-${component}}`,
};

export function hybridSearchOf(
  query: SqlQuery,
  parameters: SqlParameters,
  distances: VectorDistances | undefined,
  skip: number | undefined,
  take: number | undefined,
): HybridSearchQueryInfo {
  const { calls, weights } = scoreCallsOf(query, parameters);
  const components = calls.map((call, at) => componentOf(call, at, parameters, distances));
  const fullText = components.filter(({ isFullText }) => isFullText);
  // Ranks of further results count too, so more are fetched than are given.
  const fetched = take === undefined ? undefined : Math.max(leastFetched, 2 * ((skip ?? 0) + take));
  return {
    globalStatisticsQuery: statisticsQueryOf(query, fullText),
    componentQueryInfos: components.map((component) =>
      componentQueryOf(query, component, components, fetched),
    ),
    componentWithoutPayloadQueryInfos: [],
    componentWeights: weights,
    skip: skip ?? null,
    take: take ?? null,
    requiresGlobalStatistics: fullText.length > 0,
  };
}

function scoreCallsOf(
  { orderBy }: SqlQuery,
  parameters: SqlParameters,
): { readonly calls: readonly Call[]; readonly weights: readonly number[] } {
  const [key, ...others] = orderBy;
  const [node] = [key?.value];
  if (node?.kind !== 'call' || others.length > 0) throw notAScore(node ?? orderBy[0]?.value);
  if (node.name.toUpperCase() !== 'RRF') return { calls: [node], weights: [] };
  const last = node.arguments.at(-1);
  const weights = last === undefined || last.kind === 'call' ? undefined : numbersOf(last, parameters);
  const given = weights === undefined ? node.arguments : node.arguments.slice(0, -1);
  const calls = given.map((argument) => {
    if (argument.kind !== 'call') throw notAScore(argument);
    return argument;
  });
  if (calls.length === 0 || (weights !== undefined && weights.length !== calls.length)) throw notAScore(node);
  return { calls, weights: weights ?? [] };
}

function componentOf(
  call: Call,
  at: number,
  parameters: SqlParameters,
  distances: VectorDistances | undefined,
): Component {
  const name = call.name.toUpperCase();
  if (name === 'VECTORDISTANCE') {
    const direction = vectorDirection(call, parameters, distances);
    return { call, isFullText: false, score: call, direction, terms: [] };
  }
  if (name !== 'FULLTEXTSCORE') throw notAScore(call);
  const [path, ...given] = call.arguments;
  if (path === undefined || given.length === 0) {
    throw sqlError('SC2050', 'The FULLTEXTSCORE function requires at least 2 argument(s).', call.span);
  }
  const terms = given.flatMap((argument) => termsOf(argument, parameters));
  const score = callNode(
    '_FullTextScore',
    path,
    arrayNode(terms),
    nameNode(statisticsPlaces.documents),
    nameNode(statisticsPlaces.words(at)),
    nameNode(statisticsPlaces.hits(at)),
  );
  return { call, isFullText: true, score, direction: 'Descending', terms };
}

/** Terms one by one, or in an array as older texts have them. */
function termsOf(node: Expression, parameters: SqlParameters): readonly Expression[] {
  if (node.kind === 'array') return node.items;
  const value = node.kind === 'parameter' ? parameters.get(node.name) : undefined;
  if (!isArray(value)) return [node];
  return value.flatMap((term) => {
    if (typeof term === 'string') return [literalNode(term)];
    const [text, distance] = [memberOf(term, 'term'), memberOf(term, 'distance')];
    if (typeof text !== 'string' || typeof distance !== 'number') return [];
    return [
      objectNode([
        ['term', literalNode(text)],
        ['distance', literalNode(distance)],
      ]),
    ];
  });
}

function statisticsQueryOf(query: SqlQuery, components: readonly Component[]): string {
  const statistics = components.map(({ call, terms }) => {
    const path = call.arguments[0] as Expression;
    const hits = terms.map((term) => callNode('COUNTIF', callNode('FullTextContains', path, term)));
    return objectNode([
      ['totalWordCount', callNode('SUM', callNode('_FullTextWordCount', path))],
      ['hitCounts', arrayNode(hits)],
    ]);
  });
  return printQuery({
    ...query,
    select: {
      ...query.select,
      isDistinct: false,
      top: undefined,
      list: {
        kind: 'items',
        items: [
          { value: callNode('COUNT', countNode(1)), alias: 'documentCount' },
          { value: arrayNode(statistics), alias: 'fullTextStatistics' },
        ],
      },
    },
    where: undefined,
    orderBy: [],
    isRanked: false,
    offset: undefined,
    limit: undefined,
  });
}

function componentQueryOf(
  query: SqlQuery,
  { score, direction }: Component,
  components: readonly Component[],
  fetched: number | undefined,
): ComponentQueryInfo {
  const scores = components.map((component) => binaryNode('??', component.score, literalNode(-1)));
  const { payload, conditions } = payloadOf(query);
  const ordered: SqlQuery = {
    ...query,
    select: { ...query.select, top: undefined },
    orderBy: [{ value: score, direction: direction === 'Ascending' ? 'ascending' : 'descending' }],
    isRanked: false,
    offset: fetched === undefined ? undefined : countNode(0),
    limit: fetched === undefined ? undefined : countNode(fetched),
  };
  const whole = objectNode([
    ['payload', payload],
    ['componentScores', arrayNode(scores)],
  ]);
  return {
    distinctType: 'None',
    ...(fetched === undefined ? {} : { offset: 0, limit: fetched }),
    orderBy: [direction],
    orderByExpressions: [printExpression(score)],
    groupByExpressions: [],
    groupByAliases: [],
    aggregates: [],
    groupByAliasToAggregateType: {},
    rewrittenQuery: printQuery(withOrderByItems(ordered, whole, conditions)),
    hasSelectValue: false,
    hasNonStreamingOrderBy: true,
  };
}

function numbersOf(node: Expression, parameters: SqlParameters): readonly number[] | undefined {
  const value = constantOf(node, parameters);
  if (!isArray(value)) return undefined;
  const numbers = value.filter((element) => typeof element === 'number');
  return numbers.length === value.length ? numbers : undefined;
}

function notAScore(node: Expression | undefined): Error {
  return sqlError(
    'SC2107',
    'ORDER BY RANK must be followed by one VectorDistance or FullTextScore function call, or by RRF over several.',
    node?.span,
  );
}
