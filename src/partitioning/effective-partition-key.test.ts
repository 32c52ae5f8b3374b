import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { RingfoldError } from '../errors/ringfold-error.ts';
import { hexOf } from '../foundation/byte-string.ts';
import {
  effectivePartitionKey,
  epkBoundaryFromHex,
  epkBoundaryToHex,
  hierarchicalRange,
  jsonPartitionKeyBytes,
} from './effective-partition-key.ts';
import type { JsonKeyComponent } from './json-key-component.ts';
import { type RingPosition, ringEnd } from './ring-position.ts';
import { contains, wholeRing } from './ring-range.ts';

const latin = 'abcdefghijklmnopqrstuvwxyz'.repeat(10);

// The vectors of the Azure SDKs' own tests; undefined where they have none.
const vectors: readonly (readonly [
  string,
  readonly JsonKeyComponent[],
  string | undefined,
  string | undefined,
])[] = [
  ['empty string', [''], '05C1CF33970FF80800', '32E9366E637A71B4E710384B2F4970A0'],
  ['"aa"', ['aa'], '05C1C7B7270FE008626200', '05033626483AE80D00E44FBD35362B19'],
  ['"redmond"', ['redmond'], '05C1EFE313830C087366656E706F6500', '22E342F38A486A088463DFF7838A5963'],
  [
    '"partitionKey"',
    ['partitionKey'],
    '05C1E1B3D9CD2608716273756A756A706F4C667A00',
    '013AEFCF77FA271571CF665A58C933F1',
  ],
  [
    '"Hello World"',
    ['Hello World'],
    '05C1C5D58F13B00849666D6D70215870736D6500',
    '306C52B42DECB3AE9D3C7586975E30B9',
  ],
  ['"1"', ['1'], undefined, '3C80B1B7310BB39F29CC4EA05BDD461E'],
  ['"customer42"', ['customer42'], undefined, '19819C94CE42A1654CCC8110539D9589'],
  [
    '1,024 times "a"',
    ['a'.repeat(1024)],
    `05C1EB5921F70608${'62'.repeat(100)}00`,
    '332BDF5512AE49615F32C7D98C2DB86C',
  ],
  ['null', [null], '05C1ED45D7475601', '378867E4430E67857ACE5C908374FE16'],
  ['undefined', [undefined], '05C1D529E345DC00', '11622DAA78F835834610ABE56EFF5CB5'],
  ['true', [true], '05C1D7C5A903D803', '0E711127C5B5A8E4726AC6DD306A3E59'],
  ['false', [false], '05C1DB857D857C02', '2FE1BE91E90A3439635E0E9E37361EF2'],
  ['5', [5], '05C1D9C1C5517C05C014', '19C08621B135968252FB34B4CF66F811'],
  ['5.5', [5.5], '05C1D7A771716C05C016', '0E2EE47829D1AF775EEFB6540FD1D0ED'],
  ['12313.1221', [12313.1221], '05C1ED154D592E05C0C90723F50FC925D8', '27E7ECA8F2EE3E53424DE8D5220631C6'],
  ['123456789', [123456789], '05C1D9E1A5311C05C19DB7CD8B40', '1F56D2538088EBA82CCF988F36E16760'],
  ['-128', [-128], '05C1D73349F54C053FA0', '01DAEDABF913540367FE219B2AD06148'],
  ['127', [127], '05C1DD539DDFCC05C05FE0', '0C507ACAC853ECA7977BF4CEFB562A25'],
  ['2147483647', [2147483647], '05C1E1F503DFB205C1DFFFFFFFFC', '2D9349D64712AEB5EB1406E2F0BE2725'],
  ['-2147483648', [-2147483648], '05C1DFBF252BCC053E20', '0B1660D5233C3171725B30D4A5F4CC1F'],
  ['2^63', [2 ** 63], '05C1B799AB2DD005C3E0', '2EDB959178DFCCA18983F89384D1629B'],
  ['-2^63', [-(2 ** 63)], '05C1DB35F33D1C053C20', '23D5C6395512BDFEAFADAD15328AD2BB'],
  [
    'the least double above 0',
    [5e-324],
    '05C1E5C91F4D3005800101010101010102',
    '0E6CBA63A280927DE485DEF865800139',
  ],
  [
    'the greatest double',
    [Number.MAX_VALUE],
    '05C1CBE367C53005FFEFFFFFFFFFFFFFFE',
    '31424D996457102634591FF245DBCC4D',
  ],
  ['100 latin letters', [latin.slice(0, 100)], undefined, '023D5F0B62EBEF22A43564F267193B4D'],
  ['101 latin letters', [latin.slice(0, 101)], undefined, '357D83181DB32D35F58CDA3C9F2E0742'],
  ['four paths', [5, 'redmond', true, null], undefined, '3032DECBE2AB1768D8E0AEDEA35881DF'],
  [
    'eight paths',
    ['redmond', 50, 5.5, true, false, null, '', 12313.1221],
    undefined,
    '1A5E512F591E980E07A6D8AD5BD5AB2F',
  ],
  [
    'six paths, the last in Cyrillic',
    [2, true, false, null, undefined, 'Привет!'],
    '05C1D19581B37C05C0000302010008D1A0D281D1B9D1B3D1B6D2832200',
    undefined,
  ],
  [
    'six paths, the first in Cyrillic',
    ['по-русски', null, true, false, undefined, 5.5],
    '05C1D39FA55F0408D1C0D1BF2ED281D284D282D282D1BBD1B9000103020005C016',
    undefined,
  ],
  // Computed independently for the reference; V2 agrees with the .NET SDK's baseline.
  ['0', [0], '05C1BF6DA11560058000', '155B95BEDAC4B1E9EC1CDC9BB0DDDE58'],
  ['-0', [-0], undefined, '3D018BB1DF3DB27235766E81FD10406E'],
  ['1', [1], '05C1ED172B6B2605BFF0', '20CD98B339BA78A5D0CF6953B87070B0'],
  ['-1', [-1], '05C1D1A5BDDF9C054010', '19938E7A936C1C5B9E3AE842BBC16839'],
  ['2', [2], '05C1D93569113805C000', '11BEC098BB8A08943F0A144281ACC26C'],
];

