import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computedPropertiesOf } from './computed-properties.ts';
import { queryList } from './query-list.ts';
import type { QueryContext } from './sql-function.ts';
import { noParameters } from './sql-parameters.ts';

const context: QueryContext = { now: () => 0, startedAt: 0, random: () => 0.5, isGeography: true };

function answers(
  computed: Readonly<Record<string, string>>,
  item: object,
  query: string,
): readonly unknown[] {
  const definitions = Object.entries(computed).map(([name, value]) => ({
    name,
    query: `SELECT VALUE ${value} FROM c`,
  }));
  const document = structuredClone(item);
  computedPropertiesOf(definitions, context)(document);
  return queryList({ text: query, parameters: noParameters }, [document], context);
}

test('a computed property is found by name and is in no result by itself', () => {
  const computed = { loud: 'UPPER(c.name)' };
  assert.deepEqual(answers(computed, { name: 'abc' }, 'SELECT VALUE c.loud FROM c WHERE c.loud = "ABC"'), [
    'ABC',
  ]);
  assert.deepEqual(answers(computed, { name: 'abc' }, 'SELECT * FROM c'), [{ name: 'abc' }]);
  assert.deepEqual(answers(computed, { name: 1 }, 'SELECT c.loud FROM c'), [{}]);
});

test('computed properties are not there for one another, nor for themselves', () => {
  assert.deepEqual(answers({ a: 'c.a' }, { x: 1 }, 'SELECT c.a FROM c'), [{}]);
  assert.deepEqual(answers({ a: 'c.b', b: 'c.a' }, { x: 1 }, 'SELECT c.a, c.b FROM c'), [{}]);
  assert.deepEqual(answers({ a: 'c.x', b: 'c.a ?? "none"' }, { x: 1 }, 'SELECT c.b, c.a FROM c'), [
    { b: 'none', a: 1 },
  ]);
});

test('a property that could not be computed leaves the others as they are', () => {
  const computed = { broken: 'REGEXMATCH(c.x, "(")', fine: 'c.x' };
  assert.throws(() => answers(computed, { x: 'x' }, 'SELECT c.broken FROM c'));
  const document = { x: 'x' };
  computedPropertiesOf(
    Object.entries(computed).map(([name, value]) => ({ name, query: `SELECT VALUE ${value} FROM c` })),
    context,
  )(document);
  const ask = (text: string): readonly unknown[] =>
    queryList({ text, parameters: noParameters }, [document], context);
  assert.throws(() => ask('SELECT c.broken FROM c'));
  assert.deepEqual(ask('SELECT c.fine FROM c'), [{ fine: 'x' }]);
});
