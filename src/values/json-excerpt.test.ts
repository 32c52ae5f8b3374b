import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hasLongInteger, parseExactJson } from './exact-json.ts';
import { JsonExcerpt } from './json-excerpt.ts';

/** What is there under a path; `missing` for nothing. */
function at(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    const isObject = typeof found === 'object' && found !== null && !Array.isArray(found);
    if (!isObject || !Object.hasOwn(found as object, name)) return missing;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

const missing = Symbol('missing');

function whole(text: Buffer): unknown {
  return hasLongInteger(text) ? parseExactJson(text.toString()) : JSON.parse(text.toString());
}

const names = [
  'a',
  'b',
  'ab',
  'é',
  'long name that goes on and on for more than a few bytes',
  'q"uote',
  'back\\',
  '',
];
const name = fc.constantFrom(...names);

/** The same string in one of its spellings. */
const spelt = (text: string): fc.Arbitrary<string> =>
  fc.array(fc.boolean(), { minLength: text.length, maxLength: text.length }).map((escaped) => {
    const units = [...Array(text.length).keys()].map((index) =>
      escaped[index]
        ? `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`
        : JSON.stringify(text[index]).slice(1, -1),
    );
    return `"${units.join('')}"`;
  });

const gap = fc.constantFrom('', '', '', ' ', '\n\t ');
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.integer().map(String),
  fc.constantFrom(
    '-0',
    '0',
    '1e3',
    '-1.5E-7',
    '9007199254740993',
    '-9223372036854775808',
    '123456789012345',
    '1e400',
  ),
);
const string = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 80 }),
  fc.constantFrom(
    '\\',
    `${'x'.repeat(23)}\\`,
    `${'x'.repeat(24)}\\"`,
    '\\\\"'.repeat(20),
    '{"a":1}',
    '}]',
    '12345678901234567890',
  ),
);

const { value: json } = fc.letrec<{ value: string; object: string; array: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('true', 'false', 'null'),
    number,
    string.map((text) => JSON.stringify(text)),
    string.chain(spelt),
    tie('object'),
    tie('array'),
  ),
  object: objectOf(tie('value')),
  array: fc
    .tuple(gap, fc.array(fc.tuple(tie('value'), gap), { maxLength: 3 }))
    .map(([before, elements]) => `[${before}${elements.map(([one, after]) => one + after).join(',')}]`),
}));

function objectOf(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const member = fc
    .tuple(gap, name.chain(spelt), gap, gap, value, gap)
    .map(([a, key, b, c, one, d]) => `${a}${key}${b}:${c}${one}${d}`);
  return fc
    .tuple(fc.array(member, { maxLength: 6 }), gap)
    .map(([members, end]) => `{${members.join(',')}${end}}`);
}

const path = fc.array(name, { minLength: 1, maxLength: 3 });

test('what is read of a path is what reading all of the text gives', () => {
  fc.assert(
    fc.property(objectOf(json), gap, fc.array(path, { maxLength: 4 }), (object, before, paths) => {
      const text = Buffer.from(before + object);
      const excerpt = new JsonExcerpt(paths);
      const [read, all] = [excerpt.read(text), whole(text)];
      for (const one of paths) assert.deepEqual(at(read, one), at(all, one), JSON.stringify(one));
    }),
    { numRuns: 3_000 },
  );
});

test('what stands above a path is there if it is in the text, whatever it is', () => {
  const excerpt = new JsonExcerpt([['a', 'b']]);
  const readOf = (text: string): unknown => excerpt.read(Buffer.from(text));
  assert.deepEqual(readOf('{"a":{"c":1}}'), { a: {} });
  assert.deepEqual(readOf('{"a":[{"b":1}]}'), { a: null });
  assert.deepEqual(readOf('{"a":"b"}'), { a: null });
  assert.deepEqual(readOf('{"b":1}'), {});
  assert.deepEqual(readOf('{"a":{"b":1},"a":{"c":2}}'), { a: {} });
});

test('integers beyond 2^53 are told of, where they were wanted', () => {
  const excerpt = new JsonExcerpt([['a'], ['b']]);
  excerpt.read(Buffer.from('{"c":9007199254740993,"a":1}'));
  assert.equal(excerpt.hasLongIntegers, false);
  assert.deepEqual(excerpt.read(Buffer.from('{"a":9007199254740993,"b":[9007199254740993]}')), {
    a: 9007199254740993n,
    b: [9007199254740993n],
  });
  assert.equal(excerpt.hasLongIntegers, true);
});

test('nothing is read for no path', () => {
  assert.deepEqual(new JsonExcerpt([]).read(Buffer.from('{"a":1}')), {});
});

test('a text that ends too early is refused', () => {
  const excerpt = new JsonExcerpt([['b']]);
  const text = '{"a":{"c":["x","a long string that is looked for in another way"]},"b":1}';
  for (let length = 1; length < text.length; length++)
    assert.throws(() => excerpt.read(Buffer.from(text.slice(0, length))), `${length}`);
});

test('of a long text whose names were all found the rest counts too, however it spells them', () => {
  const excerpt = new JsonExcerpt([['id'], ['n', 'm']]);
  const filler = 'x'.repeat(1_000);
  const readOf = (rest: string): unknown =>
    excerpt.read(Buffer.from(`{"id":"a","n":{"m":1},"filler":"${filler}"${rest}}`));
  const plain = { id: 'a', n: { m: 1 } };
  assert.deepEqual(readOf(''), plain);
  assert.deepEqual(readOf(',"id":"b"'), { ...plain, id: 'b' });
  assert.deepEqual(readOf(',"i\\u0064":"b"'), { ...plain, id: 'b' });
  assert.deepEqual(readOf(',"n":2'), { ...plain, n: null });
  assert.deepEqual(readOf(',"\\u006e":{"m":3}'), { ...plain, n: { m: 3 } });
  // Inside of something else, as a value, or as the end of another name, they are not the names.
  assert.deepEqual(readOf(',"o":{"id":"b"},"p":["id","n"],"q":"id","bid":"c"'), plain);
});
