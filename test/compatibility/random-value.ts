// Types of columns and values of them, each both as a literal and as what the driver binds. The pools are small, so that keys and
// elements meet again.

import { types } from 'cassandra-driver';
import type { RandomChoice } from './random-choice.ts';

/** `text` is the literal, `bound` what the driver sends for a marker. */
export interface RandomValue {
  readonly text: string;
  readonly bound: unknown;
}

export interface ColumnType {
  readonly kind: 'scalar' | 'list' | 'set' | 'map' | 'tuple' | 'user' | 'vector' | 'counter';
  /** As a table definition says it. */
  readonly name: string;
  readonly isFrozen: boolean;
  /** Elements, key and value, parts or fields. */
  readonly parts: readonly ColumnType[];
  readonly fields: readonly string[];
  readonly dimension: number;
}

export interface UserType {
  readonly name: string;
  readonly fields: readonly { readonly name: string; readonly type: ColumnType }[];
}

const { BigDecimal, Duration, InetAddress, LocalDate, LocalTime, TimeUuid, Tuple, Uuid, Vector } = types;

const same = (text: string, bound: unknown): RandomValue => ({ text, bound });
const quoted = (text: string): RandomValue => ({ text: `'${text.replaceAll("'", "''")}'`, bound: text });
const number = (value: number): RandomValue => same(`${value}`, value);
const big = (value: bigint): RandomValue => same(`${value}`, value);

const pools: Readonly<Record<string, readonly RandomValue[]>> = {
  ascii: ['a', 'b', 'Zz', '', "it's"].map(quoted),
  text: ['a', 'b', 'ab', '', 'é', "q'q", 'line\nend', '😀', '"d\\'].map(quoted),
  int: [0, 1, 2, 3, -1, 2147483647, -2147483648].map(number),
  smallint: [0, 1, 2, -1, 32767, -32768].map(number),
  tinyint: [0, 1, 2, -1, 127, -128].map(number),
  bigint: [0n, 1n, 2n, -1n, 9223372036854775807n, -9223372036854775808n].map(big),
  varint: [0n, 1n, -1n, 128n, -129n, 123456789012345678901234567890n].map(big),
  boolean: [same('true', true), same('false', false)],
  float: [
    ...[0, 1.5, -2.25, 3, 1e10, 0.1].map(number),
    same('NaN', Number.NaN),
    same('-0.0', -0),
    same('Infinity', Number.POSITIVE_INFINITY),
  ],
  double: [
    ...[0, 1.5, -2.25, 3, 1e100, 1e-7, 0.1].map(number),
    same('NaN', Number.NaN),
    same('-Infinity', Number.NEGATIVE_INFINITY),
  ],
  decimal: ['0', '1.0', '2.50', '-3.25', '123456789.123456789', '0.0000001'].map((text) =>
    same(text, BigDecimal.fromString(text)),
  ),
  uuid: [
    '00000000-0000-4000-8000-000000000001',
    'ffffffff-ffff-4fff-bfff-ffffffffffff',
    '50554d6e-29bb-11e5-b345-feff819cdc9f',
  ].map((text) => same(text, Uuid.fromString(text))),
  timeuuid: [
    '50554d6e-29bb-11e5-b345-feff819cdc9f',
    '50554d6e-29bb-11e5-b345-feff819cdc90',
    'e23f2220-2cf1-11f0-8000-000000000000',
  ].map((text) => same(text, TimeUuid.fromString(text))),
  timestamp: [
    same("'2011-02-03 04:05:06.789+0000'", new Date('2011-02-03T04:05:06.789Z')),
    same("'1969-12-31T23:59:59.999Z'", new Date(-1)),
    same('0', new Date(0)),
    same("'2020-02-29'", new Date('2020-02-29T00:00:00Z')),
  ],
  date: ['2011-02-03', '1969-12-31', '2020-02-29'].map((text) =>
    same(`'${text}'`, LocalDate.fromString(text)),
  ),
  time: ['00:00:00', '08:12:54.123456789', '23:59:59.5'].map((text) =>
    same(`'${text}'`, LocalTime.fromString(text)),
  ),
  duration: ['1mo2d3h', '-5s', '89h4m48s'].map((text) => same(text, Duration.fromString(text))),
  blob: ['', '00', 'ff01', 'cafebabe'].map((hex) => same(`0x${hex}`, Buffer.from(hex, 'hex'))),
  inet: ['127.0.0.1', '10.0.0.255', '::1', '2001:db8::ff'].map((text) =>
    same(`'${text}'`, InetAddress.fromString(text)),
  ),
};

export const scalarNames: readonly string[] = Object.keys(pools);

export function scalar(name: string): ColumnType {
  return { kind: 'scalar', name, isFrozen: true, parts: [], fields: [], dimension: 0 };
}

export const counter: ColumnType = { ...scalar('counter'), kind: 'counter' };

/** A type for a key part, an element, or (`depth` > 0) whatever a frozen column may be. */
export function randomFrozenType(
  choice: RandomChoice,
  users: readonly UserType[],
  depth: number,
): ColumnType {
  if (depth === 0 || choice.happens(0.6)) return scalar(choice.one(scalarNames));
  return frozen(randomComposedType(choice, users, depth - 1));
}

