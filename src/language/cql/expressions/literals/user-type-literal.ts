import { invalidRequest } from '../../../../errors/invalid-request.ts';
import type { ColumnSpec } from '../../../../execution/cql/column-spec.ts';
import { writeFields } from '../../../../values/cql-elements.ts';
import { printCqlType, type UserType } from '../../../../values/cql-type.ts';
import { fitOrNone } from '../fit-or-none.ts';
import type { TypedTerm } from '../typed-term.ts';
import type { Operand, UntypedTerm } from '../untyped-term.ts';
import { composedTerm } from './composed-term.ts';
import { untypedNull } from './null.ts';

/** `{field: value}`. Fields that are not named are null; of one named twice the last stays. */
export function untypedUserType(fields: ReadonlyMap<string, UntypedTerm>): UntypedTerm {
  return {
    text: `{${Array.from(fields, ([name, value]) => `${name}: ${value.text}`).join(', ')}}`,
    isMarker: false,
    containsMarker: Array.from(fields.values()).some((value) => value.containsMarker),
    arrayLength: undefined,
    fit: (receiver) => fitOrNone(() => checkUserType(fields, receiver)),
    exactType: () => undefined,
    likelyType: () => undefined,
    prepare: (receiver) => prepareUserType(fields, receiver),
  };
}

function fieldSpec(receiver: ColumnSpec, field: UserType['fields'][number]): ColumnSpec {
  return { ...receiver, name: `${receiver.name}.${field.name}`, type: field.type };
}

export function checkUserType(fields: ReadonlyMap<string, Operand>, receiver: ColumnSpec): UserType {
  const { type, name } = receiver;
  if (type.kind !== 'udt') {
    throw invalidRequest(`Invalid user type literal for ${name} of type ${printCqlType(type)}`);
  }
  for (const field of type.fields) {
    const value = fields.get(field.name);
    if (value === undefined || value.fit(fieldSpec(receiver, field)) !== 'none') continue;
    throw invalidRequest(
      `Invalid user type literal for ${name}: field ${field.name} is not of type ${printCqlType(field.type)}`,
    );
  }
  return type;
}

function prepareUserType(fields: ReadonlyMap<string, UntypedTerm>, receiver: ColumnSpec): TypedTerm {
  const type = checkUserType(fields, receiver);
  const terms = type.fields.map((field) =>
    (fields.get(field.name) ?? untypedNull).prepare(fieldSpec(receiver, field)),
  );
  for (const name of fields.keys()) {
    if (type.fields.some((field) => field.name === name)) continue;
    throw invalidRequest(`Unknown field '${name}' in value of user defined type ${type.name}`);
  }
  return composedTerm(type, terms, (values) =>
    writeFields(
      values.map((value, at) => {
        // In many cells, a field that is not set is one that gets no cell.
        if (value === undefined && type.frozen) {
          throw invalidRequest(
            `Invalid unset value for field '${type.fields[at]?.name}' of user defined type ${type.name}`,
          );
        }
        return value ?? null;
      }),
    ),
  );
}
