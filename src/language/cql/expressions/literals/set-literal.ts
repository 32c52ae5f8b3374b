import { invalidRequest } from '../../../../errors/invalid-request.ts';
import type { ColumnSpec } from '../../../../execution/cql/column-spec.ts';
import { sortedCollection } from '../../../../values/cql-codec.ts';
import { writeCollection } from '../../../../values/cql-elements.ts';
import { type CqlType, printCqlType } from '../../../../values/cql-type.ts';
import { type Fit, typeForAll, worstFit } from '../type-compatibility.ts';
import type { TypedTerm } from '../typed-term.ts';
import type { UntypedTerm } from '../untyped-term.ts';
import { checkElement, prepareElement, presentElements, valueSpec } from './collection-elements.ts';
import { composedTerm } from './composed-term.ts';
import { constantTerm } from './constant.ts';

/** `{a, b}`; `{}` is an empty map too. */
export function untypedSet(elements: readonly UntypedTerm[]): UntypedTerm {
  return {
    text: `{${elements.map((element) => element.text).join(', ')}}`,
    isMarker: false,
    containsMarker: elements.some((element) => element.containsMarker),
    arrayLength: undefined,
    fit: (receiver) => fitOfSet(elements, receiver),
    exactType: () => setOf(elements.map((element) => element.exactType()).find((type) => type !== undefined)),
    likelyType: () =>
      setOf(typeForAll(elements.map((element) => element.likelyType()).filter((type) => type !== undefined))),
    prepare: (receiver) => prepareSet(elements, receiver),
  };
}

function setOf(element: CqlType | undefined): CqlType | undefined {
  return element === undefined ? undefined : { kind: 'set', element, frozen: true };
}

function fitOfSet(elements: readonly UntypedTerm[], receiver: ColumnSpec): Fit {
  const { type } = receiver;
  if (type.kind !== 'set') return type.kind === 'map' && elements.length === 0 ? 'weak' : 'none';
  if (elements.length === 0) return 'weak';
  const spec = valueSpec(receiver, type.element);
  return worstFit(elements.map((element) => element.fit(spec)));
}

function prepareSet(elements: readonly UntypedTerm[], receiver: ColumnSpec): TypedTerm {
  const { type } = receiver;
  if (type.kind === 'map' && elements.length === 0) return constantTerm(type, writeCollection([], 2));
  if (type.kind !== 'set') {
    throw invalidRequest(`Invalid set literal for ${receiver.name} of type ${printCqlType(type)}`);
  }
  const spec = valueSpec(receiver, type.element);
  for (const element of elements) checkElement('set', 'value', element, receiver, spec);
  const terms = elements.map((element) => prepareElement('set', element, receiver, spec));
  return composedTerm(type, terms, (values) => sortedCollection([type.element], presentElements(values)));
}
