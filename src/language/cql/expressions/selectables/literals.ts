// Collections, tuples and values of user types that are written out in a select clause.

import { invalidRequest } from '../../../../errors/invalid-request.ts';
import { sortedCollection } from '../../../../values/cql-codec.ts';
import { writeCollection, writeFields, writeVector } from '../../../../values/cql-elements.ts';
import { type CqlType, printCqlType } from '../../../../values/cql-type.ts';
import { keySpec, valueSpec } from '../literals/collection-elements.ts';
import { fitOfTuple, tupleOf } from '../literals/tuple-literal.ts';
import { typeForAll, worstFit } from '../type-compatibility.ts';
import { sortedMapWithNulls, writeListWithNulls } from './list-with-nulls.ts';
import { composedRun } from './part-run.ts';
import { typeOrRefuse } from './term.ts';
import type { PreparedSelector, SelectionScope, UntypedSelectable } from './untyped-selectable.ts';

function textOf(parts: readonly UntypedSelectable[]): string {
  return parts.map((part) => part.text).join(', ');
}

function firstExact(parts: readonly UntypedSelectable[]): CqlType | undefined {
  return parts.map((part) => part.exactType()).find((type) => type !== undefined);
}

function likely(parts: readonly UntypedSelectable[]): CqlType | undefined {
  return typeForAll(parts.map((part) => part.likelyType()).filter((type) => type !== undefined));
}

export function composedSelector(
  name: string,
  type: CqlType,
  parts: readonly PreparedSelector[],
  output: (values: readonly (Buffer | null)[]) => Buffer | null,
): PreparedSelector {
  return {
    name,
    type,
    isAggregate: parts.some((part) => part.isAggregate),
    column: undefined,
    begin(bindings) {
      const runs = parts.map((part) => part.begin(bindings));
      const run = composedRun(runs, output);
      return runs.every(({ isConstant }) => isConstant) ? { ...run, isConstant: true } : run;
    },
  };
}

function namesOf(parts: readonly PreparedSelector[]): string {
  return parts.map((part) => part.name).join(', ');
}

function present(values: readonly (Buffer | null)[]): readonly Buffer[] {
  return values.map((value) => {
    if (value === null) throw invalidRequest('null is not supported inside collections');
    return value;
  });
}

/** `[a, b]`: a list, unless a vector is wanted. */
export function selectArray(parts: readonly UntypedSelectable[]): UntypedSelectable {
  const listOf = (element: CqlType | undefined): CqlType | undefined =>
    element === undefined ? undefined : { kind: 'list', element, frozen: true };
  const text = `[${textOf(parts)}]`;
  return {
    text,
    isMarker: false,
    arrayLength: parts.length,
    fit(receiver) {
      const { type } = receiver;
      if (type.kind !== 'list' && type.kind !== 'vector') {
        throw invalidRequest(`Unsupported target type: ${printCqlType(type)}`);
      }
      if (parts.length === 0) return 'weak';
      const spec = valueSpec(receiver, type.element);
      return worstFit(parts.map((part) => part.fit(spec)));
    },
    exactType: () => listOf(firstExact(parts)),
    likelyType: () => listOf(likely(parts)),
    prepare(expected, scope) {
      if (expected?.kind === 'vector') return vectorSelector(parts, expected, scope);
      const type = typeOrRefuse(listOf(firstExact(parts)) ?? expected, text);
      const inner = parts.map((part) => part.prepare(type.kind === 'list' ? type.element : undefined, scope));
      return composedSelector(`[${namesOf(inner)}]`, type, inner, writeListWithNulls);
    },
  };
}

function vectorSelector(
  parts: readonly UntypedSelectable[],
  type: Extract<CqlType, { kind: 'vector' }>,
  scope: SelectionScope,
): PreparedSelector {
  if (type.dimension !== parts.length) {
    throw invalidRequest(
      `Unable to create a vector selector of type ${printCqlType(type)} from ${parts.length} elements`,
    );
  }
  const inner = parts.map((part) => part.prepare(type.element, scope));
  return composedSelector(`[${namesOf(inner)}]`, type, inner, (values) =>
    writeVector(type.element, present(values)),
  );
}

