import type { ColumnSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { Term } from '../terms.ts';
import type { Bindings } from './typed-term.ts';

/** Types of which a value of no bytes is one; of the others it is a null. */
const withEmptyValues = new Set(['text', 'ascii', 'blob', 'list', 'set', 'map', 'tuple', 'udt']);

/** `key IN ?`: a null inside the list is refused in the name of the column, before the list is looked at as a list. */
export function refuseNullElements(
  term: Term,
  { name, kind, type }: ColumnSchema,
  { values }: Bindings,
): void {
  const list = term.kind === 'marker' ? values[term.index] : undefined;
  if (!list || (kind !== 'partition_key' && kind !== 'clustering')) return;
  const least = withEmptyValues.has(type.kind) ? 0 : 1;
  for (let at = 4; at + 4 <= list.length; ) {
    const length = list.readInt32BE(at);
    if (length < least) throw invalidRequest(`Invalid null value in condition for column ${name}`);
    at += 4 + length;
  }
}
