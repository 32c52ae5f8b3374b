import { invalidRequest } from '../../../../errors/invalid-request.ts';
import type { ColumnSpec } from '../../../../execution/cql/column-spec.ts';
import type { BoundValue } from '../../../../execution/cql/statement-request.ts';
import { decodeCqlValue } from '../../../../values/cql-codec.ts';
import { writeCollection, writeVector } from '../../../../values/cql-elements.ts';
import { type CqlType, printCqlType } from '../../../../values/cql-type.ts';
import { type Fit, worstFit } from '../type-compatibility.ts';
import type { TypedTerm } from '../typed-term.ts';
import type { UntypedTerm } from '../untyped-term.ts';
import { checkElement, prepareElement, presentElements, valueSpec } from './collection-elements.ts';
import { composedTerm } from './composed-term.ts';

type ListType = Extract<CqlType, { kind: 'list' | 'set' }>;
type VectorType = Extract<CqlType, { kind: 'vector' }>;

/** `[a, b]`: a list or a vector, whichever is wanted. */
export function untypedArray(elements: readonly UntypedTerm[]): UntypedTerm {
  return {
    text: `[${elements.map((element) => element.text).join(', ')}]`,
    isMarker: false,
    containsMarker: elements.some((element) => element.containsMarker),
    arrayLength: undefined,
    fit: (receiver) => fitOfArray(elements, receiver),
    exactType: () => undefined,
    likelyType: () => undefined,
    prepare(receiver) {
      const type = arrayType(receiver.type);
      return type.kind === 'vector'
        ? prepareVector(elements, receiver, type)
        : prepareList(elements, receiver, type);
    },
  };
}

/** Cassandra refuses other types even where it only asks whether they fit. */
function arrayType(type: CqlType): ListType | VectorType {
  if (type.kind === 'list' || type.kind === 'vector') return type;
  throw invalidRequest(`Unexpected receiver type '${printCqlType(type)}'; only list and vector are expected`);
}

function fitOfArray(elements: readonly UntypedTerm[], receiver: ColumnSpec): Fit {
  const type = arrayType(receiver.type);
  if (type.kind === 'vector' && elements.length !== type.dimension) return 'none';
  if (elements.length === 0) return 'weak';
  const spec = valueSpec(receiver, type.element);
  return worstFit(elements.map((element) => element.fit(spec)));
}

function prepareList(elements: readonly UntypedTerm[], receiver: ColumnSpec, type: ListType): TypedTerm {
  const spec = valueSpec(receiver, type.element);
  for (const element of elements) checkElement('list', 'value', element, receiver, spec);
  const terms = elements.map((element) => prepareElement('list', element, receiver, spec));
  return composedTerm(type, terms, (values) => writeCollection(presentElements(values), 1));
}

function prepareVector(elements: readonly UntypedTerm[], receiver: ColumnSpec, type: VectorType): TypedTerm {
  if (elements.length !== type.dimension) {
    throw invalidRequest(
      `Invalid vector literal for ${receiver.name} of type ${printCqlType(type)}; expected ${type.dimension} elements, but given ${elements.length}`,
    );
  }
  const spec = valueSpec(receiver, type.element);
  const terms = elements.map((element) => {
    checkElement('vector', 'value', element, receiver, spec);
    return element.prepare(spec);
  });
  return composedTerm(type, terms, (values) => writeVector(type.element, presentIn(type.element, values)));
}

/** What is empty, and has no meaning so, is none either. */
function presentIn(type: CqlType, values: readonly BoundValue[]): readonly Buffer[] {
  return values.map((value) => {
    if (!value || decodeCqlValue(type, value) === null) {
      throw invalidRequest('null is not supported inside vectors');
    }
    return value;
  });
}
