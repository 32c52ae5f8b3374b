import type { RunnableQuery } from '../../execution/nosql/queries/runnable-query.ts';
import type { CompiledSelect } from './compile-select.ts';
import { isOrderedByKeys } from './ordered-groups-run.ts';
import { isDistinctByPage, isPartOfPlan } from './plan/part-of-plan.ts';
import type { SqlQuery } from './sql-query.ts';

export type QueryShape = RunnableQuery['shape'];

/** When and in which order the query gives its results. */
export function shapeOf(query: SqlQuery, select: CompiledSelect, text: string): QueryShape {
  if (isPartOfPlan(query)) return 'parts';
  // What pages repeat of one another, the client leaves out.
  if (isDistinctByPage(query, text)) return 'stream';
  if (isOrderedByKeys(select)) return 'groups';
  if (select.collected !== undefined) return 'whole';
  return select.sort.length > 0 ? 'sort' : 'stream';
}
