import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import { exactJsonText } from '../../values/exact-json.ts';
import { JsonExcerpt } from '../../values/json-excerpt.ts';
import { families, longIntegerSamples, longIntegers, querySamples } from './corpus/query.samples.ts';
import { sampleLines } from './corpus/sample-lines.ts';
import { filterPathsOf, neededPathsOf } from './needed-paths.ts';
import { parseSql } from './parse-sql.ts';
import { queryList } from './query-list.ts';
import type { QueryContext } from './sql-function.ts';
import { noParameters } from './sql-parameters.ts';

const context: QueryContext = { now: () => 0, startedAt: 0, random: () => 0.5, isGeography: true };

function pathsOf(text: string, givesWholeItems = false): readonly string[] | undefined {
  return neededPathsOf(parseSql(text), givesWholeItems)?.map((path) => path.join('/'));
}

const needed: readonly (readonly [string, readonly string[] | undefined])[] = [
  ['SELECT VALUE COUNT(1) FROM c', []],
  ['SELECT c.a, c.b.d FROM c WHERE c["e"] > 1', ['a', 'b/d', 'e']],
  ['SELECT VALUE c.a[0].b FROM c', ['a']],
  ['SELECT VALUE c.a[c.b] FROM c', ['b', 'a']],
  ['SELECT VALUE c[c.b] FROM c', undefined],
  ['SELECT VALUE c[0] FROM c', undefined],
  ['SELECT * FROM c', undefined],
  ['SELECT VALUE c FROM c', undefined],
  ['SELECT VALUE {"whole": c} FROM c', undefined],
  ['SELECT VALUE DOCUMENTID(c) FROM c', undefined],
  ['SELECT t FROM c JOIN t IN c.tags WHERE t = c.main', ['tags', 'main']],
  ['SELECT t.name FROM t IN c.tags', ['tags']],
  ['SELECT VALUE a.town FROM c.address a', ['address']],
  ['SELECT VALUE address.town FROM c.address', ['address']],
  ['SELECT VALUE 1 FROM c WHERE EXISTS(SELECT VALUE t FROM t IN c.tags WHERE t = c.x)', ['tags', 'x']],
  ['SELECT VALUE ARRAY(SELECT * FROM t IN c.tags) FROM c', ['tags']],
  ['SELECT VALUE (SELECT VALUE c) FROM c', undefined],
  ['SELECT VALUE (SELECT * FROM c) FROM c', undefined],
  ['SELECT VALUE n FROM c JOIN (SELECT VALUE c.a) n', ['a']],
  ['SELECT VALUE n FROM c JOIN (SELECT VALUE c) n', undefined],
  ['SELECT VALUE x.a FROM (SELECT c.a FROM c) x', undefined],
  ['SELECT c.a, SUM(c.b) FROM c GROUP BY c.a', ['a', 'b', 'a']],
  ['SELECT VALUE c.a FROM c ORDER BY c.b', ['a', 'b']],
  ['SELECT VALUE c.__proto__ FROM c', undefined],
  ['SELECT VALUE c.a.toString FROM c', undefined],
  ['SELECT VALUE 1', []],
];

for (const [text, paths] of needed) {
  test(`${text} needs ${paths === undefined ? 'the whole item' : JSON.stringify(paths)}`, () => {
    assert.deepEqual(pathsOf(text), paths);
  });
}

test('an item that is given as it is stored is not looked at', () => {
  assert.deepEqual(pathsOf('SELECT * FROM c WHERE c.a = 1 ORDER BY c.b', true), ['a', 'b']);
  assert.deepEqual(pathsOf('SELECT VALUE c FROM c WHERE c.a = 1', true), ['a']);
});

test('a filter that looks at less than the query does may be asked first, unless it depends on more than the item', () => {
  const pathsOfFilter = (text: string, givesWholeItems = false): readonly string[] | undefined =>
    filterPathsOf(parseSql(text), givesWholeItems)?.map((path) => path.join('/'));
  assert.deepEqual(pathsOfFilter('SELECT c.a, c.b FROM c WHERE c.d > 1 AND c.e.f ORDER BY c.g'), [
    'd',
    'e/f',
  ]);
  assert.deepEqual(pathsOfFilter('SELECT VALUE {"all": c} FROM c WHERE c.d > 1'), ['d']);
  assert.deepEqual(pathsOfFilter('SELECT c.a FROM c WHERE true'), []);
  assert.equal(pathsOfFilter('SELECT c.d FROM c WHERE c.d > 1'), undefined);
  assert.equal(pathsOfFilter('SELECT * FROM c WHERE c.d > 1', true), undefined);
  assert.equal(pathsOfFilter('SELECT c.a FROM c'), undefined);
  assert.equal(pathsOfFilter('SELECT c.a FROM c WHERE c[c.d] > 1'), undefined);
  assert.equal(pathsOfFilter('SELECT c.a FROM c WHERE c.d > rand()'), undefined);
  assert.equal(pathsOfFilter('SELECT c.a FROM c WHERE EXISTS(SELECT VALUE t FROM t IN c.d)'), undefined);
});

test('queries over what they need of the items answer as they do over the items', () => {
  let excerpts = 0;
  for (const { lines, list } of [
    { lines: sampleLines(querySamples), list: families as readonly unknown[] },
    { lines: sampleLines(longIntegerSamples), list: longIntegers as readonly unknown[] },
  ]) {
    for (const { asked, answer } of lines) {
      const paths = answer.startsWith('error') ? undefined : neededPathsOf(parseSql(asked), false);
      if (paths === undefined) continue;
      excerpts++;
      const excerpt = new JsonExcerpt(paths);
      const read = list.map((item) => excerpt.read(Buffer.from(exactJsonText(item))));
      assert.equal(answerOver(asked, read), answer, asked);
    }
  }
  assert.ok(excerpts > 150, `${excerpts} queries need no whole item`);
});

function answerOver(text: string, list: readonly unknown[]): string {
  try {
    return exactJsonText(queryList({ text, parameters: noParameters }, list, context));
  } catch (error) {
    assert(error instanceof RingfoldError);
    return error.code;
  }
}
