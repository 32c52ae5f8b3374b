import assert from 'node:assert/strict';
import { test } from 'node:test';
import { neededTextOf } from './needed-text.ts';
import { parseSql } from './parse-sql.ts';
import type { SqlParameters } from './sql-parameters.ts';

const parameters: SqlParameters = new Map([['@word', 'given']]);

const needed: readonly (readonly [string, string | undefined])[] = [
  ['c.a = "red"', 'red'],
  ['"red" = c.a.b', 'red'],
  ['c.a = @word', 'given'],
  ['CONTAINS(c.a, "red")', 'red'],
  ['StartsWith(c["a"][0], "red")', 'red'],
  ['ENDSWITH(c.a, "red") AND (c.b = "yellow" AND c.d > 1)', 'yellow'],
  ['STRINGEQUALS(c.a, "red")', 'red'],
  ['c.a LIKE "%red_yellow%"', 'yellow'],
  // What may be spelt otherwise, or need not be there.
  ['CONTAINS(c.a, "red", true)', undefined],
  ['c.a = "red" OR c.b = 1', undefined],
  ['NOT (c.a = "red")', undefined],
  ['c.a != "red"', undefined],
  ['c.a = 1', undefined],
  ['c.a = ""', undefined],
  ['c.a = c.b', undefined],
  ['UPPER(c.a) = "RED"', undefined],
  ['CONTAINS("redder", c.a)', undefined],
  ['c.a LIKE "[rs]ed"', undefined],
  ['c.a LIKE "%!%red" ESCAPE "!"', undefined],
  ['c.a NOT LIKE "red"', undefined],
  ['c.a = "\\ud800"', undefined],
  // What no stored text has.
  ['c._etag = "red"', undefined],
  // What is counted for every item.
  ['c.a = "red" AND EXISTS(SELECT VALUE t FROM t IN c.tags)', undefined],
];

for (const [filter, text] of needed) {
  test(`an item that passes ${filter} has ${text ?? 'no text for certain'}`, () => {
    assert.equal(neededTextOf(parseSql(`SELECT * FROM c WHERE ${filter}`), parameters), text);
  });
}

test('rows that are made out of an item, or of many, need not have the text of the item', () => {
  for (const query of [
    'SELECT VALUE t FROM c JOIN t IN c.tags WHERE c.a = "red"',
    'SELECT VALUE t FROM t IN c.tags WHERE t.a = "red"',
    'SELECT VALUE x FROM (SELECT VALUE c FROM c) x WHERE x.a = "red"',
    'SELECT VALUE c.a FROM c',
  ])
    assert.equal(neededTextOf(parseSql(query), parameters), undefined, query);
});
