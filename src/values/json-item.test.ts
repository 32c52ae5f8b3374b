import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RingfoldError } from '../errors/ringfold-error.ts';
import { spliceSystemProperties, stripSystemProperties } from './json-item.ts';

const systemNames = ['_rid', '_self', '_etag', '_attachments', '_ts'];
const properties = { rid: 'AbC=', self: 'dbs/a/colls/b/docs/AbC=/', etag: '0x1', ts: 1_790_000_000 };
const strip = (text: string) => stripSystemProperties(Buffer.from(text)).toString();
const splice = (text: string) => spliceSystemProperties(Buffer.from(text), properties).toString();

// Objects as text, with spaces, escaped names and repeated names that no JSON.stringify would write.
const space = fc.string({ unit: fc.constantFrom(' ', '\n', '\t', '\r'), maxLength: 2 });
const name = fc.oneof(
  fc.constantFrom(...systemNames, 'id', '__proto__', '12', '_r', '_tsx', '', '"', '\\', '{', '}'),
  fc.string({ unit: 'binary', maxLength: 4 }),
);
const quotedName = fc
  .tuple(name, fc.boolean())
  .map(([text, isEscaped]) =>
    isEscaped
      ? `"${[...Array(text.length).keys()].map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`
      : JSON.stringify(text),
  );
const object = fc.letrec<{ object: string; value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.json({ maxDepth: 1 }),
    fc.constantFrom('9007199254740993', '-0.0e5', '1.00', 'true', '"},{\\""', '[]', '{}'),
    tie('object'),
    fc.array(tie('value'), { maxLength: 2 }).map((values) => `[${values.join(' , ')}]`),
  ),
  object: fc
    .array(fc.tuple(space, quotedName, space, tie('value'), space), { maxLength: 5 })
    .chain((members) =>
      space.map(
        (between) =>
          `${between}{${members.map(([a, name, b, value, c]) => `${a}${name}${b}:${b}${value}${c}`).join(',') || between}}${between}`,
      ),
    ),
})).object;

test('stripping takes away the members with system names at the top and nothing else', () => {
  fc.assert(
    fc.property(object, (text) => {
      const expected = JSON.parse(text);
      for (const name of systemNames) delete expected[name];
      assert.deepEqual(JSON.parse(strip(text)), expected);
      assert.equal(strip(strip(text)), strip(text));
    }),
    { numRuns: 1000 },
  );
});

test('splicing adds the system properties and nothing else', () => {
  fc.assert(
    fc.property(object, (text) => {
      const stripped = strip(text);
      const spliced = JSON.parse(splice(stripped));
      assert.deepEqual(spliced, {
        ...JSON.parse(stripped),
        _rid: 'AbC=',
        _self: 'dbs/a/colls/b/docs/AbC=/',
        _etag: '"0x1"',
        _attachments: 'attachments/',
        _ts: 1_790_000_000,
      });
      assert.ok(splice(stripped).startsWith(stripped.slice(0, stripped.lastIndexOf('}'))));
    }),
    { numRuns: 500 },
  );
});

test('a text without system names stays the same buffer', () => {
  const text = Buffer.from(
    '{ "id": "1", "2": 9007199254740993, "nested": {"_ts": 1}, "__proto__": {"a": 1.00} }',
  );
  assert.equal(stripSystemProperties(text), text);
});

test('names are known however they are escaped, and however often they come', () => {
  assert.equal(strip('{"_ts":1, "a":1 ,"\\u005frid":2,"_ts":[3,{}]}'), '{"a":1 }');
  assert.equal(strip('{"_ts":1}'), '{}');
  assert.equal(strip('{"\\u005fTS":1}'), '{"\\u005fTS":1}');
});

test('an empty object is spliced without a comma', () => {
  assert.ok(splice('{ }').startsWith('{ "_rid":"AbC="'));
});

test('a very deep value is no trouble', () => {
  const deep = `{"_ts":1,"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
  assert.equal(strip(deep).length, deep.length - '"_ts":1,'.length);
});

test('what is not an object is refused or left alone, and never worse', () => {
  for (const text of [
    '',
    '[]',
    '{',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,}',
    '{"a" 1}',
    '{a:1}',
    '{"\\u00":1}',
    '"x"',
  ]) {
    assert.throws(() => strip(text), RingfoldError, text);
  }
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('{', '}', '"', '\\', ':', ',', '[', ']', '_ts', '1') }),
      (text) => {
        try {
          strip(text);
        } catch (error) {
          assert.ok(error instanceof RingfoldError && error.code === 'bad-request');
        }
      },
    ),
    { numRuns: 1000 },
  );
});
