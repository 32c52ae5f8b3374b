import type { ColumnSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { BoundValue } from '../../../execution/cql/statement-request.ts';
import type { Bindings, TypedTerm } from '../expressions/typed-term.ts';

/** What a WHERE clause says of one key column, or of several together. */
export type KeyRestriction = ValuesRestriction | SliceRestriction;

export interface ValuesRestriction {
  readonly kind: 'eq' | 'in';
  readonly columns: readonly ColumnSchema[];
  /** The term, where it is one column that equals it: most keys are, and need no lists made. */
  readonly term: TypedTerm | undefined;
  /** A value for each column, as often as there are values: once unless it is an IN. */
  values(bindings: Bindings): readonly (readonly Buffer[])[];
}

export interface SliceRestriction {
  readonly kind: 'slice';
  readonly columns: readonly ColumnSchema[];
  readonly start: SliceBound | undefined;
  readonly end: SliceBound | undefined;
}

/** The columns may be fewer than those of the restriction, where two are merged. */
export interface SliceBound {
  readonly isInclusive: boolean;
  values(bindings: Bindings): readonly Buffer[];
}

/** The value of a key column, which is neither null nor left out. */
export function keyValue(value: BoundValue, { name }: ColumnSchema): Buffer {
  if (value === null) throw invalidRequest(`Invalid null value in condition for column ${name}`);
  if (value === undefined) throw invalidRequest(`Invalid unset value for column ${name}`);
  return value;
}
