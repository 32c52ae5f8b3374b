import type { ColumnSpec } from '../../execution/cql/column-spec.ts';
import type { BoundValue } from '../../execution/cql/statement-request.ts';
import type { QueryParameters } from './requests/query-parameters.ts';

/**
 * Values in the order of the variables. A name stands for every variable that has it; one that nobody gave a value is left
 * out, so that there are too few, and one that nobody asked for is ignored: as in Cassandra.
 */
export function valuesInOrder(
  variables: readonly ColumnSpec[],
  { values, names }: QueryParameters,
): readonly BoundValue[] {
  if (names === undefined) return values;
  const ordered: BoundValue[] = [];
  for (const { name } of variables) {
    const at = names.indexOf(name);
    if (at >= 0) ordered.push(values[at]);
  }
  return ordered;
}
