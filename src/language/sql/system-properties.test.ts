import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSql } from './parse-sql.ts';
import { needsSystemProperties } from './system-properties.ts';

const needs = (text: string) => needsSystemProperties(parseSql(text));

test('system properties are made for who can tell that they are there', () => {
  for (const text of [
    'SELECT VALUE c._ts FROM c',
    'SELECT VALUE c["_etag"] FROM c',
    'SELECT VALUE c[@name] FROM c',
    'SELECT VALUE [c] FROM c',
    'SELECT DISTINCT * FROM c',
    'SELECT VALUE x._ts FROM c JOIN (SELECT VALUE c) x',
    'SELECT VALUE 1 FROM c WHERE EXISTS(SELECT VALUE t FROM t IN c.tags WHERE t < c._ts)',
  ]) {
    assert.equal(needs(text), true, text);
  }
  for (const text of [
    'SELECT * FROM c',
    'SELECT c.id, c.tags[0] FROM c WHERE c.n > 1 ORDER BY c.n',
    'SELECT VALUE t._ts FROM c JOIN t IN c.tags',
    'SELECT VALUE ARRAY(SELECT VALUE t FROM t IN c.tags) FROM c',
  ]) {
    assert.equal(needs(text), false, text);
  }
});

test('an alias that a sub-query uses for something else stands for the item again behind it', () => {
  for (const text of [
    'SELECT VALUE 1 FROM c WHERE EXISTS(SELECT VALUE c FROM c IN c.tags) AND c._ts > 0',
    'SELECT VALUE 1 FROM c JOIN (SELECT VALUE c.x FROM c IN c.tags) t WHERE c._ts > 0',
    'SELECT VALUE ARRAY(SELECT VALUE c FROM c IN c.tags) FROM c ORDER BY c._ts',
  ]) {
    assert.equal(needs(text), true, text);
  }
});
