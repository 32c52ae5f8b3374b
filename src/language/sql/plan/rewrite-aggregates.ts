import { namesOf } from '../compile-select.ts';
import { aggregatesOf, isAggregateCall } from '../find-aggregates.ts';
import { sqlError } from '../sql-error.ts';
import type { Call, Expression, SqlQuery } from '../sql-query.ts';
import { arrayNode, callNode, objectNode } from './make-nodes.ts';

/** What clients call the aggregates that they put together out of the parts that partitions give them. */
const aggregateTypes: Readonly<Record<string, string>> = {
  AVG: 'Average',
  COUNT: 'Count',
  COUNTIF: 'CountIf',
  MAKELIST: 'MakeList',
  MAKESET: 'MakeSet',
  MAX: 'Max',
  MIN: 'Min',
  SUM: 'Sum',
};

function aggregateTypeOf({ name }: Call): string {
  return aggregateTypes[name.toUpperCase()] as string;
}

export interface RewrittenAggregates {
  readonly query: SqlQuery;
  /** Of `SELECT VALUE`, at most one. */
  readonly aggregates: readonly string[];
  readonly groupByAliases: readonly string[];
  readonly groupByAliasToAggregateType: Readonly<Record<string, string | null>>;
}

/** A query of which each partition gives a part: of its groups, or of its only one. */
export function rewriteAggregates(query: SqlQuery): RewrittenAggregates {
  checkCompositions(query);
  const { list } = query.select;
  const items = list.kind === 'items' ? list.items : [];
  const names = namesOf(items);
  const members = items.map(({ value }, at) => [names[at] as string, partOf(value)] as const);
  const only = list.kind === 'value' ? list.value : undefined;
  const payload = only === undefined ? objectNode(members) : payloadOfValue(only);
  const groupByItems = arrayNode(query.groupBy.map((key) => objectNode([['item', key]])));
  const isGrouped = query.groupBy.length > 0;
  const rewritten: SqlQuery = {
    ...query,
    select: {
      ...query.select,
      isDistinct: false,
      top: undefined,
      list:
        only !== undefined && !isGrouped
          ? { kind: 'value', value: payload }
          : {
              kind: 'items',
              items: [
                ...(isGrouped ? [{ value: groupByItems, alias: 'groupByItems' }] : []),
                { value: payload, alias: 'payload' },
              ],
            },
    },
    offset: undefined,
    limit: undefined,
  };
  return {
    query: rewritten,
    aggregates: only !== undefined && isAggregateCall(only) ? [aggregateTypeOf(only)] : [],
    groupByAliases: names,
    groupByAliasToAggregateType: Object.fromEntries(
      items.map(({ value }, at) => [
        names[at] as string,
        isAggregateCall(value) ? aggregateTypeOf(value) : null,
      ]),
    ),
  };
}

/** `SELECT VALUE {"n": COUNT(1)}` is `SELECT COUNT(1) AS n`, of which clients know how to put the parts together. */
export function withMembersOfValue(query: SqlQuery): SqlQuery {
  const { list } = query.select;
  if (list.kind !== 'value' || list.value.kind !== 'object' || aggregatesOf(query).length === 0) return query;
  const items = list.value.members.map(({ name, value }) => ({ value, alias: name }));
  // A name that comes twice would be two columns, where it is one member.
  if (new Set(items.map(({ alias }) => alias)).size < items.length) return query;
  return { ...query, select: { ...query.select, list: { kind: 'items', items } } };
}

function payloadOfValue(value: Expression): Expression {
  return isAggregateCall(value) ? arrayNode([partOf(value)]) : value;
}

/** An aggregate in a form that can be put together with those of other partitions. */
function partOf(node: Expression): Expression {
  if (!isAggregateCall(node)) return node;
  const name = node.name.toUpperCase();
  const [input] = node.arguments as readonly [Expression];
  if (name === 'AVG') {
    const parts = objectNode([
      ['sum', callNode('SUM', input)],
      ['count', callNode('COUNT', input)],
    ]);
    return objectNode([['item', parts]]);
  }
  const plain = callNode(name, input);
  if (name !== 'MIN' && name !== 'MAX') return objectNode([['item', plain]]);
  // Tells "no values" from "values without an order".
  const counted = objectNode([
    [name.toLowerCase(), plain],
    ['count', callNode('COUNT', input)],
  ]);
  return objectNode([
    ['item', plain],
    ['item2', counted],
  ]);
}

/** Parts of `MIN(x) / 2` could not be put together. */
function checkCompositions(query: SqlQuery): void {
  const { list } = query.select;
  const selected =
    list.kind === 'value' ? [list.value] : list.kind === 'items' ? list.items.map(({ value }) => value) : [];
  for (const call of aggregatesOf(query)) {
    if (selected.includes(call)) continue;
    throw sqlError('SC2105', 'Compositions of aggregates and other expressions are not allowed.', call.span);
  }
}
