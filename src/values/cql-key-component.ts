import { assert } from '../foundation/assert.ts';
import {
  readCollection,
  readFields,
  readVector,
  writeCollection,
  writeFields,
  writeVector,
} from './cql-elements.ts';
import type { CqlType } from './cql-type.ts';
import type { KeyReader, KeyWriter } from './key-bytes.ts';
import { cqlMarkers } from './key-component.ts';
import { readDecimal, writeDecimal } from './sortable-decimal.ts';
import {
  readFloat,
  readSigned,
  readVarint,
  writeFloat,
  writeSigned,
  writeVarint,
} from './sortable-number.ts';
import { readTimeUuid, readUuid, writeTimeUuid, writeUuid } from './sortable-uuid.ts';

/** One CQL value, ascending: a marker, then bytes that sort as `compareCqlValues` does and are no prefix of others. */
export function encodeCqlComponent(writer: KeyWriter, type: CqlType, value: Buffer | null): void {
  if (value === null) {
    writer.byte(cqlMarkers.null);
  } else if (value.length === 0) {
    writer.byte(cqlMarkers.empty);
  } else {
    writer.byte(cqlMarkers.value);
    encodeValue(writer, type, value);
  }
}

export function decodeCqlComponent(reader: KeyReader, type: CqlType): Buffer | null {
  return decodeMarked(reader, reader.byte(), type);
}

function decodeMarked(reader: KeyReader, marker: number, type: CqlType): Buffer | null {
  if (marker === cqlMarkers.null) return null;
  if (marker === cqlMarkers.empty) return Buffer.alloc(0);
  if (marker !== cqlMarkers.value) throw reader.corrupt('a component has no such marker');
  return decodeValue(reader, type);
}

function encodeValue(writer: KeyWriter, type: CqlType, value: Buffer): void {
  const length = lengthInKey(type);
  assert(length === undefined || value.length === length, 'a value has the length of its type');
  switch (type.kind) {
    case 'ascii':
    case 'text':
    case 'blob':
    case 'inet':
      writer.escaped(value);
      break;
    case 'date':
    case 'time':
      writer.bytes(value);
      break;
    case 'boolean':
      writer.byte(value[0] === 0 ? 0 : 1);
      break;
    case 'tinyint':
    case 'smallint':
    case 'int':
    case 'bigint':
    case 'timestamp':
      writeSigned(writer, value);
      break;
    case 'float':
      writeFloat(writer, Number.isNaN(value.readFloatBE()) ? floatNaN : value);
      break;
    case 'double':
      writeFloat(writer, Number.isNaN(value.readDoubleBE()) ? doubleNaN : value);
      break;
    case 'varint':
      writeVarint(writer, value);
      break;
    case 'decimal':
      writeDecimal(writer, value);
      break;
    case 'uuid':
      writeUuid(writer, value);
      break;
    case 'timeuuid':
      writeTimeUuid(writer, value);
      break;
    case 'list':
    case 'set':
      encodeElements(writer, [type.element], readCollection(value, 1));
      break;
    case 'map':
      encodeElements(writer, [type.key, type.value], readCollection(value, 2));
      break;
    case 'vector':
      encodeElements(writer, [type.element], readVector(type.element, type.dimension, value));
      break;
    case 'tuple':
      encodeFields(writer, type.fields, value);
      break;
    case 'udt':
      encodeFields(writer, fieldTypes(type.fields), value);
      break;
    default:
      assert(false, `${type.kind} can stand in a key`);
  }
}

