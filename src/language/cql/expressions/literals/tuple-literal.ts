import { invalidRequest } from '../../../../errors/invalid-request.ts';
import type { ColumnSpec } from '../../../../execution/cql/column-spec.ts';
import type { BoundValue } from '../../../../execution/cql/statement-request.ts';
import { writeFields } from '../../../../values/cql-elements.ts';
import { type CqlType, printCqlType } from '../../../../values/cql-type.ts';
import { fitOrNone } from '../fit-or-none.ts';
import type { TypedTerm } from '../typed-term.ts';
import type { Operand, UntypedTerm } from '../untyped-term.ts';
import { composedTerm } from './composed-term.ts';

/** `(a, b)`. Around a single term they are only parentheses, unless a tuple is wanted. */
export function untypedTuple(elements: readonly UntypedTerm[]): UntypedTerm {
  const [only] = elements.length === 1 ? elements : [];
  return {
    text: `(${elements.map((element) => element.text).join(', ')})`,
    isMarker: false,
    containsMarker: elements.some((element) => element.containsMarker),
    arrayLength: undefined,
    fit: (receiver) =>
      only !== undefined && !isTuple(receiver.type) ? only.fit(receiver) : fitOfTuple(elements, receiver),
    exactType: () => tupleOf(elements.map((element) => element.exactType())),
    likelyType: () => tupleOf(elements.map((element) => element.exactType())),
    prepare: (receiver) =>
      only !== undefined && !isTuple(receiver.type)
        ? only.prepare(receiver)
        : prepareTuple(elements, receiver),
  };
}

/** In Cassandra a user type is a tuple, and may be written as one. */
function isTuple(type: CqlType): type is Extract<CqlType, { kind: 'tuple' | 'udt' }> {
  return type.kind === 'tuple' || type.kind === 'udt';
}

function typesOf(type: Extract<CqlType, { kind: 'tuple' | 'udt' }>): readonly CqlType[] {
  return type.kind === 'tuple' ? type.fields : type.fields.map((field) => field.type);
}

export function tupleOf(types: readonly (CqlType | undefined)[]): CqlType | undefined {
  const fields = types.filter((type) => type !== undefined);
  return fields.length < types.length ? undefined : { kind: 'tuple', fields };
}

export function fitOfTuple(elements: readonly Operand[], receiver: ColumnSpec): 'weak' | 'none' {
  return fitOrNone(() => checkTuple(elements, receiver));
}

/** What each element is for. */
function checkTuple(elements: readonly Operand[], receiver: ColumnSpec): readonly ColumnSpec[] {
  const { type, name } = receiver;
  if (!isTuple(type))
    throw invalidRequest(`Invalid tuple type literal for ${name} of type ${printCqlType(type)}`);
  const types = typesOf(type);
  return elements.map((element, at) => {
    const field = types[at];
    if (field === undefined) {
      throw invalidRequest(
        `Invalid tuple literal for ${name}: too many elements. Type ${printCqlType(type)} expects ${types.length} but got ${elements.length}`,
      );
    }
    const spec = { ...receiver, name: `${name}[${at}]`, type: field };
    if (element.fit(spec) === 'none') {
      throw invalidRequest(
        `Invalid tuple literal for ${name}: component ${at} is not of type ${printCqlType(field)}`,
      );
    }
    return spec;
  });
}

function prepareTuple(elements: readonly UntypedTerm[], receiver: ColumnSpec): TypedTerm {
  const specs = checkTuple(elements, receiver);
  const terms = elements.map((element, at) => element.prepare(specs[at] ?? receiver));
  return composedTerm(receiver.type, terms, (values) => writeFields(values.map(setField)));
}

function setField(value: BoundValue, at: number): Buffer | null {
  if (value === undefined) throw invalidRequest(`Invalid unset value for tuple field number ${at}`);
  return value;
}
