// Which queries are parts of a plan that this server gave, or one that plans as it does. Whoever asks for such a part puts together the
// parts of all partitions, and in the same way those of all pages, so a page need not know what the others give.

import { collectedSourceOf } from '../collected-source.ts';
import { aggregatesOf } from '../find-aggregates.ts';
import { printExpression } from '../print-sql.ts';
import type { Expression, SqlQuery } from '../sql-query.ts';

/** Whether the query has the form that `rewriteAggregates` gives it: nobody else would write that. */
export function isPartOfPlan(query: SqlQuery): boolean {
  const { select, groupBy, limit, from } = query;
  if (select.isDistinct || select.top !== undefined || limit !== undefined || from.length === 0) return false;
  if (collectedSourceOf(query) !== undefined || (groupBy.length === 0 && aggregatesOf(query).length === 0))
    return false;
  const { list } = select;
  if (list.kind === 'all') return false;
  if (list.kind === 'value') {
    const [only, ...others] = list.value.kind === 'array' ? list.value.items : [];
    return groupBy.length === 0 && only !== undefined && others.length === 0 && isPart(only);
  }
  const [first, second] = list.items;
  if (groupBy.length === 0) {
    return list.items.length === 1 && first?.alias === 'payload' && isPayload(first.value);
  }
  if (list.items.length !== 2 || first?.alias !== 'groupByItems' || second?.alias !== 'payload') return false;
  return areKeys(first.value, groupBy);
}

/** Whether the query has the form of a part of a ranked search: each row with the scores by which clients rank those of all parts. */
export function isPartOfRankedSearch({ select, orderBy }: SqlQuery): boolean {
  if (orderBy.length !== 1 || select.list.kind !== 'items') return false;
  const { items } = select.list;
  const payload = items.find(({ alias }) => alias === 'payload')?.value;
  return (
    items.some(({ alias }) => alias === 'orderByItems') &&
    payload?.kind === 'object' &&
    payload.members.some(({ name }) => name === 'componentScores')
  );
}

/** `{"item": …}` */
function isPart(node: Expression): boolean {
  return node.kind === 'object' && node.members[0]?.name === 'item';
}

function isPayload(node: Expression): boolean {
  return node.kind === 'object' && node.members.some(({ value }) => isPart(value));
}

function areKeys(node: Expression, groupBy: readonly Expression[]): boolean {
  if (node.kind !== 'array' || node.items.length !== groupBy.length) return false;
  return node.items.every((item, at) => {
    if (item.kind !== 'object' || !isPart(item) || item.members.length !== 1) return false;
    const [key, by] = [item.members[0]?.value, groupBy[at]];
    return key !== undefined && by !== undefined && printExpression(key) === printExpression(by);
  });
}

/** A remark, which whoever else may be sent the text passes over. */
const mark = '\n-- distinct by page';

/** The text of a DISTINCT of which each page is made distinct by itself. */
export function distinctByPage(text: string): string {
  return text + mark;
}

export function isDistinctByPage({ select, orderBy, groupBy }: SqlQuery, text: string): boolean {
  return select.isDistinct && orderBy.length === 0 && groupBy.length === 0 && text.endsWith(mark);
}
