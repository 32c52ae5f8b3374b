import { isUtf8 } from 'node:buffer';
import { durationOf } from './cql-duration.ts';
import { type CqlType, fixedLength, printCqlType, type UserType } from './cql-type.ts';
import { invalidValue, reasonOf } from './invalid-value.ts';

/**
 * Refuses bytes that are no value of the type, in Cassandra's words. Most types take zero bytes as their empty value;
 * tinyint, smallint, date, time, duration, collections and vectors do not.
 */
export function validateCqlValue(type: CqlType, bytes: Buffer): void {
  const { length } = bytes;
  switch (type.kind) {
    case 'ascii':
      validateAscii(bytes);
      break;
    case 'text':
      if (!isUtf8(bytes) && !isCassandraUtf8(bytes)) throw invalidValue("String didn't validate.");
      break;
    case 'blob':
    case 'varint':
      break;
    case 'empty':
      if (length !== 0) throw invalidValue('EmptyType only accept empty values');
      break;
    case 'boolean':
      if (length > 1) throw invalidValue(`Expected 1 or 0 byte value (${length})`);
      break;
    case 'tinyint':
      if (length !== 1) throw invalidValue(`Expected 1 byte for a tinyint (${length})`);
      break;
    case 'smallint':
      if (length !== 2) throw invalidValue(`Expected 2 bytes for a smallint (${length})`);
      break;
    case 'int':
      if (length !== 4 && length !== 0) throw invalidValue(`Expected 4 or 0 byte int (${length})`);
      break;
    case 'bigint':
    case 'counter':
      if (length !== 8 && length !== 0) throw invalidValue(`Expected 8 or 0 byte long (${length})`);
      break;
    case 'float':
      if (length !== 4 && length !== 0)
        throw invalidValue(`Expected 4 or 0 byte value for a float (${length})`);
      break;
    case 'double':
      if (length !== 8 && length !== 0)
        throw invalidValue(`Expected 8 or 0 byte value for a double (${length})`);
      break;
    case 'decimal':
      validateDecimal(bytes);
      break;
    case 'date':
      if (length !== 4) throw invalidValue(`Expected 4 byte long for date (${length})`);
      break;
    case 'time':
      if (length !== 8) throw invalidValue(`Expected 8 byte long for time (${length})`);
      break;
    case 'timestamp':
      if (length !== 8 && length !== 0) throw invalidValue(`Expected 8 or 0 byte long for date (${length})`);
      break;
    case 'uuid':
      if (length !== 16 && length !== 0) throw invalidValue(`UUID should be 16 or 0 bytes (${length})`);
      break;
    case 'timeuuid':
      validateTimeUuid(bytes);
      break;
    case 'inet':
      if (length !== 4 && length !== 16 && length !== 0)
        throw invalidValue(`Expected 4 or 16 byte inetaddress; got ${bytes.toString('hex')}`);
      break;
    case 'duration':
      durationOf(bytes);
      break;
    case 'list':
    case 'set':
      validateCollection(type.kind, [type.element], bytes);
      break;
    case 'map':
      validateCollection('map', [type.key, type.value], bytes);
      break;
    case 'tuple':
      validateTuple(type.fields, bytes);
      break;
    case 'udt':
      validateUserType(type, bytes);
      break;
    case 'vector':
      validateVector(type, type.element, type.dimension, bytes);
      break;
  }
}

function validateAscii(bytes: Buffer): void {
  for (const byte of bytes) if (byte > 0x7f) throw invalidValue(`Invalid byte for ascii: ${byte - 0x100}`);
}

// Cassandra lets a scale without digits pass and fails on reading it; here it is refused as too short.
function validateDecimal({ length }: Buffer): void {
  if (length !== 0 && length < 5) throw invalidValue(`Expected 0 or at least 4 bytes (${length})`);
}

function validateTimeUuid(bytes: Buffer): void {
  if (bytes.length === 0) return;
  if (bytes.length !== 16) throw invalidValue(`UUID should be 16 or 0 bytes (${bytes.length})`);
  if (bytes.readUInt8(6) >> 4 !== 1) {
    // The number Cassandra shows is the first digit of the UUID, not its version.
    throw invalidValue(`Invalid version for TimeUUID type: 0x${(bytes.readUInt8(0) >> 4).toString(16)}`);
  }
}

/**
 * What Cassandra's own validator lets pass beyond UTF-8 proper: C0 80 for zero, surrogates, lead bytes to F7, and a
 * second byte after E0 that is no continuation (UTF8Serializer.UTF8Validator).
 */
function isCassandraUtf8(bytes: Buffer): boolean {
  let at = 0;
  while (at < bytes.length) {
    const lead = bytes.readUInt8(at);
    const second = bytes[at + 1] ?? -1;
    let length: number;
    if (lead < 0x80) {
      length = 1;
    } else if (lead >> 5 === 0b110) {
      if (lead === 0xc0 ? second !== 0x80 : lead === 0xc1 || !isContinuation(second)) return false;
      length = 2;
    } else if (lead >> 4 === 0b1110) {
      if (second < 0 || (lead === 0xe0 ? (second & 0xe0) === 0x80 : !isContinuation(second))) return false;
      length = 3;
    } else if (lead >> 3 === 0b11110) {
      if (second < 0 || (lead === 0xf0 ? (second & 0x30) === 0 : !isContinuation(second))) return false;
      length = 4;
    } else {
      return false;
    }
    for (let next = 2; next < length; next++) if (!isContinuation(bytes[at + next] ?? -1)) return false;
    at += length;
  }
  return true;
}

