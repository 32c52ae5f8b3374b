import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RingfoldError } from '../errors/ringfold-error.ts';
import { byteStringFromHex, byteStringOf, hexOf } from '../foundation/byte-string.ts';
import { writeCollection, writeFields, writeVector } from './cql-elements.ts';
import { varintBytes } from './cql-number.ts';
import { compareCqlValues } from './cql-order.ts';
import { type CqlType, type NativeKind, parseCqlType } from './cql-type.ts';
import type { JsonComponent, KeyColumn } from './key-component.ts';
import {
  decodeClusteringKey,
  decodeJsonKey,
  encodeCellPath,
  encodeClusteringKey,
  encodeJsonKey,
  isKeptByKey,
} from './ordered-key.ts';

const isCorrupt = (error: unknown) => error instanceof RingfoldError && error.code === 'corrupt-data';
const ofLength = (length: number) =>
  // Few different bytes, so that values are often equal or differ late.
  fc
    .array(fc.oneof(fc.constantFrom(0, 1, 0x10, 0x7f, 0x80, 0xfe, 0xff), fc.nat(255)), {
      minLength: length,
      maxLength: length,
    })
    .map((bytes) => Buffer.from(bytes));
const empty = fc.constant(Buffer.alloc(0));
const freeBytes = fc
  .array(fc.constantFrom(0, 1, 0x61, 0xfe, 0xff), { maxLength: 5 })
  .map((bytes) => Buffer.from(bytes));
const double = fc.oneof(fc.double(), fc.constantFrom(0, -0, Number.NaN, 1, -1)).map((value) => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes;
});
const float = fc.oneof(fc.float(), fc.constantFrom(0, -0, Number.NaN)).map((value) => {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatBE(value);
  return bytes;
});
const integer = fc.oneof(
  fc.bigInt({ min: -300n, max: 300n }),
  fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }),
  fc.nat(1100).map((bits) => 2n ** BigInt(bits)),
  fc.nat(1100).map((bits) => -(2n ** BigInt(bits))),
);
const varint = fc.tuple(integer, fc.boolean()).map(([value, long]) => {
  const filler = Buffer.alloc(long ? 1 : 0, value < 0n ? 0xff : 0x00);
  return Buffer.concat([filler, varintBytes(value)]);
});
const decimal = fc
  .tuple(integer, fc.oneof(fc.integer({ min: -3, max: 3 }), fc.integer()))
  .map(([unscaled, scale]) => {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32BE(scale);
    return Buffer.concat([bytes, varintBytes(unscaled)]);
  });
const timeuuid = ofLength(16).map((uuid) => {
  uuid[6] = 0x10 | ((uuid[6] ?? 0) & 0x0f);
  return uuid;
});

const byKind: Readonly<Partial<Record<NativeKind, fc.Arbitrary<Buffer>>>> = {
  ascii: fc.string({ maxLength: 4 }).map((text) => Buffer.from(text)),
  text: fc.string({ unit: 'binary', maxLength: 4 }).map((text) => Buffer.from(text, 'utf8')),
  blob: freeBytes,
  boolean: ofLength(1),
  tinyint: ofLength(1),
  smallint: ofLength(2),
  int: ofLength(4),
  bigint: ofLength(8),
  timestamp: ofLength(8),
  time: ofLength(8),
  date: ofLength(4),
  inet: fc.oneof(ofLength(4), ofLength(16)),
  uuid: fc.oneof(ofLength(16), timeuuid),
  timeuuid,
  float: fc.oneof(float, ofLength(4)),
  double: fc.oneof(double, ofLength(8)),
  varint,
  decimal,
};

function anyValue(type: CqlType): fc.Arbitrary<Buffer> {
  switch (type.kind) {
    case 'list':
    case 'set':
      return fc
        .array(anyValue(type.element), { maxLength: 3 })
        .map((elements) => writeCollection(elements, 1));
    case 'map':
      return fc
        .array(fc.tuple(anyValue(type.key), anyValue(type.value)), { maxLength: 3 })
        .map((entries) => writeCollection(entries.flat(), 2));
    case 'vector':
      return fc
        .array(anyValue(type.element), { minLength: type.dimension, maxLength: type.dimension })
        .map((elements) => writeVector(type.element, elements));
    case 'tuple':
      return fieldsOf(type.fields);
    case 'udt':
      return fieldsOf(type.fields.map((field) => field.type));
    default:
      return fc.oneof({ weight: 9, arbitrary: byKind[type.kind] ?? empty }, { weight: 1, arbitrary: empty });
  }
}
function fieldsOf(types: readonly CqlType[]): fc.Arbitrary<Buffer> {
  return fc
    .tuple(fc.tuple(...types.map((type) => fc.option(anyValue(type)))), fc.nat(types.length))
    .map(([fields, kept]) => writeFields(fields.slice(0, Math.max(kept, 1))));
}

