import { invalidRequest } from '../../../../errors/invalid-request.ts';
import type { ColumnSpec } from '../../../../execution/cql/column-spec.ts';
import { type CqlType, printCqlType } from '../../../../values/cql-type.ts';
import { canReadValues, type Fit, isSameType } from '../type-compatibility.ts';
import type { UntypedTerm } from '../untyped-term.ts';

/** `(type) term`: what it is, but not a conversion. `typeText` is the type as it was written. */
export function untypedHint(typeText: string, type: CqlType, term: UntypedTerm): UntypedTerm {
  const text = `(${typeText})${term.text}`;
  return {
    text,
    isMarker: false,
    containsMarker: term.containsMarker,
    arrayLength: undefined,
    fit: (receiver) => fitOfHint(type, receiver),
    exactType: () => type,
    likelyType: () => type,
    prepare(receiver) {
      if (term.fit({ ...receiver, name: text, type }) === 'none') {
        throw invalidRequest(`Cannot cast value ${term.text} to type ${typeText}`);
      }
      if (fitOfHint(type, receiver) === 'none') {
        throw invalidRequest(
          `Cannot assign value ${text} to ${receiver.name} of type ${printCqlType(receiver.type)}`,
        );
      }
      return term.prepare(receiver);
    },
  };
}

export function fitOfHint(hinted: CqlType, { type }: ColumnSpec): Fit {
  if (isSameType(type, hinted)) return 'exact';
  return canReadValues(type, hinted) ? 'weak' : 'none';
}
