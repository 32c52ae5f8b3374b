import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isBinaryJson, textOfBinaryJson } from './binary-json.ts';

const seed = 20261116;

test('every form of a value becomes the text that it stands for', () => {
  const cases: readonly (readonly [hex: string, value: unknown])[] = [
    ['d0', null],
    ['d1', false],
    ['d2', true],
    ['00', 0],
    ['1f', 31],
    ['c8 ff', 255],
    ['c9 fe ff', -2],
    ['ca 00 00 00 80', -(2 ** 31)],
    ['cc 00 00 00 00 00 00 f8 3f', 1.5],
    ['cc 00 00 00 00 00 00 08 40', 3],
    ['cd 00 00 c0 3f', 1.5],
    ['ce 00 00 00 00 00 00 f8 bf', -1.5],
    ['d7 80', 128],
    ['d8 80', -128],
    ['d9 00 80', -32768],
    ['da ff ff ff ff', -1],
    ['db fe ff ff ff ff ff ff ff', -2],
    ['dc ff ff ff ff', 4294967295],
    ['80', ''],
    ['83 61 c3 a9', 'aé'],
    ['2c', 'id'],
    ['3f', '_id'],
    ['c0 02 0a 22', '\n"'],
    ['c1 01 00 78', 'x'],
    ['c2 01 00 00 00 79', 'y'],
    ['71 01 00 61 62 63', 'YWJj'],
    ['71 01 01 61 62', 'YWI='],
    ['71 01 fe 61 62', 'YWI'],
    ['72 01 00 02 61', 'YQ=='],
    ['73 01 00 ff ff ff', '____'],
    ['74 01 00 00 fb ff ff', '-___'],
    ['75 10 32 54 76 98 ba dc fe 10 32 54 76 98 ba dc fe', '01234567-89ab-cdef-0123-456789abcdef'],
    ['76 10 32 54 76 98 ba dc fe 10 32 54 76 98 ba dc fe', '01234567-89AB-CDEF-0123-456789ABCDEF'],
    ['77 10 32 54 76 98 ba dc fe 10 32 54 76 98 ba dc fe', '"01234567-89ab-cdef-0123-456789abcdef"'],
    ['d3 33 22 11 00 55 44 77 66 88 99 aa bb cc dd ee ff', '00112233-4455-6677-8899-aabbccddeeff'],
    ['78 03 21 0f', '12f'],
    ['79 02 ba', 'AB'],
    ['7a 04 c3 32', '2-12'],
    ['7b 04 61 10 32', 'abcd'],
    ['7c 03 61 20 08', 'abc'],
    ['7d 04 41 40 20 0c', 'ABCD'],
    ['7e 03 61 f1 18', 'abc'],
    ['7f 03 00 61 f1 18', 'abc'],
    ['dd 03 61 62 63', 'YWJj'],
    ['de 01 00 61', 'YQ=='],
    ['df 01 00 00 00 61', 'YQ=='],
    ['e0', []],
    ['e1 01', [1]],
    ['e2 02 01 02', [1, 2]],
    ['e3 01 00 d0', [null]],
    ['e4 01 00 00 00 d0', [null]],
    ['e5 02 02 01 02', [1, 2]],
    ['e6 01 00 01 00 05', [5]],
    ['e7 01 00 00 00 01 00 00 00 05', [5]],
    ['e8', {}],
    ['e9 81 61 01', { a: 1 }],
    ['ea 03 81 61 01', { a: 1 }],
    ['ed 06 02 81 61 01 81 62 02', { a: 1, b: 2 }],
    ['ee 03 00 01 00 81 61 01', { a: 1 }],
    ['ef 03 00 00 00 01 00 00 00 81 61 01', { a: 1 }],
    ['f0 d8 02 01 ff', [1, -1]],
    ['f1 d9 01 00 00 01', [256]],
    [
      'f2 f0 d7 02 02 01 02 03 04',
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ['f3 f1 d7 01 00 02 00 01 02', [[1], [2]]],
    ['e2 04 81 78 c3 03', ['x', 'x']],
    ['e2 05 81 78 c4 03 00', ['x', 'x']],
    ['e2 06 81 78 c5 03 00 00', ['x', 'x']],
    ['e2 07 81 78 c6 03 00 00 00', ['x', 'x']],
  ];
  for (const [hex, value] of cases) assert.deepEqual(JSON.parse(textOf(hex)), value, hex);
});

test('integers of 64 bits keep all their digits', () => {
  assert.equal(textOf('cb ff ff ff ff ff ff ff 7f'), '9223372036854775807');
  assert.equal(textOf('c7 ff ff ff ff ff ff ff ff'), '18446744073709551615');
});

test('members stay in their order, those that JavaScript would move as well', () => {
  assert.equal(textOf('ed 06 02 81 62 01 81 31 02'), '{"b":1,"1":2}');
});

test('what is cut short, too long, of no kind or not countable is refused', () => {
  const wrong = [
    '',
    '83 61',
    'cc 00',
    'cc 00 00 00 00 00 00 f0 7f',
    'cf 00 00',
    '40',
    '60 00',
    'ff',
    'd2 d2',
    '81 ff',
    'e5 02 01 01 02',
    'e2 01 c8 01',
    'e9 01 01',
    'c3 09',
    'e2 04 c3 03 c3 03',
    'f0 c8 01 01',
    'f2 f1 d7 01 01 01',
    '7b 01 80 0f',
    '71 00 01',
  ];
  for (const hex of wrong) assert.throws(() => textOf(hex), /malformed/, hex);
  assert.throws(() => textOf(`${'e1 '.repeat(300)}01`), /malformed/);
});

test('a short body that stands for a long text is refused before that is made', () => {
  const long = Buffer.concat([Buffer.from('c1e803', 'hex'), Buffer.alloc(1_000, 'x')]);
  const references = Buffer.concat(Array.from({ length: 400 }, () => Buffer.from('c304', 'hex')));
  const length = Buffer.alloc(2);
  length.writeUInt16LE(long.length + references.length);
  const bomb = Buffer.concat([Buffer.of(0x80, 0xe3), length, long, references]);
  assert.throws(() => textOfBinaryJson(bomb, 20_000, refusals), /too long: 2\d{4}$/);
  const euros = Buffer.from('8086e282ace282ac', 'hex');
  assert.throws(() => textOfBinaryJson(euros, 7, refusals), /too long: 8$/);
  assert.equal(textOfBinaryJson(euros, 8, refusals).toString(), '"€€"');
});

test('what is written in any mixture of forms is read as it was', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.infiniteStream(fc.nat(3)), (value, choices) => {
      const wanted = JSON.parse(JSON.stringify(value)) as unknown;
      const binary = Buffer.concat([Buffer.of(0x80), encoded(wanted, choices)]);
      assert.ok(isBinaryJson(binary));
      const text = textOfBinaryJson(binary, 2 ** 20, refusals).toString('utf8');
      assert.equal(text, JSON.stringify(wanted));
    }),
    { seed, numRuns: 300 },
  );
});

