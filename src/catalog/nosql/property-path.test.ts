import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { eachElement, readNames, readPropertyPath } from './property-path.ts';

test('a path is names, elements of arrays, and what is meant at its end', () => {
  const paths = {
    '/*': { steps: [], ending: '*' },
    '/?': { steps: [], ending: '?' },
    '/a/?': { steps: ['a'], ending: '?' },
    '/a/b/*': { steps: ['a', 'b'], ending: '*' },
    '/tags/[]/name/?': { steps: ['tags', eachElement, 'name'], ending: '?' },
    '/"a b"/c': { steps: ['a b', 'c'], ending: 'none' },
    "/'level\" 1*()'/'le/vel2'": { steps: ['level" 1*()', 'le/vel2'], ending: 'none' },
    '/"[]"/"?"': { steps: ['[]', '?'], ending: 'none' },
    '/größe/名': { steps: ['größe', '名'], ending: 'none' },
    '/""': { steps: [''], ending: 'none' },
  } as const;
  for (const [text, path] of Object.entries(paths))
    assert.deepEqual(readPropertyPath(text), { kind: 'path', path }, text);
});

test('what is no path is told by where it stops being one', () => {
  const positions = {
    '': 0,
    a: 0,
    '/': 1,
    '/a/': 3,
    '/a//b': 3,
    '/*/a': 1,
    '/a?': 2,
    '/a-b': 2,
    '/"a': 1,
    '/"a"b': 4,
  };
  for (const [text, position] of Object.entries(positions))
    assert.deepEqual(readPropertyPath(text), { kind: 'wrong', position }, text);
});

test('a path of names has nothing else in it', () => {
  assert.deepEqual(readNames('/a/"b c"'), ['a', 'b c']);
  for (const text of ['/a/?', '/a/*', '/a/[]/b', '/a/']) assert.ok('position' in readNames(text), text);
});

test('whatever a name is, in quotes it is read as it is', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 4 }), (names) => {
      const text = names.map((name) => `/"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`).join('');
      assert.deepEqual(readNames(text), names);
    }),
  );
});

test('no text makes the reader fail', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('/', '"', "'", '\\', '[', ']', '*', '?', 'a') }),
      (text) => {
        readPropertyPath(text);
      },
    ),
  );
});
