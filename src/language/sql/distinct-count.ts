import { namesOf } from './compile-select.ts';
import { isAggregateCall } from './find-aggregates.ts';
import { type Expression, isQuery, type SqlQuery } from './sql-query.ts';

/** `SELECT COUNT(1) FROM (SELECT DISTINCT …)`: how many different rows there are among all items, and not in each. */
export interface DistinctCount {
  /** The rows that are counted. */
  readonly inner: SqlQuery;
  /** Undefined for `SELECT VALUE`. */
  readonly alias: string | undefined;
  /** The same question over the items themselves. */
  readonly counted: SqlQuery;
}

export function distinctCountOf(query: SqlQuery): DistinctCount | undefined {
  const { select, from, where, groupBy, orderBy } = query;
  const [source] = from;
  if (from.length !== 1 || source === undefined || source.isIterated || !isQuery(source.origin))
    return undefined;
  const inner = source.origin;
  const isBare = where === undefined && groupBy.length === 0 && orderBy.length === 0 && !select.isDistinct;
  const isRead = inner.from.length > 0 && inner.select.top === undefined && inner.limit === undefined;
  if (!isBare || !isRead || !inner.select.isDistinct || inner.groupBy.length > 0) return undefined;
  const { list } = select;
  const item = list.kind === 'items' ? list.items[0] : undefined;
  if (list.kind === 'items' && list.items.length !== 1) return undefined;
  const call = list.kind === 'value' ? list.value : item?.value;
  if (call === undefined || !isAggregateCall(call) || call.name.toUpperCase() !== 'COUNT') return undefined;
  if (call.arguments[0]?.kind !== 'literal' && call.arguments[0]?.kind !== 'name') return undefined;
  const row = rowOf(inner);
  if (row === undefined) return undefined;
  const count = { ...call, name: '_COUNTDISTINCT', arguments: [row] };
  const alias = list.kind === 'items' ? namesOf(list.items)[0] : undefined;
  return {
    inner,
    alias,
    counted: {
      ...query,
      select: {
        ...select,
        list:
          list.kind === 'value'
            ? { kind: 'value', value: count }
            : { kind: 'items', items: [{ value: count, alias }] },
      },
      from: inner.from,
      where: inner.where,
    },
  };
}

/** What a row of the query is, as one expression. */
function rowOf({ select, span }: SqlQuery): Expression | undefined {
  const { list } = select;
  if (list.kind === 'value') return list.value;
  if (list.kind === 'all') return undefined;
  const names = namesOf(list.items);
  const members = list.items.map(({ value }, at) => ({ name: names[at] as string, value }));
  return { kind: 'object', members, span };
}
