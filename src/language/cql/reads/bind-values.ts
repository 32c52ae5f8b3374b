import type { ColumnSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { BoundValue } from '../../../execution/cql/statement-request.ts';
import type { Bindings } from '../expressions/typed-term.ts';
import type { EqualRestriction, InRestriction } from './restriction.ts';

/** A value that stands in a key: there must be one. */
export function keyValue(value: BoundValue, { name }: ColumnSchema): Buffer {
  if (value === null) throw invalidRequest(`Invalid null value in condition for column ${name}`);
  if (value === undefined) throw invalidRequest(`Invalid unset value for column ${name}`);
  return value;
}

/** Every row of values, each lengthened by every one that the restriction allows. */
export function extendByEach(
  rows: readonly (readonly Buffer[])[],
  restriction: EqualRestriction | InRestriction,
  bindings: Bindings,
): readonly (readonly Buffer[])[] {
  const { columns } = restriction;
  const [column] = columns;
  const [row] = rows;
  // One column with one value for one row, as most have it, needs none of the lists.
  if (restriction.kind === 'equal' && !restriction.isTuple && rows.length === 1) {
    if (column !== undefined && row !== undefined)
      return [[...row, keyValue(restriction.value(bindings)[0], column)]];
  }
  const choices = restriction.kind === 'equal' ? [restriction.value(bindings)] : restriction.values(bindings);
  const checked = choices.map((values) =>
    columns.map((column, at) =>
      restriction.isTuple ? tupleValue(values[at], column, restriction) : keyValue(values[at], column),
    ),
  );
  return rows.flatMap((row) => checked.map((values) => [...row, ...values]));
}

function tupleValue(
  value: BoundValue,
  column: ColumnSchema,
  { kind, columns }: EqualRestriction | InRestriction,
): Buffer {
  if (value !== null) return keyValue(value, column);
  if (kind === 'equal') throw invalidRequest(`Invalid null value for column ${column.name}`);
  const names = columns.map(({ name }) => name).join(', ');
  throw invalidRequest(`Invalid null value in condition for columns: [${names}]`);
}
