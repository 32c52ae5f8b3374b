import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RingfoldError } from '../errors/ringfold-error.ts';
import {
  type CqlType,
  canBeClustering,
  fixedLength,
  freeze,
  isMultiCell,
  largestDimension,
  parseCqlType,
  printCqlType,
  type UserType,
} from './cql-type.ts';

const address: UserType = {
  kind: 'udt',
  keyspace: 'shop',
  name: 'Address',
  fields: [{ name: 'tags', type: { kind: 'set', element: { kind: 'text' }, frozen: true } }],
  frozen: false,
};
const lookup = (name: string) => (name === 'Address' ? address : undefined);
const isBadRequest = (error: unknown) => error instanceof RingfoldError && error.code === 'bad-request';

test('a type is printed as system_schema shows it', () => {
  for (const [written, shown] of [
    ['INT', 'int'],
    ['varchar', 'text'],
    ['map<text,frozen<list<int>>>', 'map<text, frozen<list<int>>>'],
    ['frozen<list<list<int>>>', 'frozen<list<frozen<list<int>>>>'],
    ['tuple<int, set<text>>', 'frozen<tuple<int, frozen<set<text>>>>'],
    ['tuple<list<list<int>>>', 'frozen<tuple<frozen<list<frozen<list<int>>>>>>'],
    ['frozen < tuple < int > >', 'frozen<tuple<int>>'],
    ['vector<float, 3>', 'vector<float, 3>'],
    ['list<frozen<shop."Address">>', 'list<frozen<"Address">>'],
    ['"Address"', '"Address"'],
  ] as const) {
    assert.equal(printCqlType(parseCqlType(written, lookup)), shown);
  }
});

test('what is printed is parsed to the same type', () => {
  const anyType = fc.letrec<{ type: CqlType }>((tie) => ({
    type: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom<CqlType>({ kind: 'int' }, { kind: 'text' }, { kind: 'decimal' }, { kind: 'timeuuid' }),
      tie('type').map((element): CqlType => ({ kind: 'list', element: freeze(element), frozen: false })),
      tie('type').map((element): CqlType => ({ kind: 'set', element: freeze(element), frozen: true })),
      fc.tuple(tie('type'), tie('type'), fc.boolean()).map(
        ([key, value, frozen]): CqlType => ({
          kind: 'map',
          key: freeze(key),
          value: freeze(value),
          frozen,
        }),
      ),
      fc
        .array(tie('type'), { minLength: 1, maxLength: 3 })
        .map((fields): CqlType => ({ kind: 'tuple', fields: fields.map(freeze) })),
      fc
        .tuple(fc.oneof(tie('type'), fc.constant(address)), fc.integer({ min: 1, max: largestDimension }))
        .map(([element, dimension]): CqlType => ({ kind: 'vector', element, dimension })),
      fc.constant(freeze(address)),
      fc.constant<CqlType>({ kind: 'empty' }),
    ),
  })).type;
  fc.assert(
    fc.property(anyType, (type) => {
      assert.deepEqual(parseCqlType(printCqlType(type), lookup), type);
    }),
  );
});

test('what is not a type is refused with its reason', () => {
  for (const text of [
    '',
    'nothing',
    'list<int',
    'list<int>>',
    'list<list<int>>',
    'set<"Address">',
    'map<int>',
    'frozen<int>',
    'int<text>',
    'vector<float, 0>',
    'vector<float, x>',
    'vector<float, 2147483648>',
    'tuple<>',
    'a;b',
    '"',
    'frozen<'.repeat(100_000),
  ]) {
    assert.throws(() => parseCqlType(text, lookup), isBadRequest, text.slice(0, 40));
  }
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('list', 'map', 'int', '<', '>', ',', ' ', '"', '.', '7') }),
      (text) => {
        try {
          parseCqlType(text);
        } catch (error) {
          assert.ok(isBadRequest(error));
        }
      },
    ),
  );
});

test('clustering columns are of types with an order, in one cell', () => {
  for (const text of ['int', 'frozen<map<text, decimal>>', 'tuple<int, uuid>', 'vector<float, 2>']) {
    assert.equal(canBeClustering(parseCqlType(text)), true, text);
  }
  for (const text of ['list<int>', 'duration', 'counter', 'tuple<int, duration>', 'frozen<set<duration>>']) {
    assert.equal(canBeClustering(parseCqlType(text)), false, text);
  }
  assert.equal(isMultiCell(address), true);
  assert.equal(isMultiCell(freeze(address)), false);
});

test('in a vector the lengths are fixed that Cassandra takes as fixed', () => {
  assert.equal(fixedLength(parseCqlType('vector<vector<float, 3>, 2>')), 24);
  assert.equal(fixedLength(parseCqlType('uuid')), 16);
  for (const kind of ['tinyint', 'smallint', 'date', 'time', 'text'] as const) {
    assert.equal(fixedLength({ kind }), undefined);
  }
});