function isContinuation(byte: number): boolean {
  return byte >= 0x80 && byte < 0xc0;
}

/** The types repeat: one for lists and sets, two for the keys and values of maps. */
function validateCollection(kind: string, types: readonly CqlType[], bytes: Buffer): void {
  if (bytes.length < 4) throw invalidValue(`Not enough bytes to read a ${kind}`);
  const count = bytes.readInt32BE();
  // Cassandra lets a negative count pass and fails on reading it.
  if (count < 0) throw invalidValue(`The data cannot be deserialized as a ${kind}`);
  let at = 4;
  for (let entry = 0; entry < count; entry++) {
    for (const type of types) {
      if (at + 4 > bytes.length) throw invalidValue(`Not enough bytes to read a ${kind}`);
      const length = bytes.readInt32BE(at);
      if (length < 0) throw invalidValue('Null value read when not allowed');
      at += 4 + length;
      if (at > bytes.length) throw invalidValue(`Not enough bytes to read a ${kind}`);
      validateCqlValue(type, bytes.subarray(at - length, at));
    }
  }
  if (at < bytes.length) throw invalidValue(`Unexpected extraneous bytes after ${kind} value`);
}

function validateTuple(types: readonly CqlType[], bytes: Buffer): void {
  let at = 0;
  for (const [index, type] of types.entries()) {
    if (at === bytes.length) return;
    if (at + 4 > bytes.length) throw invalidValue(`Not enough bytes to read size of ${index}th component`);
    const length = bytes.readInt32BE(at);
    at += 4;
    if (length < 0) continue;
    if (at + length > bytes.length) throw invalidValue(`Not enough bytes to read ${index}th component`);
    validateCqlValue(type, bytes.subarray(at, at + length));
    at += length;
  }
  if (at < bytes.length) throw invalidValue('Invalid remaining data after end of tuple value');
}

function validateUserType(type: UserType, bytes: Buffer): void {
  let at = 0;
  for (const [index, field] of type.fields.entries()) {
    if (at === bytes.length) return;
    const name = `${index}th field ${field.name}`;
    if (at + 4 > bytes.length) throw invalidValue(`Not enough bytes to read size of ${name}`);
    const length = bytes.readInt32BE(at);
    at += 4;
    if (length < 0) continue;
    if (at + length > bytes.length) throw invalidValue(`Not enough bytes to read ${name}`);
    validateField(field.type, name, bytes.subarray(at, at + length));
    at += length;
  }
  if (at < bytes.length) throw invalidValue('Invalid remaining data after end of UDT value');
}

function validateField(type: CqlType, name: string, bytes: Buffer): void {
  const problem = problemOf(type, bytes);
  if (problem !== undefined) throw invalidValue(`Failure validating the ${name}; ${problem}`);
}

/** What is wrong with the bytes, in Cassandra's words; undefined if nothing is. */
export function problemOf(type: CqlType, bytes: Buffer): string | undefined {
  try {
    validateCqlValue(type, bytes);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

function validateVector(type: CqlType, element: CqlType, dimension: number, bytes: Buffer): void {
  if (bytes.length === 0) throw invalidValue('Invalid empty vector value');
  const length = fixedLength(element);
  const end = length === undefined ? validateVariable(type, element, dimension, bytes) : length * dimension;
  if (bytes.length < end) throw invalidValue(`Not enough bytes to read a ${printCqlType(type)}`);
  if (length !== undefined) {
    for (let at = 0; at < end; at += length) validateCqlValue(element, bytes.subarray(at, at + length));
  }
  if (bytes.length > end) {
    throw invalidValue(`Unexpected ${bytes.length - end} extraneous bytes after ${printCqlType(type)} value`);
  }
}

/** Where the last of the elements ends, each of them behind an unsigned vint of its length. */
function validateVariable(type: CqlType, element: CqlType, dimension: number, bytes: Buffer): number {
  let at = 0;
  for (let index = 0; index < dimension; index++) {
    const first = bytes[at] ?? 0;
    const extraBytes = Math.clz32(~(first << 24));
    const start = at + 1 + extraBytes;
    // A length of more than four bytes is none that could fit.
    const length = extraBytes > 4 ? bytes.length : lengthAt(bytes, at, extraBytes);
    if (start + length > bytes.length) throw invalidValue(`Not enough bytes to read a ${printCqlType(type)}`);
    validateCqlValue(element, bytes.subarray(start, start + length));
    at = start + length;
  }
  return at;
}

function lengthAt(bytes: Buffer, at: number, extraBytes: number): number {
  let length = (bytes[at] ?? 0) & (0xff >> extraBytes);
  for (let next = 1; next <= extraBytes; next++) length = length * 256 + (bytes[at + next] ?? 0);
  return length;
}
