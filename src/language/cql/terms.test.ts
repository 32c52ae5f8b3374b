import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printTerm } from './print-term.ts';
import { parseTerm, type Term } from './terms.ts';
import { TokenCursor } from './token-cursor.ts';

function parse(text: string): Term {
  const cursor = new TokenCursor(text);
  const term = parseTerm(cursor);
  cursor.finish();
  return term;
}

const one: Term = { kind: 'constant', type: 'integer', text: '1' };
const two: Term = { kind: 'constant', type: 'integer', text: '2' };

test('a literal keeps its text, because what it means depends on the column', () => {
  const literals = [
    ["'it''s'", 'string', "it's"],
    ['007', 'integer', '007'],
    ['-99999999999999999999', 'integer', '-99999999999999999999'],
    ['1.50', 'float', '1.50'],
    ['TRUE', 'boolean', 'TRUE'],
    ['1h30m', 'duration', '1h30m'],
    ['0xAB', 'hex', '0xAB'],
    ['123E4567-e89b-12d3-a456-426614174000', 'uuid', '123E4567-e89b-12d3-a456-426614174000'],
    ['nan', 'float', 'NaN'],
    ['-NAN', 'float', 'NaN'],
    ['-infinity', 'float', '-Infinity'],
  ] as const;
  for (const [text, type, kept] of literals) {
    assert.deepEqual(parse(text), { kind: 'constant', type, text: kept });
  }
  assert.deepEqual(parse('null'), { kind: 'null' });
});

test('braces make a set, a map or a user-defined type, and nothing in them a set', () => {
  assert.deepEqual(parse('{}'), { kind: 'set', elements: [] });
  assert.deepEqual(parse('{1, 2}'), { kind: 'set', elements: [one, two] });
  assert.deepEqual(parse('{1: 2}'), { kind: 'map', entries: [{ key: one, value: two }] });
  assert.deepEqual(parse('{Street: 1, "No": 2}'), {
    kind: 'userType',
    fields: [
      { name: 'street', value: one },
      { name: 'No', value: two },
    ],
  });
  assert.equal(parse('{f(): 1}').kind, 'map');
});

test('parentheses hold a tuple, or a type before a term', () => {
  assert.deepEqual(parse('(1, 2)'), { kind: 'tuple', elements: [one, two] });
  assert.deepEqual(parse('(1)'), { kind: 'tuple', elements: [one] });
  const hint = { kind: 'typeHint', type: { kind: 'native', name: 'int' }, term: one };
  assert.deepEqual(parse('(int) 1'), hint);
  assert.equal(parse('(ks.u) {a: 1}').kind, 'typeHint');
  assert.equal(parse("('x')").kind, 'tuple');
  assert.equal(parse("('x') 1").kind, 'typeHint');
  assert.equal(parse("('x') now()").kind, 'typeHint');
  assert.equal(parseTerm(new TokenCursor("('x') GROUP BY p")).kind, 'tuple');
  assert.equal(parse('(now())').kind, 'tuple');
});

test('products bind tighter than sums, and both group from the left', () => {
  const product: Term = { kind: 'operation', operator: '*', left: two, right: two };
  const sum: Term = { kind: 'operation', operator: '+', left: one, right: product };
  assert.deepEqual(parse('1 + 2 * 2 - 1'), { kind: 'operation', operator: '-', left: sum, right: one });
  assert.deepEqual(parse('- f()'), {
    kind: 'negation',
    term: { kind: 'function', name: { keyspace: null, name: 'f' }, arguments: [] },
  });
});

test('a function may have a keyspace, and a type may be its name', () => {
  assert.deepEqual(parse('Ks."F"(1, UUID())'), {
    kind: 'function',
    name: { keyspace: 'ks', name: 'F' },
    arguments: [one, { kind: 'function', name: { keyspace: null, name: 'uuid' }, arguments: [] }],
  });
  assert.deepEqual(parse('CAST(1 AS Text)'), { kind: 'cast', term: one, type: 'text' });
});

test('a term is printed as Cassandra repeats it', () => {
  const printed = [
    ["['it''s', 1]", "['it's', 1]"],
    ['{ 1 :2}', '{1: 2}'],
    ['(LIST<int>) [:x]', '(list<int>)[?]'],
    ['1 - -f(null)', 'system."_substract"(1, system."_negate"(f(NULL)))'],
    ['"F"({a: 1})', '"F"({a: 1})'],
    ['cast(1 as text)', 'system.cast_as_text(1)'],
  ] as const;
  for (const [text, print] of printed) assert.equal(printTerm(parse(text)), print);
});
