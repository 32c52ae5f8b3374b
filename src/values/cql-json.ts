import { decodeCqlValue, inPairs, sortedCollection } from './cql-codec.ts';
import { durationOf, printDuration } from './cql-duration.ts';
import {
  readCollection,
  readFields,
  readVector,
  writeCollection,
  writeFields,
  writeVector,
} from './cql-elements.ts';
import { varintBytes } from './cql-number.ts';
import { doubleBytes, floatBytes, longBytes, parseCqlText, printCqlText } from './cql-text.ts';
import type { CqlType, UserType } from './cql-type.ts';
import { invalidValue, reasonOf } from './invalid-value.ts';
import { type JavaJson, javaClassOf, parseJavaJson, printJavaJson } from './java-json.ts';
import { printDouble, printFloat, readInteger } from './java-number-text.ts';
import { printJsonTimestamp } from './timestamp-text.ts';

/** The value as SELECT JSON and to_json() print it; null is printed by whoever has none. */
export function printCqlJson(type: CqlType, bytes: Buffer): string {
  switch (type.kind) {
    case 'ascii':
    case 'text':
      return quoteJson(bytes.toString('utf8'));
    case 'blob':
      return `"0x${bytes.toString('hex')}"`;
    case 'list':
    case 'set':
      return printList(type.element, readCollection(bytes, 1));
    case 'vector':
      return printList(type.element, readVector(type.element, type.dimension, bytes));
    case 'map':
      return `{${inPairs(readCollection(bytes, 2))
        .map(([key, value]) => `${printKey(type.key, key)}: ${printCqlJson(type.value, value)}`)
        .join(', ')}}`;
    case 'tuple': {
      const fields = readFields(bytes, type.fields.length);
      return `[${type.fields.map((field, at) => printField(field, fields[at] ?? null)).join(', ')}]`;
    }
    case 'udt': {
      const fields = readFields(bytes, type.fields.length);
      return `{${type.fields
        .map(({ name, type: field }, at) => `${printName(name)}: ${printField(field, fields[at] ?? null)}`)
        .join(', ')}}`;
    }
    default:
      return bytes.length === 0 ? '""' : printScalar(type, bytes);
  }
}

function printScalar(type: CqlType, bytes: Buffer): string {
  switch (type.kind) {
    case 'float':
      return orNull(bytes.readFloatBE(), printFloat);
    case 'double':
      return orNull(bytes.readDoubleBE(), printDouble);
    case 'timestamp':
      return `"${printJsonTimestamp(bytes.readBigInt64BE())}"`;
    case 'duration':
      return `"${printDuration(durationOf(bytes))}"`;
    case 'date':
    case 'time':
    case 'inet':
    case 'uuid':
    case 'timeuuid':
      return `"${printCqlText(type, bytes)}"`;
    case 'decimal':
      return printCqlText(type, bytes);
    default:
      return String(decodeCqlValue(type, bytes));
  }
}

/** JSON has no NaN and no infinity. */
function orNull(value: number, print: (value: number) => string): string {
  return Number.isFinite(value) ? print(value) : 'null';
}

function printList(type: CqlType, elements: readonly Buffer[]): string {
  return `[${elements.map((element) => printCqlJson(type, element)).join(', ')}]`;
}

/** Keys are strings: what is none is printed and quoted. */
function printKey(type: CqlType, bytes: Buffer): string {
  const text = printCqlJson(type, bytes);
  return text.startsWith('"') ? text : quoteJson(text);
}

function printField(type: CqlType, bytes: Buffer | null): string {
  return bytes === null ? 'null' : printCqlJson(type, bytes);
}

/** A name that is not lower case is in quotes inside its quotes. */
function printName(name: string): string {
  return quoteJson(name === name.toLowerCase() ? name : `"${name}"`);
}

/**
 * Jackson escapes what it must, and controls without a letter of their own as \u001F with capitals.
 * @public
 */
export function quoteJson(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  return `"${text.replace(/["\\\0-\x1f]/g, escapeCharacter)}"`;
}

const shortEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

function escapeCharacter(character: string): string {
  const code = character.charCodeAt(0).toString(16).toUpperCase();
  return shortEscapes[character] ?? `\\u${code.padStart(4, '0')}`;
}