function decodeValue(reader: KeyReader, type: CqlType): Buffer {
  switch (type.kind) {
    case 'ascii':
    case 'text':
    case 'blob':
    case 'inet':
      return reader.escaped();
    case 'date':
      return reader.bytes(4);
    case 'time':
      return reader.bytes(8);
    case 'boolean':
      return reader.bytes(1);
    case 'tinyint':
      return readSigned(reader, 1);
    case 'smallint':
      return readSigned(reader, 2);
    case 'int':
      return readSigned(reader, 4);
    case 'bigint':
    case 'timestamp':
      return readSigned(reader, 8);
    case 'float':
      return readFloat(reader, 4);
    case 'double':
      return readFloat(reader, 8);
    case 'varint':
      return readVarint(reader);
    case 'decimal':
      return readDecimal(reader);
    case 'uuid':
      return readUuid(reader);
    case 'timeuuid':
      return readTimeUuid(reader);
    case 'list':
    case 'set':
      return writeCollection(decodeElements(reader, [type.element]), 1);
    case 'map':
      return writeCollection(decodeElements(reader, [type.key, type.value]), 2);
    case 'vector': {
      const elements = decodeElements(reader, [type.element]);
      if (elements.length !== type.dimension) throw reader.corrupt('a vector has another dimension');
      return writeVector(type.element, elements);
    }
    case 'tuple':
      return decodeFields(reader, type.fields);
    case 'udt':
      return decodeFields(reader, fieldTypes(type.fields));
    default:
      throw reader.corrupt(`${type.kind} cannot stand in a key`);
  }
}

function lengthInKey(type: CqlType): number | undefined {
  switch (type.kind) {
    case 'boolean':
    case 'tinyint':
      return 1;
    case 'smallint':
      return 2;
    case 'int':
    case 'float':
    case 'date':
      return 4;
    case 'bigint':
    case 'timestamp':
    case 'time':
    case 'double':
      return 8;
    case 'uuid':
    case 'timeuuid':
      return 16;
    default:
      return undefined;
  }
}

// Java compares every NaN as equal to every other, so in a key there is one.
const floatNaN = Buffer.from('7fc00000', 'hex');
const doubleNaN = Buffer.from('7ff8000000000000', 'hex');

/** The types repeat: one for lists, two for the keys and values of maps. */
function encodeElements(writer: KeyWriter, types: readonly CqlType[], elements: readonly Buffer[]): void {
  for (const [at, element] of elements.entries()) {
    const type = types[at % types.length];
    assert(type !== undefined, 'every element has a type');
    encodeCqlComponent(writer, type, element);
  }
  writer.byte(cqlMarkers.end);
}

function decodeElements(reader: KeyReader, types: readonly CqlType[]): Buffer[] {
  const elements: Buffer[] = [];
  for (let marker = reader.byte(); marker !== cqlMarkers.end; marker = reader.byte()) {
    const type = types[elements.length % types.length];
    const element = type === undefined ? null : decodeMarked(reader, marker, type);
    if (element === null) throw reader.corrupt('an element is null');
    elements.push(element);
  }
  if (elements.length % types.length !== 0) throw reader.corrupt('a map has a key without a value');
  return elements;
}

/**
 * Nulls at the end are left out: (1) and (1, null) are equal, and stay so when ALTER TYPE adds a field. The end sorts
 * before null, null before every value.
 */
function encodeFields(writer: KeyWriter, types: readonly CqlType[], value: Buffer): void {
  const fields = readFields(value, types.length);
  while (fields.at(-1) === null) fields.pop();
  for (const [at, type] of types.entries()) {
    if (at < fields.length) encodeCqlComponent(writer, type, fields[at] ?? null);
  }
  writer.byte(cqlMarkers.end);
}

function decodeFields(reader: KeyReader, types: readonly CqlType[]): Buffer {
  const fields: (Buffer | null)[] = [];
  for (let marker = reader.byte(); marker !== cqlMarkers.end; marker = reader.byte()) {
    const type = types[fields.length];
    if (type === undefined) throw reader.corrupt('there are more fields than the type has');
    fields.push(decodeMarked(reader, marker, type));
  }
  return writeFields(types.map((_, at) => fields[at] ?? null));
}

function fieldTypes(fields: readonly { readonly type: CqlType }[]): CqlType[] {
  return fields.map((field) => field.type);
}