const types: readonly CqlType[] = [
  ...Object.keys(byKind).map((kind) => parseCqlType(kind)),
  ...[
    'frozen<list<int>>',
    'frozen<set<blob>>',
    'frozen<map<text, decimal>>',
    'frozen<list<frozen<list<varint>>>>',
    'tuple<int, text, double>',
    'tuple<blob, frozen<list<tinyint>>>',
    'vector<text, 2>',
  ].map((text) => parseCqlType(text)),
  {
    kind: 'udt',
    keyspace: 'k',
    name: 'u',
    fields: [
      { name: 'a', type: { kind: 'boolean' } },
      { name: 'b', type: { kind: 'inet' } },
    ],
    frozen: true,
  },
];

for (const type of types) {
  const name = type.kind === 'udt' ? 'a user type' : JSON.stringify(type);
  const column = fc.record({ type: fc.constant(type), descending: fc.boolean() });

  test(`keys sort as the values do: ${name}`, () => {
    fc.assert(
      fc.property(anyValue(type), anyValue(type), column, (left, right, key) => {
        const leftKey = encodeClusteringKey([key], [left]);
        const rightKey = encodeClusteringKey([key], [right]);
        const order = Math.sign(compareCqlValues(type, left, right)) * (key.descending ? -1 : 1);
        assert.equal(leftKey < rightKey ? -1 : Number(leftKey > rightKey), order + 0);
        if (leftKey !== rightKey)
          assert.ok(!leftKey.startsWith(rightKey), 'no key is the beginning of another');
      }),
      { numRuns: 400 },
    );
  });

  test(`a value read from a key is equal to the one written: ${name}`, () => {
    fc.assert(
      fc.property(anyValue(type), column, (value, key) => {
        const encoded = encodeClusteringKey([key], [value]);
        const [decoded] = decodeClusteringKey([key], encoded);
        assert.ok(decoded !== undefined);
        assert.equal(compareCqlValues(type, decoded, value), 0);
        assert.equal(encodeClusteringKey([key], [decoded]), encoded);
        assert.equal(isKeptByKey(type, value), decoded.equals(value));
      }),
    );
  });

  test(`random bytes are a key or corrupt data: ${name}`, () => {
    fc.assert(
      fc.property(
        fc.uint8Array(),
        fc.boolean(),
        fc.constantFrom('', '03', 'FC'),
        (random, descending, marker) => {
          const key = byteStringFromHex(marker + Buffer.from(random).toString('hex'));
          try {
            decodeClusteringKey([{ type, descending }], key);
          } catch (error) {
            assert.ok(isCorrupt(error), String(error));
          }
        },
      ),
    );
  });
}

test('keys of several columns sort column by column, each in its direction', () => {
  const types3: readonly CqlType[] = [{ kind: 'text' }, { kind: 'varint' }, { kind: 'blob' }];
  const directions = fc.tuple(fc.boolean(), fc.boolean(), fc.boolean());
  const row = fc.tuple(...types3.map(anyValue));
  fc.assert(
    fc.property(directions, row, row, fc.integer({ min: 1, max: 3 }), (descending, left, right, kept) => {
      const columns: KeyColumn[] = types3.map((type, at) => ({ type, descending: descending[at] === true }));
      let expected = 0;
      for (const [at, { type, descending }] of columns.entries()) {
        const order = compareCqlValues(type, left[at] ?? null, right[at] ?? null);
        expected ||= Math.sign(order) * (descending ? -1 : 1) + 0;
      }
      const leftKey = encodeClusteringKey(columns, left);
      const rightKey = encodeClusteringKey(columns, right);
      assert.equal(leftKey < rightKey ? -1 : Number(leftKey > rightKey), expected);
      assert.equal(encodeClusteringKey(columns, decodeClusteringKey(columns, leftKey)), leftKey);

      const prefix = encodeClusteringKey(columns, right.slice(0, kept));
      const begins = types3
        .slice(0, kept)
        .every((type, at) => compareCqlValues(type, left[at] ?? null, right[at] ?? null) === 0);
      assert.equal(leftKey.startsWith(prefix), begins);
    }),
    { numRuns: 500 },
  );
});

