import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashOfColumnName, hashOfText, inHashOrder } from './java-hash-order.ts';

test('hashes are those of Java', () => {
  assert.equal(hashOfText('hello'), 99_162_322);
  assert.equal(hashOfText(''), 0);
  assert.equal(hashOfText('polygenelubricants'), -2_147_483_648);
  assert.equal(hashOfColumnName('a'), 128);
});

test('columns come in the order in which Cassandra 5.0.5 complains of them', () => {
  assert.deepEqual(inHashOrder(['d', 'c'], hashOfColumnName), ['c', 'd']);
  assert.deepEqual(inHashOrder(['F', 'd', 'd'], hashOfColumnName), ['d', 'F']);
});
