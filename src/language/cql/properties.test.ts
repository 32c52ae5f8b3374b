import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Properties, parseProperties } from './properties.ts';
import { TokenCursor } from './token-cursor.ts';

function parse(text: string): Properties {
  const cursor = new TokenCursor(text);
  const properties = parseProperties(cursor);
  cursor.finish();
  return properties;
}

test('values are kept as text, whatever they are, and names that only Cosmos knows are kept too', () => {
  const text =
    "Comment = 'it''s' AND gc_grace_seconds = -5 AND x = 1.50 AND y = TRUE AND z = Keys AND w = TEXT " +
    'AND cosmosdb_provisioned_throughput=400 AND "Q" = 0xab';
  assert.deepEqual(
    [...parse(text)],
    [
      ['comment', "it's"],
      ['gc_grace_seconds', '-5'],
      ['x', '1.50'],
      ['y', 'TRUE'],
      ['z', 'Keys'],
      ['w', 'text'],
      ['cosmosdb_provisioned_throughput', '400'],
      ['Q', '0xab'],
    ],
  );
});

test('a map of literals is a value', () => {
  const properties = parse("caching = {'keys': 'ALL', 'rows': 10} AND compression = {}");
  assert.deepEqual(
    properties.get('caching'),
    new Map([
      ['keys', 'ALL'],
      ['rows', '10'],
    ]),
  );
  assert.deepEqual(properties.get('compression'), new Map());
});

test('what is not a literal, or said twice, is refused in the words of Cassandra', () => {
  const refusals = [
    ['a = 1 AND a = 2', "Multiple definitions for property 'a'"],
    ["a = {'x': 1, 'x': 2}", 'Multiple definition for property x'],
    [
      "a = {'x': ?}",
      "Invalid property value: ? for property: 'x' (bind variables are not supported in DDL queries)",
    ],
    ['a = {f(): 1}', 'Invalid property name: f()'],
  ] as const;
  for (const [text, message] of refusals) assert.throws(() => parse(text), { message });
});
