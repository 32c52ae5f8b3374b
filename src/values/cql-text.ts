import { decodeCqlValue, inPairs, printUuid, uuidBytes } from './cql-codec.ts';
import { durationBytes, durationOf, parseDuration, printDuration } from './cql-duration.ts';
import { readCollection, readFields, readVector, writeFields } from './cql-elements.ts';
import { bigIntOf, varintBytes } from './cql-number.ts';
import { type CqlType, printCqlType, quoteIfNeeded } from './cql-type.ts';
import { parseDate, printDate } from './date-text.ts';
import { parseInet, printInet } from './inet-text.ts';
import { invalidValue } from './invalid-value.ts';
import {
  printDecimal,
  printDouble,
  printFloat,
  readDecimal,
  readFloating,
  readInteger,
  scaledDecimalBytes,
  scaledDecimalOf,
} from './java-number-text.ts';
import { parseTime, printTime } from './time-text.ts';
import { parseTimestamp, printTimestamp } from './timestamp-text.ts';

/**
 * The value a text stands for (AbstractType.fromString): what a quoted literal, a string in JSON and a number as it is
 * written become. No text is the empty value of types that have one. Collections and vectors come as hexadecimal bytes.
 * `now` is what the word now means for a timestamp.
 */
export function parseCqlText(type: CqlType, text: string, now: bigint): Buffer {
  switch (type.kind) {
    case 'ascii':
      return asciiBytes(text);
    case 'text':
      return Buffer.from(text, 'utf8');
    case 'blob':
    case 'list':
    case 'set':
    case 'map':
    case 'vector':
      return hexBytes(text);
    case 'boolean':
      return Buffer.from([parseBoolean(text) ? 1 : 0]);
    case 'date':
      return u32Bytes(parseDate(text) + 2 ** 31);
    case 'time':
      return longBytes(parseTime(text));
    case 'tuple':
      return parseTuple(type.fields, type, text, now);
    case 'udt':
      return parseTuple(
        type.fields.map((field) => field.type),
        type,
        text,
        now,
      );
    default:
      return text === '' ? Buffer.alloc(0) : parseNonEmpty(type, text, now);
  }
}

function parseNonEmpty(type: CqlType, text: string, now: bigint): Buffer {
  switch (type.kind) {
    case 'tinyint':
      return integerBytes(text, 1, 'byte');
    case 'smallint':
      return integerBytes(text, 2, 'short');
    case 'int':
      return integerBytes(text, 4, 'int');
    case 'bigint':
    case 'counter':
      return integerBytes(text, 8, 'long');
    case 'varint': {
      const value = readInteger(text);
      if (value === undefined) throw invalidValue(`unable to make int from '${text}'`);
      return varintBytes(value);
    }
    case 'decimal': {
      const value = readDecimal(text);
      if (value === undefined) throw invalidValue(`unable to make BigDecimal from '${text}'`);
      return scaledDecimalBytes(value);
    }
    case 'float':
      return floatBytes(readFloatingAs('float', text));
    case 'double':
      return doubleBytes(readFloatingAs('double', text));
    case 'timestamp':
      return longBytes(parseTimestamp(text, now));
    case 'duration':
      return durationBytes(parseDuration(text));
    case 'inet':
      return parseInet(text);
    case 'uuid':
      if (!isUuid(text)) throw invalidValue(`Unable to make UUID from '${text}'`);
      return uuidBytes(text);
    case 'timeuuid':
      if (!isUuid(text)) throw invalidValue(`Unknown timeuuid representation: ${text}`);
      if (text[14] !== '1') throw invalidValue('TimeUUID supports only version 1 UUIDs');
      return uuidBytes(text);
    default:
      throw invalidValue(`'${text}' is not empty`);
  }
}

/** The value as casts to text and error messages show it (AbstractType.getString). */
export function printCqlText(type: CqlType, bytes: Buffer | null): string {
  if (bytes === null) return 'null';
  switch (type.kind) {
    case 'blob':
    case 'counter':
    case 'list':
    case 'set':
    case 'map':
    case 'vector':
      return bytes.toString('hex');
    case 'tuple':
      return printTuple(type.fields, bytes);
    case 'udt':
      return printTuple(
        type.fields.map((field) => field.type),
        bytes,
      );
    default:
      return printScalar(type, bytes);
  }
}

function printScalar(type: CqlType, bytes: Buffer): string {
  if (type.kind === 'ascii' || type.kind === 'text') return bytes.toString('utf8');
  if (bytes.length === 0) return type.kind === 'time' ? 'null' : '';
  switch (type.kind) {
    case 'decimal':
      return printDecimal(scaledDecimalOf(bytes));
    case 'float':
      return printFloat(bytes.readFloatBE());
    case 'double':
      return printDouble(bytes.readDoubleBE());
    case 'date':
      return printDate(bytes.readUInt32BE() - 2 ** 31);
    case 'time':
      return printTime(bytes.readBigInt64BE());
    case 'timestamp':
      return printTimestamp(bytes.readBigInt64BE());
    case 'duration':
      return printDuration(durationOf(bytes));
    case 'inet':
      return printInet(bytes);
    case 'uuid':
    case 'timeuuid':
      return printUuid(bytes);
    case 'varint':
      return String(bigIntOf(bytes));
    default:
      return String(decodeCqlValue(type, bytes));
  }
}

