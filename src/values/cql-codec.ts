import { assert } from '../foundation/assert.ts';
import { type CqlDuration, durationBytes, durationOf } from './cql-duration.ts';
import {
  readCollection,
  readFields,
  readVector,
  writeCollection,
  writeFields,
  writeVector,
} from './cql-elements.ts';
import { bigIntOf, varintBytes } from './cql-number.ts';
import { compareCqlValues } from './cql-order.ts';
import type { CqlType } from './cql-type.ts';
import { parseInet, printInet } from './inet-text.ts';
import { type ScaledDecimal, scaledDecimalBytes, scaledDecimalOf } from './java-number-text.ts';

/**
 * A CQL value as this program computes with it. Numbers for integers to 32 bits, dates (days since the epoch) and floats;
 * bigint for longer integers, timestamps (milliseconds) and times (nanoseconds); strings for text, uuid and inet; arrays
 * for what has elements or fields, pairs for the entries of maps. Null, and the empty value of other types than text
 * and blob, are null.
 */
export type CqlValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Buffer
  | CqlDuration
  | ScaledDecimal
  | readonly CqlValue[];

// No bytes are a value like others here: an empty text, a tuple whose fields are all null.
const hasEmptyBytes: ReadonlySet<CqlType['kind']> = new Set(['ascii', 'text', 'blob', 'tuple', 'udt']);

const shift = 2 ** 31;

/** The bytes must be valid for the type (`validateCqlValue`). Blobs share memory with them. */
export function decodeCqlValue(type: CqlType, bytes: Buffer | null): CqlValue {
  if (bytes === null) return null;
  if (bytes.length === 0 && !hasEmptyBytes.has(type.kind)) return null;
  switch (type.kind) {
    case 'ascii':
    case 'text':
      return bytes.toString('utf8');
    case 'blob':
      return bytes;
    case 'boolean':
      return bytes[0] !== 0;
    case 'tinyint':
      return bytes.readInt8();
    case 'smallint':
      return bytes.readInt16BE();
    case 'int':
      return bytes.readInt32BE();
    case 'bigint':
    case 'counter':
    case 'time':
    case 'timestamp':
      return bytes.readBigInt64BE();
    case 'date':
      return bytes.readUInt32BE() - shift;
    case 'varint':
      return bigIntOf(bytes);
    case 'decimal':
      return scaledDecimalOf(bytes);
    case 'float':
      return bytes.readFloatBE();
    case 'double':
      return bytes.readDoubleBE();
    case 'uuid':
    case 'timeuuid':
      return printUuid(bytes);
    case 'inet':
      return printInet(bytes);
    case 'duration':
      return durationOf(bytes);
    case 'empty':
      return null;
    case 'list':
    case 'set':
      return readCollection(bytes, 1).map((element) => decodeCqlValue(type.element, element));
    case 'map':
      return inPairs(readCollection(bytes, 2)).map(([key, value]) => [
        decodeCqlValue(type.key, key),
        decodeCqlValue(type.value, value),
      ]);
    case 'tuple':
      return decodeFields(type.fields, bytes);
    case 'udt':
      return decodeFields(
        type.fields.map((field) => field.type),
        bytes,
      );
    case 'vector':
      return readVector(type.element, type.dimension, bytes).map((element) =>
        decodeCqlValue(type.element, element),
      );
  }
}

/** Sets and the entries of maps come out in their order, each once. A value of another shape is a broken invariant. */
export function encodeCqlValue(type: CqlType, value: CqlValue): Buffer | null {
  return value === null ? null : encodeNonNull(type, value);
}

