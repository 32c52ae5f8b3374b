import { itemSlot } from './compile-sources.ts';
import { parseCondition } from './parse-sql.ts';
import { frameOf, prepareQuery } from './prepare-query.ts';
import type { QueryContext } from './sql-function.ts';
import { noParameters } from './sql-parameters.ts';
import type { SqlValue } from './sql-value.ts';

/** Whether an item fulfils a condition such as patches have: `from c where c.count > 3`. */
export function compilePredicate(text: string, context: QueryContext): (item: unknown) => boolean {
  const prepared = prepareQuery(parseCondition(text), text);
  const frame = frameOf(prepared, noParameters, context);
  return (item) => {
    frame.slots[itemSlot] = item as SqlValue;
    frame.rowsOfItem = 0;
    return prepared.select.rows(frame, () => true);
  };
}
