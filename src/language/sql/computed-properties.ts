import type { ComputedProperty } from '../../catalog/nosql/nosql-definitions.ts';
import { itemSlot } from './compile-sources.ts';
import { frameOf, prepareText } from './prepare-query.ts';
import type { QueryContext } from './sql-function.ts';
import { noParameters } from './sql-parameters.ts';
import type { SqlValue } from './sql-value.ts';

/**
 * Gives an item properties that queries find by name and that are in no result by themselves. One that it has itself wins. They are
 * computed from what the item has itself: to one another, and to themselves, they are not there.
 */
export function computedPropertiesOf(
  definitions: readonly ComputedProperty[],
  context: QueryContext,
): (document: unknown) => void {
  const computed = definitions.map(({ name, query }) => {
    const prepared = prepareText(query);
    return { name, prepared, frame: frameOf(prepared, noParameters, context) };
  });
  let isComputing = false;
  return (document) => {
    if (typeof document !== 'object' || document === null) return;
    for (const { name, prepared, frame } of computed) {
      if (Object.hasOwn(document, name)) continue;
      Object.defineProperty(document, name, {
        enumerable: false,
        get: (): SqlValue => {
          if (isComputing) return undefined;
          let value: SqlValue;
          frame.slots[itemSlot] = document as SqlValue;
          frame.rowsOfItem = 0;
          isComputing = true;
          try {
            prepared.select.rows(frame, () => {
              value = prepared.select.project(frame);
              return true;
            });
          } finally {
            isComputing = false;
          }
          return value;
        },
      });
    }
  };
}
