import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CqlSyntaxError } from './cql-syntax-error.ts';
import { printTypeName } from './print-type-name.ts';
import { TokenCursor } from './token-cursor.ts';
import { parseTypeName, type TypeName } from './type-name.ts';

function parse(text: string): TypeName {
  const cursor = new TokenCursor(text);
  const type = parseTypeName(cursor);
  cursor.finish();
  return type;
}

test('a type is read as it is nested', () => {
  assert.deepEqual(parse('map<text, frozen<list<ks."U">>>'), {
    kind: 'map',
    key: { kind: 'native', name: 'text' },
    value: {
      kind: 'frozen',
      type: { kind: 'list', element: { kind: 'userType', name: { keyspace: 'ks', name: 'U' } } },
    },
  });
  assert.deepEqual(parse('vector<float, 3>'), {
    kind: 'vector',
    element: { kind: 'native', name: 'float' },
    dimension: 3,
  });
});

test('a class in quotes is a custom type', () => {
  assert.deepEqual(parse("'org.x.Y'"), { kind: 'custom', className: 'org.x.Y' });
});

test('words that are types name a keyspace but no user-defined type; words that take parameters name both', () => {
  assert.deepEqual(parse('int.u'), { kind: 'userType', name: { keyspace: 'int', name: 'u' } });
  assert.throws(() => parse('ks.int'), CqlSyntaxError);
  assert.deepEqual(parse('map'), { kind: 'userType', name: { keyspace: null, name: 'map' } });
  assert.deepEqual(parse('map.list'), { kind: 'userType', name: { keyspace: 'map', name: 'list' } });
});

test('a type that is printed and read again is the same', () => {
  for (const text of ['tuple<int, set<ascii>>', 'frozen<u>', 'vector<vector<int, 2>, 3>', 'list<ks.u>']) {
    assert.equal(printTypeName(parse(text)), text);
    assert.deepEqual(parse(printTypeName(parse(text))), parse(text));
  }
});

test('only what has parts can be frozen', () => {
  assert.throws(() => parse('frozen<int>'), {
    message: 'frozen<> is only allowed on collections, tuples, and user-defined types (got int)',
  });
});
