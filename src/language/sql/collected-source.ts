// A sub-query that FROM begins with, and whose rows depend on all items together: `FROM (SELECT c.a, COUNT(1) AS n FROM c GROUP BY c.a) x`.

import { aggregatesOf } from './find-aggregates.ts';
import { rootNameOf } from './item-path.ts';
import { isQuery, type SqlQuery } from './sql-query.ts';

/** The sub-query that has to see all items before what is round it can be asked; undefined where each item is asked by itself. */
export function collectedSourceOf({ from }: SqlQuery): SqlQuery | undefined {
  const origin = from[0]?.origin;
  if (origin === undefined || !isQuery(origin)) return undefined;
  const isOver =
    isOverContainer(origin) && (dependsOnAllRows(origin) || collectedSourceOf(origin) !== undefined);
  return isOver ? origin : undefined;
}

function isOverContainer({ from }: SqlQuery): boolean {
  const origin = from[0]?.origin;
  if (origin === undefined) return false;
  return isQuery(origin) ? isOverContainer(origin) : rootNameOf(origin) !== undefined;
}

/** Whether what the query gives for a row depends on the others. */
export function dependsOnAllRows(query: SqlQuery): boolean {
  const { select, groupBy, orderBy, limit } = query;
  return (
    select.isDistinct ||
    select.top !== undefined ||
    limit !== undefined ||
    groupBy.length > 0 ||
    orderBy.length > 0 ||
    aggregatesOf(query).length > 0
  );
}