describe('an effective partition key is the one Cosmos computes', () => {
  for (const [name, components, v1, v2] of vectors) {
    if (v1 !== undefined) {
      test(`V1 of ${name}`, () => assert.equal(hexOf(effectivePartitionKey('v1', components)), v1));
    }
    if (v2 !== undefined) {
      test(`V2 of ${name}`, () => assert.equal(hexOf(effectivePartitionKey('v2', components)), v2));
    }
  }

  const multi: readonly (readonly [readonly JsonKeyComponent[], string])[] = [
    [['redmond', 5], '22E342F38A486A088463DFF7838A596319C08621B135968252FB34B4CF66F811'],
    [
      ['redmond', 5, null],
      '22E342F38A486A088463DFF7838A596319C08621B135968252FB34B4CF66F811378867E4430E67857ACE5C908374FE16',
    ],
    [
      ['tenant1', 'user1', 'session1'],
      '0DAE0B8467B011E957BC0B8B0DEB5ACA236A5BE3329A7AD57D4B998E8602BD7B3968A88FC4D9F7E8A7CC60434EE850D5',
    ],
  ];
  for (const [components, expected] of multi) {
    test(`MultiHash of ${JSON.stringify(components)}`, () => {
      assert.equal(hexOf(effectivePartitionKey('multi', components)), expected);
    });
  }
});

const component: fc.Arbitrary<JsonKeyComponent> = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 120 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constantFrom(null, undefined),
);

test('V1 keeps 100 UTF-16 units of a string, so longer ones with the same beginning share a position', () => {
  const position = (text: string) => effectivePartitionKey('v1', [text]);
  assert.equal(position(latin.slice(0, 101)), position(latin.slice(0, 100)));
  assert.notEqual(position(latin.slice(0, 99)), position(latin.slice(0, 100)));
});

