import { readCollection, readFields, readVector } from './cql-elements.ts';
import { bigIntOf, compareDecimals, decimalOf } from './cql-number.ts';
import type { CqlType } from './cql-type.ts';

/**
 * Compares two values of one type in Cassandra's order: negative, zero or positive. The bytes are the protocol's and
 * valid for the type. Zero length is the empty value: before all others, and not null; null comes before it.
 */
export function compareCqlValues(type: CqlType, left: Buffer | null, right: Buffer | null): number {
  if (left === null || right === null) return Number(left !== null) - Number(right !== null);
  if (left.length === 0 || right.length === 0) return Number(left.length > 0) - Number(right.length > 0);
  switch (type.kind) {
    case 'ascii':
    case 'text':
    case 'blob':
    case 'inet':
    case 'date':
    case 'time':
    // Durations have no order that a statement may ask for, yet max() of a tuple that holds one needs some: Cassandra takes the bytes.
    case 'duration':
      return Buffer.compare(left, right);
    case 'boolean':
      return Number(left[0] !== 0) - Number(right[0] !== 0);
    case 'tinyint':
    case 'smallint':
    case 'int':
    case 'bigint':
    case 'timestamp':
    case 'varint':
      return compare(bigIntOf(left), bigIntOf(right));
    case 'decimal':
      return compareDecimals(decimalOf(left), decimalOf(right));
    case 'float':
      return compareDoubles(left.readFloatBE(), right.readFloatBE());
    case 'double':
      return compareDoubles(left.readDoubleBE(), right.readDoubleBE());
    case 'uuid':
      return compareUuids(left, right);
    case 'timeuuid':
      return compare(uuidTime(left), uuidTime(right)) || compareSignedBytes(left, right);
    case 'list':
    case 'set':
      return compareElements([type.element], readCollection(left, 1), readCollection(right, 1));
    case 'map':
      return compareElements([type.key, type.value], readCollection(left, 2), readCollection(right, 2));
    case 'vector': {
      const { element, dimension } = type;
      return compareElements(
        [element],
        readVector(element, dimension, left),
        readVector(element, dimension, right),
      );
    }
    case 'tuple':
      return compareFields(type.fields, left, right);
    case 'udt':
      return compareFields(
        type.fields.map((field) => field.type),
        left,
        right,
      );
    default:
      throw new Error(`invariant broken: ${type.kind} has an order`);
  }
}

function compare(left: bigint, right: bigint): number {
  return left < right ? -1 : Number(left > right);
}

/** Java's Double.compare: -0 before 0, and NaN, whatever its bits, after everything. */
function compareDoubles(left: number, right: number): number {
  if (left < right) return -1;
  if (left > right) return 1;
  if (Number.isNaN(left) || Number.isNaN(right))
    return Number(Number.isNaN(left)) - Number(Number.isNaN(right));
  return Number(Object.is(right, -0)) - Number(Object.is(left, -0));
}

/** By version, then by time where the version has one (1) or by bytes, then by the other half, unsigned. */
function compareUuids(left: Buffer, right: Buffer): number {
  const version = left.readUInt8(6) >> 4;
  const byVersion = version - (right.readUInt8(6) >> 4);
  if (byVersion !== 0) return byVersion;
  const byTime = version === 1 ? compare(uuidTime(left), uuidTime(right)) : 0;
  return byTime || Buffer.compare(left, right);
}

function uuidTime(uuid: Buffer): bigint {
  const high = BigInt(uuid.readUInt16BE(6) & 0xfff);
  return (high << 48n) | (BigInt(uuid.readUInt16BE(4)) << 32n) | BigInt(uuid.readUInt32BE(0));
}

/** TimeUUIDType takes the last eight bytes as signed, UUIDType as unsigned (CASSANDRA-8730); both are kept. */
function compareSignedBytes(left: Buffer, right: Buffer): number {
  for (let at = 8; at < 16; at++) {
    const difference = left.readInt8(at) - right.readInt8(at);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The types repeat: one for lists, two for the keys and values of maps. The shorter comes first. */
function compareElements(
  types: readonly CqlType[],
  left: readonly Buffer[],
  right: readonly Buffer[],
): number {
  for (const [at, element] of left.entries()) {
    const other = right[at];
    const type = types[at % types.length];
    if (other === undefined || type === undefined) break;
    const order = compareCqlValues(type, element, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareFields(types: readonly CqlType[], left: Buffer, right: Buffer): number {
  const leftFields = readFields(left, types.length);
  const rightFields = readFields(right, types.length);
  for (const [at, type] of types.entries()) {
    const order = compareCqlValues(type, leftFields[at] ?? null, rightFields[at] ?? null);
    if (order !== 0) return order;
  }
  return 0;
}
