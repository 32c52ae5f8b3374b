import type { ColumnSpec } from '../../../execution/cql/column-spec.ts';
import { validateCqlValue } from '../../../values/cql-validation.ts';
import type { BindMarker } from '../token-cursor.ts';
import { hasOrderOfItsOwn, inOrder } from './bound-collection.ts';
import { withNullFields } from './bound-user-type.ts';
import type { TermContext } from './term-context.ts';
import type { TypedTerm } from './typed-term.ts';
import type { UntypedTerm } from './untyped-term.ts';

/** The bytes that are bound are checked against the type. Null and values that are not set are for the caller to judge. */
export function bindMarker(marker: BindMarker, spec: ColumnSpec, context: TermContext): TypedTerm {
  const { index } = marker;
  const { type } = spec;
  const mayNeedSorting = hasOrderOfItsOwn(type);
  context.variables.declare(marker, spec);
  return {
    type,
    isConstant: false,
    evaluate({ values }) {
      const value = values[index];
      if (!value) return value;
      validateCqlValue(type, value);
      if (type.kind === 'udt') return withNullFields(type, value);
      return mayNeedSorting ? inOrder(type, value) : value;
    },
  };
}

export function untypedMarker(marker: BindMarker, context: TermContext): UntypedTerm {
  return {
    text: '?',
    isMarker: true,
    containsMarker: true,
    arrayLength: undefined,
    fit: () => 'weak',
    exactType: () => undefined,
    likelyType: () => undefined,
    prepare: (receiver) => bindMarker(marker, receiver, context),
  };
}
