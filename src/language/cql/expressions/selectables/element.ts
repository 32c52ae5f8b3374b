import { invalidRequest } from '../../../../errors/invalid-request.ts';
import type { ColumnSpec } from '../../../../execution/cql/column-spec.ts';
import type { BoundValue } from '../../../../execution/cql/statement-request.ts';
import { inPairs } from '../../../../values/cql-codec.ts';
import { readCollection, writeCollection } from '../../../../values/cql-elements.ts';
import { compareCqlValues } from '../../../../values/cql-order.ts';
import { type CqlType, printCqlType } from '../../../../values/cql-type.ts';
import { keySpec, valueSpec } from '../literals/collection-elements.ts';
import { fitOfType } from '../type-compatibility.ts';
import type { TypedTerm } from '../typed-term.ts';
import type { UntypedTerm } from '../untyped-term.ts';
import { partRun } from './part-run.ts';
import { timesAt, timesBetween } from './times-of-cells.ts';
import type { PreparedSelector, SelectionScope, UntypedSelectable } from './untyped-selectable.ts';

type SetType = Extract<CqlType, { kind: 'list' | 'set' }>;
type MapType = Extract<CqlType, { kind: 'map' }>;

/** `m[key]`: the value of the key, or the element of a set if it is in it. */
export function selectElement(whole: UntypedSelectable, key: UntypedTerm): UntypedSelectable {
  const text = `${whole.text}[${key.text}]`;
  const exactType = () => {
    const type = whole.exactType();
    return type !== undefined && isCollection(type) ? elementType(type) : undefined;
  };
  return {
    ...selectableOf(text, exactType),
    prepare(_expected, scope) {
      const inner = whole.prepare(undefined, scope);
      if (!isCollection(inner.type)) {
        throw invalidRequest(
          `Invalid element selection: ${whole.text} is of type ${printCqlType(inner.type)} is not a collection`,
        );
      }
      const term = key.prepare(boundSpec('Element', whole.text, inner, scope));
      return elementSelector(text, inner, inner.type, term);
    },
  };
}

/** `m[from..to]`, both included. */
export function selectSlice(
  whole: UntypedSelectable,
  from: UntypedTerm | null,
  to: UntypedTerm | null,
): UntypedSelectable {
  const text = `${whole.text}[${from?.text ?? ''}..${to?.text ?? ''}]`;
  const exactType = () => {
    const type = whole.exactType();
    return type !== undefined && isCollection(type) ? type : undefined;
  };
  return {
    ...selectableOf(text, exactType),
    prepare(expected, scope) {
      const inner = whole.prepare(expected, scope);
      if (!isCollection(inner.type)) {
        throw invalidRequest(
          `Invalid slice selection: ${whole.text} of type ${printCqlType(inner.type)} is not a collection`,
        );
      }
      const spec = boundSpec('Slice', whole.text, inner, scope);
      return sliceSelector(text, inner, inner.type, from?.prepare(spec), to?.prepare(spec));
    },
  };
}

function selectableOf(
  text: string,
  exactType: () => CqlType | undefined,
): Omit<UntypedSelectable, 'prepare'> {
  return {
    text,
    isMarker: false,
    arrayLength: undefined,
    fit(receiver) {
      const type = exactType();
      return type === undefined ? 'none' : fitOfType(type, receiver.type);
    },
    exactType,
    likelyType: exactType,
  };
}

function isCollection(type: CqlType): type is SetType | MapType {
  return type.kind === 'list' || type.kind === 'set' || type.kind === 'map';
}

function elementType(type: SetType | MapType): CqlType {
  if (type.kind === 'map') return type.value;
  // So Cassandra names the keys of a list's cells; a selection of them is refused when it is prepared.
  return type.kind === 'list' ? { kind: 'timeuuid' } : type.element;
}

function boundSpec(
  selection: 'Element' | 'Slice',
  text: string,
  { name, type }: PreparedSelector,
  { table }: SelectionScope,
): ColumnSpec {
  const receiver = { keyspace: table.keyspace, table: table.name, name, type };
  if (type.kind === 'map') return keySpec(receiver, type.key);
  if (type.kind === 'set') return valueSpec(receiver, type.element);
  throw invalidRequest(`${selection} selection is only allowed on sets and maps, but ${text} is a list`);
}

/** Keys, in their order, and what stands for each; in a set the same. */
function entriesIn(type: SetType | MapType, value: Buffer): readonly (readonly [Buffer, Buffer])[] {
  if (type.kind === 'map') return inPairs(readCollection(value, 2));
  return readCollection(value, 1).map((element) => [element, element]);
}

function keyType(type: SetType | MapType): CqlType {
  return type.kind === 'map' ? type.key : type.element;
}

function elementSelector(
  name: string,
  inner: PreparedSelector,
  type: SetType | MapType,
  key: TypedTerm,
): PreparedSelector {
  const indexOf = (value: Buffer, wanted: Buffer) =>
    entriesIn(type, value).findIndex(([each]) => compareCqlValues(keyType(type), each, wanted) === 0);
  return {
    name,
    type: elementType(type),
    isAggregate: inner.isAggregate,
    column: undefined,
    begin(bindings) {
      const wanted = key.evaluate(bindings);
      if (!wanted) {
        const what = wanted === null ? 'null' : 'unset';
        throw invalidRequest(`Invalid ${what} value for element selection on ${inner.name}`);
      }
      return partRun(
        inner.begin(bindings),
        (value) => entriesIn(type, value)[indexOf(value, wanted)]?.[1] ?? null,
        (times, value) => {
          const at = indexOf(value, wanted);
          return at < 0 ? 'none' : timesAt(times, at);
        },
      );
    },
  };
}

function sliceSelector(
  name: string,
  inner: PreparedSelector,
  type: SetType | MapType,
  from: TypedTerm | undefined,
  to: TypedTerm | undefined,
): PreparedSelector {
  return {
    name,
    type,
    isAggregate: inner.isAggregate,
    column: undefined,
    begin(bindings) {
      const bounds = [from?.evaluate(bindings), to?.evaluate(bindings)] as const;
      if (bounds.includes(null)) {
        throw invalidRequest(`Invalid null value for slice selection on ${inner.name}`);
      }
      return partRun(
        inner.begin(bindings),
        (value) => sliceOf(type, value, bounds),
        (times, value) => timesBetween(times, ...rangeOf(type, value, bounds)),
      );
    },
  };
}

type Bounds = readonly [BoundValue, BoundValue];

/** The indexes of the first that is in and of the first that is not any more. */
function rangeOf(type: SetType | MapType, value: Buffer, [from, to]: Bounds): [number, number] {
  const keys = entriesIn(type, value).map(([key]) => key);
  const compared = keyType(type);
  const start = from ? keys.findIndex((key) => compareCqlValues(compared, key, from) >= 0) : 0;
  const end = to ? keys.findIndex((key) => compareCqlValues(compared, key, to) > 0) : -1;
  return [start < 0 ? keys.length : start, end < 0 ? keys.length : end];
}

/** No elements are no value, where a collection is cells. */
function sliceOf(type: SetType | MapType, value: Buffer, bounds: Bounds): Buffer | null {
  const entries = entriesIn(type, value).slice(...rangeOf(type, value, bounds));
  if (entries.length === 0 && !type.frozen) return null;
  return type.kind === 'map'
    ? writeCollection(entries.flat(), 2)
    : writeCollection(
        entries.map(([key]) => key),
        1,
      );
}