test('any bytes are read or refused', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      try {
        JSON.parse(textOfBinaryJson(Buffer.from([0x80, ...bytes]), 2 ** 16, refusals).toString('utf8'));
      } catch (error) {
        assert.match(String(error), /malformed|too long/);
      }
    }),
    { seed, numRuns: 5_000 },
  );
});

const refusals = {
  malformed: () => new Error('malformed'),
  tooLong: (bytes: number) => new Error(`too long: ${bytes}`),
};

function textOf(hex: string): string {
  const bytes = Buffer.from(`80${hex.replaceAll(' ', '')}`, 'hex');
  return textOfBinaryJson(bytes, 2 ** 20, refusals).toString('utf8');
}

function encoded(value: unknown, choices: Iterator<number>): Buffer {
  if (value === null) return Buffer.of(0xd0);
  if (typeof value === 'boolean') return Buffer.of(value ? 0xd2 : 0xd1);
  if (typeof value === 'number') return encodedNumber(value);
  if (typeof value === 'string') return encodedString(value, choices);
  const isArray = Array.isArray(value);
  const parts = isArray
    ? value.map((element) => encoded(element, choices))
    : Object.entries(value as object).map(([name, member]) =>
        Buffer.concat([encodedString(name, choices), encoded(member, choices)]),
      );
  return framed(isArray ? 0xe0 : 0xe8, parts, choices);
}

function encodedNumber(value: number): Buffer {
  if (Number.isInteger(value) && value >= 0 && value < 32) return Buffer.of(value);
  const bytes = Buffer.alloc(9, 0xcc);
  bytes.writeDoubleLE(value, 1);
  return bytes;
}

function encodedString(value: string, choices: Iterator<number>): Buffer {
  const bytes = Buffer.from(value, 'utf8');
  const choice = choices.next().value ?? 0;
  if (bytes.length < 64 && choice > 1) return Buffer.concat([Buffer.of(0x80 + bytes.length), bytes]);
  const head = Buffer.alloc(5, 0xc2);
  head.writeUInt32LE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

function framed(base: number, parts: readonly Buffer[], choices: Iterator<number>): Buffer {
  const choice = choices.next().value ?? 0;
  const body = Buffer.concat(parts);
  if (parts.length === 0 && choice === 0) return Buffer.of(base);
  if (parts.length === 1 && choice < 2) return Buffer.concat([Buffer.of(base + 1), body]);
  const isCounted = choice > 1;
  const head = Buffer.alloc(isCounted ? 9 : 5, base + (isCounted ? 7 : 4));
  head.writeUInt32LE(body.length, 1);
  if (isCounted) head.writeUInt32LE(parts.length, 5);
  return Buffer.concat([head, body]);
}