/** A collection, tuple, user-defined type or vector, not frozen where it need not be. */
export function randomComposedType(
  choice: RandomChoice,
  users: readonly UserType[],
  depth: number,
): ColumnType {
  const part = () => randomFrozenType(choice, users, depth);
  const keyPart = () => withoutDuration(choice, part());
  const kind = choice.one(['list', 'set', 'map', 'tuple', 'user', 'vector'] as const);
  const composed = (name: string, parts: ColumnType[], isFrozen = false): ColumnType => ({
    kind,
    name,
    isFrozen,
    parts,
    fields: [],
    dimension: 0,
  });
  switch (kind) {
    case 'list': {
      const element = part();
      return composed(`list<${element.name}>`, [element]);
    }
    case 'set': {
      const element = keyPart();
      return composed(`set<${element.name}>`, [element]);
    }
    case 'map': {
      const [key, value] = [keyPart(), part()];
      return composed(`map<${key.name}, ${value.name}>`, [key, value]);
    }
    case 'tuple': {
      const parts = choice.times(choice.integer(1, 3), part);
      return composed(`tuple<${parts.map(({ name }) => name).join(', ')}>`, parts, true);
    }
    case 'vector': {
      const [element, dimension] = [choice.one(['float', 'float', 'int', 'text']), choice.integer(1, 3)];
      return { ...composed(`vector<${element}, ${dimension}>`, [scalar(element)], true), dimension };
    }
    case 'user': {
      if (users.length === 0) return listOfInt;
      const { name, fields } = choice.one(users);
      const parts = fields.map(({ type }) => type);
      return { ...composed(name, parts), fields: fields.map((field) => field.name) };
    }
  }
}

const listOfInt: ColumnType = {
  kind: 'list',
  name: 'list<int>',
  isFrozen: false,
  parts: [scalar('int')],
  fields: [],
  dimension: 0,
};

export function frozen(type: ColumnType): ColumnType {
  if (type.isFrozen) return type;
  return { ...type, name: `frozen<${type.name}>`, isFrozen: true };
}

/** Whether it may stand in a key, in a set or as the key of a map. */
export function hasOrder(type: ColumnType): boolean {
  return type.name !== 'duration' && type.parts.every(hasOrder);
}

function withoutDuration(choice: RandomChoice, type: ColumnType): ColumnType {
  return hasOrder(type) ? type : scalar(choice.one(['int', 'text']));
}

/** From few values, so that statements meet in the same rows. */
export function randomKeyValue(choice: RandomChoice, type: ColumnType): RandomValue {
  if (type.kind !== 'scalar' || choice.happens(0.1)) return randomValue(choice, type);
  return choice.one((pools[type.name] ?? []).slice(0, 3));
}

export function randomValue(choice: RandomChoice, type: ColumnType): RandomValue {
  const [first, second] = type.parts;
  const elements = (element: ColumnType, low = 0): RandomValue[] =>
    choice.times(choice.integer(low, 3), () => randomValue(choice, element));
  if (type.kind === 'list' && first !== undefined) return listOf(elements(first));
  if (type.kind === 'set' && first !== undefined) return setOf(elements(first));
  if (type.kind === 'map' && first !== undefined && second !== undefined) {
    // Which value of a key that is given twice stays is a matter of hashes in Cassandra.
    const keys = new Map(elements(first).map((key) => [key.text, key]));
    return mapOf(Array.from(keys.values(), (key) => [key, randomValue(choice, second)]));
  }
  if (type.kind === 'tuple') return randomTuple(choice, type);
  if (type.kind === 'user') return randomUserValue(choice, type);
  if (type.kind === 'vector' && first !== undefined) {
    const parts = choice.times(type.dimension, () => vectorPart(choice, first));
    return {
      text: `[${texts(parts)}]`,
      bound: new Vector(
        parts.map(({ bound }) => bound),
        first.name,
      ),
    };
  }
  if (type.kind === 'counter') return big(BigInt(choice.integer(-2, 5)));
  return choice.one(pools[type.name] ?? []);
}

/** Vectors of numbers take plain numbers only. */
function vectorPart(choice: RandomChoice, type: ColumnType): RandomValue {
  return type.name === 'float' ? number(choice.one([0, 1, 0.5, -2.25])) : randomValue(choice, type);
}

function randomTuple(choice: RandomChoice, type: ColumnType): RandomValue {
  const parts = type.parts.map((part) =>
    choice.happens(0.1) ? same('null', null) : randomValue(choice, part),
  );
  return { text: `(${texts(parts)})`, bound: new Tuple(...parts.map(({ bound }) => bound)) };
}

function randomUserValue(choice: RandomChoice, type: ColumnType): RandomValue {
  const given = type.fields.flatMap((name, index) => {
    const part = type.parts[index];
    if (part === undefined || choice.happens(0.15)) return [];
    return [[name, choice.happens(0.1) ? same('null', null) : randomValue(choice, part)] as const];
  });
  return {
    text: `{${given.map(([name, { text }]) => `${name}: ${text}`).join(', ')}}`,
    bound: Object.fromEntries(given.map(([name, { bound }]) => [name, bound])),
  };
}

export function listOf(elements: readonly RandomValue[]): RandomValue {
  return { text: `[${texts(elements)}]`, bound: elements.map(({ bound }) => bound) };
}

export function setOf(elements: readonly RandomValue[]): RandomValue {
  return { text: `{${texts(elements)}}`, bound: new Set(elements.map(({ bound }) => bound)) };
}

function mapOf(entries: readonly (readonly [RandomValue, RandomValue])[]): RandomValue {
  return {
    text: `{${entries.map(([key, value]) => `${key.text}: ${value.text}`).join(', ')}}`,
    bound: new Map(entries.map(([key, value]) => [key.bound, value.bound])),
  };
}

function texts(values: readonly RandomValue[]): string {
  return values.map(({ text }) => text).join(', ');
}