function encodeNonNull(type: CqlType, value: Exclude<CqlValue, null>): Buffer {
  switch (type.kind) {
    case 'ascii':
    case 'text':
      return Buffer.from(textIn(type, value), 'utf8');
    case 'blob':
      assert(Buffer.isBuffer(value), 'a blob is a buffer');
      return value;
    case 'boolean':
      assert(typeof value === 'boolean', 'a boolean is true or false');
      return Buffer.from([value ? 1 : 0]);
    case 'tinyint':
      return fixed(1, (bytes) => bytes.writeInt8(numberIn(type, value)));
    case 'smallint':
      return fixed(2, (bytes) => bytes.writeInt16BE(numberIn(type, value)));
    case 'int':
      return fixed(4, (bytes) => bytes.writeInt32BE(numberIn(type, value)));
    case 'bigint':
    case 'counter':
    case 'time':
    case 'timestamp':
      return fixed(8, (bytes) => bytes.writeBigInt64BE(bigIntIn(type, value)));
    case 'date':
      return fixed(4, (bytes) => bytes.writeUInt32BE(numberIn(type, value) + shift));
    case 'varint':
      return varintBytes(bigIntIn(type, value));
    case 'decimal':
      assert(typeof value === 'object' && 'scale' in value, 'a decimal has a scale');
      return scaledDecimalBytes(value);
    case 'float':
      return fixed(4, (bytes) => bytes.writeFloatBE(numberIn(type, value)));
    case 'double':
      return fixed(8, (bytes) => bytes.writeDoubleBE(numberIn(type, value)));
    case 'uuid':
    case 'timeuuid':
      return uuidBytes(textIn(type, value));
    case 'inet':
      return parseInet(textIn(type, value));
    case 'duration':
      assert(typeof value === 'object' && 'months' in value, 'a duration has months');
      return durationBytes(value);
    case 'empty':
      return Buffer.alloc(0);
    case 'list':
      return writeCollection(encodeElements(type.element, value), 1);
    case 'set':
      return sortedCollection([type.element], encodeElements(type.element, value));
    case 'map':
      return sortedCollection(
        [type.key, type.value],
        elementsIn(type, value).flatMap((entry) => {
          const [key = null, mapped = null] = elementsIn(type, entry);
          return [elementBytes(type.key, key), elementBytes(type.value, mapped)];
        }),
      );
    case 'tuple':
      return encodeFields(type.fields, elementsIn(type, value));
    case 'udt':
      return encodeFields(
        type.fields.map((field) => field.type),
        elementsIn(type, value),
      );
    case 'vector':
      return writeVector(type.element, encodeElements(type.element, value));
  }
}

/**
 * Elements of a set (one type) or keys and values in turn (two types), sorted and each key once: of equal keys the last
 * stays, as in Java's TreeMap.
 */
export function sortedCollection(types: readonly [CqlType, CqlType?], parts: readonly Buffer[]): Buffer {
  const perEntry = types[1] === undefined ? 1 : 2;
  const entries: Buffer[][] = [];
  for (let at = 0; at < parts.length; at += perEntry) entries.push(parts.slice(at, at + perEntry));
  const sorted = entries.toSorted((left, right) =>
    compareCqlValues(types[0], left[0] ?? null, right[0] ?? null),
  );
  const once = sorted.filter((entry, at) => {
    const next = sorted[at + 1]?.[0];
    return next === undefined || compareCqlValues(types[0], entry[0] ?? null, next) !== 0;
  });
  return writeCollection(once.flat(), perEntry);
}

export function printUuid(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

export function uuidBytes(text: string): Buffer {
  return Buffer.from(text.replaceAll('-', ''), 'hex');
}

/** Keys with their values. */
export function inPairs(parts: readonly Buffer[]): [key: Buffer, value: Buffer][] {
  const pairs: [Buffer, Buffer][] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [key, value] = [parts[at], parts[at + 1]];
    if (key !== undefined && value !== undefined) pairs.push([key, value]);
  }
  return pairs;
}

function decodeFields(types: readonly CqlType[], bytes: Buffer): CqlValue[] {
  const fields = readFields(bytes, types.length);
  return types.map((type, at) => decodeCqlValue(type, fields[at] ?? null));
}

function encodeFields(types: readonly CqlType[], values: readonly CqlValue[]): Buffer {
  assert(values.length === types.length, 'there is a value, or null, for every field');
  return writeFields(types.map((type, at) => encodeCqlValue(type, values[at] ?? null)));
}

function encodeElements(type: CqlType, value: Exclude<CqlValue, null>): Buffer[] {
  return elementsIn(type, value).map((element) => elementBytes(type, element));
}

function elementBytes(type: CqlType, value: CqlValue): Buffer {
  assert(value !== null, 'null does not stand inside a collection');
  return encodeNonNull(type, value);
}

function elementsIn(type: CqlType, value: CqlValue): readonly CqlValue[] {
  assert(Array.isArray(value), `a ${type.kind} has parts`);
  return value;
}

function textIn(type: CqlType, value: CqlValue): string {
  assert(typeof value === 'string', `a ${type.kind} is a string`);
  return value;
}

function numberIn(type: CqlType, value: CqlValue): number {
  assert(typeof value === 'number', `a ${type.kind} is a number`);
  return value;
}

function bigIntIn(type: CqlType, value: CqlValue): bigint {
  assert(typeof value === 'bigint', `a ${type.kind} is a bigint`);
  return value;
}

function fixed(length: number, write: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  write(bytes);
  return bytes;
}