/** `{a, b}`; `{}` may be a map too. */
export function selectSet(parts: readonly UntypedSelectable[]): UntypedSelectable {
  const setOf = (element: CqlType | undefined): CqlType | undefined =>
    element === undefined ? undefined : { kind: 'set', element, frozen: true };
  const text = `{${textOf(parts)}}`;
  return {
    text,
    isMarker: false,
    arrayLength: undefined,
    fit(receiver) {
      const { type } = receiver;
      if (type.kind !== 'set') return type.kind === 'map' && parts.length === 0 ? 'weak' : 'none';
      if (parts.length === 0) return 'weak';
      const spec = valueSpec(receiver, type.element);
      return worstFit(parts.map((part) => part.fit(spec)));
    },
    exactType: () => setOf(firstExact(parts)),
    likelyType: () => setOf(likely(parts)),
    prepare(expected, scope) {
      const type = typeOrRefuse(setOf(firstExact(parts)) ?? expected, text);
      if (type.kind !== 'set') return composedSelector('{}', type, [], () => writeCollection([], 2));
      const { element } = type;
      if (element.kind === 'duration') {
        throw invalidRequest(`Durations are not allowed inside sets: ${printCqlType(type)}`);
      }
      const inner = parts.map((part) => part.prepare(element, scope));
      return composedSelector(`{${namesOf(inner)}}`, type, inner, (values) =>
        sortedCollection([element], present(values)),
      );
    },
  };
}

/** `(a)` is `a`, unless a tuple is wanted; `(a, b)` always is one. */
export function selectParentheses(parts: readonly UntypedSelectable[]): UntypedSelectable {
  const [only] = parts.length === 1 ? parts : [];
  const text = `(${textOf(parts)})`;
  const exactType = () => (only === undefined ? tupleOf(parts.map((part) => part.exactType())) : undefined);
  return {
    text,
    isMarker: false,
    arrayLength: undefined,
    fit: (receiver) =>
      only !== undefined && receiver.type.kind !== 'tuple' && receiver.type.kind !== 'udt'
        ? only.fit(receiver)
        : fitOfTuple(parts, receiver),
    exactType,
    likelyType: () => (only === undefined ? tupleOf(parts.map((part) => part.likelyType())) : undefined),
    prepare(expected, scope) {
      const type = typeOrRefuse(exactType() ?? expected, text);
      if (only !== undefined && type.kind !== 'tuple') {
        const inner = only.prepare(expected, scope);
        return { ...inner, name: `(${inner.name})`, column: undefined };
      }
      const types = type.kind === 'tuple' ? type.fields : [];
      const inner = parts.map((part, at) => part.prepare(types[at], scope));
      return composedSelector(`(${namesOf(inner)})`, type, inner, (values) => writeFields(values));
    },
  };
}

export interface SelectableMapEntry {
  readonly key: UntypedSelectable;
  readonly value: UntypedSelectable;
}

export function fitOfMapEntries(
  entries: readonly SelectableMapEntry[],
  receiver: Parameters<UntypedSelectable['fit']>[0],
): ReturnType<UntypedSelectable['fit']> {
  const { type } = receiver;
  if (type.kind !== 'map') return 'none';
  const [keys, values] = [keySpec(receiver, type.key), valueSpec(receiver, type.value)];
  return worstFit(entries.flatMap(({ key, value }) => [key.fit(keys), value.fit(values)]));
}

export function mapSelector(
  entries: readonly SelectableMapEntry[],
  type: Extract<CqlType, { kind: 'map' }>,
  scope: SelectionScope,
): PreparedSelector {
  if (type.key.kind === 'duration') {
    throw invalidRequest(`Durations are not allowed as map keys: ${printCqlType(type)}`);
  }
  const pairs = entries.map(({ key, value }) => [
    key.prepare(type.key, scope),
    value.prepare(type.value, scope),
  ]);
  const name = `{${pairs.map((pair) => pair.map((part) => part.name).join(': ')).join(', ')}}`;
  return composedSelector(name, type, pairs.flat(), (values) => sortedMapWithNulls(type.key, values));
}
