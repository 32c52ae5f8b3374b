import { invalidRequest } from '../../../../errors/invalid-request.ts';
import { writeFields } from '../../../../values/cql-elements.ts';
import { printCqlType, type UserType } from '../../../../values/cql-type.ts';
import { fitOrNone } from '../fit-or-none.ts';
import { checkUserType } from '../literals/user-type-literal.ts';
import { composedSelector, fitOfMapEntries, mapSelector, type SelectableMapEntry } from './literals.ts';
import { typeOrRefuse } from './term.ts';
import type { PreparedSelector, SelectionScope, UntypedSelectable } from './untyped-selectable.ts';

/** An entry whose key may be a column or the name of a field: only the type that is wanted tells. */
export interface AmbiguousEntry {
  /** The key if it is a bare word. */
  readonly fieldName: string | undefined;
  readonly keyText: string;
  /** Looks up the column, if it is one. */
  readonly key: () => UntypedSelectable;
  readonly value: UntypedSelectable;
}

/** `{a: b}`. */
export function selectMapOrUserType(entries: readonly AmbiguousEntry[]): UntypedSelectable {
  const text = `{${entries.map(({ keyText, value }) => `${keyText}: ${value.text}`).join(', ')}}`;
  return {
    text,
    isMarker: false,
    arrayLength: undefined,
    fit(receiver) {
      const { type } = receiver;
      if (type.kind !== 'udt') return fitOfMapEntries(asMap(entries), receiver);
      const fields = fieldsOf(entries, type);
      return fitOrNone(() => checkUserType(fields, receiver));
    },
    exactType: () => undefined,
    likelyType: () => undefined,
    prepare(expected, scope) {
      const type = typeOrRefuse(expected, text);
      if (type.kind === 'udt') return userTypeSelector(entries, type, scope);
      if (type.kind === 'map') return mapSelector(asMap(entries), type, scope);
      throw invalidRequest(`Invalid map literal for ${text} of type ${printCqlType(type)}`);
    },
  };
}

function asMap(entries: readonly AmbiguousEntry[]): readonly SelectableMapEntry[] {
  return entries.map(({ key, value }) => ({ key: key(), value }));
}

function fieldsOf(
  entries: readonly AmbiguousEntry[],
  type: UserType,
): ReadonlyMap<string, UntypedSelectable> {
  const fields = new Map<string, UntypedSelectable>();
  for (const { fieldName, keyText, value } of entries) {
    if (fieldName === undefined) {
      throw invalidRequest(`${keyText} is not a valid field identifier of type ${type.name} `);
    }
    if (!type.fields.some((field) => field.name === fieldName)) {
      throw invalidRequest(`Unknown field '${fieldName}' in value of user defined type ${type.name}`);
    }
    fields.set(fieldName, value);
  }
  return fields;
}

function userTypeSelector(
  entries: readonly AmbiguousEntry[],
  type: UserType,
  scope: SelectionScope,
): PreparedSelector {
  const parts: PreparedSelector[] = [];
  const places = new Map<string, number>();
  const names: string[] = [];
  for (const [fieldName, value] of fieldsOf(entries, type)) {
    const part = value.prepare(type.fields.find(({ name }) => name === fieldName)?.type, scope);
    places.set(fieldName, parts.length);
    names.push(`${fieldName}: ${part.name}`);
    parts.push(part);
  }
  return composedSelector(`{${names.join(', ')}}`, type, parts, (values) =>
    writeFields(type.fields.map(({ name }) => values[places.get(name) ?? -1] ?? null)),
  );
}
