// What WHERE says of one column, or of several clustering columns together; and how two such words about one column come together.

import type { ColumnSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { BoundValue } from '../../../execution/cql/statement-request.ts';
import type { Bindings, TypedTerm } from '../expressions/typed-term.ts';

/** One value for each of the restriction's columns. */
export type TupleTerm = (bindings: Bindings) => readonly BoundValue[];

export type Restriction = EqualRestriction | InRestriction | SliceRestriction | ContainsRestriction;

interface RestrictedColumns {
  readonly columns: readonly ColumnSchema[];
  /** Written as a tuple, be it of one column. */
  readonly isTuple: boolean;
}

export interface EqualRestriction extends RestrictedColumns {
  readonly kind: 'equal';
  readonly value: TupleTerm;
}

export interface InRestriction extends RestrictedColumns {
  readonly kind: 'in';
  readonly values: (bindings: Bindings) => readonly (readonly BoundValue[])[];
}

export interface SliceRestriction extends RestrictedColumns {
  readonly kind: 'slice';
  readonly start: SliceBound | undefined;
  readonly end: SliceBound | undefined;
}

/** In the order of values, whatever the clustering order; a tuple may have fewer values than the restriction has columns. */
export interface SliceBound {
  readonly isInclusive: boolean;
  readonly value: TupleTerm;
}

/** CONTAINS, CONTAINS KEY and m[k] = v, in any number together. */
export interface ContainsRestriction extends RestrictedColumns {
  readonly kind: 'contains';
  readonly values: readonly TypedTerm[];
  readonly keys: readonly TypedTerm[];
  readonly entries: readonly { readonly key: TypedTerm; readonly value: TypedTerm }[];
}

/** Both hold, or it is refused that they are said together. */
export function mergeRestrictions(known: Restriction, added: Restriction): Restriction {
  const isTuple = known.isTuple || added.isTuple;
  const names = isTuple ? columnsInCommon(known, added) : (known.columns[0]?.name ?? '');
  switch (known.kind) {
    case 'equal':
      throw invalidRequest(`${names} cannot be restricted by more than one relation if it includes an Equal`);
    case 'in':
      throw invalidRequest(`${names} cannot be restricted by more than one relation if it includes a IN`);
    case 'contains':
      return mergeContains(known, added);
    case 'slice':
      return mergeSlices(known, added, names);
  }
}

function mergeSlices(known: SliceRestriction, added: Restriction, names: string): SliceRestriction {
  if (added.kind !== 'slice') {
    throw invalidRequest(
      `Column "${names}" cannot be restricted by both an equality and an inequality relation`,
    );
  }
  const [first] = known.columns;
  const [other] = added.columns;
  if (first !== undefined && other !== undefined && first.name !== other.name) {
    const later = first.position > other.position ? first : other;
    throw invalidRequest(
      `Column "${later.name}" cannot be restricted by two inequalities not starting with the same column`,
    );
  }
  if (known.start !== undefined && added.start !== undefined) {
    throw invalidRequest(`More than one restriction was found for the start bound on ${names}`);
  }
  if (known.end !== undefined && added.end !== undefined) {
    throw invalidRequest(`More than one restriction was found for the end bound on ${names}`);
  }
  return {
    kind: 'slice',
    columns: known.columns.length >= added.columns.length ? known.columns : added.columns,
    isTuple: known.isTuple || added.isTuple,
    start: known.start ?? added.start,
    end: known.end ?? added.end,
  };
}

function mergeContains(known: ContainsRestriction, added: Restriction): ContainsRestriction {
  if (added.kind !== 'contains') {
    const name = known.columns[0]?.name;
    throw invalidRequest(
      `Collection column ${name} can only be restricted by CONTAINS, CONTAINS KEY, or map-entry equality`,
    );
  }
  return {
    ...known,
    values: [...known.values, ...added.values],
    keys: [...known.keys, ...added.keys],
    entries: [...known.entries, ...added.entries],
  };
}

function columnsInCommon(known: Restriction, added: Restriction): string {
  return known.columns
    .filter(({ name }) => added.columns.some((other) => other.name === name))
    .map(({ name }) => name)
    .join(' ,');
}