/** The value of a JSON text, as from_json() takes it. */
export function parseCqlJson(type: CqlType, text: string, now: bigint): Buffer | null {
  const parsed = parseJavaJson(text);
  return parsed === null ? null : bytesOfJson(type, parsed, now);
}

type Present = Exclude<JavaJson, null>;

/**
 * The value of JSON that is parsed already, as INSERT JSON has it for each column.
 * @public
 */
export function bytesOfJson(type: CqlType, parsed: Present, now: bigint): Buffer {
  switch (type.kind) {
    case 'list':
      return writeCollection(elementsOf(type.element, 'a list', 'list', parsed, now), 1);
    case 'set':
      return sortedCollection(
        [type.element],
        elementsOf(type.element, 'a list (representing a set)', 'set', parsed, now),
      );
    case 'vector':
      return bytesOfVector(type, parsed, now);
    case 'map':
      return sortedCollection([type.key, type.value], entriesOf(type, parsed, now));
    case 'tuple':
      return bytesOfTuple(type.fields, parsed, now);
    case 'udt':
      return bytesOfUserType(type, parsed, now);
    case 'varint': {
      const value = readInteger(printJavaJson(parsed));
      if (value === undefined)
        throw invalidValue(
          `Value '${printJavaJson(parsed)}' is not a valid representation of a varint value`,
        );
      return varintBytes(value);
    }
    case 'decimal':
      return bytesOfDecimal(type, parsed, now);
    case 'blob':
      return bytesOfBlob(type, parsed, now);
    default:
      return typeof parsed === 'string' ? parseCqlText(type, parsed, now) : bytesOfOther(type, parsed);
  }
}

/** Scalars from JSON that is no string. */
function bytesOfOther(type: CqlType, parsed: Exclude<Present, string>): Buffer {
  const boxed = javaClassOf(parsed);
  switch (type.kind) {
    case 'boolean':
      if (typeof parsed === 'boolean') return Buffer.from([parsed ? 1 : 0]);
      break;
    case 'int':
      if (boxed === 'Integer') return parseCqlText(type, printJavaJson(parsed), 0n);
      break;
    case 'bigint':
      if (boxed === 'Integer' || boxed === 'Long') return parseCqlText(type, printJavaJson(parsed), 0n);
      break;
    case 'tinyint':
    case 'smallint':
      if (isNumber(parsed)) return parseCqlText(type, printJavaJson(parsed), 0n);
      break;
    case 'float':
      if (isNumber(parsed)) return floatBytes(Number(printJavaJson(parsed)));
      break;
    case 'double':
      if (isNumber(parsed)) return doubleBytes(Number(printJavaJson(parsed)));
      break;
    case 'timestamp':
      // A small number is an Integer, and those Cassandra refuses.
      if (boxed === 'Long') return longBytes(BigInt(printJavaJson(parsed)));
      break;
    default:
      break;
  }
  if (type.kind === 'empty')
    throw invalidValue(`Expected an empty string, but got: ${printJavaJson(parsed)}`);
  throw invalidValue(
    `Expected ${expectations[type.kind] ?? type.kind}, but got a ${boxed}: ${printJavaJson(parsed)}`,
  );
}

const expectations: Readonly<Partial<Record<CqlType['kind'], string>>> = {
  ascii: 'an ascii string',
  bigint: 'a bigint value',
  boolean: 'a boolean value',
  date: 'a string representation of a date value',
  double: 'a double value',
  duration: 'a string representation of a duration',
  float: 'a float value',
  inet: 'a string representation of an inet value',
  int: 'an int value',
  smallint: 'a short value',
  text: 'a UTF-8 string',
  time: 'a string representation of a time value',
  timestamp: 'a long or a datestring representation of a timestamp value',
  timeuuid: 'a string representation of a timeuuid',
  tinyint: 'a byte value',
  uuid: 'a string representation of a uuid',
};

function isNumber(parsed: Present): boolean {
  return typeof parsed === 'object' && 'boxed' in parsed;
}

function bytesOfDecimal(type: CqlType, parsed: Present, now: bigint): Buffer {
  const text = printJavaJson(parsed);
  try {
    return parseCqlText(type, text, now);
  } catch (error) {
    reasonOf(error);
    throw invalidValue(`Value '${text}' is not a valid representation of a decimal value`);
  }
}

