import { itemSlot } from './compile-sources.ts';
import { parseCondition } from './parse-sql.ts';
import { frameOf, prepareQuery } from './prepare-query.ts';
import { sqlError } from './sql-error.ts';
import type { QueryContext } from './sql-function.ts';
import { noParameters } from './sql-parameters.ts';
import type { SqlValue } from './sql-value.ts';

/** Whether an item fulfils a condition such as patches have: `from c where c.count > 3`. */
export function compilePredicate(text: string, context: QueryContext): (item: unknown) => boolean {
  const prepared = prepareQuery(parseCondition(text), text);
  if (prepared.select.collected !== undefined)
    throw sqlError('SC2110', 'A condition on one item cannot ask about all items.', prepared.query.span);
  const frame = frameOf(prepared, noParameters, context);
  return (item) => {
    frame.slots[itemSlot] = item as SqlValue;
    frame.rowsOfItem = 0;
    return prepared.select.rows(frame, () => true);
  };
}
