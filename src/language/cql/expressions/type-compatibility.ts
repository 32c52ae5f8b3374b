// Which type's values may stand where another type is wanted, as Cassandra sees it: by what the bytes can be read as.

import { type CqlType, freeze, isMultiCell } from '../../../values/cql-type.ts';

/** How well something fits: it is of that very type, it can be taken for it, or it cannot. */
export type Fit = 'exact' | 'weak' | 'none';

/** Of many things that must all fit, as well as the one that fits worst. */
export function worstFit(fits: Iterable<Fit>): Fit {
  let worst: Fit = 'exact';
  for (const fit of fits) {
    if (fit === 'none') return 'none';
    if (fit === 'weak') worst = 'weak';
  }
  return worst;
}

/** How a value of `given` fits where `wanted` is wanted. Frozen or not makes no difference to what is frozen. */
export function fitOfType(given: CqlType, wanted: CqlType): Fit {
  const receiver = canBeFrozen(given) && !isMultiCell(given) ? freeze(wanted) : wanted;
  if (isSameType(given, receiver)) return 'exact';
  return canReadValues(receiver, given) ? 'weak' : 'none';
}

function canBeFrozen(type: CqlType): boolean {
  return 'frozen' in type || type.kind === 'tuple';
}

export function isSameType(left: CqlType, right: CqlType): boolean {
  if (left === right) return true;
  switch (left.kind) {
    case 'list':
    case 'set':
      return (
        right.kind === left.kind && left.frozen === right.frozen && isSameType(left.element, right.element)
      );
    case 'map':
      return (
        right.kind === 'map' &&
        left.frozen === right.frozen &&
        isSameType(left.key, right.key) &&
        isSameType(left.value, right.value)
      );
    case 'tuple':
      return right.kind === 'tuple' && areSameTypes(left.fields, right.fields);
    case 'udt':
      return (
        right.kind === 'udt' &&
        left.name === right.name &&
        left.keyspace === right.keyspace &&
        left.frozen === right.frozen &&
        left.fields.every((field, at) => field.name === right.fields[at]?.name) &&
        areSameTypes(fieldTypes(left), fieldTypes(right))
      );
    case 'vector':
      return (
        right.kind === 'vector' &&
        left.dimension === right.dimension &&
        isSameType(left.element, right.element)
      );
    default:
      return left.kind === right.kind;
  }
}

function areSameTypes(left: readonly CqlType[], right: readonly CqlType[]): boolean {
  return left.length === right.length && left.every((type, at) => isSameAt(type, right[at]));
}

function isSameAt(left: CqlType, right: CqlType | undefined): boolean {
  return right !== undefined && isSameType(left, right);
}

function fieldTypes(type: Extract<CqlType, { kind: 'udt' }>): readonly CqlType[] {
  return type.fields.map((field) => field.type);
}

const readableAs: Readonly<Partial<Record<CqlType['kind'], readonly CqlType['kind'][]>>> = {
  text: ['ascii'],
  varint: ['int', 'bigint', 'timestamp'],
  bigint: ['timestamp'],
  timestamp: ['bigint'],
  date: ['int'],
  time: ['bigint'],
  uuid: ['timeuuid'],
};

/** Whether every value of `given` is one of `reader` too (isValueCompatibleWith). */
export function canReadValues(reader: CqlType, given: CqlType): boolean {
  if (reader.kind === 'blob') return true;
  switch (reader.kind) {
    case 'list':
    case 'set':
      if (given.kind !== reader.kind || given.frozen !== reader.frozen) return false;
      if (reader.kind === 'list' && reader.frozen) return canReadValues(reader.element, given.element);
      return hasSameOrder(reader.element, given.element);
    case 'map':
      if (given.kind !== 'map' || given.frozen !== reader.frozen) return false;
      return hasSameOrder(reader.key, given.key) && canReadValues(reader.value, given.value);
    case 'tuple':
      return canReadFields(reader.fields, given);
    default:
      return isSameType(reader, given) || (readableAs[reader.kind]?.includes(given.kind) ?? false);
  }
}

function canReadFields(fields: readonly CqlType[], given: CqlType): boolean {
  if (given.kind !== 'tuple' || given.fields.length > fields.length) return false;
  return given.fields.every((field, at) => {
    const reader = fields[at];
    return reader !== undefined && canReadValues(reader, field);
  });
}

/** Whether values of `given` are values of `type` in the same order (isCompatibleWith). */
function hasSameOrder(type: CqlType, given: CqlType): boolean {
  if (type.kind === 'text') return given.kind === 'text' || given.kind === 'ascii';
  if (type.kind === 'blob') return given.kind === 'blob' || given.kind === 'text' || given.kind === 'ascii';
  return isSameType(type, given);
}

/** One of the types that values of all of them fit; undefined if none is. */
export function typeForAll(types: readonly CqlType[]): CqlType | undefined {
  return types.find((type) => types.every((other) => fitOfType(other, type) !== 'none'));
}