function bytesOfBlob(type: CqlType, parsed: Present, now: bigint): Buffer {
  const text = printJavaJson(parsed);
  const problem = (reason: string) =>
    invalidValue(`Value '${text}' is not a valid blob representation: ${reason}`);
  if (typeof parsed !== 'string') throw problem(castProblem(parsed));
  if (!text.startsWith('0x')) throw problem(`String representation of blob is missing 0x prefix: ${text}`);
  try {
    return parseCqlText(type, text.slice(2), now);
  } catch (error) {
    throw problem(reasonOf(error));
  }
}

function castProblem(parsed: Present): string {
  const boxed = javaClassOf(parsed);
  const home = boxed === 'LinkedHashMap' || boxed === 'ArrayList' ? 'java.util' : 'java.lang';
  const name = boxed === 'BigInteger' ? 'java.math.BigInteger' : `${home}.${boxed}`;
  return `class ${name} cannot be cast to class java.lang.String (${name} and java.lang.String are in module java.base of loader 'bootstrap')`;
}

/** A collection may also come as a string that holds its JSON: so keys of maps can be collections. */
function unwrap(parsed: Present): Present {
  if (typeof parsed !== 'string') return parsed;
  const inner = parseJavaJson(parsed);
  if (inner === null) throw invalidValue('Error decoding JSON string: null');
  return inner;
}

function listOf(expected: string, parsed: Present): readonly JavaJson[] {
  const list = unwrap(parsed);
  if (!Array.isArray(list))
    throw invalidValue(`Expected ${expected}, but got a ${javaClassOf(list)}: ${printJavaJson(list)}`);
  return list;
}

function mapOf(parsed: Present): ReadonlyMap<string, JavaJson> {
  const map = unwrap(parsed);
  if (!(map instanceof Map))
    throw invalidValue(`Expected a map, but got a ${javaClassOf(map)}: ${printJavaJson(map)}`);
  return map;
}

function elementsOf(
  element: CqlType,
  expected: string,
  name: string,
  parsed: Present,
  now: bigint,
): Buffer[] {
  return listOf(expected, parsed).map((value) => {
    if (value === null) throw invalidValue(`Invalid null element in ${name}`);
    return bytesOfJson(element, value, now);
  });
}

function bytesOfVector(type: Extract<CqlType, { kind: 'vector' }>, parsed: Present, now: bigint): Buffer {
  const list = listOf('a list', parsed);
  if (list.length !== type.dimension) {
    throw invalidValue(
      `List had incorrect size: expected ${type.dimension} but given ${list.length}; ${printJavaJson(list)}`,
    );
  }
  return writeVector(type.element, elementsOf(type.element, 'a list', 'list', list, now));
}

function entriesOf(type: Extract<CqlType, { kind: 'map' }>, parsed: Present, now: bigint): Buffer[] {
  return Array.from(mapOf(parsed)).flatMap(([key, value]) => {
    if (value === null) throw invalidValue('Invalid null value in map');
    return [bytesOfJson(type.key, key, now), bytesOfJson(type.value, value, now)];
  });
}

function bytesOfTuple(types: readonly CqlType[], parsed: Present, now: bigint): Buffer {
  const list = listOf('a list representation of a tuple', parsed);
  if (list.length !== types.length) {
    const problem = list.length > types.length ? 'contains extra' : 'is missing';
    throw invalidValue(`Tuple ${problem} items (expected ${types.length}): ${printJavaJson(list)}`);
  }
  return writeFields(
    types.map((type, at) => {
      const value = list[at] ?? null;
      return value === null ? null : bytesOfJson(type, value, now);
    }),
  );
}

function bytesOfUserType(type: UserType, parsed: Present, now: bigint): Buffer {
  const values = new Map(Array.from(mapOf(parsed), ([name, value]) => [foldName(name), value]));
  for (const name of values.keys()) {
    if (!type.fields.some((field) => field.name === name))
      throw invalidValue(`Unknown field '${name}' in value of user defined type ${type.name}`);
  }
  return writeFields(
    type.fields.map((field) => {
      const value = values.get(field.name) ?? null;
      return value === null ? null : bytesOfJson(field.type, value, now);
    }),
  );
}

/**
 * Names are in lower case unless they stand in quotes of their own.
 * @public
 */
export function foldName(name: string): string {
  return name.startsWith('"') && name.endsWith('"') && name.length > 1
    ? name.slice(1, -1)
    : name.toLowerCase();
}
