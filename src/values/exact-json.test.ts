import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { exactJsonText, hasLongInteger, parseExactJson } from './exact-json.ts';

const cases: readonly (readonly [text: string, isLong: boolean])[] = [
  ['9007199254740993', true],
  ['-9007199254740993', true],
  ['9223372036854775807', true],
  ['-9223372036854775808', true],
  ['[1,9007199254740993]', true],
  ['{"a":{"b":[0.5,"x",9007199254740993]},"__proto__":9007199254740995}', true],
  ['{"a\\"":"9007199254740993","b":9007199254740993}', true],
  ['{"a": 9007199254740993 }', true],
  ['{"integer0:":"\\u0069nteger1:","a":9007199254740993}', true],
  ['{"b":9007199254740993,"2":9007199254740995,"1":9007199254740997}', true],
  ['{"a":9007199254740993,"a":9007199254740995}', true],
  ['[9007199254740993,1e16,9007199254740995,9007199254740993.0]', true],
  ['{"a":"\\\\","b":9007199254740993,"c":"\\"9007199254740995"}', true],
  // Exact as it is, or not of 64 bits, or no integer, or no number at all.
  ['9007199254740991', false],
  ['1728915630666888', false],
  ['9223372036854775808', false],
  ['12345678901234567890123', false],
  ['0.9007199254740993', false],
  ['9007199254740993.5', false],
  ['9007199254740993e2', false],
  ['1e-9007199254740993', false],
  ['{"a":"9007199254740993","b":"x:9007199254740993"}', false],
  ['{"9007199254740993":1}', false],
  ['', false],
];

test('an integer is long that a number would round, and that has 64 bits', () => {
  for (const [text, isLong] of cases) assert.equal(hasLongInteger(Buffer.from(text)), isLong, text);
});

test('long integers are read and written with all their digits', () => {
  for (const [text, isLong] of cases) {
    if (isLong) assert.deepEqual(JSON.parse(exactJsonText(parseExactJson(text))), JSON.parse(text), text);
  }
  assert.equal(
    exactJsonText(parseExactJson('{"b":9007199254740993,"2":9007199254740995}')),
    '{"2":9007199254740995,"b":9007199254740993}',
  );
  assert.equal(
    exactJsonText(parseExactJson('{"a":9007199254740993,"a":9007199254740995,"b":[-9007199254740997,1e16]}')),
    '{"a":9007199254740995,"b":[-9007199254740997,10000000000000000]}',
  );
  assert.equal(
    exactJsonText(parseExactJson('{"a":9007199254740993,"a":9007199254740992,"b":9007199254740992.0}')),
    '{"a":9007199254740992,"b":9007199254740992}',
  );
  assert.deepEqual(parseExactJson('{"a":[9007199254740993,-9223372036854775808,5,"9007199254740993"]}'), {
    a: [9_007_199_254_740_993n, -9_223_372_036_854_775_808n, 5, '9007199254740993'],
  });
});

test('where a name comes twice the last one counts, and each long integer stays with its own name', () => {
  for (const [text, expected] of [
    ['{"a":1,"b":9007199254740993,"a":9007199254740992}', '{"a":9007199254740992,"b":9007199254740993}'],
    [
      '[{"a" : [],"b":{"x":9007199254740993}, "a":9007199254740995}]',
      '[{"a":9007199254740995,"b":{"x":9007199254740993}}]',
    ],
  ] as const)
    assert.equal(exactJsonText(parseExactJson(text)), expected);
});

test('any JSON comes out as it went in, wherever its long integers stand', () => {
  const leaf = fc.oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.string({ unit: 'grapheme' }),
    fc.integer(),
    fc.constantFrom(null, true, 1.5, '"', '\\', '9007199254740993', 'integer0:1'),
  );
  const { tree } = fc.letrec<{ readonly tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie('tree')),
      fc.dictionary(fc.string({ unit: 'grapheme' }), tie('tree')),
    ),
  }));
  fc.assert(
    fc.property(tree, fc.nat(20), (value, padding) => {
      const text = `${' '.repeat(padding)}${exactJsonText(value)}`;
      assert.equal(exactJsonText(parseExactJson(text)), text.trimStart());
      if (holdsLong(value)) assert.equal(hasLongInteger(Buffer.from(text)), true, text);
    }),
    { numRuns: 150 },
  );
});

function holdsLong(value: unknown): boolean {
  if (typeof value === 'bigint') return !Number.isSafeInteger(Number(value));
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsLong);
}
