import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type JsonNode, openNode, printNode } from './json-tree.ts';

/** Opens everything below. */
function opened(node: JsonNode): JsonNode {
  const inside = openNode(node);
  if (typeof inside === 'string') return inside;
  if (Array.isArray(inside)) return inside.map(opened);
  return new Map(Array.from(inside, ([name, value]) => [name, opened(value)] as const));
}

test('what is opened through and through and printed is the same JSON', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(0, 1, '\t \n'), (text, space) => {
      const spaced = JSON.stringify(JSON.parse(text), null, space);
      assert.deepEqual(JSON.parse(printNode(opened(spaced))), JSON.parse(text));
    }),
  );
});

test('what is not looked into keeps its text', () => {
  const inside = '{ "b":9007199254740993 , "a":[ 1.10,2E5 ], "__proto__":{"x":"\\u0041"} }';
  const node = openNode(`{"one":${inside},"two" : 2}`);
  assert.ok(node instanceof Map);
  node.set('two', '3');
  assert.equal(printNode(node), `{"one":${inside},"two":3}`);
});

test('names are found however they are escaped, and of two the last counts', () => {
  const node = openNode('{"\\u0061":1,"b\\"}":2,"a":3}');
  assert.ok(node instanceof Map);
  assert.deepEqual(
    [...node],
    [
      ['a', '3'],
      ['b"}', '2'],
    ],
  );
});

test('members and elements end where they end: brackets and quotes inside strings do not count', () => {
  const node = openNode('[ "]", {"a":"}"} , [",",[]] ,-1e3 , null ]');
  assert.deepEqual(node, ['"]"', '{"a":"}"}', '[",",[]]', '-1e3', 'null']);
  assert.deepEqual(openNode('[]'), []);
  assert.deepEqual(openNode(' { } '), new Map());
});