const quotedKinds: ReadonlySet<string> = new Set(['date', 'time', 'timestamp', 'inet']);

/** The value as CQL would have it written: in DESCRIBE, and in messages that show a term. */
export function printCqlLiteral(type: CqlType, bytes: Buffer | null): string {
  if (bytes === null) return 'null';
  switch (type.kind) {
    case 'ascii':
    case 'text':
      return `'${bytes.toString('utf8').replaceAll("'", "''")}'`;
    case 'blob':
      return `0x${bytes.toString('hex')}`;
    case 'list':
      return `[${printElements(type.element, readCollection(bytes, 1))}]`;
    case 'set':
      return `{${printElements(type.element, readCollection(bytes, 1))}}`;
    case 'vector':
      return `[${printElements(type.element, readVector(type.element, type.dimension, bytes))}]`;
    case 'map': {
      const entries = inPairs(readCollection(bytes, 2)).map(
        ([key, value]) => `${printCqlLiteral(type.key, key)}: ${printCqlLiteral(type.value, value)}`,
      );
      return `{${entries.join(', ')}}`;
    }
    case 'tuple':
      return `(${presentFields(type.fields, bytes)
        .map(({ field, value }) => printCqlLiteral(field, value))
        .join(', ')})`;
    case 'udt':
      return `{${presentFields(type.fields, bytes)
        .map(({ field, value }) => `${quoteIfNeeded(field.name)}: ${printCqlLiteral(field.type, value)}`)
        .join(', ')}}`;
    default: {
      if (bytes.length === 0) return 'null';
      const text = printScalar(type, bytes);
      return quotedKinds.has(type.kind) ? `'${text}'` : text;
    }
  }
}

function printElements(type: CqlType, elements: readonly Buffer[]): string {
  return elements.map((element) => printCqlLiteral(type, element)).join(', ');
}

/** The fields that the bytes have: those added to the type later are not shown. */
function presentFields<Field>(
  fields: readonly Field[],
  bytes: Buffer,
): { field: Field; value: Buffer | null }[] {
  const values = readFields(bytes, fields.length);
  const present: { field: Field; value: Buffer | null }[] = [];
  let at = 0;
  for (const [index, field] of fields.entries()) {
    if (at >= bytes.length) break;
    const value = values[index] ?? null;
    present.push({ field, value });
    at += 4 + (value?.length ?? 0);
  }
  return present;
}

// Tuples as text: fields between colons, null as @, and both escaped inside a field.

function printTuple(types: readonly CqlType[], bytes: Buffer): string {
  return presentFields(types, bytes)
    .map(({ field, value }) =>
      value === null ? '@' : printCqlText(field, value).replaceAll(':', '\\:').replaceAll('@', '\\@'),
    )
    .join(':');
}

function parseTuple(types: readonly CqlType[], type: CqlType, text: string, now: bigint): Buffer {
  const parts = text === '' ? [] : text.split(/(?<!\\):/);
  if (parts.length > types.length) {
    throw invalidValue(
      `Invalid tuple literal: too many elements. Type ${printCqlType(type)} expects ${types.length} but got ${parts.length}`,
    );
  }
  const fields = types.slice(0, parts.length).map((field, at) => {
    const part = parts[at] ?? '@';
    return part === '@' ? null : parseCqlText(field, part.replaceAll('\\:', ':').replaceAll('\\@', '@'), now);
  });
  return writeFields(fields);
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function isUuid(text: string): boolean {
  return uuidForm.test(text);
}

function asciiBytes(text: string): Buffer {
  const foreign = /[^\0-\x7f]/u.exec(text);
  if (foreign !== null) {
    throw invalidValue(
      `Invalid ASCII character in string literal: java.nio.charset.UnmappableCharacterException: Input length = ${foreign[0].length}`,
    );
  }
  return Buffer.from(text, 'latin1');
}

function hexBytes(text: string): Buffer {
  if (text.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(text))
    throw invalidValue(`cannot parse '${text}' as hex bytes`);
  return Buffer.from(text, 'hex');
}

function parseBoolean(text: string): boolean {
  const lower = text.toLowerCase();
  if (lower !== 'true' && lower !== 'false' && lower !== '')
    throw invalidValue(`Unable to make boolean from '${text}'`);
  return lower === 'true';
}

function integerBytes(text: string, length: number, javaName: string): Buffer {
  const value = readInteger(text);
  if (value === undefined || BigInt.asIntN(length * 8, value) !== value)
    throw invalidValue(`Unable to make ${javaName} from '${text}'`);
  return longBytes(value).subarray(8 - length);
}

function readFloatingAs(name: string, text: string): number {
  const value = readFloating(text);
  if (value === undefined) throw invalidValue(`Unable to make ${name} from '${text}'`);
  return value;
}

export function floatBytes(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeFloatBE(value);
  return bytes;
}

export function doubleBytes(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeDoubleBE(value);
  return bytes;
}

export function longBytes(value: bigint): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigInt64BE(value);
  return bytes;
}

function u32Bytes(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
