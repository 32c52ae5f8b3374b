import { invalidRequest } from '../../../../errors/invalid-request.ts';
import type { ColumnSpec } from '../../../../execution/cql/column-spec.ts';
import { sortedCollection } from '../../../../values/cql-codec.ts';
import { type CqlType, printCqlType } from '../../../../values/cql-type.ts';
import { type Fit, typeForAll, worstFit } from '../type-compatibility.ts';
import type { TypedTerm } from '../typed-term.ts';
import type { UntypedTerm } from '../untyped-term.ts';
import { checkElement, keySpec, prepareElement, presentElements, valueSpec } from './collection-elements.ts';
import { composedTerm } from './composed-term.ts';

export interface UntypedEntry {
  readonly key: UntypedTerm;
  readonly value: UntypedTerm;
}

/** `{a: b}`, with at least one entry: without any it is read as a set. */
export function untypedMap(entries: readonly UntypedEntry[]): UntypedTerm {
  const keys = entries.map(({ key }) => key);
  const values = entries.map(({ value }) => value);
  return {
    text: `{${entries.map(({ key, value }) => `${key.text}: ${value.text}`).join(', ')}}`,
    isMarker: false,
    containsMarker: [...keys, ...values].some((term) => term.containsMarker),
    arrayLength: undefined,
    fit: (receiver) => fitOfMap(entries, receiver),
    exactType: () =>
      mapOf(
        keys.map((key) => key.exactType()).find((type) => type !== undefined),
        values.map((value) => value.exactType()).find((type) => type !== undefined),
      ),
    likelyType: () => mapOf(likelyType(keys), likelyType(values)),
    prepare: (receiver) => prepareMap(entries, receiver),
  };
}

function mapOf(key: CqlType | undefined, value: CqlType | undefined): CqlType | undefined {
  return key === undefined || value === undefined ? undefined : { kind: 'map', key, value, frozen: true };
}

function likelyType(terms: readonly UntypedTerm[]): CqlType | undefined {
  return typeForAll(terms.map((term) => term.likelyType()).filter((type) => type !== undefined));
}

function fitOfMap(entries: readonly UntypedEntry[], receiver: ColumnSpec): Fit {
  const { type } = receiver;
  if (type.kind !== 'map') return 'none';
  const [keys, values] = [keySpec(receiver, type.key), valueSpec(receiver, type.value)];
  return worstFit(entries.flatMap(({ key, value }) => [key.fit(keys), value.fit(values)]));
}

function prepareMap(entries: readonly UntypedEntry[], receiver: ColumnSpec): TypedTerm {
  const { type } = receiver;
  if (type.kind !== 'map') {
    throw invalidRequest(`Invalid map literal for ${receiver.name} of type ${printCqlType(type)}`);
  }
  const [keys, values] = [keySpec(receiver, type.key), valueSpec(receiver, type.value)];
  for (const { key, value } of entries) {
    checkElement('map', 'key', key, receiver, keys);
    checkElement('map', 'value', value, receiver, values);
  }
  const terms = entries.flatMap(({ key, value }) => [
    prepareElement('map', key, receiver, keys),
    prepareElement('map', value, receiver, values),
  ]);
  return composedTerm(type, terms, (parts) =>
    sortedCollection([type.key, type.value], presentElements(parts)),
  );
}
