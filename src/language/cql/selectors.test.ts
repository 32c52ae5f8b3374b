import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSelectors, type Selectable, type Selector } from './selectors.ts';
import { TokenCursor } from './token-cursor.ts';

function parse(text: string): readonly Selector[] {
  const cursor = new TokenCursor(text);
  const selectors = parseSelectors(cursor);
  cursor.finish();
  return selectors;
}

function parseOne(text: string): Selectable | undefined {
  return parse(text)[0]?.selectable;
}

const a: Selectable = { kind: 'column', name: 'a' };
const b: Selectable = { kind: 'column', name: 'b' };
const x = { kind: 'constant', type: 'string', text: 'x' } as const;

test('a star is no selector at all', () => {
  assert.deepEqual(parse('*'), []);
});

test('a column is folded unless it is quoted, and so is its alias', () => {
  assert.deepEqual(parse('A, "B" AS C, key as "D"'), [
    { selectable: a, alias: null },
    { selectable: { kind: 'column', name: 'B' }, alias: 'c' },
    { selectable: { kind: 'column', name: 'key' }, alias: 'D' },
  ]);
});

test('words before a parenthesis are functions, and a few are more than that', () => {
  assert.deepEqual(parseOne('count(*)'), { kind: 'countRows' });
  assert.deepEqual(parseOne('Count(a)'), {
    kind: 'function',
    name: { keyspace: null, name: 'count' },
    arguments: [a],
  });
  assert.deepEqual(parseOne('writetime(a)'), { kind: 'cellProperty', property: 'writetime', selectable: a });
  assert.deepEqual(parseOne('TTL(a.f)'), {
    kind: 'cellProperty',
    property: 'ttl',
    selectable: { kind: 'field', selectable: a, name: 'f' },
  });
  assert.deepEqual(parseOne('cast(a AS text)'), { kind: 'cast', selectable: a, type: 'text' });
  assert.deepEqual(parseOne('ks.f(a, b)'), {
    kind: 'function',
    name: { keyspace: 'ks', name: 'f' },
    arguments: [a, b],
  });
  assert.deepEqual(parseOne('ttl'), { kind: 'column', name: 'ttl' });
});

test('fields, elements and slices follow what they are taken from', () => {
  assert.deepEqual(parseOne("a['x']"), { kind: 'element', selectable: a, key: x });
  assert.deepEqual(parseOne("a['x'..]"), { kind: 'slice', selectable: a, from: x, to: null });
  assert.deepEqual(parseOne("a[..'x']"), { kind: 'slice', selectable: a, from: null, to: x });
  assert.deepEqual(parseOne("a.f['x']"), {
    kind: 'element',
    selectable: { kind: 'field', selectable: a, name: 'f' },
    key: x,
  });
});

test('parentheses hold a type before something, or one thing, or a tuple', () => {
  assert.deepEqual(parseOne('(int) a'), {
    kind: 'typeHint',
    type: { kind: 'native', name: 'int' },
    selectable: a,
  });
  assert.deepEqual(parseOne('(a)'), { kind: 'parentheses', elements: [a] });
  assert.deepEqual(parseOne('(a, b)'), { kind: 'parentheses', elements: [a, b] });
  assert.deepEqual(parseOne('(a) - b'), {
    kind: 'operation',
    operator: '-',
    left: { kind: 'parentheses', elements: [a] },
    right: b,
  });
});

test('braces and brackets hold selectors too', () => {
  assert.deepEqual(parseOne('[a, b]'), { kind: 'list', elements: [a, b] });
  assert.deepEqual(parseOne('{a}'), { kind: 'set', elements: [a] });
  assert.deepEqual(parseOne('{a: b}'), { kind: 'mapOrUserType', entries: [{ key: a, value: b }] });
});

test('products bind tighter than sums, and a minus tighter still', () => {
  assert.deepEqual(parseOne('a + -b * a'), {
    kind: 'operation',
    operator: '+',
    left: a,
    right: { kind: 'operation', operator: '*', left: { kind: 'negation', selectable: b }, right: a },
  });
});
