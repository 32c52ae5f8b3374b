import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCql } from '../cql-parser.ts';
import type { BatchStatement } from './batch.ts';

function parse(text: string): BatchStatement {
  const { statement } = parseCql(text);
  assert.equal(statement.kind, 'batch');
  return statement;
}

test('a batch is logged unless it says otherwise', () => {
  assert.equal(parse('BEGIN BATCH APPLY BATCH').type, 'logged');
  assert.equal(parse('BEGIN UNLOGGED BATCH APPLY BATCH').type, 'unlogged');
  assert.equal(parse('BEGIN COUNTER BATCH APPLY BATCH').type, 'counter');
});

test('its statements need no semicolon between them, and share one count of markers', () => {
  const text =
    'BEGIN BATCH USING TIMESTAMP ? INSERT INTO t (a) VALUES (?) UPDATE t SET b = ? WHERE a = ?; ' +
    'DELETE FROM t WHERE a = ? APPLY BATCH;';
  assert.deepEqual(
    parse(text).statements.map(({ kind }) => kind),
    ['insert', 'update', 'delete'],
  );
  assert.deepEqual(
    parseCql(text).markers.map(({ place }) => place),
    ['timestamp', 'value', 'value', 'value', 'value'],
  );
});
