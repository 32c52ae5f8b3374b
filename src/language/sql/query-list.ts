import { itemSlot } from './compile-sources.ts';
import { isOrderedByKeys } from './ordered-groups-run.ts';
import { frameOf, prepareText } from './prepare-query.ts';
import { runOfAll } from './run-of-all.ts';
import { windowOf } from './select-run.ts';
import type { QueryContext } from './sql-function.ts';
import type { SqlRequest } from './sql-parameters.ts';
import type { SqlValue } from './sql-value.ts';

/** All results of a query over things that are in memory, such as definitions. */
export function queryList(
  { text, parameters }: SqlRequest,
  list: Iterable<unknown>,
  context: QueryContext,
): readonly SqlValue[] {
  const prepared = prepareText(text);
  const { select } = prepared;
  const frame = frameOf(prepared, parameters, context);
  const { skipped, taken } = windowOf(select, frame);
  const results: SqlValue[] = [];
  const onValue = (value: SqlValue): boolean => {
    results.push(value);
    return results.length >= skipped + taken;
  };
  if (taken === 0) return [];
  const run = runOfAll<undefined>(
    select,
    frame,
    isOrderedByKeys(select) ? Number.POSITIVE_INFINITY : skipped + taken,
  );
  let rid = 0;
  let isFull = false;
  // Without FROM there is one row, whatever the list has.
  for (const item of prepared.query.from.length === 0 ? [undefined] : list) {
    frame.slots[itemSlot] = item as SqlValue;
    frame.rowsOfItem = 0;
    isFull = run.addRows(rid++, () => undefined, onValue);
    if (isFull) break;
  }
  if (!isFull && !run.finishGroups(() => undefined, onValue))
    run.sorted().some(({ value }) => value !== undefined && onValue(value));
  return results.slice(skipped);
}