test('equal decimals have equal keys, and the form as written is then not kept', () => {
  const type = { kind: 'decimal' } as const;
  const [one, onePointNought] = ['0000000001', '000000010a'].map((hex) => Buffer.from(hex, 'hex'));
  assert.ok(one !== undefined && onePointNought !== undefined);
  assert.equal(encodeCellPath(type, one), encodeCellPath(type, onePointNought));
  assert.equal(isKeptByKey(type, one), true);
  assert.equal(isKeptByKey(type, onePointNought), false);
});

test('a field added to a type changes no key made before', () => {
  const value = Buffer.from('0000000400000001', 'hex');
  const before = encodeCellPath(parseCqlType('tuple<int, text>'), value);
  assert.equal(encodeCellPath(parseCqlType('tuple<int, text, uuid>'), value), before);
});

test('the bytes of keys stay as they are stored today', () => {
  for (const [text, value, key] of [
    ['int', '00000001', '0380000001'],
    ['bigint', 'ffffffffffffffff', '037FFFFFFFFFFFFFFF'],
    ['text', '610062', '036100FF620000'],
    ['text', '', '02'],
    ['decimal', '000000017f', '030280000000020D4700'],
    ['frozen<list<tinyint>>', '0000000100000001ff', '03037F00'],
    ['tuple<int, int>', 'ffffffff0000000400000007', '0301038000000700'],
  ] as const) {
    assert.equal(hexOf(encodeCellPath(parseCqlType(text), Buffer.from(value, 'hex'))), key, text);
  }
});

// Cosmos DB's order of types, nosql-api.md §5.1.
const rank = (value: JsonComponent) =>
  [undefined, null, false, true].includes(value as boolean)
    ? [undefined, null, false, true].indexOf(value as boolean)
    : typeof value === 'number'
      ? 4
      : 5;
const jsonComponent: fc.Arbitrary<JsonComponent> = fc.oneof(
  fc.constantFrom<JsonComponent>(undefined, null, false, true, 0, -0, '', 'a', 'a\0'),
  fc.double({ noNaN: true }),
  fc.string({ unit: 'binary' }),
);

function compareJson(left: JsonComponent, right: JsonComponent): number {
  if (rank(left) !== rank(right)) return Math.sign(rank(left) - rank(right));
  if (typeof left === 'number' && typeof right === 'number') return left < right ? -1 : Number(left > right);
  if (typeof left === 'string' && typeof right === 'string') {
    return Buffer.compare(Buffer.from(left, 'utf8'), Buffer.from(right, 'utf8'));
  }
  return 0;
}

test('JSON keys sort by type, then by value, each path in its direction', () => {
  const pair = fc.tuple(jsonComponent, jsonComponent);
  fc.assert(
    fc.property(pair, pair, fc.boolean(), fc.boolean(), (left, right, first, second) => {
      const paths = [{ descending: first }, { descending: second }];
      const leftKey = encodeJsonKey(paths, left);
      const rightKey = encodeJsonKey(paths, right);
      const expected =
        compareJson(left[0], right[0]) * (first ? -1 : 1) ||
        compareJson(left[1], right[1]) * (second ? -1 : 1);
      assert.equal(leftKey < rightKey ? -1 : Number(leftKey > rightKey), expected + 0);
      const decoded = decodeJsonKey(paths, leftKey);
      assert.deepEqual(
        decoded,
        left.map((value) => (value === 0 ? 0 : value)),
      );
    }),
    { numRuns: 1000 },
  );
});

test('random bytes are a JSON key or corrupt data', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.boolean(), (random, descending) => {
      try {
        decodeJsonKey([{ descending }, { descending: false }], byteStringOf(random));
      } catch (error) {
        assert.ok(isCorrupt(error));
      }
    }),
  );
});