test('V1 writes 101 bytes of a string that has more, and then no end mark', () => {
  const epk = hexOf(effectivePartitionKey('v1', ['ж'.repeat(100)]));
  assert.ok(epk.endsWith(`08${'D1B7'.repeat(50)}D1`));
});

test('no components have the empty position', () => {
  for (const kind of ['v1', 'v2', 'multi'] as const) assert.equal(effectivePartitionKey(kind, []), '');
});

test('a number that is not finite is refused', () => {
  for (const number of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    assert.throws(
      () => effectivePartitionKey('v2', [number]),
      (error) => error instanceof RingfoldError && error.code === 'bad-partition-key',
    );
  }
});

test('a key longer than the buffer at hand is hashed whole', () => {
  const long = 'ж'.repeat(20_000);
  const before = hexOf(effectivePartitionKey('v2', ['redmond']));
  assert.notEqual(effectivePartitionKey('v2', [long]), effectivePartitionKey('v2', [`${long}ж`]));
  assert.equal(effectivePartitionKey('v2', [1, long]), effectivePartitionKey('v2', [1, long]));
  assert.equal(hexOf(effectivePartitionKey('v2', ['redmond'])), before);
});

test('every part of a V2 or hierarchical position begins with a byte of at most 3F', () => {
  fc.assert(
    fc.property(fc.array(component, { minLength: 1, maxLength: 3 }), (components) => {
      const position = effectivePartitionKey('multi', components);
      assert.equal(position.length, 16 * components.length);
      for (let at = 0; at < position.length; at += 16) assert.ok(position.charCodeAt(at) <= 0x3f);
    }),
  );
});

test('different keys have different bytes', () => {
  const keys = fc.array(component, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(keys, keys, (a, b) => {
      const same = a.length === b.length && a.every((value, index) => Object.is(value, b[index]));
      assert.equal(jsonPartitionKeyBytes(a) === jsonPartitionKeyBytes(b), same);
    }),
  );
});

// Few values, so that keys often share their leading components.
const smallKey = fc.array(fc.constantFrom<JsonKeyComponent>('a', 'b', 1, null, undefined), {
  minLength: 3,
  maxLength: 3,
});

test('a whole key is in the range of a prefix exactly if it begins with that prefix', () => {
  fc.assert(
    fc.property(smallKey, smallKey, fc.integer({ min: 0, max: 3 }), (key, other, prefixLength) => {
      const prefix = other.slice(0, prefixLength);
      const begins = prefix.every((value, index) => value === key[index]);
      assert.equal(contains(hierarchicalRange(3, prefix), effectivePartitionKey('multi', key)), begins);
    }),
  );
});

test('no leading components mean the whole ring', () => {
  assert.deepEqual(hierarchicalRange(3, []), wholeRing);
});

test('a boundary is written in whole parts of 16 bytes, and the end of the ring as FF', () => {
  const trimmed = `22E3${'42'.repeat(12)}`;
  assert.equal(epkBoundaryToHex('v2', epkBoundaryFromHex(trimmed)), `${trimmed}0000`);
  assert.equal(
    epkBoundaryToHex('multi', epkBoundaryFromHex(`${trimmed}000011`)),
    `${trimmed}000011${'00'.repeat(15)}`,
  );
  assert.equal(epkBoundaryToHex('v1', epkBoundaryFromHex('05c1dffffffffc')), '05C1DFFFFFFFFC');
  assert.equal(epkBoundaryToHex('v2', ringEnd), 'FF');
  assert.equal(epkBoundaryFromHex('ff'), ringEnd);
  assert.equal(epkBoundaryToHex('v2', '' as RingPosition), '');
});

test('a boundary that is not hexadecimal is refused', () => {
  for (const hex of ['F', '0G', '0x10', ' 10']) assert.throws(() => epkBoundaryFromHex(hex), RingfoldError);
});
